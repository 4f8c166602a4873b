package measure

import (
	"fmt"
	"slices"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/share"
	"github.com/fdbench/fdbench/runtime/stats"
)

// trialName is what a trial is called. Names are unique at a load.
type trialName struct {
	load int
	name string
}

// trial takes in one application and files it under what it was run for.
func (c *computer) trial(e journal.Entry, t *journal.TrialRecord) error {
	l, err := c.load(e, t.Load)
	if err != nil {
		return err
	}
	name := trialName{t.Load, t.Trial}
	if c.seen[name] {
		c.breach("FD-5.2-1", l.label, fmt.Sprintf("trial %q is on record twice, and counts once", t.Trial), e.Line)
		return nil
	}
	c.seen[name] = true
	if t.Purpose != c.segment.Phase {
		return reject(e, "trial %q was run for %q in a segment of %q", t.Trial, t.Purpose, c.segment.Phase)
	}
	c.mend(t)
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

	first := l.trials == 0
	c.passed(l, first)
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
	c.sequence(e, t, l, subject, first)
	c.environment(e, t, subject)
	c.windowsCounted(e, t, subject)
	c.sent(e, t, l, subject)
	if applies(t) {
		l.underFault += t.Removed - t.Requested
		c.magnitude(e, t, subject)
	}
	c.detection(e, t, timeout, subject)
	c.requests += t.Requests
	l.signals.Early += t.Early
	l.signals.Late += t.Late
	l.signals.After += t.After
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
func (c *computer) sequence(e journal.Entry, t *journal.TrialRecord, l *loadState, subject string, first bool) {
	s := c.segment
	switch {
	case s.rest != restNone:
	case first:
		c.breach("FD-5.1-2", l.label, "the first trial of a load was not preceded by the quiet condition", e.Line)
	case t.Purpose == journal.PurposeMasking:
		c.breach("FD-5.5-4", subject, "a masking trial was not preceded by a quiet period", e.Line)
	default:
		c.breach("FD-4.3-2", l.label, "a trial was not preceded by a quiet period", e.Line)
	}
	if s.rest != restNone && t.Requested < s.rested && !c.lacks("apply_requested_ns") {
		c.breach("FD-4.3-2", l.label, "a trial began before the quiet period in front of it was over", e.Line)
	}
	s.reached(t.Removed)
	if t.Requested < s.removed {
		c.breach("FD-4.4-1", l.label, "a fault was applied before the one before it was removed", e.Line)
	}
	if applies(t) {
		c.announced(e, t, subject)
		if t.Requested < s.watched {
			c.breach("FD-5.4-1", l.label, "a fault was applied while false detections were counted", e.Line)
		}
		s.removed = t.Removed
		c.applied = true
	} else {
		c.unremoved("FD-4.3-1")
	}
	s.rest, s.ended = restNone, true
}

// announced takes the announcement of a trial's fault off the list of those
// that act.
func (c *computer) announced(e journal.Entry, t *journal.TrialRecord, subject string) {
	s := c.segment
	i := slices.IndexFunc(s.applied, func(a applied) bool { return a.Trial == t.Trial })
	if i < 0 {
		c.breach("FD-5.1-3", subject, "a fault is on record that no entry announced before it was applied", e.Line)
	} else {
		a, want := s.applied[i], c.fraction(t)
		if want == nil && share.Live(c.p) {
			c.breach("FD-5.1-3", subject, "a fault was applied, and the Baseline Interval does not show which share of the responses gives its magnitude", e.Line)
		}
		if want != nil && a.Fraction.Cmp(*want) != 0 {
			c.breach("FD-5.1-3", subject, fmt.Sprintf("the apparatus was asked for the share %s of the responses, and the plan gives %s", a.Fraction, want), e.Line)
		}
		if a.Class != t.Class || a.Magnitude.Cmp(t.Magnitude) != 0 || a.At != t.Requested && !c.lacks("apply_requested_ns") {
			c.breach("FD-5.1-3", subject, "a fault is not the one that was announced before it was applied", e.Line)
		}
		s.applied = slices.Delete(s.applied, i, i+1)
	}
}

// fraction is the share of responses that the plan changes for a trial, or nil
// where it applies none.
func (c *computer) fraction(t *journal.TrialRecord) *exact.Number {
	planned := c.plannedFraction(t)
	if planned == nil {
		return nil
	}
	f, err := share.Of(c.p, t.Class, t.Magnitude, *planned, c.loads[t.Load].twins)
	if err != nil {
		return nil
	}
	return &f
}

func (c *computer) plannedFraction(t *journal.TrialRecord) *exact.Number {
	switch t.Purpose {
	case journal.PurposeTrials:
		return &c.p.Combinations.Trials[c.comboByID[t.Combination]].Fraction
	case journal.PurposeSearch:
		n := t.Magnitude.Mul(c.p.Combinations.Searches[c.searchByID[t.Search]].PerUnit)
		return &n
	case journal.PurposeMasking:
		if m := c.maskingOf(t); m != nil {
			return &m.target.Fraction
		}
	}
	return nil
}

// magnitude derives the achieved magnitude and the decision to keep again
// (FD-3.4-6, FD-3.4-7; AMB-06, AMB-08, AMB-09).
func (c *computer) magnitude(e journal.Entry, t *journal.TrialRecord, subject string) {
	v := t.Verification
	if !t.Kept && (t.Discard == causeApparatus || t.Discard == causeHarness) {
		return // a fault that was not applied, or ended by itself, has no magnitude
	}
	if c.lacks("verification", "verification.from_ns", "verification.to_ns", "verification.n", "verification.sum_before", "verification.sum_injection",
		"verification.achieved", "verification.method", "plateau_ns") {
		return
	}
	if want := c.p.Declaration.Apparatus.Verify; v.Method != want {
		c.breach("FD-3.4-6", subject, fmt.Sprintf("the achieved magnitude was verified by the method %q, and the plan declares %q", v.Method, want), e.Line)
		return
	}
	c.window(e, t, subject)
	if v.N <= 0 {
		if t.Kept && t.Purpose != journal.PurposeMasking {
			c.breach("FD-3.4-6", subject, "a trial was kept whose achieved magnitude no response verifies", e.Line)
		}
		return
	}
	if (t.Kept || t.Discard == causeMagnitude) && !c.allVerified(t) {
		c.breach("FD-3.4-6", subject, "the achieved magnitude does not rest on the responses that the load gives in its window", e.Line)
	}
	if achieved, ok := c.achieved(t); ok && achieved.Cmp(v.Achieved) != 0 {
		c.breach("FD-3.4-6", subject, "the achieved magnitude on record is not what its own sums give", e.Line)
	}
	if t.Kept && !stats.KeepMagnitude(t.Magnitude, v.Achieved) {
		c.breach("FD-3.4-7", subject, "a trial was kept whose achieved magnitude is off by more than ten percent", e.Line)
	}
}

// window checks that the magnitude was verified while the fault was applied in
// full, for as long as the plan says (AMB-07): a window that ends with the
// detection would make the estimate depend on it.
func (c *computer) window(e journal.Entry, t *journal.TrialRecord, subject string) {
	v := t.Verification
	switch planned := c.verification(t); {
	case v.From < t.Plateau:
		c.breach("FD-3.4-6", subject, "the magnitude was verified before the fault had its full magnitude", e.Line)
	case v.To > t.RemovalAsked && !c.lacks("removal_requested_ns"):
		c.breach("FD-3.4-6", subject, "the magnitude was verified after the fault was removed", e.Line)
	case exact.Duration(v.To-v.From) < planned:
		c.breach("FD-3.4-6", subject, fmt.Sprintf("the magnitude was verified for %s, and the plan declares %s", exact.Duration(v.To-v.From), planned), e.Line)
	}
}

// verification is the planned length of a trial's verification window.
func (c *computer) verification(t *journal.TrialRecord) exact.Duration {
	span := exact.Duration(0)
	switch t.Purpose {
	case journal.PurposeTrials:
		span = c.p.Combinations.Trials[c.comboByID[t.Combination]].Verification
	case journal.PurposeSearch:
		span = c.p.Combinations.Searches[c.searchByID[t.Search]].Verification
	}
	if span == 0 {
		span = c.p.Declaration.Load.Points[t.Load].Verification
	}
	return span
}

// kept checks that nothing on record asks for a kept trial to be discarded.
func (c *computer) kept(e journal.Entry, t *journal.TrialRecord, subject string) {
	if stats.GapTooWide(t.Verification.Lost, t.Verification.N) && applies(t) {
		c.breach("FD-3.4-6", subject, "a trial was kept although more than one in twenty of the responses that verify it are missing", e.Line)
	}
	if t.Broken != "" {
		c.breach("FD-3.4-6", subject, "a trial was kept whose fault did not last until it was removed", e.Line)
	}
	if t.Discard != "" {
		c.breach("FD-3.4-8", subject, "a trial was kept for which a cause to discard it is on record", e.Line)
	}
	if !c.lacks("requests", "offered_windows", "offered_windows.fewest", "offered_windows.most", "offered_windows.windows", "offered_windows.window_ns") &&
		!c.loadHeld(t) {
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
		if t.Kept && exact.Duration(t.RemovalAsked-t.Onset) < timeout && !c.lacks("removal_requested_ns", "onset_ns") {
			c.breach("FD-5.1-4", subject, "a trial counts as undetected and was not observed until its timeout", e.Line)
		}
		return
	}
	c.attributed(e, t, subject)
	at := c.eventTime(t)
	if c.latency(t) != t.Latency && !c.lacks("onset_ns") {
		c.breach("FD-3.5-1", subject, "a Detection Latency is not its Detection Event minus its Fault Onset", e.Line)
	}
	switch {
	case at <= t.Onset || applies(t) && (t.FirstAffected < 0 || at < t.FirstAffected):
		c.breach("FD-5.1-4", subject, "a Detection Event precedes the first changed response and cannot be of its fault", e.Line)
	case t.Event.At > t.RemovalAsked && !c.lacks("removal_requested_ns"):
		// The fault stays until it is detected, or its timeout (AMB-07).
		c.breach("FD-5.1-4", subject, "a Detection Event was received after the fault was removed, and the fault is not removed before it", e.Line)
	default:
		if what := c.stamped(t); what != "" {
			c.breach("FD-5.1-4", subject, what, e.Line)
		}
	}
	if c.latency(t) > timeout {
		c.breach("FD-5.1-11", subject, "a signal after the trial timeout counts as a detection", e.Line)
	}
}

// eventTime reads the declared event clock (AMB-13).
func (c *computer) eventTime(t *journal.TrialRecord) int64 {
	if c.p.Declaration.Signal.EventClock == "emitter" {
		return t.Event.EmittedAt
	}
	return t.Event.At
}

func (c *computer) latency(t *journal.TrialRecord) exact.Duration {
	return exact.Duration(c.eventTime(t) - t.Onset)
}
