package procedure_test

import (
	"context"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/world"
)

// hasty opens worlds whose detector stamps every emission just after the onset
// of the fault, and delivers it when it would have.
type hasty struct{ world.Factory }

func (f hasty) Open(ctx context.Context, s world.Segment, sink detector.Sink) (world.World, error) {
	h := &hastyWorld{onset: -1}
	w, err := f.Factory.Open(ctx, s, func(sig detector.Signal) {
		if h.onset >= 0 {
			sig.EmittedAt = h.onset + 1
		}
		sink(sig)
	})
	h.World = w
	return h, err
}

type hastyWorld struct {
	world.World
	onset int64
}

func (w *hastyWorld) Apply(ctx context.Context, f world.Fault) (int64, error) {
	var err error
	w.onset, err = w.World.Apply(ctx, f)
	return w.onset, err
}

// An alert that its emitter stamped before a changed response could have
// caused it is early, whenever it was received and whichever stamp is the
// event's: in virtual time there is one clock (AMB-12, AMB-13).
func TestEmitterBeforeTheFirstChange(t *testing.T) {
	s := plain
	s.loads, s.trials, s.attempts = s.loads[:1], 2, 4
	for _, clock := range []string{"emitter", "receiver"} {
		p := s.build()
		p.Declaration.Signal.EventClock = clock
		m, _ := run(t, p, hasty{factory(t, p)})
		early, detected := 0, 0
		for _, r := range records[journal.TrialRecord](t, m, journal.KindTrial) {
			if r.Purpose != journal.PurposeTrials {
				continue
			}
			early += r.Early
			if r.Detected {
				detected++
			}
		}
		if early == 0 || detected > 0 {
			t.Errorf("by the clock of the %s there are %d early alerts and %d detections", clock, early, detected)
		}
	}
}

// setAhead opens worlds of which the wall clock is stepped while the first fault
// acts.
type setAhead struct {
	world.Factory
	done *bool
}

func (f setAhead) Open(ctx context.Context, s world.Segment, sink detector.Sink) (world.World, error) {
	w, err := f.Factory.Open(ctx, s, sink)
	return &setAheadWorld{World: w, Offering: w.(world.Offering), f: f}, err
}

type setAheadWorld struct {
	world.World
	world.Offering
	f     setAhead
	steps []world.Step
}

func (w *setAheadWorld) Apply(ctx context.Context, f world.Fault) (int64, error) {
	onset, err := w.World.Apply(ctx, f)
	if !*w.f.done {
		*w.f.done, w.steps = true, []world.Step{{At: onset, By: 10 * int64(exact.Second)}}
	}
	return onset, err
}

// Steps implements world.Stepping.
func (w *setAheadWorld) Steps() []world.Step {
	s := w.steps
	w.steps = nil
	return s
}

// TestClockSteppedInTrial: where the emitter's stamps decide, a trial in which
// the wall clock was stepped is repeated. It is with a detector on another host
// too, whose signals may have waited while this host slept.
func TestClockSteppedInTrial(t *testing.T) {
	s := plain
	s.loads, s.trials, s.attempts = s.loads[:1], 2, 4
	for _, x := range []struct {
		clock, clocks string
		repeated      bool
	}{{"emitter", "same_host", true}, {"receiver", "same_host", false}, {"receiver", "probed", true}, {"receiver", "chrony", true}} {
		p := s.build()
		p.Declaration.Signal.EventClock, p.Declaration.Environment.Clocks = x.clock, x.clocks
		m, _ := run(t, p, setAhead{live{factory(t, p)}, new(bool)})
		steps := 0
		for _, r := range records[journal.TrialRecord](t, m, journal.KindTrial) {
			if r.Purpose != journal.PurposeTrials {
				continue
			}
			steps += len(r.Steps)
			if repeated := r.Discard == "harness_failure"; repeated != (x.repeated && len(r.Steps) > 0) || !repeated && (!r.Kept || !r.Detected) {
				t.Errorf("by the clock of the %s, %s: %+v", x.clock, x.clocks, r)
			}
		}
		if steps != 1 {
			t.Errorf("%d steps are on record", steps)
		}
	}
}
