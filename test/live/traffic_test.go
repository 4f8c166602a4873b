package live

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/apparatus/proxy"
	"github.com/fdbench/fdbench/runtime/arrivals"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/traffic"
	"github.com/fdbench/fdbench/runtime/world"
)

// offered is one stretch of traffic and what came of it.
type offered struct {
	offered  int64
	span     time.Duration // from the first to the last request as they were sent
	lateness traffic.Lateness
	waited   []float64 // ns from sent to the first content
	failed   map[openai.Outcome]int
	events   int
}

// offer offers requests to a client for a time; one that would begin at its
// very end belongs to the next.
func offer(parent context.Context, c *openai.Client, schedule *arrivals.Schedule, d time.Duration, salt string) offered {
	begin := time.Now()
	base := c.Now()
	g := traffic.New(traffic.Options{Schedule: schedule, Policy: traffic.SendLate}, begin)
	ctx, cancel := context.WithDeadline(parent, begin.Add(d-time.Millisecond))
	defer cancel()
	var mu sync.Mutex
	o := offered{failed: map[openai.Outcome]int{}}
	first, last := int64(math.MaxInt64), int64(0)
	g.Run(ctx, func(_ context.Context, n uint64, at int64) {
		rec := c.Do(parent, openai.Request{Model: "m", Prompt: fmt.Sprintf("Ticket %d. %s", n, salt), Chat: true, Stream: true, Sched: base + at, HasPlan: true})
		mu.Lock()
		defer mu.Unlock()
		if rec.Stamps.Sent >= 0 {
			first, last = min(first, rec.Stamps.Sent), max(last, rec.Stamps.Sent)
		}
		if rec.Outcome != openai.OK {
			o.failed[rec.Outcome]++
			return
		}
		o.events = max(o.events, rec.Answer.ContentEvents)
		o.waited = append(o.waited, float64(rec.Stamps.FirstContent-rec.Stamps.Sent))
	})
	o.offered, o.span, o.lateness = g.Offered(), time.Duration(last-first), g.Lateness()
	return o
}

func client(t *testing.T, address string) *openai.Client {
	t.Helper()
	c := openai.NewClient(openai.Settings{BaseURL: "http://" + address, Timeout: 30 * time.Second})
	t.Cleanup(c.Close)
	return c
}

// TestTraffic offers 1, 10 and 100 requests a second for a minute each.
func TestTraffic(t *testing.T) {
	wanted(t, "traffic")
	const most = 60 * time.Second
	s := ready(t, nil, fdbench(t), "serve", "--listen", "127.0.0.1:0", "--answers", "template", "--model", "m", "--latency", "first=30ms,token=1ms")
	x := table{head: []string{"arrivals", "asked for", "offered", "achieved", "off by", "late p50", "late p99", "late max", "failed"}}
	for _, k := range []struct {
		kind  string
		rates []int64
	}{{"constant", []int64{1, 10, 100}}, {"poisson", []int64{100}}} {
		for _, rate := range k.rates {
			kind, schedule := k.kind, arrivals.Constant(exact.Int(rate))
			if kind == "poisson" {
				schedule = arrivals.Poisson(exact.Int(rate), random.New("live", "traffic", fmt.Sprint(rate)))
			}
			o := offer(t.Context(), client(t, s.Ready["address"]), schedule, most, "Tell me about Rome.")
			achieved := float64(o.offered-1) / o.span.Seconds()
			off := achieved/float64(rate) - 1
			x.add(kind, fmt.Sprintf("%d req/s", rate), o.offered, fmt.Sprintf("%.3f req/s", achieved), fmt.Sprintf("%+.2f %%", 100*off),
				ms(float64(o.lateness.P50)), ms(float64(o.lateness.P99)), ms(float64(o.lateness.Max)), len(o.failed))
			if len(o.failed) > 0 {
				t.Errorf("%s, %d req/s: failed %v", kind, rate, o.failed)
			}
			if kind == "constant" && math.Abs(off) > 0.005 {
				t.Errorf("%d req/s: achieved %.3f", rate, achieved)
			}
			// The number of Poisson arrivals varies by its root.
			if mean := float64(rate) * most.Seconds(); kind == "poisson" && math.Abs(float64(o.offered)-mean) > 4*math.Sqrt(mean) {
				t.Errorf("%d req/s, Poisson: %d requests", rate, o.offered)
			}
		}
	}
	publish(t, "live-traffic.md", "Open-loop traffic for a minute at each rate, against `fdbench serve` in a process of its own.\n\n"+x.String())
}

// answer has 40 words, each of which is an event of a stream.
const answerWords = 40

func words(t *testing.T) string {
	t.Helper()
	text := strings.TrimSpace(strings.Repeat("and then we walked along the river ", answerWords/7+1))
	text = strings.Join(strings.Fields(text)[:answerWords], " ")
	row, err := json.Marshal(map[string]string{"id": "a", "response": text})
	if err != nil {
		t.Fatal(err)
	}
	return file(t, t.TempDir(), "answers.jsonl", string(row)+"\n")
}

// nginx starts Debian's nginx as a plain proxy.
func nginx(t *testing.T, upstream string) string {
	t.Helper()
	bin := need(t, "nginx", "nginx-light")
	dir, at := t.TempDir(), free(t, 1)[0]
	conf := file(t, dir, "nginx.conf", fmt.Sprintf(`
daemon off; master_process off; pid %[1]s/pid; error_log stderr warn;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/s;
  upstream deployment { server %[2]s; keepalive 64; }
  server {
    listen %[3]s;
    location / {
      proxy_pass http://deployment; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_buffering off; proxy_request_buffering off;
    }
  }
}
`, dir, upstream, at))
	p := start(t, nil, bin, "-c", conf, "-p", dir)
	until(t, p, "http://"+at+"/health")
	return at
}

// inPath starts the injection apparatus in front of a deployment, in this
// process, as a run has it.
func inPath(t *testing.T, clock driver.Clock, upstream string) *proxy.Proxy {
	t.Helper()
	p, err := proxy.New(proxy.Options{
		Apparatus: plan.Apparatus{Kind: "proxy", Lease: exact.Duration(time.Hour), Proxy: &plan.ProxyApparatus{Listen: free(t, 1)[0], Upstream: "http://" + upstream}},
		Scorer:    func(_, text string) []int32 { return []int32{int32(len(text) % 2)} },
		Resolver:  net.DefaultResolver,
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Tell(func(driver.Exchange) {})
	if err := p.Start(t.Context(), clock); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close(context.Background()) })
	return p
}

func faultOf(transform, trial string, fraction exact.Number) driver.Fault {
	return driver.Fault{
		Fault: world.Fault{Class: "c", Fraction: fraction, Profile: plan.Profile{Shape: "step"}, Verify: int64(time.Minute), Trial: trial},
		Class: plan.FaultClass{Name: "c", Transform: transform}, Trial: trial,
	}
}

// TestAddedLatency measures what stands between a client and the first token:
// nothing, Debian's nginx, and the proxy, in turns, so that all meet the same
// machine.
func TestAddedLatency(t *testing.T) {
	wanted(t, "traffic")
	const rounds, stretch, rate = 6, 10 * time.Second, 100
	s := ready(t, nil, fdbench(t), "serve", "--listen", "127.0.0.1:0", "--answers", words(t), "--model", "m", "--latency", "token=500us")
	upstream := s.Ready["address"]
	apparatus := inPath(t, driver.NewClock(), upstream)
	changing := inPath(t, driver.NewClock(), upstream)
	if _, err := changing.Apply(t.Context(), faultOf("garble/1", "added latency", exact.Int(1))); err != nil {
		t.Fatal(err)
	}
	paths := []struct{ name, address string }{
		{"none", upstream}, {"nginx", nginx(t, upstream)}, {"proxy, no fault", apparatus.Address()}, {"proxy, every response garbled", changing.Address()},
	}
	clients := map[string]*openai.Client{}
	// Of each stretch; other work on the machine comes in bursts, which the
	// median over stretches leaves out.
	p50, p99, all := map[string][]float64{}, map[string][]float64{}, map[string][]float64{}
	late := map[string][]float64{}
	for round := range rounds {
		for _, p := range paths {
			if clients[p.name] == nil {
				clients[p.name] = client(t, p.address)
				offer(t.Context(), clients[p.name], arrivals.Constant(exact.Int(rate)), time.Second, "warm up "+p.name)
			}
			o := offer(t.Context(), clients[p.name], arrivals.Constant(exact.Int(rate)), stretch, fmt.Sprint(p.name, round))
			if len(o.failed) > 0 || p.address != changing.Address() && o.events != answerWords {
				t.Errorf("%s: failed %v, %d events", p.name, o.failed, o.events)
			}
			all[p.name] = append(all[p.name], o.waited...)
			p50[p.name] = append(p50[p.name], quantile(o.waited, 0.5))
			p99[p.name] = append(p99[p.name], quantile(o.waited, 0.99))
			late[p.name] = append(late[p.name], float64(o.lateness.P99))
		}
	}
	x := table{head: []string{"in between", "requests", "to the first token p50", "p99", "added p50", "added p99", "p99 of all stretches together", "send lateness p99"}}
	middle := func(m map[string][]float64, name string) float64 { return quantile(m[name], 0.5) }
	for _, p := range paths {
		x.add(p.name, len(all[p.name]), ms(middle(p50, p.name)), ms(middle(p99, p.name)), ms(middle(p50, p.name)-middle(p50, "none")),
			ms(middle(p99, p.name)-middle(p99, "none")), ms(quantile(all[p.name], 0.99)), ms(middle(late, p.name)))
		if len(all[p.name]) == 0 {
			t.Errorf("%s: no request was answered", p.name)
		}
	}
	publish(t, "live-added-latency.md", fmt.Sprintf("Time from sending a request to the first content, %d req/s, %d events a response, %d stretches of %v each in turns: the median of the stretches' quantiles.\n\n", rate, answerWords, rounds, stretch)+x.String())
}
