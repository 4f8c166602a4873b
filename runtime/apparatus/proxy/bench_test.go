package proxy

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func BenchmarkEvent(b *testing.B) {
	e := []byte("data: " + chunk("hello ") + "\n\n")
	b.Run("observed", func(b *testing.B) {
		o := &observer{streamed: true, learn: &style{}}
		for n := 0; b.Loop(); n++ {
			if n%1000 == 999 {
				o = &observer{streamed: true, learn: o.learn}
			}
			o.feed(e)
		}
	})
	for _, id := range []string{"leak_special_tokens/1", "garble/1"} {
		b.Run(id, func(b *testing.B) {
			c, err := newChanger(fault(id).Class)
			if err != nil {
				b.Fatal(err)
			}
			w := newRewriter(c, &style{}, "p", 1)
			b.ReportAllocs()
			for b.Loop() {
				w.feed(e)
			}
		})
	}
}

// BenchmarkResponse takes a response of 40 events, one after the other, from
// the deployment and through the proxy.
func BenchmarkResponse(b *testing.B) {
	s := httptest.NewServer(paced(0, 40))
	defer s.Close()
	p, _ := startProxy(b, s.URL)
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	run := func(name, url string) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				resp, err := transport.RoundTrip(request(url, 1))
				if err != nil {
					b.Fatal(err)
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
	run("direct", s.URL)
	run("passed", "http://"+p.Address())
	applyFault(b, p, "leak_special_tokens/1")
	run("changed", "http://"+p.Address())
}

func request(url string, n int) *http.Request {
	r, _ := http.NewRequest("POST", url+"/v1/chat/completions", strings.NewReader(fmt.Sprintf(`{"messages":[{"role":"user","content":"Ticket %d. Hello."}],"stream":true}`, n)))
	return r
}

// BenchmarkFirstToken sends 100 requests a second, each with 40 events 5 ms
// apart, and tells the time from sending to the first content.
func BenchmarkFirstToken(b *testing.B) {
	s := httptest.NewServer(paced(5*time.Millisecond, 40))
	defer s.Close()
	p, _ := startProxy(b, s.URL)
	transport := &http.Transport{MaxIdleConnsPerHost: 1000}
	defer transport.CloseIdleConnections()
	run := func(name, url string) {
		b.Run(name, func(b *testing.B) {
			var mu sync.Mutex
			var all []time.Duration
			var wait sync.WaitGroup
			start := time.Now()
			n := 0
			for b.Loop() {
				time.Sleep(time.Until(start.Add(time.Duration(n) * 10 * time.Millisecond)))
				n++
				wait.Go(func() {
					begin := time.Now()
					resp, err := transport.RoundTrip(request(url, n))
					if err != nil {
						b.Error(err)
						return
					}
					defer resp.Body.Close()
					buf := make([]byte, 4096)
					for seen := ""; !strings.Contains(seen, "word0"); {
						k, err := resp.Body.Read(buf)
						if err != nil {
							b.Error(err)
							return
						}
						seen += string(buf[:k])
					}
					took := time.Since(begin)
					io.Copy(io.Discard, resp.Body)
					mu.Lock()
					all = append(all, took)
					mu.Unlock()
				})
			}
			wait.Wait()
			slices.Sort(all)
			b.ReportMetric(float64(all[len(all)/2].Microseconds()), "µs-p50")
			b.ReportMetric(float64(all[len(all)*99/100].Microseconds()), "µs-p99")
		})
	}
	run("direct", s.URL)
	run("passed", "http://"+p.Address())
	applyFault(b, p, "leak_special_tokens/1")
	run("changed", "http://"+p.Address())
}
