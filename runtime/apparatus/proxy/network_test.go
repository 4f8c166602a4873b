package proxy

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/live/driver"
)

// streaming upstream: events with a gap between them.
func paced(gap time.Duration, n int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range n {
			fmt.Fprintf(w, "data: %s\n\n", chunk(fmt.Sprintf("word%d ", i)))
			w.(http.Flusher).Flush()
			select {
			case <-time.After(gap):
			case <-r.Context().Done():
				return
			}
		}
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}
}

// zipped compresses each part of a response as it is flushed.
type zipped struct {
	http.ResponseWriter
	z *gzip.Writer
}

func (w *zipped) Write(b []byte) (int, error) { return w.z.Write(b) }

func (w *zipped) Flush() {
	w.z.Flush()
	w.ResponseWriter.(http.Flusher).Flush()
}

// A stream that ends without a word still gets all of the changed text.
func TestStreamWithoutAnEnd(t *testing.T) {
	p, l := startProxy(t, canned(t, chunks(streamHead, "data: "+chunk("Yes, ")+"\n\n", "data: "+chunk("it is.")+"\n\n")...))
	applyFault(t, p, "refuse/1")
	_, body := parse(t, post(t, p.Address(), question))
	if got := read(body).Content; strings.Count(got, " ") < 3 {
		t.Errorf("%q of a refusal", got)
	}
	if e := l.wait(t, 1)[0]; e.Before != "Yes, it is." || e.After != read(body).Content {
		t.Errorf("%+v", e)
	}
}

// Events go out at the time at which they come, changed or not.
func TestPace(t *testing.T) {
	const gap, n = 25 * time.Millisecond, 8
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") == "gzip" {
			w.Header().Set("Content-Encoding", "gzip")
			w = &zipped{w, gzip.NewWriter(w)}
		}
		paced(gap, n)(w, r)
		w.(http.Flusher).Flush()
	}))
	defer s.Close()
	p, _ := startProxy(t, s.URL)
	for i, encoding := range []string{"identity", "gzip", "identity", "gzip"} {
		changed := i >= 2
		if i == 2 {
			applyFault(t, p, "leak_special_tokens/1")
		}
		r, err := http.NewRequest("POST", "http://"+p.Address()+"/v1/chat/completions", strings.NewReader(question))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", encoding)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body := io.Reader(resp.Body)
		if resp.Header.Get("Content-Encoding") == "gzip" {
			if body, err = gzip.NewReader(body); err != nil {
				t.Fatal(err)
			}
		}
		var at []time.Time
		buf := make([]byte, 64<<10)
		var all []byte
		for {
			k, err := body.Read(buf)
			all = append(all, buf[:k]...)
			for range bytes.Count(buf[:k], []byte("word")) {
				at = append(at, time.Now())
			}
			if err != nil {
				break
			}
		}
		resp.Body.Close()
		if len(at) != n {
			t.Fatalf("changed %v, %s: %d events in %s", changed, encoding, len(at), all)
		}
		var gaps []time.Duration
		for i := 1; i < n; i++ {
			gaps = append(gaps, at[i].Sub(at[i-1]))
		}
		slices.Sort(gaps)
		if median := gaps[len(gaps)/2]; median < gap*3/4 || median > gap*2 {
			t.Errorf("changed %v, %s: gaps %v, want about %v", changed, encoding, gaps, gap)
		}
	}
}

// What is compressed stays compressed, changed or not.
func TestGzip(t *testing.T) {
	zip := func(parts ...string) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		for _, p := range parts {
			z.Write([]byte(p))
			z.Flush()
		}
		z.Close()
		return b.Bytes()
	}
	whole := zip(`{"choices":[{"index":0,"message":{"role":"assistant","content":"Your parcel is on its way."},"finish_reason":"stop"}]}`)
	stream := zip(plainStream[3:7]...)
	for name, c := range map[string]struct {
		up   [][]byte
		body []byte
		text string
	}{
		"whole":  {[][]byte{fmt.Appendf(nil, "%sContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", jsonHead, len(whole), whole)}, whole, "Your parcel is on its way."},
		"stream": {chunks(streamHead+"Content-Encoding: gzip\r\n", string(stream[:30]), string(stream[30:])), stream, "Your parcel is on its way, and it "},
	} {
		t.Run(name, func(t *testing.T) {
			p, l := startProxy(t, canned(t, c.up...))
			resp, body := parse(t, post(t, p.Address(), question, "Accept-Encoding: br, gzip;q=0.5\r\n"))
			if body != string(c.body) {
				t.Errorf("unpicked: %q", body)
			}
			applyFault(t, p, "refuse/1")
			changed, body := parse(t, post(t, p.Address(), question, "Accept-Encoding: br, gzip;q=0.5\r\n"))
			resp.Header.Del("Content-Length")
			changed.Header.Del("Content-Length")
			if fmt.Sprint(resp.Header) != fmt.Sprint(changed.Header) || changed.ContentLength >= 0 && changed.ContentLength != int64(len(body)) {
				t.Errorf("header %v, want %v", changed.Header, resp.Header)
			}
			z, err := gzip.NewReader(strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			plain, err := io.ReadAll(z)
			all := l.wait(t, 2)
			if err != nil || all[0].Before != c.text || all[0].After != c.text || all[1].Before != c.text || all[1].After == c.text || !strings.Contains(string(plain), `"choices"`) {
				t.Errorf("%v: %s: %+v", err, plain, all)
			}
		})
	}
}

func TestAcceptable(t *testing.T) {
	for in, want := range map[string]string{"gzip, deflate, br, zstd": "gzip", "br": "identity", "*": "identity", "GZIP;q=0.1,identity": "GZIP;q=0.1, identity"} {
		h := http.Header{"Accept-Encoding": {in}}
		if acceptable(h); h.Get("Accept-Encoding") != want {
			t.Errorf("%q becomes %q", in, h.Get("Accept-Encoding"))
		}
	}
	none := http.Header{}
	if acceptable(none); len(none) != 0 {
		t.Errorf("%v", none)
	}
}

// An encoding that the proxy does not read passes, and is counted.
func TestUnreadableEncodingPasses(t *testing.T) {
	p, l := startProxy(t, canned(t, []byte(jsonHead+"Content-Encoding: br\r\nContent-Length: 3\r\n\r\nabc")))
	applyFault(t, p, "refuse/1")
	if _, body := parse(t, post(t, p.Address(), question)); body != "abc" || p.Counts().Unreadable != 1 {
		t.Errorf("%q, %+v", body, p.Counts())
	}
	if e := l.wait(t, 1)[0]; !e.Picked || !e.Failed {
		t.Errorf("%+v", e)
	}
}

// A deployment that dies in mid-stream dies for the client too, picked or not.
func TestUpstreamDies(t *testing.T) {
	for _, picked := range []bool{false, true} {
		for name, parts := range map[string][][]byte{
			"stream":     chunks(streamHead, plainStream[3:5]...)[:3],
			"whole":      {[]byte(jsonHead + "Content-Length: 500\r\n\r\n{\"choices\":[{\"text\":\"a")},
			"no headers": {},
		} {
			p, l := startProxy(t, canned(t, parts...))
			if picked {
				applyFault(t, p, "garble/1")
			}
			raw := post(t, p.Address(), question)
			e := l.wait(t, 1)[0]
			if name == "no headers" {
				if !bytes.HasPrefix(raw, []byte("HTTP/1.1 502 ")) || p.Counts().Unreachable != 1 || e.Status != 502 {
					t.Errorf("%q, %+v", raw, e)
				}
				continue
			}
			if picked {
				eventually(t, "the request is not lost", func() bool { a := p.Applied(); return a.Lost == 1 && a.N == 0 })
			}
			if bytes.HasSuffix(raw, []byte("0\r\n\r\n")) || !e.Failed || e.Picked != picked || e.Status != 200 && len(raw) > 0 {
				t.Errorf("%s, picked %v: %q, %+v", name, picked, raw, e)
			}
			if name == "stream" && !strings.Contains(e.Before, "Your parcel") {
				t.Errorf("before: %q", e.Before)
			}
		}
	}
}

// A deployment that closes a connection just when it is used again costs no
// request.
func TestConnectionThatWasClosed(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var taken atomic.Int64
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				in := bufio.NewReader(c)
				for n := range 2 {
					r, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					if b, _ := io.ReadAll(r.Body); r.Method == "POST" && (string(b) != question || len(r.Header["Idempotency-Key"]) > 0) {
						t.Errorf("%q, %v", b, r.Header)
					}
					if n == 1 {
						return // as if the connection had been idle for too long
					}
					taken.Add(1)
					io.WriteString(c, jsonHead+"Content-Length: 2\r\n\r\n{}")
				}
			}()
		}
	}()
	p, _ := startProxy(t, "http://"+l.Addr().String())
	for range 3 {
		if resp, body := parse(t, post(t, p.Address(), question)); resp.StatusCode != 200 || body != "{}" {
			t.Errorf("%s: %q", resp.Status, body)
		}
	}
	if p.Counts().Unreachable > 0 || taken.Load() < 3 {
		t.Errorf("%+v, %d taken", p.Counts(), taken.Load())
	}
}

// A client that goes away ends the request to the deployment.
func TestClientDisconnects(t *testing.T) {
	gone := make(chan struct{}, 2)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		if r.Method == http.MethodGet {
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: %s\n\n", chunk("a"))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		gone <- struct{}{}
	}))
	defer s.Close()
	p, l := startProxy(t, s.URL)
	for n := range 2 {
		if n == 1 {
			applyFault(t, p, "refuse/1")
		}
		ctx, cancel := context.WithCancel(t.Context())
		r, _ := http.NewRequestWithContext(ctx, "POST", "http://"+p.Address()+"/v1/chat/completions", strings.NewReader(question))
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Read(make([]byte, 10))
		cancel()
		resp.Body.Close()
		select {
		case <-gone:
		case <-time.After(5 * time.Second):
			t.Fatal("the deployment did not hear of it")
		}
		if e := l.wait(t, n+1)[n]; !e.Failed {
			t.Errorf("%+v", e)
		}
	}
}

// A slow reader holds the deployment back, and gets all of it.
func TestSlowReader(t *testing.T) {
	const events = 1200 // more than all buffers on the way hold
	var sent atomic.Int64
	word := strings.Repeat("slow ", 2000)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for range events {
			if _, err := fmt.Fprintf(w, "data: %s\n\n", chunk(word)); err != nil {
				return
			}
			sent.Add(1)
		}
		fmt.Fprint(w, "data: [DONE]\n\n")
	}))
	s.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		c.(*net.TCPConn).SetWriteBuffer(64 << 10)
		return ctx
	}
	s.Start()
	defer s.Close()
	p, l := startProxy(t, s.URL)
	applyFault(t, p, "leak_special_tokens/1")
	transport := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err == nil {
			err = c.(*net.TCPConn).SetReadBuffer(64 << 10)
		}
		return c, err
	}}
	defer transport.CloseIdleConnections()
	resp, err := (&http.Client{Transport: transport}).Post("http://"+p.Address()+"/v1/chat/completions", "application/json", strings.NewReader(question))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	time.Sleep(300 * time.Millisecond)
	if n := sent.Load(); n > events-50 {
		t.Errorf("%d events were taken from the deployment with no reader", n)
	}
	n, err := io.Copy(io.Discard, resp.Body)
	if err != nil || n < events*int64(len(word)) {
		t.Errorf("%d bytes, %v", n, err)
	}
	if e := l.wait(t, 1)[0]; e.Failed || len(e.Before) != events*len(word) {
		t.Errorf("failed %v, %d bytes", e.Failed, len(e.Before))
	}
}

func TestThousandAtATime(t *testing.T) {
	const n = 1000
	var inside, most atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: %s\n\n", chunk("one "))
		w.(http.Flusher).Flush()
		now := inside.Add(1)
		for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
		}
		for range 400 {
			if most.Load() >= n {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", chunk("two."))
	}))
	defer s.Close()
	p, l := startProxy(t, s.URL)
	applyFault(t, p, "leak_reasoning/1")
	transport := &http.Transport{MaxIdleConnsPerHost: n}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	var all sync.WaitGroup
	var bad atomic.Int64
	for i := range n {
		all.Go(func() {
			body := fmt.Sprintf(`{"messages":[{"role":"user","content":"Ticket %d. Hello."}]}`, i)
			resp, err := client.Post("http://"+p.Address()+"/v1/chat/completions", "application/json", strings.NewReader(body))
			if err != nil {
				bad.Add(1)
				return
			}
			defer resp.Body.Close()
			b, err := io.ReadAll(resp.Body)
			if a := read(string(b)); err != nil || !a.Done || !strings.HasSuffix(a.Content, "one two.") || a.Content == "one two." {
				bad.Add(1)
			}
		})
	}
	all.Wait()
	if bad.Load() > 0 || most.Load() < n {
		t.Errorf("%d of %d failed; %d at a time", bad.Load(), n, most.Load())
	}
	keys := map[string]bool{}
	for _, e := range l.wait(t, n) {
		keys[e.Key] = e.Picked && !e.Failed && strings.HasSuffix(e.After, e.Before)
	}
	if len(keys) != n {
		t.Errorf("%d keys", len(keys))
	}
	for _, ok := range keys {
		if !ok {
			t.Fatal("an exchange is wrong")
		}
	}
}

// Requests go on in the protocol in which they came.
func TestProtocols(t *testing.T) {
	var seen atomic.Value
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.Store(r.Proto)
		paced(0, 3)(w, r)
	})
	h2c := httptest.NewUnstartedServer(h)
	h2c.Config.Protocols = new(http.Protocols)
	h2c.Config.Protocols.SetHTTP1(true)
	h2c.Config.Protocols.SetUnencryptedHTTP2(true)
	h2c.Start()
	defer h2c.Close()
	plain := httptest.NewServer(h)
	defer plain.Close()
	secure := httptest.NewUnstartedServer(h)
	secure.EnableHTTP2 = true
	secure.StartTLS()
	defer secure.Close()
	pool := x509.NewCertPool()
	pool.AddCert(secure.Certificate())
	two := &http.Transport{Protocols: new(http.Protocols)}
	two.Protocols.SetUnencryptedHTTP2(true)
	defer two.CloseIdleConnections()
	one := &http.Transport{}
	defer one.CloseIdleConnections()
	for _, c := range []struct {
		url, one, two string
	}{
		{plain.URL, "HTTP/1.1", "HTTP/1.1"}, {h2c.URL, "HTTP/1.1", "HTTP/2.0"}, {secure.URL, "HTTP/1.1", "HTTP/2.0"},
	} {
		p, l := startProxy(t, c.url, func(o *Options) { o.TLS = &tls.Config{RootCAs: pool, ServerName: "example.com"} })
		for i, transport := range []*http.Transport{one, two, two} {
			if i == 2 {
				applyFault(t, p, "refuse/1")
			}
			r, _ := http.NewRequest("POST", "http://"+p.Address()+"/v1/chat/completions", strings.NewReader(question))
			resp, err := transport.RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			a := read(string(b))
			if want := []string{c.one, c.two, c.two}[i]; err != nil || seen.Load() != want || !a.Done || (a.Content == "word0 word1 word2 ") != (i < 2) {
				t.Errorf("%s: %v to the deployment, want %s; %v, %q", c.url, seen.Load(), want, err, a.Content)
			}
		}
		if all := l.wait(t, 3); all[2].Failed || all[2].After == all[1].After {
			t.Errorf("%+v", all)
		}
	}
}

// What is asked goes on as it was asked, but for the encodings.
func TestRequestPasses(t *testing.T) {
	var mu sync.Mutex
	var got []*http.Request
	var bodies []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		mu.Lock()
		got, bodies = append(got, r), append(bodies, string(b))
		mu.Unlock()
		w.Header().Set("Link", "x")
		w.WriteHeader(http.StatusEarlyHints)
		w.Header().Del("Link")
		w.WriteHeader(http.StatusTeapot)
	}))
	defer s.Close()
	p, _ := startProxy(t, s.URL+"/base/v1")
	mu.Lock()
	got, bodies = nil, nil
	mu.Unlock()
	raw := post(t, p.Address(), question, "Authorization: Bearer k\r\n", "X-Own: 1\r\n", "Accept-Encoding: br, gzip\r\n", "X-Hop: 1\r\n", "Connection: x-hop\r\n", "Expect: 100-continue\r\n")
	if !strings.Contains(string(raw), "HTTP/1.1 103 Early Hints\r\nLink: x\r\n") || !strings.Contains(string(raw), "HTTP/1.1 418 ") {
		t.Errorf("%q", raw)
	}
	r, err := http.NewRequest("GET", "http://"+p.Address()+"/v1/models?a=%20b", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header["User-Agent"] = []string{"me"}
	if resp, err := http.DefaultClient.Do(r); err != nil || resp.StatusCode != http.StatusTeapot {
		t.Fatal(resp, err)
	} else {
		resp.Body.Close()
	}
	mu.Lock()
	defer mu.Unlock()
	want := http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer k"}, "X-Own": {"1"}, "Accept-Encoding": {"gzip"}, "Content-Length": {fmt.Sprint(len(question))}}
	if fmt.Sprint(got[0].Header) != fmt.Sprint(want) || bodies[0] != question || got[0].RequestURI != "/base/v1/chat/completions" {
		t.Errorf("%s %v, want %v", got[0].RequestURI, got[0].Header, want)
	}
	if got[1].RequestURI != "/base/v1/models?a=%20b" || got[1].UserAgent() != "me" {
		t.Errorf("%s %v", got[1].RequestURI, got[1].Header)
	}
}

func TestCheck(t *testing.T) {
	check := func(upstream, at string) []driver.Problem {
		p, err := New(Options{Apparatus: startOptions(upstream, at)})
		if err != nil {
			t.Fatal(err)
		}
		return p.Check(t.Context())
	}
	good := canned(t)
	if got := check(good, "127.0.0.1:0"); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	go func() {
		for {
			c, err := busy.Accept()
			if err != nil {
				return
			}
			c.Read(make([]byte, 100))
			io.WriteString(c, "SSH-2.0-OpenSSH\r\n")
			c.Close()
		}
	}()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for name, c := range map[string]struct {
		upstream, at string
		says         string
	}{
		"port in use":  {good, busy.Addr().String(), "in use"},
		"open to all":  {good, "0.0.0.0:0", "loopback"},
		"nobody there": {"http://" + closed.Addr().String(), "127.0.0.1:0", "nothing answers"},
		"not HTTP":     {"http://" + busy.Addr().String(), "127.0.0.1:0", "does not speak HTTP"},
		"not TLS":      {strings.Replace(good, "http", "https", 1), "127.0.0.1:0", "does not speak HTTP"},
		"outside":      {"http://192.0.2.1:80", "127.0.0.1:0", "FD-7-1"},
		"itself":       {"http://" + closed.Addr().String(), closed.Addr().String(), "itself"},
	} {
		got := check(c.upstream, c.at)
		if len(got) != 1 || !strings.Contains(got[0].What, c.says) || got[0].Part != "apparatus" || got[0].Remedy == "" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// eventually waits until something holds.
func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	for range 600 {
		if f() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal(what)
}

func startOptions(upstream, at string) plan.Apparatus {
	return plan.Apparatus{Kind: "proxy", Sampling: "quota", Lease: 30 * exact.Second, Proxy: &plan.ProxyApparatus{Listen: at, Upstream: upstream}}
}
