package traffic

import (
	"context"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fdbench/fdbench/runtime/arrivals"
)

// Policies for a request that cannot be sent in time.
const (
	SendLate = "late" // it is sent as soon as it can be, up to Stall
	Drop     = "drop" // it is not sent, and counted
)

// Stall is how late a request may be with SendLate. One that is later is of
// a time in which the harness itself stood still, stopped or without memory: to
// make up for hours of it at once would be another load, and more than a machine
// bears. It is not sent, and counted as dropped.
const Stall = 10 * time.Second

// Options say how requests are offered.
type Options struct {
	Schedule *arrivals.Schedule
	Policy   string        // SendLate or Drop
	Late     time.Duration // with Drop: how late a request may be
	InFlight int           // at most; a request beyond it waits or is dropped, as the policy says. 0: no limit
}

// Generator offers requests until its context ends.
type Generator struct {
	o        Options
	start    time.Time
	room     chan struct{}
	offered  atomic.Int64
	dropped  atomic.Int64
	inFlight atomic.Int64

	mu   sync.Mutex
	late histogram
}

// New makes a generator whose schedule begins at start.
func New(o Options, start time.Time) *Generator {
	g := &Generator{o: o, start: start}
	if o.InFlight > 0 {
		g.room = make(chan struct{}, o.InFlight)
	}
	return g
}

// Run offers requests: send is called in a goroutine of its own for each, with
// the request's number and its scheduled instant in nanoseconds after start.
// It returns when ctx ends, after the requests that are on their way came
// back; send gets the same context.
func (g *Generator) Run(ctx context.Context, send func(ctx context.Context, n uint64, scheduled int64)) {
	var wg sync.WaitGroup
	defer wg.Wait()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		at, n := g.o.Schedule.Next()
		g.o.Schedule.Advance()
		if wait := time.Until(g.start.Add(time.Duration(at))); wait > 0 {
			timer.Reset(wait)
			select {
			case <-ctx.Done():
				return
			case <-timer.C:
			}
		} else if ctx.Err() != nil {
			return
		}
		if !g.admit(ctx, at) {
			if ctx.Err() != nil {
				return
			}
			g.dropped.Add(1)
			continue
		}
		late := time.Since(g.start) - time.Duration(at)
		g.mu.Lock()
		g.late.add(int64(late))
		g.mu.Unlock()
		g.offered.Add(1)
		g.inFlight.Add(1)
		wg.Go(func() {
			defer g.leave()
			send(ctx, n, at)
		})
	}
}

// admit tells whether a request is sent now.
func (g *Generator) admit(ctx context.Context, at int64) bool {
	drop, most := g.o.Policy == Drop, Stall
	if drop {
		most = g.o.Late
	}
	if time.Since(g.start)-time.Duration(at) > most {
		return false
	}
	if g.room == nil {
		return true
	}
	if drop {
		select {
		case g.room <- struct{}{}:
			return true
		default:
			return false
		}
	}
	select {
	case g.room <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (g *Generator) leave() {
	g.inFlight.Add(-1)
	if g.room != nil {
		<-g.room
	}
}

// Offered is how many requests were sent so far.
func (g *Generator) Offered() int64 { return g.offered.Load() }

// Dropped is how many were not sent, as the policy or Stall says.
func (g *Generator) Dropped() int64 { return g.dropped.Load() }

// InFlight is how many are on their way.
func (g *Generator) InFlight() int64 { return g.inFlight.Load() }

// Lateness is how much later than scheduled requests were sent.
func (g *Generator) Lateness() Lateness {
	g.mu.Lock()
	defer g.mu.Unlock()
	return Lateness{N: g.late.n, P50: g.late.quantile(50), P99: g.late.quantile(99), Max: time.Duration(g.late.most)}
}

// Lateness sums up how late N requests were sent. Quantiles are upper bounds
// of buckets that are at most an eighth wide.
type Lateness struct {
	N             int64
	P50, P99, Max time.Duration
}

// histogram counts durations in buckets of eighths of a power of two: constant
// memory for a series that lasts days.
type histogram struct {
	buckets [64 * 8]int64
	n, most int64
}

func (h *histogram) add(v int64) {
	v = max(v, 0)
	h.n++
	h.most = max(h.most, v)
	h.buckets[bucket(v)]++
}

func bucket(v int64) int {
	if v < 8 {
		return int(v)
	}
	e := bits.Len64(uint64(v)) - 4
	return e*8 + int(v>>e)
}

// upper is the largest value of a bucket.
func upper(b int) int64 {
	if b < 16 {
		return int64(b)
	}
	e := b/8 - 1
	return (int64(b%8+8)+1)<<e - 1
}

// quantile is the bound below which at least p percent of the values lie.
func (h *histogram) quantile(p int64) time.Duration {
	need := (h.n*p + 99) / 100
	var seen int64
	i := slices.IndexFunc(h.buckets[:], func(n int64) bool { seen += n; return seen >= need && need > 0 })
	if i < 0 {
		return 0
	}
	return time.Duration(min(upper(i), h.most))
}
