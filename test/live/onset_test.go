package live

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/apparatus/proxy"
	"github.com/fdbench/fdbench/runtime/arrivals"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/openai"
)

// TestOnset applies a fault a hundred times at configured instants, under
// traffic, and compares them with when it was effective, and with the first
// response that was changed.
func TestOnset(t *testing.T) {
	wanted(t, "onset")
	const applications, rate = 100, 100
	s := ready(t, nil, fdbench(t), "serve", "--listen", "127.0.0.1:0", "--answers", "template", "--model", "m", "--latency", "first=5ms,token=500us")
	clock := driver.NewClock()
	p := inPath(t, clock, s.Ready["address"])
	c := client(t, p.Address())
	done := make(chan offered, 1)
	const gap = 250 * time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		done <- offer(ctx, c, arrivals.Constant(exact.Int(rate)), 10*time.Minute, "Tell me about Rome.")
	}()
	time.Sleep(time.Second)
	var effective, affected, removed []float64
	for i := range applications {
		// The phase against the arrivals moves, so that it is no constant.
		configured := time.Now().Add(gap + time.Duration(i%10)*time.Millisecond)
		time.Sleep(time.Until(configured))
		onset, err := p.Apply(t.Context(), faultOf("refuse/1", fmt.Sprint("onset ", i), exact.Int(1)))
		for tries := 0; errors.Is(err, proxy.ErrApplied) && tries < 20; tries++ {
			// A response of the application before is still on its way.
			configured = time.Now().Add(gap)
			time.Sleep(time.Until(configured))
			onset, err = p.Apply(t.Context(), faultOf("refuse/1", fmt.Sprint("onset ", i), exact.Int(1)))
		}
		if err != nil {
			t.Fatal(err)
		}
		late := onset - clock.At(configured)
		if late < 0 {
			t.Fatalf("application %d was effective %v before it was configured", i, time.Duration(-late))
		}
		effective = append(effective, float64(late))
		applied := p.Applied()
		for deadline := time.Now().Add(2 * time.Second); applied.FirstAffected < 0 && time.Now().Before(deadline); applied = p.Applied() {
			time.Sleep(10 * time.Millisecond)
		}
		if applied.FirstAffected < onset {
			t.Fatalf("application %d: the first changed response is at %d, before the onset at %d", i, applied.FirstAffected, onset)
		}
		affected = append(affected, float64(applied.FirstAffected-onset))
		before := time.Now()
		if _, err := p.Remove(t.Context()); err != nil {
			t.Fatal(err)
		}
		removed = append(removed, float64(time.Since(before)))
	}
	cancel()
	o := <-done
	delete(o.failed, openai.Cancelled) // those on their way at the end
	if len(o.failed) > 0 {
		t.Errorf("failed %v", o.failed)
	}
	x := table{head: []string{"interval", "n", "median", "p95", "max"}}
	for _, r := range []struct {
		name   string
		values []float64
	}{
		{"configured instant to effective onset", effective}, {"effective onset to the first changed response", affected}, {"asked for removal to removed", removed},
	} {
		x.add(r.name, len(r.values), ms(quantile(r.values, 0.5)), ms(quantile(r.values, 0.95)), ms(quantile(r.values, 1)))
	}
	publish(t, "live-onset.md", fmt.Sprintf("%d applications of a fault by the proxy at %d req/s.\n\n", applications, rate)+x.String())
}
