package virtual

import (
	"context"
	"errors"
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/arrivals"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/serving"
	"github.com/fdbench/fdbench/runtime/world"
)

// virtualWorld steps one segment.
type virtualWorld struct {
	home *Factory
	plan *plan.Plan
	bank *serving.Bank
	name func(purpose string) *random.Stream
	now  int64

	traffic   *arrivals.Schedule
	next      int64 // arrival
	arrived   int64
	inFlight  *calendar
	latencies []int64
	rows      *random.Stream
	lags      *random.Stream

	det       detector.Virtual
	columns   []int   // column of each of the detector's indicators
	scores    []int32 // scratch for Observe
	sampling  []random.Chance
	samples   *random.Stream
	all       uint64 // every indicator of the detector is sampled
	unsampled uint64 // columns that the detector does not compute: all responses count
	signalled bool

	classes map[string]int
	masks   []random.Chance
	masking *random.Stream
	fault   fault
	applies int

	watch   watcher
	offered counter
	read    reader
	settle  int64
	cycle   int64
}

// checkEvery is how many events pass between two looks at the context.
const checkEvery = 1 << 16

func (w *virtualWorld) Now() int64      { return w.now }
func (w *virtualWorld) Settle() int64   { return w.settle }
func (w *virtualWorld) Cycle() int64    { return w.cycle }
func (w *virtualWorld) Requests() int64 { return w.arrived }
func (w *virtualWorld) Close() error    { w.fault.active = false; return nil }

func (w *virtualWorld) Detector(context.Context) (detector.State, error) {
	return w.det.State(), nil
}

// Active names the alerts that fire or are pending, where the detector can.
func (w *virtualWorld) Active() []string {
	if n, ok := w.det.(detector.Named); ok {
		return n.Active()
	}
	return nil
}

// Advance merges three sources of events: arrivals, completions and the
// detector's own instants. On one instant, arrivals come before completions
// and completions before the detector, so that a scrape sees what has
// happened by then.
func (w *virtualWorld) Advance(ctx context.Context, until int64, stop func() bool) error {
	events := 0
	for {
		tick := w.det.Next()
		limit := min(tick, until)
		for {
			due := limit
			if w.inFlight.size > 0 {
				due = min(due, w.inFlight.head())
			}
			if w.next <= due {
				w.arrive()
				continue
			}
			if w.inFlight.size == 0 || w.inFlight.head() > limit {
				break
			}
			w.complete(w.inFlight.pop())
			if w.signalled {
				w.signalled = false
				if stop != nil && stop() {
					return nil
				}
			}
			if events++; events%checkEvery == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
		w.now = max(w.now, limit)
		if tick > until {
			return ctx.Err()
		}
		w.det.Tick(tick)
		if w.signalled {
			w.signalled = false
			if stop != nil && stop() {
				return nil
			}
		}
		if events++; events%checkEvery == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// arrive starts the next request of the schedule.
func (w *virtualWorld) arrive() {
	t := w.next
	if t >= w.offered.end {
		w.offered.roll(t)
	}
	w.offered.n++
	r := response{at: t + w.latencies[w.lags.Below(uint64(len(w.latencies)))], row: int32(w.rows.Below(uint64(w.bank.Rows)))}
	if f := &w.fault; f.twin != nil {
		if f.active && f.Pick(t) {
			r.flags = flagFaulted
			f.altered++
			if w.masking.Hit(w.masks[f.class]) {
				r.flags |= flagMasked
			}
		}
		if f.active && f.Verifies(t) {
			r.flags |= flagVerified
			f.pending++
		}
	}
	w.inFlight.push(r)
	w.traffic.Advance()
	w.next, _ = w.traffic.Next()
	w.arrived++
}

// complete lets a response pass the injection point and the observation
// point.
func (w *virtualWorld) complete(r response) {
	w.now = r.at
	base := w.bank.Base[int(r.row)*w.bank.Stride:][:w.bank.Stride]
	injected, observed := base, base
	if r.flags != 0 {
		f := &w.fault
		if r.flags&flagFaulted != 0 {
			injected = f.twin[int(r.row)*w.bank.Stride:][:w.bank.Stride]
			if r.flags&flagMasked == 0 {
				observed = injected
			}
			f.altered--
			if f.applied.FirstAffected < 0 {
				f.applied.FirstAffected = r.at
			}
		}
		if r.flags&flagVerified != 0 {
			f.pending--
			f.applied.N++
			f.applied.Before += int64(base[f.column])
			f.applied.Injected += int64(injected[f.column])
			f.applied.Observed += int64(observed[f.column])
		}
	}
	for i, c := range w.columns {
		w.scores[i] = observed[c]
	}
	sampled, seen := w.all, ^uint64(0)
	if w.sampling != nil {
		sampled, seen = 0, w.unsampled
		for i, c := range w.sampling {
			if w.samples.Hit(c) {
				sampled |= 1 << i
				seen |= 1 << w.columns[i]
			}
		}
	}
	if w.watch.on {
		w.watch.add(r.at, injected, observed, seen)
	}
	w.det.Observe(r.at, w.scores, sampled)
}

var errApplied = errors.New("a fault is already applied (methodology 4.4)")

// Apply begins a fault at the present instant.
func (w *virtualWorld) Apply(_ context.Context, spec world.Fault) (int64, error) {
	f := &w.fault
	if f.active || f.pending > 0 || f.altered > 0 {
		return 0, errApplied
	}
	class, ok := w.classes[spec.Class]
	if !ok {
		return 0, fmt.Errorf("the plan has no fault class %q", spec.Class)
	}
	f.class, f.spec, f.twin = class, spec, w.bank.Twins[spec.Class]
	f.column = indicatorIndex(&w.plan.Declaration, w.plan.Declaration.FaultClasses[class].Indicator)
	w.applies++
	f.begin(w.now, spec, int64(w.plan.Declaration.Apparatus.Block), w.traffic.Gap(), w.name(fmt.Sprintf("pick %d", w.applies)))
	return f.onset, nil
}

// Remove ends the fault for requests that start from now on.
func (w *virtualWorld) Remove(context.Context) (int64, error) {
	f := &w.fault
	f.active = false
	f.Cut(w.now)
	_, f.applied.To = f.Window()
	return w.now, nil
}

// Applied tells what was measured of the last application.
func (w *virtualWorld) Applied() world.Applied {
	a := w.fault.applied
	f := &w.fault
	a.Complete = !f.active && f.pending == 0 && f.altered == 0 && w.now >= a.To
	// One response is measured at both points, so that the requests and the
	// interval are the same.
	a.ObservedFrom, a.ObservedTo, a.ObservedN = a.From, a.To, a.N
	return a
}

// Count implements world.Offering.
func (w *virtualWorld) Count(width int64) { w.offered.start(w.now, width) }

// Offered implements world.Offering.
func (w *virtualWorld) Offered() []int64 { return w.offered.windows(w.now) }

func (w *virtualWorld) Watch(widths []int64) { w.watch.start(w.now, widths) }

func (w *virtualWorld) Windows(point, indicator int) []world.Window {
	return w.watch.windows(w.now, point, indicator)
}

// indicatorIndex is the index of a declared indicator; the compiler has seen
// to it that there is one.
func indicatorIndex(d *plan.Declaration, name string) int {
	for i, ind := range d.Indicators {
		if ind.Name == name {
			return i
		}
	}
	panic("virtual: the plan does not declare indicator " + name)
}
