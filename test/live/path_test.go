package live

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/apparatus/proxy"
	"github.com/fdbench/fdbench/runtime/arrivals"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/runtime/world"
)

// notified keeps what Alertmanager sent, by the name of the alert.
type notified struct {
	mu     sync.Mutex
	firing map[string]time.Time // of the first notification
	ended  map[string]time.Time
}

func (n *notified) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Alerts []struct {
			Status string
			Labels map[string]string
		}
	}
	if json.NewDecoder(r.Body).Decode(&body) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, a := range body.Alerts {
		to := n.firing
		if a.Status == "resolved" {
			to = n.ended
		}
		if _, ok := to[a.Labels["alertname"]]; !ok {
			to[a.Labels["alertname"]] = time.Now()
		}
	}
}

// forget begins anew: a fault may raise more alerts than its own.
func (n *notified) forget() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.firing, n.ended = map[string]time.Time{}, map[string]time.Time{}
}

func (n *notified) wait(ended bool, name string, most time.Duration) (time.Time, bool) {
	for deadline := time.Now().Add(most); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		n.mu.Lock()
		at, ok := n.firing[name]
		if ended {
			at, ok = n.ended[name]
		}
		n.mu.Unlock()
		if ok {
			return at, true
		}
	}
	return time.Time{}, false
}

// TestPath shows the path of a signal without the harness's procedure: a fault
// at the proxy changes what the tap counts, Prometheus's rule fires,
// Alertmanager notifies, and all of it ends with the fault.
func TestPath(t *testing.T) {
	wanted(t, "path")
	list := classes()
	s := newStack(t)
	s.write(list, "2s", true, shortSeries(list, "50 req/s"))
	p, err := proxy.New(proxy.Options{
		Apparatus: plan.Apparatus{Kind: "proxy", Sampling: "quota", Lease: exact.Duration(time.Hour), Proxy: &plan.ProxyApparatus{Listen: s.Proxy, Upstream: "http://" + s.Engine}},
		Scorer:    func(string, string) []int32 { return []int32{0} },
		Resolver:  net.DefaultResolver,
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Tell(func(driver.Exchange) {})
	s.serve()
	if err := p.Start(t.Context(), driver.NewClock()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close(context.Background()) })
	s.observe()
	got := &notified{}
	got.forget()
	l, err := net.Listen("tcp", s.Receiver)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: got}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	s.notify()
	s.watch()
	c := client(t, s.Tap)
	done := make(chan offered, 1)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	go func() {
		done <- offer(ctx, c, arrivals.Constant(exact.Int(50)), 10*time.Minute, "Tell me about Rome.")
	}()
	defs := compiler.Define(nil, compiler.Options{})
	time.Sleep(4 * time.Second)
	x := table{head: []string{"class", "notified after", "resolved after removal"}}
	for _, r := range list {
		class, ok := defs.FaultClass(r.class)
		if !ok {
			t.Fatalf("there is no class %s", r.class)
		}
		for deadline := time.Now().Add(20 * time.Second); s.firing() > 0 && time.Now().Before(deadline); {
			time.Sleep(100 * time.Millisecond)
		}
		got.forget()
		onset := time.Now()
		f := driver.Fault{Fault: world.Fault{Class: r.class, Fraction: exact.Int(1), Profile: plan.Profile{Shape: "step"}, Verify: int64(time.Minute), Trial: r.class}, Class: class, Trial: r.class}
		if _, err := p.Apply(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		fired, ok := got.wait(false, r.class, 15*time.Second)
		if _, err := p.Remove(t.Context()); err != nil {
			t.Fatal(err)
		}
		removed := time.Now()
		if !ok {
			t.Errorf("%s: no notification within 15 s", r.class)
			continue
		}
		ended, ok := got.wait(true, r.class, 20*time.Second)
		if !ok {
			t.Errorf("%s: not resolved within 20 s of the removal", r.class)
			continue
		}
		x.add(r.class, sec(fired.Sub(onset)), sec(ended.Sub(removed)))
	}
	cancel()
	if o := <-done; o.offered == 0 || len(o.failed) > 1 || len(o.failed) == 1 && o.failed[openai.Cancelled] == 0 {
		t.Errorf("%d requests, failed %v", o.offered, o.failed)
	}
	publish(t, "live-path.md", "Every text fault class on streams, all responses changed, 50 req/s, through `fdbench tap`, Prometheus and Alertmanager.\n\n"+x.String())
}
