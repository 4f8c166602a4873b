package procedure

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/predicate"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/stats"
	"github.com/fdbench/fdbench/runtime/world"
)

// application is one fault to apply: what section 5.1 calls a trial.
type application struct {
	name        string
	purpose     string
	class       *plan.FaultClass
	profile     plan.Profile
	magnitude   exact.Number
	fraction    exact.Number
	combination int
	search      int
	evaluation  int
	attempt     int
	timeout     int64
	verify      int64   // how long the full magnitude is verified
	phase       float64 // of the detector's cycle, in [0, 1)
}

// trial applies a fault from rest, observes until a Detection Event or the
// timeout, removes the fault, verifies the achieved magnitude and waits for
// rest again. A trial of magnitude 0, such as a sham trial, does the same
// without a fault.
func (s *stage) trial(ctx context.Context, a application) error {
	sham := a.magnitude.Sign() == 0
	// A reading that had to wait for somebody who was being restarted leaves
	// phase and rest behind.
	for at := int64(-1); at != s.world.Now(); {
		if err := s.onset(ctx, a.phase); err != nil {
			return err
		}
		at = s.world.Now()
		if err := s.readAgain(ctx, a.name, journal.ReadBeforeTrial); err != nil {
			return err
		}
	}
	s.poll() // a detector that did not answer before the trial delays no signal of it
	rec := journal.TrialRecord{
		Trial: a.name, Purpose: a.purpose, Load: s.load, Combination: a.combination, Search: a.search, Evaluation: a.evaluation,
		Attempt: a.attempt, Class: a.class.Name, Profile: a.profile.Name, Magnitude: a.magnitude,
		Requested: s.world.Now(), FirstAffected: -1,
	}
	rec.Onset = rec.Requested
	if !sham {
		err := s.record(journal.KindApply, journal.ApplyRecord{Trial: a.name, Class: a.class.Name, Magnitude: a.magnitude,
			Fraction: a.fraction, At: rec.Requested, Wall: s.wall()})
		if err != nil {
			return err
		}
		rec.Onset, err = s.world.Apply(ctx, world.Fault{Class: a.class.Name, Fraction: a.fraction, Profile: a.profile,
			Verify: a.verify, Magnitude: a.magnitude, Trial: fmt.Sprintf("load %d, %s", s.load, a.name), Longest: a.timeout})
		if err != nil {
			return s.notApplied(ctx, rec, err)
		}
	}
	requests := s.world.Requests()
	offering, _ := s.world.(world.Offering)
	if offering != nil {
		offering.Count(int64(s.point.Window))
	}
	rec.Plateau = rec.Onset + int64(a.profile.Ramp)
	rec.Phase = s.phaseAt(rec.Onset)
	end := rec.Onset + a.timeout

	s.attend(&rec, a, end, sham)
	defer func() { s.listen = nil }()
	if err := s.world.Advance(ctx, end, func() bool { return rec.Event != nil }); err != nil {
		return err
	}
	// The hold does not depend on when the detector spoke (AMB-07): a fault
	// stays at least until its magnitude is verified.
	if !sham {
		if hold := min(end, s.world.Applied().To); s.world.Now() < hold {
			if err := s.world.Advance(ctx, hold, nil); err != nil {
				return err
			}
		}
	}
	rec.Requests = s.world.Requests() - requests
	if offering != nil {
		rec.Offered = windowsOf(offering.Offered(), int64(s.point.Window))
		rec.Traffic = s.traffic()
		offering.Count(0)
	}
	rec.RemovalAsked = s.world.Now()
	rec.Removed = rec.RemovalAsked
	if !sham {
		var err error
		if rec.Removed, err = s.world.Remove(ctx); err != nil {
			return err
		}
		if err := s.verify(ctx, &rec, a); err != nil {
			return err
		}
		applied := s.world.Applied()
		rec.FirstAffected, rec.Markers, rec.Cached, rec.Broken = applied.FirstAffected, applied.Markers, applied.Cached, applied.Broken
		rec.Span = applied.Span
	}
	rec.Steps, rec.Poll = s.steps(), s.poll()
	s.listen = nil
	if rec.Event != nil {
		rec.Detected = true
		rec.Latency = exact.Duration(s.eventTime(*rec.Event) - rec.Onset)
	}
	s.judge(&rec, sham)
	after, err := s.world.ReadBack(ctx)
	if err != nil {
		return err
	}
	rec.Readbacks = 2
	if err := s.record(journal.KindTrial, rec); err != nil {
		return err
	}
	if err := s.clean(&rec, after); err != nil {
		return err
	}
	if s.r.real() {
		return nil // the next segment begins with the quiet period
	}
	if err := s.quiet(ctx); err != nil {
		return err
	}
	return s.readAgain(ctx, a.name, journal.ReadAfterTrial)
}

// clean stops the series after a trial that shows that no further one would be
// worth anything: something changed, the detector could know of the fault, or
// a cache answered in place of the deployment.
func (s *stage) clean(rec *journal.TrialRecord, after world.Readback) error {
	err := s.compareReading(after, rec.Trial, journal.ReadAfterTrial)
	if len(rec.Markers) > 0 {
		err = cmp.Or(err, s.stop("FD-3.4-4", fmt.Sprintf("responses of trial %q carry %s, by which a detector could know of the fault",
			rec.Trial, strings.Join(rec.Markers, ", "))))
	}
	if rec.Cached > 0 {
		err = cmp.Or(err, s.stop("FD-3.3-7", fmt.Sprintf("a cache gave %d responses of trial %q", rec.Cached, rec.Trial)))
	}
	return err
}

// windowsOf sums up the requests of the whole windows of a trial.
func windowsOf(counts []int64, width int64) journal.OfferedWindows {
	o := journal.OfferedWindows{Width: width, N: int64(len(counts))}
	if len(counts) > 0 {
		o.Fewest, o.Most = slices.Min(counts), slices.Max(counts)
	}
	return o
}

// onset waits for the next instant with the given phase of the detector's
// cycle, and for rest where a false alarm disturbed it meanwhile.
func (s *stage) onset(ctx context.Context, phase float64) error {
	cycle := s.world.Cycle()
	offset := min(int64(phase*float64(cycle)), cycle-1)
	for {
		now := s.world.Now()
		wait := ((offset-s.phaseAt(now))%cycle + cycle) % cycle
		if err := s.world.Advance(ctx, now+wait, nil); err != nil {
			return err
		}
		state, unknown, err := s.state(ctx)
		if err != nil {
			return err
		}
		if unknown == nil && state.Resting() {
			return nil
		}
		if err := s.quiet(ctx); err != nil {
			return err
		}
	}
}

// attend listens for the Detection Event: the first attributable emission
// after onset and not after the timeout. An emission before the first changed
// response cannot have been caused by the fault (AMB-12); a sham trial has no
// such response.
func (s *stage) attend(rec *journal.TrialRecord, a application, end int64, sham bool) {
	fault := predicate.Fault{Class: a.class.Name, Indicator: a.class.Indicator, Profile: a.profile.Name}
	s.listen = func(sig detector.Signal) {
		t := s.eventTime(sig)
		match := s.matches(sig, fault) && !sig.Repeat && !sig.NoData
		switch {
		case !match:
			rec.Other++
		case t <= rec.Onset || !sham && unaffected(s.world.Applied().FirstAffected, t) || s.stampedEarly(sig, rec.Onset, sham):
			rec.Early++
		case t > end:
			rec.Late++
		case rec.Event == nil:
			rec.Event = &sig
		default:
			rec.After++
		}
	}
}

// unaffected tells whether an instant comes before the first changed response.
// What an emitter stamped may, although it was received afterwards.
func unaffected(first, t int64) bool { return first < 0 || t < first }

// stampedEarly tells whether the emitter's own stamps say that a signal came
// before the fault could have caused it. They are comparable with the onset on
// one clock only; on a running host some emitters stamp in whole seconds.
func (s *stage) stampedEarly(sig detector.Signal, onset int64, sham bool) bool {
	slack, first := int64(0), onset+1
	if s.r.real() {
		if s.r.plan.Declaration.Environment.Clocks != "same_host" {
			return false
		}
		slack = int64(exact.Second)
	}
	if !sham {
		first = max(first, s.world.Applied().FirstAffected)
	}
	return sig.EmittedAt+slack < first || sig.StartsAt+slack < onset
}

// matches applies the declared attribution.
func (s *stage) matches(sig detector.Signal, f predicate.Fault) bool {
	if sig.Type != s.r.plan.Declaration.Signal.Type {
		return false
	}
	ok, err := s.r.attribution.Match(predicate.Signal{Type: sig.Type, Component: sig.Component, Status: sig.Status, Labels: sig.Labels,
		Value: sig.Value, Reason: sig.Reason, Repeat: sig.Repeat, NoData: sig.NoData}, f)
	return ok && err == nil
}

// eventTime reads the declared event clock (AMB-13).
func (s *stage) eventTime(sig detector.Signal) int64 {
	if s.r.plan.Declaration.Signal.EventClock == "emitter" {
		return sig.EmittedAt
	}
	return sig.At
}

// verify waits until every request of the verification window was answered and
// reads what the apparatus measured.
func (s *stage) verify(ctx context.Context, rec *journal.TrialRecord, a application) error {
	for i := 0; !s.world.Applied().Complete; i++ {
		if i == 1000 {
			return fmt.Errorf("trial %q: the responses of the verification window did not all arrive", a.name)
		}
		if err := s.world.Advance(ctx, s.world.Now()+max(int64(exact.Second), int64(s.point.Window)/10), nil); err != nil {
			return err
		}
	}
	m := s.world.Applied()
	v := journal.Verification{From: m.From, To: m.To, N: m.N, Before: m.Before, Injected: m.Injected, Observed: m.Observed,
		Method:       s.r.plan.Declaration.Apparatus.Verify,
		ObservedFrom: m.ObservedFrom, ObservedTo: m.ObservedTo, ObservedN: m.ObservedN, Lost: m.Lost}
	if m.N > 0 {
		if v.Method == "paired" {
			v.Achieved = exact.Frac(m.Injected-m.Before, m.N)
		} else {
			b := s.r.baselines[s.load][baselineKey(a.class.Indicator, pointNames[world.Injection])]
			v.Achieved = exact.Frac(m.Injected, m.N).Sub(b.Pooled)
		}
	}
	rec.Verification = v
	return nil
}

// Causes for which a trial is discarded.
const (
	discardLoad      = "load_violation"
	discardGap       = "observation_gap"
	discardMagnitude = "magnitude"
	discardApparatus = "apparatus_failure"
	discardHarness   = "harness_failure"
)

// judge decides whether a trial is kept, from the injection point's data and
// the load alone, blind to the outcome (AMB-09).
func (s *stage) judge(rec *journal.TrialRecord, sham bool) {
	switch {
	case rec.Broken != "":
		rec.Discard = discardApparatus
	case len(rec.Steps) > 0 && (s.r.plan.Declaration.Signal.EventClock == "emitter" || s.r.plan.Declaration.Environment.Clocks != "same_host"):
		// The emitter's stamps cannot be compared with the onset's. Where the
		// detector is on another host, this one may have slept: the signal
		// waited, and the monotonic clock stood still.
		rec.Discard = discardHarness
	case !s.loadHeld(rec):
		rec.Discard = discardLoad
	case sham:
	case rec.Verification.N == 0 || stats.GapTooWide(rec.Verification.Lost, rec.Verification.N):
		rec.Discard = discardGap
	case !stats.KeepMagnitude(rec.Magnitude, rec.Verification.Achieved):
		rec.Discard = discardMagnitude
	}
	rec.Kept = rec.Discard == ""
}

// windowTolerance is how far the requests of one window may be from the load
// where arrivals are evenly spaced (AMB-24).
var windowTolerance = exact.Frac(5, 100)

// loadHeld tells whether the load was constant over the trial (FD-3.3-1), and
// over each whole window of it where the world counts them.
func (s *stage) loadHeld(rec *journal.TrialRecord) bool {
	p := s.r.plan
	poisson := p.Declaration.Load.Arrivals == "poisson"
	held := stats.LoadHeld(rec.Requests, s.point.Rate, exact.Duration(rec.RemovalAsked-rec.Onset), p.Estimators.LoadTolerance, poisson)
	if o := rec.Offered; o.N > 0 {
		w := exact.Duration(o.Width)
		held = held && stats.LoadHeld(o.Fewest, s.point.Rate, w, windowTolerance, poisson) &&
			stats.LoadHeld(o.Most, s.point.Rate, w, windowTolerance, poisson)
	}
	return held
}

// phases spreads n onsets over the detector's cycle: each stratum once, in
// random order, at a random place inside it (AMB-39).
func phases(s *random.Stream, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = (float64(i) + s.Float64()) / float64(n)
	}
	for i := n - 1; i > 0; i-- {
		j := int(s.Below(uint64(i + 1)))
		out[i], out[j] = out[j], out[i]
	}
	return out
}
