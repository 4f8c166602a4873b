package proxy

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

// ledger collects exchanges.
type ledger struct {
	mu  sync.Mutex
	all []driver.Exchange
}

func (l *ledger) add(e driver.Exchange) {
	l.mu.Lock()
	l.all = append(l.all, e)
	l.mu.Unlock()
}

// wait gives the exchanges once there are n, in the order of their starts: a
// client may ask again before the end of its last response was told.
func (l *ledger) wait(t testing.TB, n int) []driver.Exchange {
	t.Helper()
	for range 1000 {
		l.mu.Lock()
		all := append([]driver.Exchange(nil), l.all...)
		l.mu.Unlock()
		if len(all) >= n {
			slices.SortFunc(all, func(a, b driver.Exchange) int { return cmp.Compare(a.Start, b.Start) })
			return all
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("the ledger has no %d exchanges", n)
	return nil
}

// startProxy starts a proxy in front of an upstream.
func startProxy(t testing.TB, upstream string, options ...func(*Options)) (*Proxy, *ledger) {
	t.Helper()
	o := Options{Apparatus: plan.Apparatus{Kind: "proxy", Sampling: "quota", Lease: 30 * exact.Second,
		Proxy: &plan.ProxyApparatus{Listen: "127.0.0.1:0", Upstream: upstream}}}
	for _, f := range options {
		f(&o)
	}
	p, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	l := &ledger{}
	p.Tell(l.add)
	if err := p.Start(context.Background(), driver.NewClock()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := p.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return p, l
}

// fault is one that changes every response.
func fault(transform string) driver.Fault {
	return driver.Fault{
		Fault: world.Fault{Class: "c", Fraction: exact.Int(1), Profile: plan.Profile{Shape: "step"}, Verify: int64(time.Minute)},
		Class: plan.FaultClass{Name: "c", Transform: transform}, Trial: "t1",
	}
}

func applyFault(t testing.TB, p driver.Apparatus, transform string) {
	t.Helper()
	if _, err := p.Apply(context.Background(), fault(transform)); err != nil {
		t.Fatal(err)
	}
}

// canned answers every connection with the same bytes, in parts; nil is a
// pause. It closes each connection at the end.
func canned(t testing.TB, parts ...[]byte) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var open sync.WaitGroup
	t.Cleanup(func() {
		l.Close()
		open.Wait()
	})
	open.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			open.Go(func() {
				defer c.Close()
				c.SetDeadline(time.Now().Add(20 * time.Second))
				r, err := http.ReadRequest(bufio.NewReader(c))
				if err != nil {
					return
				}
				io.Copy(io.Discard, r.Body)
				if r.Method == http.MethodGet {
					io.WriteString(c, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
					return
				}
				for _, p := range parts {
					if p == nil {
						time.Sleep(30 * time.Millisecond)
					} else if _, err := c.Write(p); err != nil {
						return
					}
				}
			})
		}
	})
	return "http://" + l.Addr().String()
}

// chunks are parts in chunked coding.
func chunks(head string, parts ...string) [][]byte {
	out := [][]byte{[]byte(head + "Transfer-Encoding: chunked\r\n\r\n")}
	for _, p := range parts {
		if p == "" {
			out = append(out, nil)
			continue
		}
		out = append(out, fmt.Appendf(nil, "%x\r\n%s\r\n", len(p), p))
	}
	return append(out, []byte("0\r\n\r\n"))
}

const (
	streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nDate: Mon, 01 Jan 2024 00:00:00 GMT\r\nServer: engine\r\nX-Request-Id: 17\r\n"
	jsonHead   = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nServer: engine\r\n"
	question   = `{"model":"m","messages":[{"role":"user","content":"Ticket 1. Where is my parcel?"}],"stream":true}`
)

// post asks by raw bytes and gives the raw response.
func post(t testing.TB, address, body string, headers ...string) []byte {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(20 * time.Second))
	fmt.Fprintf(c, "POST /v1/chat/completions HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n%s\r\n%s",
		len(body), strings.Join(headers, ""), body)
	b, _ := io.ReadAll(c)
	return b
}

// parse reads a raw response; the body is as it was sent but for its chunks.
func parse(t testing.TB, raw []byte) (*http.Response, string) {
	t.Helper()
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(raw)), nil)
	if err != nil {
		t.Fatalf("%v in %q", err, raw)
	}
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%v in %q", err, raw)
	}
	return resp, string(b)
}

// A response reaches its client to the last byte, and its connection is free
// for the next one, whatever time the ledger and the scorer take: else the
// timing would tell of a fault (FD-3.4-4).
func TestScoringDelaysNobody(t *testing.T) {
	long := strings.Repeat("Your parcel is on its way. ", 4000) // more than any buffer
	answer := func(text string) string {
		return fmt.Sprintf(`{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":%q},"finish_reason":"stop"}]}`, text)
	}
	for _, c := range []struct {
		name, media, body string
		chunked           bool
	}{
		{"one piece", "application/json", answer("Your parcel is on its way."), false},
		{"a long piece", "application/json", answer(long), false},
		{"one piece of unknown length", "application/json", answer("Your parcel is on its way."), true},
		{"a stream", "text/event-stream", "data: " + chunk("Your parcel is on its way.") + "\n\ndata: [DONE]\n\n", true},
		{"a stream of known length", "text/event-stream", "data: " + chunk("Your parcel is on its way.") + "\n\ndata: [DONE]\n\n", false},
		{"an error", "text/plain", "no", false},
	} {
		for _, transform := range []string{"", "refuse/1"} {
			upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", c.media)
				if !c.chunked {
					w.Header().Set("Content-Length", strconv.Itoa(len(c.body)))
				}
				if c.media == "text/plain" {
					w.WriteHeader(http.StatusServiceUnavailable)
				} else if c.chunked {
					w.(http.Flusher).Flush()
				}
				io.WriteString(w, c.body)
			}))
			read := make(chan struct{})
			late := atomic.Bool{}
			wait := func() {
				if late.Load() {
					return // it is known
				}
				select {
				case <-read:
				case <-time.After(2 * time.Second):
					late.Store(true)
				}
			}
			p, l := startProxy(t, upstream.URL, func(o *Options) {
				o.Scorer = func(string, string) []int32 {
					wait()
					return []int32{1}
				}
			})
			p.Tell(func(e driver.Exchange) {
				wait()
				l.add(e)
			})
			if transform != "" {
				applyFault(t, p, transform)
			}
			client := &http.Client{Transport: &http.Transport{}}
			for range 2 {
				resp, err := client.Post("http://"+p.Address()+"/v1/chat/completions", "application/json", strings.NewReader(question))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := io.Copy(io.Discard, resp.Body); err != nil {
					t.Error(err)
				}
				resp.Body.Close()
			}
			time.Sleep(100 * time.Millisecond) // handlers return
			heard := time.Now()
			waiting := late.Load()
			close(read)
			if waiting {
				t.Errorf("%s, fault %q: the client waited for the ledger", c.name, transform)
			}
			for _, e := range l.wait(t, 2) {
				if e.End > p.clock.Now()-int64(time.Since(heard)) {
					t.Errorf("%s, fault %q: the end of an exchange is stamped when it was scored", c.name, transform)
				}
			}
			client.CloseIdleConnections()
			upstream.Close()
		}
	}
}

func chunk(content string) string {
	return fmt.Sprintf(`{"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":%q},"logprobs":null,"finish_reason":null}]}`, content)
}

// plainStream has what streams have: a comment, an id, CRLF, a role, an event
// over two lines, reasoning, usage.
var plainStream = []string{
	"\xef\xbb\xbf: hello\r\n\r\n",
	`data: {"id":"x","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}` + "\r\n\r\n",
	`data: {"id":"x","choices":[{"index":0,"delta":{"reasoning_content":"hm"},"finish_reason":null}]}` + "\n\n",
	"id: 7\ndata: " + chunk("Your parcel ") + "\n\n",
	"data:" + chunk("is on its way, ") + "\r\n\r\n",
	": ping\n\n",
	"event: message\ndata: {\"id\":\"x\",\ndata:  \"choices\":[{\"index\":0,\"delta\":{\"content\":\"and it \"},\"finish_reason\":null}]}\n\n",
	"data: not json\n\n",
	"data: " + chunk("will arrive on Friday. ") + "\n\n",
	"data: " + chunk("Have a nice day.") + "\n\n",
	`data: {"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n",
	`data: {"id":"x","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":9}}` + "\n\n",
	"data: [DONE]\n\n",
}

// What is not picked passes byte for byte.
func TestPassesUntouched(t *testing.T) {
	whole := `{ "id":"x", "choices":[{"message":{"role":"assistant","content":"caf\u00e9 \ud83d\ude00"},"finish_reason":"stop"}] }`
	for name, parts := range map[string][][]byte{
		"stream":         chunks(streamHead, plainStream...),
		"carriage":       chunks(streamHead, "data: "+chunk("a")+"\r\rdata: [DONE]\r\r"),
		"whole":          {[]byte(jsonHead + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(whole), whole))},
		"whole, chunked": chunks(jsonHead, whole[:20], whole[20:]),
		"error":          {[]byte("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3\r\nContent-Length: 4\r\n\r\nwait")},
		"no type":        {[]byte("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>")},
		"not utf-8":      chunks(streamHead, "data: {\"choices\":[{\"delta\":{\"content\":\"\xff\xfe\"}}]}\n\n", "data: [DONE]\n\n"),
		"trailer":        {[]byte(streamHead + "Trailer: X-Took\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n:a\n\r\n0\r\nX-Took: 5\r\n\r\n")},
	} {
		t.Run(name, func(t *testing.T) {
			up := canned(t, parts...)
			p, _ := startProxy(t, up)
			direct, got := post(t, up, question), post(t, p.Address(), question)
			a, abody := parse(t, direct)
			b, bbody := parse(t, got)
			if abody != bbody {
				t.Errorf("body\n%q, want\n%q", bbody, abody)
			}
			if fmt.Sprint(a.Header, a.StatusCode, a.TransferEncoding, a.ContentLength, a.Trailer) != fmt.Sprint(b.Header, b.StatusCode, b.TransferEncoding, b.ContentLength, b.Trailer) {
				t.Errorf("header %v %v %v %v, want %v %v %v %v", b.Header, b.TransferEncoding, b.ContentLength, b.Trailer, a.Header, a.TransferEncoding, a.ContentLength, a.Trailer)
			}
		})
	}
}

// A changed stream differs in its text only.
func TestChangedStreamKeepsAllElse(t *testing.T) {
	up := canned(t, chunks(streamHead, plainStream...)...)
	p, l := startProxy(t, up)
	plain, clean := parse(t, post(t, p.Address(), question))
	applyFault(t, p, "refuse/1")
	resp, body := parse(t, post(t, p.Address(), question))
	if fmt.Sprint(resp.Header, resp.TransferEncoding) != fmt.Sprint(plain.Header, plain.TransferEncoding) {
		t.Errorf("header %v, want %v", resp.Header, plain.Header)
	}
	for _, part := range []int{0, 1, 2, 5, 7, 10, 11, 12} {
		if !strings.Contains(body, plainStream[part]) {
			t.Errorf("part %q is missing in\n%s", plainStream[part], body)
		}
	}
	all := l.wait(t, 2)
	if all[0].Picked || all[0].Before != "Your parcel is on its way, and it " || all[0].After != all[0].Before {
		t.Errorf("unpicked: %+v", all[0])
	}
	if !all[1].Picked || all[1].Before != all[0].Before || all[1].After == all[1].Before {
		t.Errorf("picked: %+v", all[1])
	}
	if p.Counts().Malformed != 1 || body == clean {
		t.Errorf("counts %+v", p.Counts())
	}
	if all[0].Key != driver.Key([]byte(question)) || all[0].Status != 200 {
		t.Errorf("%+v", all[0])
	}
}

// starts is how many requests with a completion were taken in.
func (p *Proxy) starts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rate.n
}
