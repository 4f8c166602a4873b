package measure

import (
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/stats"
)

// trial takes in one application and files it under what it was run for.
func (c *computer) trial(e journal.Entry, t *journal.TrialRecord) error {
	l, err := c.load(e, t.Load)
	if err != nil {
		return err
	}
	if t.Onset < t.Requested || t.Removed < t.Onset {
		return reject(e, "trial %q: apply, onset and removal are not in this order", t.Trial)
	}
	var (
		into    *outcome
		combo   *comboState
		timeout exact.Duration
		subject = fmt.Sprintf("%s, %s, %s, %s", t.Class, t.Magnitude, t.Profile, l.label)
	)
	switch t.Purpose {
	case journal.PurposeTrials:
		i, ok := c.comboByID[t.Combination]
		if !ok {
			return reject(e, "trial %q names combination %d, which the plan does not have", t.Trial, t.Combination)
		}
		pc := c.p.Combinations.Trials[i]
		if t.Class != pc.Class || t.Profile != pc.Profile.Name || t.Load != pc.Load || t.Magnitude.Cmp(pc.Magnitude) != 0 {
			return reject(e, "trial %q is not of combination %d as the plan has it", t.Trial, t.Combination)
		}
		combo = &c.combos[i]
		into, timeout = &combo.outcome, pc.Timeout
	case journal.PurposeSearch:
		i, ok := c.searchByID[t.Search]
		if !ok {
			return reject(e, "trial %q names search %d, which the plan does not have", t.Trial, t.Search)
		}
		ps := c.p.Combinations.Searches[i]
		if t.Class != ps.Class || t.Profile != ps.Profile.Name || t.Load != ps.Load {
			return reject(e, "trial %q is not of search %d as the plan has it", t.Trial, t.Search)
		}
		into, timeout = c.searches[i].evaluation(t.Evaluation), ps.Timeout
	case journal.PurposeMasking:
		m := c.maskingOf(t)
		if m == nil {
			return reject(e, "trial %q measures masking with a fault that the plan does not have", t.Trial)
		}
		into = &m.outcome
		if t.Kept {
			c.maskingTrial(e, t, m)
		}
	case journal.PurposeSham:
		into, timeout = &l.sham, c.p.Declaration.Load.Points[t.Load].Timeout
		subject = "sham, " + l.label
	default:
		return reject(e, "trial %q has the unknown purpose %q", t.Trial, t.Purpose)
	}

	c.sequence(e, t, l, subject)
	if t.Purpose != journal.PurposeSham {
		l.underFault += t.Removed - t.Requested
		c.magnitude(e, t, subject)
	}
	c.requests += t.Requests
	l.signals.Early += t.Early
	l.signals.Late += t.Late
	l.signals.NotAttributed += t.Other
	if !t.Kept {
		into.discarded++
		cause := t.Discard
		if cause == "" {
			cause = "unknown"
		}
		l.discards[cause]++
		return nil
	}
	into.kept++
	into.achieved += t.Verification.Achieved.Float64()
	c.heldLoad(e, t, subject)
	if !t.Detected {
		return nil
	}
	into.detected++
	if t.Purpose != journal.PurposeMasking {
		c.detection(e, t, timeout, subject)
	}
	if t.Purpose == journal.PurposeTrials || t.Purpose == journal.PurposeSearch {
		if c.smallest == nil || t.Latency < *c.smallest {
			c.smallest = &t.Latency
		}
	}
	if combo != nil {
		combo.latencies = append(combo.latencies, t.Latency)
		combo.plateau = append(combo.plateau, t.Latency-exact.Duration(t.Plateau-t.Onset))
	}
	return nil
}

// sequence checks that a trial began at rest, alone, and was announced.
func (c *computer) sequence(e journal.Entry, t *journal.TrialRecord, l *loadState, subject string) {
	s := c.segment
	if !s.rested {
		c.breach("FD-4.3-2", l.label, "a trial was not preceded by a quiet period that reached its end", e.Line)
	}
	if t.Requested < s.removed {
		c.breach("FD-4.4-1", l.label, "a fault was applied before the one before it was removed", e.Line)
	}
	if t.Purpose != journal.PurposeSham {
		if s.applied != t.Trial {
			c.breach("FD-5.1-3", subject, "a fault is on record that no entry announced before it was applied", e.Line)
		}
		if t.Requested < s.watched {
			c.breach("FD-5.4-1", l.label, "a fault was applied while false detections were counted", e.Line)
		}
		s.removed = t.Removed
		c.applied = true
	}
	s.applied, s.line, s.rested = "", 0, false
}

// magnitude derives the achieved magnitude and the decision to keep again
// (FD-3.4-6, FD-3.4-7; AMB-06, AMB-08, AMB-09).
func (c *computer) magnitude(e journal.Entry, t *journal.TrialRecord, subject string) {
	v := t.Verification
	if want := c.p.Declaration.Apparatus.Verify; v.Method != want {
		c.breach("FD-3.4-6", subject, fmt.Sprintf("the achieved magnitude was verified by the method %q, and the plan declares %q", v.Method, want), e.Line)
		return
	}
	achieved, ok := c.achieved(t)
	if ok && achieved.Cmp(v.Achieved) != 0 {
		c.breach("FD-3.4-6", subject, "the achieved magnitude on record is not what its own sums give", e.Line)
	}
	within := v.N > 0 && stats.KeepMagnitude(t.Magnitude, v.Achieved)
	switch {
	case t.Kept && !within:
		c.breach("FD-3.4-7", subject, "a trial was kept whose achieved magnitude is off by more than ten percent", e.Line)
	case !t.Kept && t.Discard == "magnitude" && within:
		c.breach("FD-3.4-7", subject, "a trial was discarded whose achieved magnitude is within ten percent", e.Line)
	case t.Kept && t.Discard != "":
		c.breach("FD-3.4-8", subject, "a trial was kept for which a cause to discard it is on record", e.Line)
	}
}

// achieved is the magnitude at the injection point by the declared method.
func (c *computer) achieved(t *journal.TrialRecord) (exact.Number, bool) {
	v := t.Verification
	if v.N <= 0 {
		return exact.Number{}, false
	}
	if v.Method == methodPaired {
		return exact.Frac(v.Injected-v.Before, v.N), true
	}
	b, ok := c.base(t.Load, t.Class, pointInjection)
	return exact.Frac(v.Injected, v.N).Sub(b.Pooled), ok
}

// detection derives the latency of a detected trial again (FD-3.5-1,
// FD-5.1-11; AMB-12, AMB-13).
func (c *computer) detection(e journal.Entry, t *journal.TrialRecord, timeout exact.Duration, subject string) {
	if t.Event == nil {
		c.breach("FD-5.1-5", subject, "a trial counts as detected and its Detection Event is not on record", e.Line)
		return
	}
	at := t.Event.At
	if c.p.Declaration.Signal.EventClock == "emitter" {
		at = t.Event.EmittedAt
	}
	if exact.Duration(at-t.Onset) != t.Latency {
		c.breach("FD-3.5-1", subject, "a Detection Latency is not its Detection Event minus its Fault Onset", e.Line)
	}
	if t.Latency <= 0 || t.Purpose != journal.PurposeSham && (t.FirstAffected < 0 || at < t.FirstAffected) {
		c.breach("FD-5.1-4", subject, "a Detection Event precedes the first changed response and cannot be of its fault", e.Line)
	}
	if t.Latency > timeout {
		c.breach("FD-5.1-11", subject, "a signal after the trial timeout counts as a detection", e.Line)
	}
}

// heldLoad checks a kept trial's own number of requests against its load
// (FD-3.3-1, AMB-24): within the declared tolerance or one request where
// arrivals are evenly spaced, within four standard deviations where they are
// Poisson.
func (c *computer) heldLoad(e journal.Entry, t *journal.TrialRecord, subject string) {
	want := c.p.Declaration.Load.Points[t.Load].Rate.Mul(exact.Duration(t.RemovalAsked - t.Onset).Seconds())
	off := exact.Int(t.Requests).Sub(want).Abs()
	held := off.Cmp(exact.Int(1)) <= 0 || off.Cmp(want.Mul(c.p.Estimators.LoadTolerance)) <= 0
	if c.p.Declaration.Load.Arrivals == "poisson" {
		held = off.Mul(off).Cmp(exact.Int(16).Mul(want)) <= 0
	}
	if !held {
		c.breach("FD-3.3-1", subject, "the offered load of a kept trial was off by more than the declared tolerance", e.Line)
	}
}

// maskState gathers the masking trials of one target at one load.
type maskState struct {
	outcome
	load   int
	target plan.MaskingTarget
	values []exact.Number
}

func (c *computer) maskingOf(t *journal.TrialRecord) *maskState {
	for i := range c.masking {
		m := &c.masking[i]
		if m.load == t.Load && m.target.Class == t.Class && m.target.Magnitude.Cmp(t.Magnitude) == 0 {
			return m
		}
	}
	return nil
}

// maskingTrial takes 1 - op/fip of one trial, each magnitude being a change
// from the own baseline of its point (FD-5.5-6, AMB-37).
func (c *computer) maskingTrial(e journal.Entry, t *journal.TrialRecord, m *maskState) {
	v := t.Verification
	subject := fmt.Sprintf("%s, %s, %s", t.Class, t.Magnitude, c.loads[t.Load].label)
	var fip, op exact.Number
	switch {
	case v.N <= 0:
		c.breach("FD-5.5-2", subject, "a masking trial measured no response", e.Line)
		return
	case v.Method == methodPaired:
		fip, op = exact.Frac(v.Injected-v.Before, v.N), exact.Frac(v.Observed-v.Before, v.N)
	default:
		bi, ok1 := c.base(t.Load, t.Class, pointInjection)
		bo, ok2 := c.base(t.Load, t.Class, pointObservation)
		if !ok1 || !ok2 {
			c.breach("FD-5.5-2", subject, "masking needs a baseline at both points, and one is missing", e.Line)
			return
		}
		fip, op = exact.Frac(v.Injected, v.N).Sub(bi.Pooled), exact.Frac(v.Observed, v.N).Sub(bo.Pooled)
	}
	if fip.Sign() == 0 {
		c.breach("FD-5.5-1", subject, "a masking trial moved nothing at the Fault Injection Point", e.Line)
		return
	}
	m.values = append(m.values, stats.Masking(fip, op))
}
