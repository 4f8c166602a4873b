package tap

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fdbench/fdbench/runtime/listen"
	"github.com/fdbench/fdbench/runtime/openai"
)

// TestOutcomes: what passes is what was sent, and it counts as the client of
// the harness counts it.
func TestOutcomes(t *testing.T) {
	stream := "text/event-stream"
	for _, c := range []struct {
		name, media, encoding, body string
		status                      int
		cut                         bool
		outcome                     openai.Outcome
		no, words                   int64
	}{
		{"whole", "application/json", "", answer("No thank you"), 200, false, openai.OK, 1, 3},
		{"whole, gzip", "application/json", "gzip", zipped(answer("Yes")), 200, false, openai.OK, 0, 1},
		{"stream", stream, "", event("N") + event("o way") + stop + done, 200, false, openai.OK, 1, 2},
		{"stream with CRLF, comments and a mark", stream, "", "\xef\xbb\xbf: hello\r\n\r\n" + strings.ReplaceAll(event("No")+stop, "\n", "\r\n") + done, 200, false, openai.OK, 1, 1},
		{"stream, gzip", stream, "gzip", zipped(event("No") + stop + done), 200, false, openai.OK, 1, 1},
		{"stream without [DONE]", stream, "", event("No") + stop, 200, false, openai.OK, 1, 1},
		{"stream that lacks its end", stream, "", event("No"), 200, false, openai.Cut, 0, 0},
		{"stream that breaks off", stream, "", event("No"), 200, true, openai.Cut, 0, 0},
		{"stream that breaks off inside an event", stream, "", event("No") + `data: {"choi`, 200, true, openai.Cut, 0, 0},
		{"stream that breaks off after [DONE]", stream, "", event("No") + done, 200, true, openai.OK, 1, 1},
		{"gzip that breaks off", "application/json", "gzip", zipped(answer("No"))[:40], 200, false, openai.Cut, 0, 0},
		{"stream with an error in it", stream, "", event("No") + `data: {"error":{"message":"out of memory"}}` + "\n\n", 200, false, openai.StreamError, 0, 0},
		{"stream without events", stream, "", ": nothing\n\n", 200, false, openai.Malformed, 0, 0},
		{"no JSON", "application/json", "", "<html>", 200, false, openai.Malformed, 0, 0},
		{"error", "application/json", "", `{"error":"no"}`, 500, false, openai.HTTPError, 0, 0},
		{"empty answer", "application/json", "", answer(""), 200, false, openai.OK, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			up := serve(t, func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", c.media)
				if c.encoding != "" {
					w.Header().Set("Content-Encoding", c.encoding)
				}
				w.WriteHeader(c.status)
				io.WriteString(w, c.body)
				if c.cut {
					w.(http.Flusher).Flush()
					panic(http.ErrAbortHandler)
				}
			})
			e := begin(t, Options{Upstream: up.URL})
			req, _ := http.NewRequest("POST", "http://"+e.ProxyAddr()+"/v1/chat/completions", strings.NewReader(`{"messages":[{"role":"user","content":"q"}]}`))
			req.Header.Set("Accept-Encoding", "gzip")
			resp, err := http.DefaultTransport.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if string(got) != c.body || resp.StatusCode != c.status || (err != nil) != c.cut {
				t.Errorf("status %d, %q, %v; sent %d, %q", resp.StatusCode, got, err, c.status, c.body)
			}
			s := settledTally(t, e, 1)
			k := s.Series[0]
			if c.outcome != openai.OK {
				if s.Errors[c.outcome] != 1 || k.Total != 0 || k.Scored[0] != 0 {
					t.Errorf("errors %v, counts %+v; want one %s", s.Errors, k, c.outcome)
				}
				return
			}
			want := Counts{Total: 1, Sums: []int64{c.no, c.words}, Scored: []int64{1, 1}}
			if d := cmp.Diff(want, k); d != "" {
				t.Errorf("counts (-want +got):\n%s", d)
			}
		})
	}
}

// TestHeadersPass: nothing is added to a request or a response, and nothing is
// taken away but what belongs to a connection.
func TestHeadersPass(t *testing.T) {
	var asked http.Header
	var uri, host string
	up := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		asked, uri, host = r.Header.Clone(), r.RequestURI, r.Host
		h := w.Header()
		h["Date"], h["Content-Type"] = nil, nil
		h["X-Twice"] = []string{"a", "b"}
		h["Trailer"] = []string{"X-End"}
		io.WriteString(w, "<html>no type</html>")
		w.(http.Flusher).Flush()
		h.Set("X-End", "1")
	})
	e := begin(t, Options{Upstream: up.URL})
	conn, err := net.Dial("tcp", e.ProxyAddr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /a%%2Fb/v1/completions?x=1;y&z=%%zz HTTP/1.1\r\nHost: tap\r\nX-Twice: a\r\nX-Twice: b\r\n"+
		"X-Forwarded-For: 10.0.0.1\r\nAuthorization: Bearer k\r\nContent-Length: 2\r\nConnection: close, X-Mine\r\nX-Mine: 1\r\n\r\n{}")
	in := bufio.NewReader(conn)
	status, _ := in.ReadString('\n')
	got, err := textproto.NewReader(in).ReadMIMEHeader()
	if err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(in)
	if status != "HTTP/1.1 200 OK\r\n" {
		t.Errorf("status line %q", status)
	}
	want := textproto.MIMEHeader{"X-Twice": {"a", "b"}, "Trailer": {"X-End"}, "Transfer-Encoding": {"chunked"}, "Connection": {"close"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("response (-want +got):\n%s", d)
	}
	if body := string(rest); !strings.Contains(body, "<html>no type</html>") || !strings.HasSuffix(body, "\r\nX-End: 1\r\n\r\n") {
		t.Errorf("body and trailer %q", body)
	}
	wantAsked := http.Header{"X-Twice": {"a", "b"}, "X-Forwarded-For": {"10.0.0.1"}, "Authorization": {"Bearer k"}, "Content-Length": {"2"}}
	if d := cmp.Diff(wantAsked, asked); d != "" {
		t.Errorf("request (-want +got):\n%s", d)
	}
	if uri != "/a%2Fb/v1/completions?x=1;y&z=%zz" || "http://"+host != up.URL {
		t.Errorf("asked for %q at %q", uri, host)
	}
}

// TestOthersPass: what is no completion passes uncounted.
func TestOthersPass(t *testing.T) {
	up := serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Method, r.URL.Path) })
	e := begin(t, Options{Upstream: up.URL})
	resp, err := http.Get("http://" + e.ProxyAddr() + "/v1/models")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, _ := io.ReadAll(resp.Body); string(b) != "GET/v1/models" {
		t.Errorf("body %q", b)
	}
	if n := e.ordinal.Load(); n != 0 {
		t.Errorf("%d requests counted", n)
	}
}

// TestEventsPassAtOnce: the deployment sends an event only after the client has
// got the one before.
func TestEventsPassAtOnce(t *testing.T) {
	for _, encoding := range []string{"", "gzip"} {
		next := make(chan bool)
		up := serve(t, func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "text/event-stream")
			if encoding != "" {
				w.Header().Set("Content-Encoding", encoding)
			}
			w.(http.Flusher).Flush()
			for i := range 5 {
				<-next
				// Pieces of an encoding that is never completed pass too.
				fmt.Fprintf(w, "data: %d\n\n", i)
				w.(http.Flusher).Flush()
			}
		})
		e := begin(t, Options{Upstream: up.URL})
		plain := &http.Transport{DisableCompression: true}
		defer plain.CloseIdleConnections()
		resp, err := (&http.Client{Transport: plain}).Post("http://"+e.ProxyAddr()+"/v1/completions", "application/json", strings.NewReader(`{"stream":true}`))
		if err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 100)
		for i := range 5 {
			next <- true
			n, err := resp.Body.Read(buf)
			if want := fmt.Sprintf("data: %d\n\n", i); string(buf[:n]) != want {
				t.Fatalf("read %q, %v, want %q", buf[:n], err, want)
			}
		}
		resp.Body.Close()
	}
}

// TestClientGoes: the deployment hears of a client that went away, which is no
// response.
func TestClientGoes(t *testing.T) {
	gone := make(chan bool)
	up := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, event("No"))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(gone)
	})
	e := begin(t, Options{Upstream: up.URL})
	ctx, cancel := context.WithCancel(context.Background())
	req, _ := http.NewRequestWithContext(ctx, "POST", "http://"+e.ProxyAddr()+"/v1/completions", strings.NewReader(`{"stream":true}`))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	io.ReadFull(resp.Body, make([]byte, 10))
	cancel()
	resp.Body.Close()
	select {
	case <-gone:
	case <-time.After(5 * time.Second):
		t.Fatal("the deployment goes on")
	}
	if s := settledTally(t, e, 1); s.Errors[openai.Cancelled] != 1 || s.Series[0].Total != 0 {
		t.Errorf("%+v", s)
	}
}

// TestClientStopsAtDone: a client that is content with [DONE] has got a
// response.
func TestClientStopsAtDone(t *testing.T) {
	up := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, event("No")+stop+done)
		w.(http.Flusher).Flush()
		<-r.Context().Done() // the stream stays open
	})
	e := begin(t, Options{Upstream: up.URL})
	resp, err := http.Post("http://"+e.ProxyAddr()+"/v1/completions", "application/json", strings.NewReader(`{"stream":true}`))
	if err != nil {
		t.Fatal(err)
	}
	io.ReadFull(resp.Body, make([]byte, len(event("No")+stop+done)))
	resp.Body.Close()
	if s := settledTally(t, e, 1); s.Series[0].Total != 1 || s.Series[0].Sums[0] != 1 {
		t.Errorf("%+v", s)
	}
}

func TestUpstreamIsDown(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	var said warnings
	e := begin(t, Options{Upstream: "http://" + l.Addr().String(), Warn: said.add})
	resp, body := post(t, "http://"+e.ProxyAddr()+"/v1/completions", `{}`)
	if resp.StatusCode != 502 || !bytes.Contains(body, []byte("cannot be reached")) {
		t.Errorf("status %d, %s", resp.StatusCode, body)
	}
	if s := settledTally(t, e, 1); s.Errors[openai.Refused] != 1 {
		t.Errorf("%+v", s)
	}
	if !said.has("does not answer") {
		t.Errorf("said %q", said.said)
	}
}

// TestHTTP2: both sides speak HTTP/2 without TLS.
func TestHTTP2(t *testing.T) {
	var major int
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		major = r.ProtoMajor
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, event("No")+stop+done)
	}))
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetUnencryptedHTTP2(true)
	s.Start()
	defer s.Close()
	e := begin(t, Options{Upstream: strings.Replace(s.URL, "http:", "h2c:", 1)})
	tr := &http.Transport{Protocols: new(http.Protocols)}
	tr.Protocols.SetUnencryptedHTTP2(true)
	defer tr.CloseIdleConnections()
	resp, err := (&http.Client{Transport: tr}).Post("http://"+e.ProxyAddr()+"/v1/completions", "application/json", strings.NewReader(`{"stream":true}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if string(b) != event("No")+stop+done || err != nil || resp.ProtoMajor != 2 || major != 2 {
		t.Errorf("%q, %v, HTTP/%d, HTTP/%d", b, err, resp.ProtoMajor, major)
	}
	if s := settledTally(t, e, 1); s.Series[0].Sums[0] != 1 {
		t.Errorf("%+v", s)
	}
}

// TestManyClients: nothing is lost or mixed up among many requests at a time.
func TestManyClients(t *testing.T) {
	up := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		word := "Yes"
		if bytes.Contains(b, []byte("bad")) {
			word = "No"
		}
		for range 10 {
			io.WriteString(w, event(word+" "))
			w.(http.Flusher).Flush()
		}
		io.WriteString(w, stop+done)
	})
	e := begin(t, Options{Upstream: up.URL})
	const clients, each = 16, 20
	errs := make(chan error, clients)
	for c := range clients {
		go func() {
			for i := range each {
				body := `{"stream":true,"prompt":"good"}`
				if (c+i)%4 == 0 {
					body = `{"stream":true,"prompt":"bad"}`
				}
				resp, err := http.Post("http://"+e.ProxyAddr()+"/v1/completions", "application/json", strings.NewReader(body))
				if err != nil {
					errs <- err
					return
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
			errs <- nil
		}()
	}
	for range clients {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
	s := settledTally(t, e, clients*each)
	want := Counts{Total: clients * each, Sums: []int64{clients * each / 4, clients * each * 10}, Scored: []int64{clients * each, clients * each}}
	if d := cmp.Diff(want, s.Series[0]); d != "" {
		t.Errorf("counts (-want +got):\n%s", d)
	}
	if used := e.memory.used.Load(); used != 0 {
		t.Errorf("%d bytes are still held", used)
	}
}

// TestInterim: an interim answer passes, and what comes after it gets nothing
// that the deployment did not send.
func TestInterim(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			r, err := http.ReadRequest(bufio.NewReader(conn))
			if err == nil {
				io.WriteString(conn, "HTTP/1.1 100 Continue\r\n\r\n")
				io.Copy(io.Discard, r.Body)
				io.WriteString(conn, "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 6\r\nX-Own: 1\r\n\r\n<html>")
			}
			conn.Close()
		}
	}()
	e := begin(t, Options{Upstream: "http://" + l.Addr().String()})
	conn, err := net.Dial("tcp", e.ProxyAddr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /v1/completions HTTP/1.1\r\nHost: tap\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n")
	in := bufio.NewReader(conn)
	if line, err := in.ReadString('\n'); err != nil || !strings.Contains(line, "100") {
		t.Fatal(line, err)
	}
	io.WriteString(conn, "{}")
	rest, err := io.ReadAll(in)
	want := "\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 6\r\nX-Own: 1\r\nConnection: close\r\n\r\n<html>"
	if err != nil || string(rest) != want {
		t.Errorf("%q, %v\nwant %q", rest, err, want)
	}
}

// TestUpstreamIsTheTap: a request would go round until no connection is left.
func TestUpstreamIsTheTap(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(address)
	for _, o := range []Options{
		{Proxy: listen.Options{Address: address}, Metrics: loopback},
		{Proxy: loopback, Metrics: listen.Options{Address: address}},
		{Proxy: listen.Options{Address: "0.0.0.0:" + port, Remote: true}, Metrics: loopback},
	} {
		o.Upstream, o.Indicators = "http://localhost:"+port, []Indicator{no("no_rate")}
		e, err := New(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		var option *OptionError
		if err := e.Start(); !errors.As(err, &option) || !strings.Contains(err.Error(), "is the tap itself") {
			t.Errorf("%v: %v", o.Proxy, err)
			e.Close()
		}
	}
}

// TestUpgradePasses: what is no HTTP any more passes both ways.
func TestUpgradePasses(t *testing.T) {
	up := serve(t, func(w http.ResponseWriter, r *http.Request) {
		conn, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
		line, _ := rw.ReadString('\n')
		io.WriteString(conn, "heard "+line)
	})
	e := begin(t, Options{Upstream: up.URL})
	conn, err := net.Dial("tcp", e.ProxyAddr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(5 * time.Second))
	io.WriteString(conn, "GET /v1/realtime HTTP/1.1\r\nHost: tap\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
	in := bufio.NewReader(conn)
	resp, err := http.ReadResponse(in, nil)
	if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
		t.Fatal(resp, err)
	}
	io.WriteString(conn, "hello\n")
	if line, err := in.ReadString('\n'); line != "heard hello\n" {
		t.Errorf("%q, %v", line, err)
	}
}
