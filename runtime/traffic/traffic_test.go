package traffic

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/arrivals"
)

// In a bubble of synctest time is exact: every request is sent at its instant,
// whatever the responses take.
func TestOpenLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		g := New(Options{Schedule: arrivals.Constant(exact.Int(10)), Policy: SendLate}, start)
		ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second-time.Millisecond)
		defer cancel()
		var mu sync.Mutex
		seen := map[uint64]bool{}
		g.Run(ctx, func(ctx context.Context, n uint64, at int64) {
			if since := time.Since(start); int64(since) != at || at != int64(n)*int64(100*time.Millisecond) {
				t.Errorf("request %d of %v sent at %v", n, time.Duration(at), since)
			}
			mu.Lock()
			seen[n] = true
			mu.Unlock()
			time.Sleep(7 * time.Second) // much longer than a gap
		})
		if len(seen) != 600 || g.Offered() != 600 || g.Dropped() != 0 || g.InFlight() != 0 {
			t.Errorf("%d requests, offered %d, dropped %d, in flight %d", len(seen), g.Offered(), g.Dropped(), g.InFlight())
		}
		if l := g.Lateness(); l.N != 600 || l.Max != 0 {
			t.Errorf("lateness %+v", l)
		}
	})
}

func TestPolicies(t *testing.T) {
	for _, x := range []struct {
		policy           string
		offered, dropped int64
		most             time.Duration
	}{
		// One at a time, of 250 ms, at 10/s for 2 s: sent late, the n-th is
		// sent at 250 ms times n; dropped, every third one is sent.
		{SendLate, 8, 0, 1050 * time.Millisecond},
		{Drop, 7, 13, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			g := New(Options{Schedule: arrivals.Constant(exact.Int(10)), Policy: x.policy, InFlight: 1}, time.Now())
			ctx, cancel := context.WithTimeout(t.Context(), 1999*time.Millisecond)
			defer cancel()
			g.Run(ctx, func(ctx context.Context, n uint64, at int64) { time.Sleep(250 * time.Millisecond) })
			if g.Offered() != x.offered || g.Dropped() != x.dropped || g.Lateness().Max != x.most {
				t.Errorf("%s: offered %d, dropped %d, lateness %+v", x.policy, g.Offered(), g.Dropped(), g.Lateness())
			}
		})
	}
}

func TestHistogram(t *testing.T) {
	var h histogram
	if h.quantile(99) != 0 {
		t.Error("a quantile of nothing")
	}
	for v := range int64(1 << 20) {
		if b := bucket(v); v > upper(b) || b > 0 && v <= upper(b-1) {
			t.Fatalf("%d is in bucket %d, up to %d", v, b, upper(b))
		}
	}
	for v := range int64(1000) {
		h.add(v * 1000)
	}
	for p, want := range map[int64]int64{50: 499_000, 99: 989_000} {
		if got := int64(h.quantile(p)); got < want || got > want+want/8 {
			t.Errorf("quantile %d: %d, want about %d", p, got, want)
		}
	}
	h.add(1 << 62)
	if h.most != 1<<62 || h.quantile(100) != 1<<62 {
		t.Errorf("largest %d, %d", h.most, h.quantile(100))
	}
}

// TestStandstill: hours in which the harness was stopped are not made up for at
// once.
func TestStandstill(t *testing.T) {
	for _, x := range []struct {
		o             Options
		sent, dropped int64
	}{
		// At 50/s for 190 ms after three hours: what is at most 10 s late, and
		// nine more.
		{Options{Policy: SendLate}, 501 + 9, 540_000 - 500},
		{Options{Policy: Drop, Late: time.Second}, 51 + 9, 540_000 - 50},
		{Options{Policy: Drop, Late: time.Minute}, 3001 + 9, 540_000 - 3000},
	} {
		synctest.Test(t, func(t *testing.T) {
			x.o.Schedule = arrivals.Constant(exact.Int(50))
			g := New(x.o, time.Now().Add(-3*time.Hour))
			ctx, cancel := context.WithTimeout(t.Context(), 190*time.Millisecond)
			defer cancel()
			g.Run(ctx, func(context.Context, uint64, int64) {})
			if g.Offered() != x.sent || g.Dropped() != x.dropped {
				t.Errorf("%s, %s: %d sent, %d dropped; want %d, %d", x.o.Policy, x.o.Late, g.Offered(), g.Dropped(), x.sent, x.dropped)
			}
		})
	}
}
