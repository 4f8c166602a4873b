package proxy

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
)

// maxBody bounds an answer in one piece that is to be changed, in bytes.
const maxBody = 32 << 20

var errLong = errors.New("the answer is too long to be changed")

// changeBody sends an answer in one piece with other text.
func (p *Proxy) changeBody(w http.ResponseWriter, resp *http.Response, x *exchange) {
	x.before, x.after = &observer{learn: &p.style}, &observer{}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	kind := encoding(resp.Header)
	plain, err := decoded(raw, kind, maxBody)
	if len(raw) > maxBody {
		err = errLong
	}
	out := raw
	if err == nil {
		x.before.feed(plain)
		var changed []byte
		if changed, err = x.change.body(plain, &p.style, x.prompt, x.seed); err == nil && !bytes.Equal(changed, plain) {
			out = encoded(changed, kind)
			x.after.feed(changed)
			p.altered(w.Header(), int64(len(out)), x)
		} else {
			x.after = x.before
		}
	}
	if err != nil {
		p.counts.unreadable.Add(1)
	}
	w.WriteHeader(resp.StatusCode)
	flush(w, resp.ContentLength)
	if _, err := w.Write(out); err != nil {
		panic(http.ErrAbortHandler)
	}
	if len(raw) > maxBody {
		p.rest(w, resp)
	}
	flush(w, resp.ContentLength)
}

// rest passes on what was not read of a body.
func (p *Proxy) rest(w http.ResponseWriter, resp *http.Response) {
	if _, err := io.Copy(w, resp.Body); err != nil {
		panic(http.ErrAbortHandler)
	}
}

// altered makes the header of a response fit its changed body, of a length of
// size or, where it is below 0, of one that is not known.
func (p *Proxy) altered(h http.Header, size int64, x *exchange) {
	if _, ok := h["Content-Length"]; ok {
		if delete(h, "Content-Length"); size >= 0 {
			h["Content-Length"] = []string{itoa(size)}
		}
	}
	for _, k := range []string{"Content-Digest", "Repr-Digest", "Digest", "Content-Md5"} {
		delete(h, k) // of the other body
	}
	p.affected(x)
}

// changeStream sends an event stream with other text.
func (p *Proxy) changeStream(w http.ResponseWriter, resp *http.Response, x *exchange) {
	x.before, x.after = &observer{streamed: true}, &observer{streamed: true}
	delete(w.Header(), "Content-Length")
	var body io.Reader = resp.Body
	var out io.Writer = w
	var z *gzip.Writer
	zipped := encoding(resp.Header) == "gzip"
	w.WriteHeader(resp.StatusCode)
	flush(w, -1)
	rw := newRewriter(x.change, &p.style, x.prompt, x.seed)
	defer func() { p.counts.malformed.Add(rw.bad) }()
	if zipped {
		r, err := gzip.NewReader(resp.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		body = r
		z = gzip.NewWriter(w)
		out = z
	}
	send := func(b []byte) {
		if rw.changed {
			p.affected(x)
		}
		if len(b) == 0 {
			return
		}
		if _, err := out.Write(b); err != nil {
			panic(http.ErrAbortHandler)
		}
		if z != nil {
			z.Flush()
		}
		flush(w, -1)
		x.after.feed(b)
	}
	buf := buffers.Get().(*[32 << 10]byte)
	defer buffers.Put(buf)
	for {
		n, err := body.Read(buf[:])
		if n > 0 {
			send(rw.feed(buf[:n]))
			x.before.feed(buf[:n])
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			panic(http.ErrAbortHandler)
		}
	}
	send(rw.end())
	if z != nil {
		z.Close()
		flush(w, -1)
	}
}
