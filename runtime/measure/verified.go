package measure

import (
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
)

// allVerified tells whether the responses of a verification window, with those
// that were lost, are as many as its load gives while the full magnitude is
// intended: a choice among them could give any magnitude. Such a window is not
// repeated for its number of responses, so Poisson arrivals are given six
// standard deviations, and a running deployment the tolerance of a window.
func (c *computer) allVerified(t *journal.TrialRecord) bool {
	v := t.Verification
	span, phases := exact.Duration(v.To-v.From), int64(1)
	if p := c.profile(t); p.On > 0 {
		// A pulse and the phases of an intermittent fault are shorter than
		// the window, and each may have one request more or less.
		span = min(span, c.verification(t))
		phases += int64(span / p.On)
	}
	mean := c.p.Declaration.Load.Points[t.Load].Rate.Mul(span.Seconds())
	off := exact.Int(v.N).Sub(mean) // too many; what is lost only fills up
	if few := mean.Sub(exact.Int(v.N + v.Lost)); few.Cmp(off) > 0 {
		off = few
	}
	if c.p.Declaration.Load.Arrivals == "poisson" {
		return off.Mul(off).Cmp(exact.Int(36).Mul(mean)) <= 0
	}
	tolerance := c.p.Estimators.LoadTolerance
	if c.open.Time != timeVirtual {
		tolerance = windowTolerance
	}
	return off.Cmp(exact.Int(phases)) <= 0 || off.Cmp(mean.Mul(tolerance)) <= 0
}

// profile is the planned time course of a trial's fault.
func (c *computer) profile(t *journal.TrialRecord) plan.Profile {
	switch t.Purpose {
	case journal.PurposeTrials:
		return c.p.Combinations.Trials[c.comboByID[t.Combination]].Profile
	case journal.PurposeSearch:
		return c.p.Combinations.Searches[c.searchByID[t.Search]].Profile
	}
	return plan.Profile{}
}
