package live

import (
	"fmt"
	"testing"
	"time"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/arrivals"
	"github.com/fdbench/fdbench/runtime/live/driver"
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
	const gap = 400 * time.Millisecond
	go func() {
		done <- offer(t.Context(), c, arrivals.Constant(exact.Int(rate)), applications*gap+2*time.Second, "Tell me about Rome.")
	}()
	time.Sleep(time.Second)
	var effective, affected, removed []float64
	begin := time.Now()
	for i := range applications {
		// The phase against the arrivals moves, so that it is no constant.
		configured := begin.Add(time.Duration(i)*gap + time.Duration(i%10)*time.Millisecond)
		time.Sleep(time.Until(configured))
		onset, err := p.Apply(t.Context(), faultOf("refuse/1", fmt.Sprint("onset ", i), exact.Int(1)))
		if err != nil {
			t.Fatal(err)
		}
		late := onset - clock.At(configured)
		if late < 0 {
			t.Fatalf("application %d was effective %v before it was configured", i, time.Duration(-late))
		}
		effective = append(effective, float64(late))
		time.Sleep(120 * time.Millisecond)
		applied := p.Applied()
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
	if o := <-done; len(o.failed) > 0 {
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
