package proxy

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"net/url"
	"strings"
	"sync"

	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/openai"
)

// ServeHTTP passes a request on and its response back. Connections that break
// off behind the proxy break off before it.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || !openai.Completes(r.URL.Path) {
		p.pass(w, r, r.Body, nil)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		var long *http.MaxBytesError
		if errors.As(err, &long) {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		panic(http.ErrAbortHandler)
	}
	x := p.take(driver.Key(body), openai.ReadAsked(body).Prompt)
	defer p.leave(x)
	p.pass(w, r, bytes.NewReader(body), x)
}

// pass sends a request to the deployment and its response to the client. x is
// nil for a request without a completion.
func (p *Proxy) pass(w http.ResponseWriter, r *http.Request, body io.Reader, x *exchange) {
	resp, err := p.send(w, r, body)
	if err != nil {
		if r.Context().Err() != nil {
			panic(http.ErrAbortHandler)
		}
		if x != nil {
			x.status = http.StatusBadGateway
		}
		p.counts.unreachable.Add(1)
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	if x != nil {
		x.status = resp.StatusCode
	}
	h := w.Header()
	for k, v := range resp.Header {
		h[k] = v
	}
	for _, k := range []string{"Date", "Content-Type"} {
		if _, ok := h[k]; !ok {
			h[k] = nil // so that the server adds none
		}
	}
	announced := len(resp.Trailer)
	for k := range resp.Trailer {
		h.Add("Trailer", k)
	}
	switch media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); {
	case x == nil || resp.StatusCode != http.StatusOK || media != "text/event-stream" && media != "application/json":
		p.copy(w, resp, nil)
	case x.change == nil:
		p.observe(w, resp, x, media == "text/event-stream")
	case encoding(resp.Header) == "?":
		p.counts.unreadable.Add(1)
		p.observe(w, resp, x, media == "text/event-stream")
	case media == "text/event-stream":
		p.changeStream(w, resp, x)
	default:
		p.changeBody(w, resp, x)
	}
	for k, v := range resp.Trailer {
		if len(resp.Trailer) == announced {
			h[k] = v
		} else {
			h[http.TrailerPrefix+k] = v
		}
	}
	if x != nil {
		x.finished = true // what breaks off does not come here
	}
}

// send makes the request to the deployment, in the protocol in which it came
// where the deployment speaks it.
func (p *Proxy) send(w http.ResponseWriter, r *http.Request, body io.Reader) (*http.Response, error) {
	var mu sync.Mutex
	answered := false
	trace := &httptrace.ClientTrace{Got1xxResponse: func(code int, header textproto.MIMEHeader) error {
		mu.Lock()
		defer mu.Unlock()
		if answered || code <= http.StatusSwitchingProtocols {
			return nil
		}
		h := w.Header()
		for k, v := range header {
			h[k] = v
		}
		w.WriteHeader(code)
		clear(h)
		return nil
	}}
	out := (&http.Request{Method: r.Method, URL: p.target(r.URL), Header: r.Header.Clone(), ContentLength: r.ContentLength,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Trailer: r.Trailer}).WithContext(httptrace.WithClientTrace(r.Context(), trace))
	hop(out.Header)
	switch b := body.(type) {
	case *bytes.Reader:
		whole := *b
		out.ContentLength, out.Body = b.Size(), io.NopCloser(b)
		out.GetBody = func() (io.ReadCloser, error) {
			again := whole
			return io.NopCloser(&again), nil
		}
		// A deployment that closes a connection at the moment at which it is
		// used again has not taken the request: it is sent once more. The entry
		// says so, and does not go out.
		if _, ok := out.Header["Idempotency-Key"]; !ok {
			out.Header["Idempotency-Key"] = []string{}
		}
	default:
		if out.ContentLength != 0 {
			out.Body = io.NopCloser(body)
		}
	}
	delete(out.Header, "Expect") // it was met
	acceptable(out.Header)
	if _, ok := out.Header["User-Agent"]; !ok {
		out.Header["User-Agent"] = []string{""} // so that the client adds none
	}
	transport := p.one
	if r.ProtoMajor == 2 && p.two != nil {
		transport = p.two
	}
	resp, err := transport.RoundTrip(out)
	mu.Lock()
	answered = true
	mu.Unlock()
	if err != nil {
		return nil, err
	}
	hop(resp.Header)
	return resp, nil
}

// target is where a request goes. A base path of the deployment that ends like
// the beginning of the request's, as in /v1, stands once.
func (p *Proxy) target(u *url.URL) *url.URL {
	out := *u
	out.Scheme, out.Host = p.upstream.Scheme, p.upstream.Host
	base := strings.TrimSuffix(p.upstream.Path, "/")
	if strings.HasSuffix(base, "/v1") && strings.HasPrefix(out.Path, "/v1/") {
		base = strings.TrimSuffix(base, "/v1")
	}
	if base != "" {
		out.Path = base + out.Path
		if out.RawPath != "" {
			out.RawPath = (&url.URL{Path: base}).EscapedPath() + out.RawPath
		}
	}
	return &out
}

// hop removes what belongs to one connection (RFC 9110, section 7.6.1).
func hop(h http.Header) {
	for _, v := range h["Connection"] {
		for _, name := range strings.Split(v, ",") {
			if name = textproto.TrimString(name); name != "" {
				h.Del(name)
			}
		}
	}
	for _, k := range []string{"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Te", "Transfer-Encoding", "Upgrade"} {
		delete(h, k)
	}
}

var buffers = sync.Pool{New: func() any { return new([32 << 10]byte) }}

// copy passes a body on as it comes; see looks at each part once it is out.
func (p *Proxy) copy(w http.ResponseWriter, resp *http.Response, see func([]byte)) {
	w.WriteHeader(resp.StatusCode)
	left := resp.ContentLength
	flush(w, left)
	buf := buffers.Get().(*[32 << 10]byte)
	defer buffers.Put(buf)
	for {
		n, err := resp.Body.Read(buf[:])
		if n > 0 {
			if _, err := w.Write(buf[:n]); err != nil {
				panic(http.ErrAbortHandler)
			}
			if left >= 0 {
				left -= int64(n)
			}
			if left != 0 {
				flush(w, -1)
			}
			if see != nil {
				see(buf[:n])
			}
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			panic(http.ErrAbortHandler)
		}
	}
}

// flush sends what was written. A header goes out at once where the length of
// its body is not known, and with the beginning of the body where it is.
func flush(w http.ResponseWriter, length int64) {
	if f, ok := w.(http.Flusher); ok && length < 0 {
		f.Flush()
	}
}

// observe passes a response on and reads it for the ledger.
func (p *Proxy) observe(w http.ResponseWriter, resp *http.Response, x *exchange, streamed bool) {
	o := &observer{streamed: streamed, learn: &p.style}
	x.before, x.after = o, o
	kind := encoding(resp.Header)
	if kind == "" {
		p.copy(w, resp, o.feed)
		return
	}
	var all bytes.Buffer
	p.copy(w, resp, func(b []byte) {
		if all.Len()+len(b) <= maxText {
			all.Write(b)
		}
	})
	if kind != "?" {
		if plain, err := decoded(all.Bytes(), kind, maxText); err == nil {
			o.feed(plain)
		}
	}
}
