package report

import (
	"slices"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/measure"
)

// thresholds checks section 5.3.
func (c *checker) thresholds() {
	for i := range c.r.Threshold {
		t := &c.r.Threshold[i]
		row := "the threshold of " + rowName(t.Class, "", t.Profile, t.Load)
		at := func(member string) string { return place("threshold", i, member) }
		if !c.complete("FD-5.3-15", "threshold", i, row, t.Class, t.Profile) {
			continue
		}
		if len(c.offered) > 0 && !slices.Contains(c.offered, t.Load) {
			c.omit("FD-5.3-15", at("load"), "%s is stated without the offered load that it was searched at", row)
			continue
		}
		target, ok := targetOf(t.Target)
		if !ok {
			c.omit("FD-5.3-10", at("target"), "%s has no target coverage", row)
		}
		resolution, fine := numberOf(&t.Resolution)
		if !fine || resolution.Sign() <= 0 {
			c.omit("FD-5.3-11", at("resolution"), "%s has no search resolution", row)
			fine = false
		}
		table := c.baselineSD(t.Load, t.Class)
		switch {
		case t.BaselineSD == nil && !c.explained(t.Load, noBaseline...):
			c.omit("FD-5.3-12", at("baseline_sd"), "%s has no baseline standard deviation", row)
		case t.BaselineSD != nil && table != nil && *table != *t.BaselineSD:
			c.omit("FD-5.3-12", at("baseline_sd"), "%s carries a standard deviation of %s, and the baseline of its load has %s", row, *t.BaselineSD, *table)
		}
		if ok {
			c.outcome(t, target, at, row)
		}
		if fine {
			c.width(t, resolution, at, row)
		}
	}
}

// outcome checks the status of a search against its value and its steps.
func (c *checker) outcome(t *measure.Threshold, target exact.Number, at func(string) string, row string) {
	withheld := withheldThreshold(t) && (c.falseRow(t.Load) == nil || c.violated(t.Load, "FD-5.4-7"))
	if t.Withheld != "" && !withheldThreshold(t) {
		c.omit("FD-5.4-7", at("withheld"), "%s is called withheld and has a value, or the steps of its search, which give it away", row)
		return
	}
	switch t.Status {
	case measure.SearchFound:
		if t.UpperBound == nil {
			if !withheld {
				c.omit("FD-5.3-9", at("upper_bound"), "%s was found, and its upper bound is not reported", row)
			}
			return
		}
	case measure.SearchBelowFloor:
		if t.UpperBound != nil {
			c.omit("FD-5.3-14", at("upper_bound"), "%s is below the floor and is reported with the magnitude %s: there is none", row, *t.UpperBound)
		}
		return
	case measure.SearchAboveBound, measure.SearchIncomplete:
		switch {
		case t.UpperBound != nil:
			c.omit("FD-5.3-9", at("upper_bound"), "%s did not end at an upper bound and is reported with one", row)
		case t.Status == measure.SearchIncomplete && !c.explained(t.Load, unsearched...):
			c.omit("FD-5.3-9", at("status"), "%s is incomplete, and nothing says why", row)
		}
		return
	default:
		c.omit("FD-5.3-13", at("status"), "%s is reported without the outcome of its search: %q is none", row, t.Status)
		return
	}
	if !c.magnitude("FD-5.3-9", at("upper_bound"), row, *t.UpperBound) {
		return
	}
	upper, lower := "", ""
	for k, s := range t.Trace {
		if _, err := exact.Parse(s.Magnitude); err != nil || !slices.Contains(roles, s.Role) || s.Detected < 0 || s.Detected > s.Trials {
			c.omit("FD-5.3-9", at("trace"), "step %d of %s is without its role, its magnitude or its counts", k+1, row)
			return
		}
		if s.Trials > 0 && s.Met != (exact.Frac(int64(s.Detected), int64(s.Trials)).Cmp(target) >= 0) {
			c.omit("FD-5.3-9", at("trace"), "step %d of %s is %d of %d, and whether it met the target of %s is reported otherwise", k+1, row, s.Detected, s.Trials, t.Target)
			return
		}
		if s.Met {
			upper = s.Magnitude
		} else {
			lower = s.Magnitude
		}
	}
	value, _ := numberOf(t.UpperBound)
	if last, ok := numberOf(&upper); !ok || last.Cmp(value) != 0 {
		c.omit("FD-5.3-9", at("upper_bound"), "%s is given as %s, and the last magnitude that met its target is %q", row, *t.UpperBound, upper)
		return
	}
	sd, ok := numberOf(t.BaselineSD)
	low, tested := numberOf(&lower)
	floor := sd.Mul(twice).Sub(slack)
	if ok && (value.Abs().Cmp(floor) < 0 || tested && low.Abs().Cmp(floor) < 0) {
		c.omit("FD-5.3-13", at("status"), "%s was searched for below two standard deviations of the baseline (sd %s), and is not reported as below the floor", row, *t.BaselineSD)
	}
}

// roles of a step of a search.
var roles = []string{"upper", "lower", "midpoint"}

// width checks that the interval at the end is smaller than the resolution:
// as wide is not smaller.
func (c *checker) width(t *measure.Threshold, resolution exact.Number, at func(string) string, row string) {
	upper, ok := numberOf(t.UpperBound)
	if t.Status != measure.SearchFound || !ok {
		return
	}
	for k := len(t.Trace) - 1; k >= 0; k-- {
		if s := t.Trace[k]; !s.Met {
			if lower, ok := numberOf(&s.Magnitude); ok && upper.Sub(lower).Abs().Cmp(resolution) >= 0 {
				c.omit("FD-5.3-11", at("resolution"), "%s is reported with a resolution of %s, and its last interval is not smaller than that", row, t.Resolution)
			}
			return
		}
	}
}
