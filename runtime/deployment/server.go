package deployment

import (
	"context"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fdbench/fdbench/runtime/listen"
)

// Options of a deployment.
type Options struct {
	Engine   Engine
	Model    string // the name by which it is asked for
	Key      string // requests need it as a bearer token; "" for none
	Admin    string // token for what changes state; "" allows none of it
	Latency  Latency
	Seed     string   // of the latency; the engine has one of its own
	Sampling Sampling // defaults for requests that say nothing
	InFlight int      // requests that are answered at a time; 0 for 256. Others wait

	Faults Faults
	// Flavour is the engine whose log lines, request ids and counters this one
	// has; "" for VLLM.
	Flavour Flavour
	// Log is where the engine tells what it reuses; nil for nowhere. Each line
	// is one Write.
	Log io.Writer
	// EngineTimes puts the engine's own times into answers, as members of
	// metrics.
	EngineTimes bool
	// Worker is the name under which answers tell a placement in their headers;
	// "" for no such headers.
	Worker string
	// FlushOpen lets POST /flush_cache and /reset_prefix_cache in without a token,
	// as SGLang and vLLM in its development mode do. Whoever sets it lets every
	// page and program of the machine empty the cache.
	FlushOpen bool
}

// Deployment answers requests.
type Deployment struct {
	o        Options
	mu       sync.RWMutex
	defaults Sampling
	system   string // put before every prompt
	count    atomic.Uint64
	counters counters
	log      *engineLog
	room     chan struct{}
}

// New makes a deployment.
func New(o Options) *Deployment {
	if o.Sampling.MaxTokens == 0 {
		o.Sampling.MaxTokens = 256
	}
	if o.InFlight == 0 {
		o.InFlight = 256
	}
	if o.Flavour == "" {
		o.Flavour = VLLM
	}
	return &Deployment{o: o, defaults: o.Sampling, log: newEngineLog(o.Flavour, o.Log), room: make(chan struct{}, o.InFlight)}
}

// Handler serves the protocols, and for whoever has the token:
//
//	GET, PUT /admin/defaults   {"temperature": 1.5, "logit_bias": {"40": 4}, "system": "..."}
//	POST /reset_prefix_cache   with no token at all where FlushOpen is set
//	POST /flush_cache          with any or none there
func (d *Deployment) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", d.keyed(func(w http.ResponseWriter, r *http.Request) { d.complete(w, r, true) }))
	mux.HandleFunc("POST /v1/completions", d.keyed(func(w http.ResponseWriter, r *http.Request) { d.complete(w, r, false) }))
	mux.HandleFunc("GET /v1/models", d.keyed(d.models))
	mux.HandleFunc("POST /generate", d.keyed(d.generate))
	mux.HandleFunc("GET /get_model_info", d.keyed(d.modelInfo))
	mux.HandleFunc("GET /get_server_info", d.keyed(d.serverInfo))
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok\n") })
	mux.HandleFunc("GET /metrics", d.metrics)
	mux.Handle("GET /admin/defaults", listen.Authorized(d.o.Admin, http.HandlerFunc(d.showDefaults)))
	mux.Handle("PUT /admin/defaults", listen.Authorized(d.o.Admin, http.HandlerFunc(d.setDefaults)))
	reset := http.HandlerFunc(d.reset)
	locked := listen.Authorized(d.o.Admin, reset)
	flush := func(anyToken bool) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if d.o.FlushOpen && (anyToken || r.Header.Get("Authorization") == "") {
				reset(w, r)
				return
			}
			locked.ServeHTTP(w, r)
		}
	}
	mux.HandleFunc("POST /reset_prefix_cache", flush(false)) // a wrong token remains wrong
	mux.HandleFunc("POST /flush_cache", flush(true))
	return mux
}

// Serve serves at an address until ctx ends.
func (d *Deployment) Serve(ctx context.Context, o listen.Options, ready func(address string)) error {
	l, err := listen.Listen(o)
	if err != nil {
		return err
	}
	ready(l.Addr().String())
	return listen.Serve(ctx, l, listen.Server(d.Handler()), time.Second)
}
