package clockprobe

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/fdbench/fdbench/runtime/listen"
)

// Format names the encoding of an answer.
const Format = "fdbench.clock/1"

// Path is where a responder answers.
const Path = "/clock"

// connections is how many a responder has at a time.
const connections = 16

// answer is what a responder says.
type answer struct {
	Format string `json:"format"`
	Host   string `json:"host"`
	T1     int64  `json:"t1_ns"`
	T2     int64  `json:"t2_ns"`
}

// Handler answers probes of whoever has the token, which must not be empty.
// host identifies this machine, see Host. now is the clock that the detector
// stamps by; nil for that of the system.
func Handler(token, host string, now func() time.Time) http.Handler {
	if now == nil {
		now = time.Now
	}
	mux := http.NewServeMux()
	mux.Handle("POST "+Path, listen.Authorized(token, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in := now()
		a := answer{Format: Format, Host: host, T1: in.UnixNano()}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		// By the difference, T2 is not before T1 though the clock be set back.
		a.T2 = a.T1 + int64(now().Sub(in))
		json.NewEncoder(w).Encode(a)
	})))
	return mux
}

// Serve answers probes at an address until ctx ends; ready hears the address.
func Serve(ctx context.Context, o listen.Options, token string, ready func(address string)) error {
	host, err := Host()
	if err != nil {
		return err
	}
	if o.Connections == 0 {
		o.Connections = connections
	}
	l, err := listen.Listen(o)
	if err != nil {
		return err
	}
	ready(l.Addr().String())
	return listen.Serve(ctx, l, listen.Server(Handler(token, host, nil)), time.Second)
}
