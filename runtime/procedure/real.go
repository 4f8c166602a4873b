package procedure

import (
	"context"
	"errors"

	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/world"
)

// phaseAt is where an instant lies in the detector's cycle. In real time the
// cycle is not one that began with the segment.
func (s *stage) phaseAt(at int64) int64 {
	if p, ok := s.world.(world.Phased); ok {
		return p.Phase(at)
	}
	return at % s.world.Cycle()
}

// probe compares the two clocks before, between and after the trials of a load
// (FD-3.5-2). A measurement that fails is left out, and the result says that
// it is missing.
func (s *stage) probe(ctx context.Context) error {
	p, ok := s.world.(world.Probing)
	if !ok || s.outcome.phase == "baseline" {
		return nil
	}
	moment := journal.ClockBetween
	switch {
	case s.outcome.phase == "false_detection":
		moment = journal.ClockAfter
	case s.r.tried[s.load] == 0:
		moment = journal.ClockBefore
	}
	offsets, err := p.Probe(ctx)
	if err != nil {
		return ctx.Err()
	}
	for _, o := range offsets {
		if err := s.record(journal.KindClock, journal.ClockRecord{At: s.world.Now(), Offset: o.Offset, Delay: o.Delay, Bound: o.Bound,
			Method: o.Method, Moment: moment}); err != nil {
			return err
		}
	}
	return nil
}

// traffic is how the requests of a trial were sent.
func (s *stage) traffic() *journal.TrafficRecord {
	w, ok := s.world.(world.Reporting)
	if !ok {
		return nil
	}
	t := w.Traffic()
	r := &journal.TrafficRecord{Sent: t.Sent, Dropped: t.Dropped, LateP50: t.LateP50, LateP99: t.LateP99, LateMax: t.Late,
		Unmatched: t.Unmatched}
	for _, o := range t.Outcomes {
		r.Failures = append(r.Failures, journal.Failure{Outcome: o.Name, N: o.N})
	}
	return r
}

// wall is the time of day now, or 0 in virtual time.
func (s *stage) wall() int64 {
	if w, ok := s.world.(world.Walled); ok {
		return w.Wall()
	}
	return 0
}

// poll is by how much signals since the last call may have been received late
// because the detector is asked at intervals (AMB-14).
func (s *stage) poll() int64 {
	if w, ok := s.world.(world.Polled); ok {
		return w.Poll()
	}
	return 0
}

// steps are the jumps of the wall clock since the last trial.
func (s *stage) steps() []journal.ClockStep {
	w, ok := s.world.(world.Stepping)
	if !ok {
		return nil
	}
	var out []journal.ClockStep
	for _, x := range w.Steps() {
		out = append(out, journal.ClockStep(x))
	}
	return out
}

// notApplied ends a trial whose fault the apparatus could not apply. Since some
// of it may have been applied it is removed; that this fails too ends the run.
// The trial is discarded and repeated like any other, so that the declared
// attempts bound how often.
func (s *stage) notApplied(ctx context.Context, rec journal.TrialRecord, cause error) error {
	if !s.r.real() || ctx.Err() != nil {
		return cause
	}
	rec.RemovalAsked = max(rec.Requested, s.world.Now())
	removed, err := s.world.Remove(ctx)
	if err != nil {
		return errors.Join(cause, err)
	}
	rec.Onset = rec.Requested
	rec.Plateau, rec.Removed = rec.Onset, max(removed, rec.RemovalAsked)
	rec.Phase = s.phaseAt(rec.Onset)
	rec.Verification = journal.Verification{From: rec.Plateau, To: rec.Plateau, Method: s.r.plan.Declaration.Apparatus.Verify}
	rec.Broken, rec.Discard = "it was not applied: "+cause.Error(), discardApparatus
	rec.Steps = s.steps()
	after, err := s.world.ReadBack(ctx)
	if err != nil {
		return err
	}
	rec.Readbacks = 2
	if err := s.record(journal.KindTrial, rec); err != nil {
		return err
	}
	return s.clean(&rec, after)
}
