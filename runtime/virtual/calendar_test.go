package virtual

import (
	"math/rand/v2"
	"sort"
	"testing"
)

// TestCalendarOrders holds the queue against a sorted list: responses are
// pushed at arrivals in order, each completing within the horizon, and popped
// whenever no arrival comes first.
func TestCalendarOrders(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		spacing := int64(1) << rng.IntN(30)
		horizon := int64(1) + rng.Int64N(spacing*(1+rng.Int64N(200)))
		c := newCalendar(spacing, horizon)
		var want, got []int64
		now := int64(0)
		for range 2000 {
			if rng.IntN(4) == 0 {
				now += rng.Int64N(50 * spacing) // a lull: the queue may run empty
			} else {
				now += rng.Int64N(2*spacing) + 1
			}
			for c.size > 0 && c.head() < now {
				got = append(got, c.pop().at)
			}
			at := now
			if rng.IntN(3) > 0 {
				at += rng.Int64N(horizon)
			}
			c.push(response{at: at})
			want = append(want, at)
		}
		for c.size > 0 {
			got = append(got, c.pop().at)
		}
		sort.Slice(want, func(i, j int) bool { return want[i] < want[j] })
		if len(got) != len(want) {
			t.Fatalf("seed %d: %d responses came out of %d", seed, len(got), len(want))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("seed %d: response %d completes at %d, want %d", seed, i, got[i], want[i])
			}
		}
	}
}

func TestCalendarIsStableInMemory(t *testing.T) {
	c := newCalendar(10, 1000)
	now := int64(0)
	fill := func() {
		for range 1000 {
			now += 10
			for c.size > 0 && c.head() < now {
				c.pop()
			}
			c.push(response{at: now + (now*7919)%1000})
		}
	}
	for range 100 {
		fill() // the buckets grow to what this load needs
	}
	if n := testing.AllocsPerRun(100, fill); n > 0 {
		t.Errorf("%.0f allocations for 1000 responses", n)
	}
}
