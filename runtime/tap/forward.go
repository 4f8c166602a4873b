package tap

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/openai"
)

// forwarder is the reverse proxy in the path of responses.
type forwarder struct {
	e      *Exporter
	proxy  *httputil.ReverseProxy
	base   *http.Transport
	target confine.Target
}

type exchangeKey struct{}

// exchange is one request for a completion, on its way.
type exchange struct {
	ordinal  uint64
	start    time.Time
	request  *capture
	response *capture // nil where nothing is to be read
	status   int
	header   http.Header
	failure  openai.Outcome // of a request without a response
}

// forwarded are the headers that httputil takes away: a tap leaves them.
var forwarded = []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"}

func newForwarder(e *Exporter, upstream *url.URL, target confine.Target) *forwarder {
	t := &http.Transport{
		DialContext:           target.DialContext,
		DisableCompression:    true, // a body passes in the encoding that its client asked for
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          1024,
		MaxIdleConnsPerHost:   1024,
		IdleConnTimeout:       90 * time.Second,
		TLSHandshakeTimeout:   10 * time.Second,
		ExpectContinueTimeout: time.Second,
		ReadBufferSize:        32 << 10,
		WriteBufferSize:       32 << 10,
	}
	scheme := upstream.Scheme
	if scheme == "h2c" {
		scheme = "http"
		t.Protocols = new(http.Protocols)
		t.Protocols.SetUnencryptedHTTP2(true)
	}
	f := &forwarder{e: e, base: t, target: target}
	f.proxy = &httputil.ReverseProxy{
		Transport:     t,
		FlushInterval: -1, // at once
		BufferPool:    &buffers{sync.Pool{New: func() any { return new([bufferSize]byte) }}},
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = scheme, upstream.Host, ""
			r.Out.URL.RawQuery = r.In.URL.RawQuery
			for _, k := range forwarded {
				if v, ok := r.In.Header[k]; ok {
					r.Out.Header[k] = v
				}
			}
		},
		ErrorLog:       log.New(io.Discard, "", 0), // what breaks off is counted
		ModifyResponse: f.look,
		ErrorHandler:   f.fail,
	}
	return f
}

// buffers are those that bodies are copied through.
type buffers struct{ pool sync.Pool }

const bufferSize = 32 << 10

func (b *buffers) Get() []byte  { return b.pool.Get().(*[bufferSize]byte)[:] }
func (b *buffers) Put(p []byte) { b.pool.Put((*[bufferSize]byte)(p)) }

// plainWriter keeps the server from adding to a response what the deployment did
// not send. An interim response clears the headers, so they are marked when the
// final one begins.
type plainWriter struct{ http.ResponseWriter }

func (w *plainWriter) WriteHeader(code int) {
	if code >= http.StatusOK {
		for _, name := range []string{"Date", "Content-Type"} {
			if h := w.Header(); h[name] == nil {
				h[name] = nil
			}
		}
	}
	w.ResponseWriter.WriteHeader(code)
}

// Unwrap is for http.ResponseController.
func (w *plainWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// ServeHTTP passes a request on and its response back.
func (f *forwarder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w = &plainWriter{w}
	if r.Method != http.MethodPost || !openai.Completes(r.URL.Path) {
		f.proxy.ServeHTTP(w, r)
		return
	}
	x := &exchange{ordinal: f.e.ordinal.Add(1) - 1, start: f.e.o.now()}
	x.request = &capture{ReadCloser: r.Body, budget: &f.e.memory}
	// A body that breaks off on one side has to break off on the other, which
	// httputil does by a panic.
	defer f.e.passed(x, operation(r.URL.Path))
	r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x))
	r.Body = x.request
	f.proxy.ServeHTTP(w, r)
}

// look begins to copy a response.
func (f *forwarder) look(resp *http.Response) error {
	x, ok := resp.Request.Context().Value(exchangeKey{}).(*exchange)
	if !ok {
		return nil
	}
	if x.status, x.header = resp.StatusCode, resp.Header; x.status != http.StatusOK {
		return nil
	}
	x.response = &capture{ReadCloser: resp.Body, budget: &f.e.memory}
	if f.e.o.FirstToken {
		x.response.now = f.e.o.now
	}
	resp.Body = x.response
	return nil
}

// fail answers a request that did not reach the deployment.
func (f *forwarder) fail(w http.ResponseWriter, r *http.Request, err error) {
	x, _ := r.Context().Value(exchangeKey{}).(*exchange)
	var long *http.MaxBytesError
	status, failure := http.StatusBadGateway, openai.Refused
	switch {
	case errors.As(err, &long):
		status, failure = http.StatusRequestEntityTooLarge, openai.HTTPError
	case r.Context().Err() != nil:
		failure = openai.Cancelled
	default:
		f.e.warn("upstream", "the upstream does not answer: "+err.Error())
	}
	if x != nil {
		x.failure = failure
	}
	if p, ok := w.(*plainWriter); ok {
		w = p.ResponseWriter // the answer is the tap's own
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	message := "the deployment behind the tap cannot be reached"
	if status == http.StatusRequestEntityTooLarge {
		message = "the request is longer than the tap lets through"
	}
	w.Write([]byte(`{"error":{"message":"` + message + `","type":"tap_error"}}`))
}

// operation is gen_ai.operation.name of the semantic conventions.
func operation(path string) string {
	if strings.HasSuffix(path, "/chat/completions") {
		return "chat"
	}
	return "text_completion"
}
