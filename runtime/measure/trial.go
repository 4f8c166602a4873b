package measure

import (
	"fmt"

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
	if t.Onset < t.Requested || t.RemovalAsked < t.Onset || t.Removed < t.RemovalAsked {
		return reject(e, "trial %q: apply, onset and removal are not in this order", t.Trial)
	}
	if !c.attribution.applies(t.Class, t.Profile) {
		return reject(e, "trial %q is of class %q with profile %q, which the plan does not apply", t.Trial, t.Class, t.Profile)
	}
	var (
		into    *outcome
		combo   *comboState
		ordered = true
		timeout = c.p.Declaration.Load.Points[t.Load].Timeout
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
		into, timeout = &c.searches[i].tried, ps.Timeout
		c.searchTrial(e, t, &c.searches[i], c.searchName(ps))
		ordered = !c.searches[i].broken
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
		if t.Magnitude.Sign() != 0 {
			return reject(e, "sham trial %q has the magnitude %s", t.Trial, t.Magnitude)
		}
		into, subject = &l.sham, "sham, "+l.label
	default:
		return reject(e, "trial %q has the unknown purpose %q", t.Trial, t.Purpose)
	}

	l.trials++
	if ordered && t.Attempt != into.attempt+1 {
		c.breach("FD-5.1-7", subject, "an attempt does not follow the one before it", e.Line)
	}
	into.attempt = t.Attempt
	if t.Kept {
		c.kept(e, t, subject)
	} else {
		c.discarded(e, t, subject)
	}
	c.sequence(e, t, l, subject)
	if applies(t) {
		l.underFault += t.Removed - t.Requested
		c.magnitude(e, t, subject)
	}
	c.detection(e, t, timeout, subject)
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
	if !t.Detected {
		return nil
	}
	into.detected++
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

// applies tells whether a trial applies a fault: one of magnitude 0, such as a
// sham trial or the lower bound of a search whose baseline did not vary, has
// nothing to announce, to verify or to remove, and is no time under fault.
func applies(t *journal.TrialRecord) bool { return t.Magnitude.Sign() != 0 }

// sequence checks that a trial began at rest, alone, and was announced.
func (c *computer) sequence(e journal.Entry, t *journal.TrialRecord, l *loadState, subject string) {
	s := c.segment
	if !s.rested {
		c.breach("FD-4.3-2", l.label, "a trial was not preceded by a quiet period that reached its end", e.Line)
	}
	if t.Requested < s.removed {
		c.breach("FD-4.4-1", l.label, "a fault was applied before the one before it was removed", e.Line)
	}
	if applies(t) {
		switch a := s.applied; {
		case a == nil || a.Trial != t.Trial:
			c.breach("FD-5.1-3", subject, "a fault is on record that no entry announced before it was applied", e.Line)
		case a.Class != t.Class || a.Magnitude.Cmp(t.Magnitude) != 0 || a.At != t.Requested:
			c.breach("FD-5.1-3", subject, "a fault is not the one that was announced before it was applied", e.Line)
		}
		if t.Requested < s.watched {
			c.breach("FD-5.4-1", l.label, "a fault was applied while false detections were counted", e.Line)
		}
		s.removed = t.Removed
		c.applied = true
	} else {
		c.unremoved()
	}
	s.applied, s.line, s.rested = nil, 0, false
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
	if t.Kept && !(v.N > 0 && stats.KeepMagnitude(t.Magnitude, v.Achieved)) {
		c.breach("FD-3.4-7", subject, "a trial was kept whose achieved magnitude is off by more than ten percent", e.Line)
	}
}

// kept checks that nothing on record asks for a kept trial to be discarded.
func (c *computer) kept(e journal.Entry, t *journal.TrialRecord, subject string) {
	if t.Discard != "" {
		c.breach("FD-3.4-8", subject, "a trial was kept for which a cause to discard it is on record", e.Line)
	}
	if !c.loadHeld(t) {
		c.breach("FD-3.3-1", subject, "the offered load of a kept trial was off by more than the declared tolerance", e.Line)
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

// detection derives the outcome and the latency of a trial again (FD-3.5-1,
// FD-5.1-4, FD-5.1-5, FD-5.1-11; AMB-12, AMB-13).
func (c *computer) detection(e journal.Entry, t *journal.TrialRecord, timeout exact.Duration, subject string) {
	switch {
	case t.Detected && t.Event == nil:
		c.breach("FD-5.1-5", subject, "a trial counts as detected and its Detection Event is not on record", e.Line)
		return
	case !t.Detected && t.Event != nil:
		c.breach("FD-5.1-5", subject, "a trial counts as undetected and its Detection Event is on record", e.Line)
		return
	case !t.Detected:
		if t.Kept && exact.Duration(t.RemovalAsked-t.Onset) < timeout {
			c.breach("FD-5.1-11", subject, "a trial counts as undetected and was not observed until its timeout", e.Line)
		}
		return
	}
	c.attributed(e, t, subject)
	at := t.Event.At
	if c.p.Declaration.Signal.EventClock == "emitter" {
		at = t.Event.EmittedAt
	}
	if exact.Duration(at-t.Onset) != t.Latency {
		c.breach("FD-3.5-1", subject, "a Detection Latency is not its Detection Event minus its Fault Onset", e.Line)
	}
	if t.Latency <= 0 || applies(t) && (t.FirstAffected < 0 || at < t.FirstAffected) {
		c.breach("FD-5.1-4", subject, "a Detection Event precedes the first changed response and cannot be of its fault", e.Line)
	}
	if t.Latency > timeout {
		c.breach("FD-5.1-11", subject, "a signal after the trial timeout counts as a detection", e.Line)
	}
}
