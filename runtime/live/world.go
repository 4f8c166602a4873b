package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

// liveWorld is one segment. It is a view of the factory's state whose instants
// begin with the segment.
type liveWorld struct {
	*Factory
	closed bool
}

var errClosed = errors.New("the world was closed")

// Open begins a segment. The traffic of its load point goes on where it is
// offered already; else it begins, and what the deployment did before has to
// be forgotten.
func (f *Factory) Open(ctx context.Context, s world.Segment, sink detector.Sink) (world.World, error) {
	if !f.started {
		return nil, errors.New("the live world was not started")
	}
	f.sink = nil
	f.drain(f.clock.Now()) // what happened between two segments belongs to none
	if f.load == nil || f.load.point != s.Load {
		f.offer(s.Load)
		f.settled = f.now + 2*int64(f.plan.Declaration.Load.Points[s.Load].Window)
	}
	f.zero, f.sink = f.now, sink
	f.watch.start(f.now, nil)
	f.offered.start(f.now, 0)
	f.answered.start(f.now, 0)
	if f.raw = nil; f.o.Dir != "" {
		var err error
		if f.raw, err = newRaw(f.o.Dir, s.Name, f.o.RawRows); err != nil {
			return nil, err
		}
	}
	return &liveWorld{Factory: f}, ctx.Err()
}

func (w *liveWorld) Now() int64      { return w.now - w.zero }
func (w *liveWorld) Requests() int64 { return w.requests }
func (w *liveWorld) Settle() int64   { return max(0, w.settled-w.zero) }

// Cycle is the detector's own period.
func (w *liveWorld) Cycle() int64 { return max(1, w.drivers.Detector.Cycle()) }

// Phase implements world.Phased: detectors that wake up periodically do it by
// the wall clock, before and after this process was restarted.
func (w *liveWorld) Phase(at int64) int64 {
	c := w.Cycle()
	return ((w.clock.Time(0).Round(0).UnixNano()+w.zero+at)%c + c) % c
}

// Advance waits until an instant, or until a signal where stop asks for it.
func (w *liveWorld) Advance(ctx context.Context, until int64, stop func() bool) error {
	if w.closed {
		return errClosed
	}
	f := w.Factory
	until += f.zero
	var timer *time.Timer
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		stopped, complete := f.work(until, stop)
		if stopped || complete {
			return nil
		}
		f.clock.Look()
		wait := min(time.Duration(until-f.clock.Now())+time.Microsecond, longestWait)
		if timer == nil {
			timer = time.NewTimer(wait)
			defer timer.Stop()
		} else {
			timer.Reset(wait)
		}
		select {
		case <-ctx.Done():
		case <-f.queue.wake:
		case <-timer.C:
		}
	}
}

// longestWait is how long nothing is looked at: the wall clock has to be, and
// requests that never come back have to be given up.
const longestWait = time.Second

// work works off what has happened up to an instant. It stops after a signal
// where stop says so; complete tells that nothing more can happen up to then.
func (f *Factory) work(until int64, stop func() bool) (stopped, complete bool) {
	for {
		e, ok, complete := f.queue.take(until)
		if !ok {
			if complete {
				f.now = max(f.now, until)
			}
			f.sweep()
			return false, complete
		}
		f.now = max(f.now, e.at)
		f.take(&e)
		if f.signalled {
			f.signalled = false
			if stop != nil && stop() {
				return true, false
			}
		}
	}
}

// drain works off everything up to an instant that has passed.
func (f *Factory) drain(until int64) {
	for {
		if _, complete := f.work(until, nil); complete {
			return
		}
		time.Sleep(time.Microsecond)
	}
}

// take lets one event act on the state.
func (f *Factory) take(e *event) {
	switch {
	case e.sent != nil:
		f.requests++
		f.offered.add(e.at)
		f.tally.sent(e.at - e.sent.scheduled)
		f.flights.add(&flight{sent: *e.sent, at: e.at})
	case e.began != nil:
		f.content(e.began)
	case e.done != nil:
		f.finished(e.done, e.at)
	case e.passed != nil:
		f.seen(e.passed, e.at)
	case e.signal != nil && f.sink != nil:
		s := *e.signal
		s.At -= f.zero
		s.EmittedAt -= f.zero
		s.StartsAt -= f.zero
		f.signalled = true
		f.sink(s)
	}
}

// content takes in that the content of a response begins.
func (f *Factory) content(b *began) {
	if x := f.flights.find(b.key, b.is); x != nil && f.fault != nil && !f.ledger && f.fault.changed(x) {
		f.fault.affects(b.at)
	}
}

// finished takes in a response at the observation point.
func (f *Factory) finished(d *done, at int64) {
	x := f.flights.find(d.key, d.is)
	if x == nil {
		return // it was given up
	}
	x.done, x.last = d, at
	if d.scores != nil {
		f.answered.add(at)
		f.watch.add(at, world.Observation, d.scores)
		if !f.ledger {
			f.watch.add(at, world.Injection, d.scores)
		}
	} else {
		f.tally.outcomes[d.record.Outcome]++
	}
	if !f.ledger || x.passed != nil {
		f.over(x)
	}
}

// seen takes in a response at the injection point.
func (f *Factory) seen(p *passed, at int64) {
	x := f.flights.find(p.Key, func(x *flight) bool { return x.passed == nil })
	if x == nil {
		f.tally.unmatched++ // of somebody else, or given up
		return
	}
	x.passed, x.last = p, at
	if p.good() {
		f.watch.add(at, world.Injection, p.after)
		for i, t := range p.twins {
			s := &f.twins[i]
			s.Sum, s.Before, s.N = s.Sum+t.Sum, s.Before+t.Before, s.N+t.N
		}
	}
	if x.done != nil {
		f.over(x)
	}
}

// over takes in a request whose course is known to its end.
func (f *Factory) over(x *flight) {
	f.flights.remove(x)
	f.asked.forget(x.key)
	unseen := f.ledger && x.passed == nil
	if a := f.fault; a != nil {
		a.verify(x, unseen)
		if d := x.done; d != nil && d.scores != nil {
			changed := !unseen && a.changed(x)
			if !unseen && !a.unsure(x) {
				f.markers.add(&d.record, changed)
			}
			if x.at >= a.onset && cached(d.record.Header, d.record.Answer.Usage) {
				a.cached++
			}
			if changed && !f.ledger {
				a.affects(d.at())
			}
		}
	} else if d := x.done; d != nil && d.scores != nil {
		f.markers.add(&d.record, false)
	}
	if f.raw != nil {
		f.raw.add(x.row(f.zero))
	}
}

// at is when the first content of a response arrived, on the run's clock.
func (d *done) at() int64 {
	if d.record.Stamps.FirstContent >= 0 {
		return d.record.Stamps.FirstContent + d.shift
	}
	return d.record.Stamps.End + d.shift
}

// Spans after which a request is given up that only one point has seen.
const (
	unpaired = int64(5 * time.Second)
	longest  = int64(10 * time.Minute) // without a declared limit
)

// sweep gives up requests that will not be seen at both points any more.
func (f *Factory) sweep() {
	at := f.clock.Now()
	if at-f.swept < int64(longestWait) {
		return
	}
	f.swept = at
	whole := int64(f.plan.Declaration.Serving.Endpoint.Whole)
	if whole == 0 {
		whole = longest
	}
	for _, x := range f.flights.all(func(x *flight) bool {
		return x.done != nil && at-x.last > unpaired || x.done == nil && at-x.at > whole+2*unpaired
	}) {
		f.tally.unmatched++
		f.over(x)
	}
}

// Watch begins windows now.
func (w *liveWorld) Watch(widths []int64) { w.watch.start(w.now, widths) }

// Windows are the complete windows at a point.
func (w *liveWorld) Windows(point, indicator int) []world.Window {
	return w.watch.windows(w.now, point, indicator)
}

// Count implements world.Offering.
func (w *liveWorld) Count(width int64) {
	w.offered.start(w.now, width)
	w.answered.start(w.now, width)
	w.tally.begin(width > 0)
	w.tally.dropped = w.load.traffic.Dropped()
}

// Offered implements world.Offering.
func (w *liveWorld) Offered() []int64 { return w.offered.windows(w.now) }

// Answered implements world.Answering.
func (w *liveWorld) Answered() []int64 { return w.answered.windows(w.now) }

// Missed implements world.Missing. What a detector said between two segments
// counts in the latter.
func (w *liveWorld) Missed() world.Missed {
	if d, ok := w.drivers.Detector.(driver.Missing); ok {
		return d.Missed()
	}
	return world.Missed{}
}

// Traffic implements world.Reporting.
func (w *liveWorld) Traffic() world.Traffic {
	t := w.tally.traffic()
	t.Dropped = w.load.traffic.Dropped() - w.tally.dropped
	return t
}

// CountTwins implements world.Twinning.
func (w *liveWorld) CountTwins(on bool) {
	if on {
		for i := range w.twins {
			w.twins[i] = world.Twin{Class: w.twins[i].Class}
		}
	}
	w.twinning.Store(on && w.ledger)
}

// Twins implements world.Twinning.
func (w *liveWorld) Twins() []world.Twin { return append([]world.Twin(nil), w.twins...) }

// Probe implements world.Probing.
func (w *liveWorld) Probe(ctx context.Context) ([]world.Offset, error) {
	if w.drivers.Prober == nil {
		return nil, nil
	}
	return w.drivers.Prober.Probe(ctx)
}

// Wall implements world.Walled.
func (w *liveWorld) Wall() int64 { return time.Now().UnixNano() }

// Poll implements world.Polled.
func (w *liveWorld) Poll() int64 {
	if d, ok := w.drivers.Detector.(driver.Polling); ok {
		return d.ErrorBound()
	}
	return 0
}

// Steps implements world.Stepping.
func (w *liveWorld) Steps() []world.Step {
	out := w.clock.Steps()
	for i := range out {
		out[i].At -= w.zero
	}
	return out
}

// Keep implements world.Keeping.
func (w *liveWorld) Keep() (*world.File, error) {
	r := w.raw
	if r == nil {
		return nil, nil
	}
	w.raw = nil
	return r.keep()
}

// Close ends the segment and removes a fault that is still applied. The
// traffic goes on.
func (w *liveWorld) Close() error {
	if w.closed {
		return nil
	}
	w.closed = true
	w.sink = nil
	if w.raw != nil {
		w.raw.drop()
		w.raw = nil
	}
	return w.rest()
}

// NotRemovedError says that a fault may still act when a run has ended. Its
// lease, which nobody renews any more, ends it.
type NotRemovedError struct{ Err error }

func (e *NotRemovedError) Error() string {
	return fmt.Sprintf("the fault could not be removed: %v", e.Err)
}

// Unwrap returns what the apparatus said.
func (e *NotRemovedError) Unwrap() error { return e.Err }
