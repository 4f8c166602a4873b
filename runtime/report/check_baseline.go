package report

import (
	"slices"
	"strings"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/measure"
)

var (
	hundred = exact.Int(100)
	twice   = exact.Int(2)
	// slack is how far twice a standard deviation of the result may lie from
	// twice the exact one: it is written with nine decimals.
	slack = exact.MustParse("1e-9")
)

func rowName(class, magnitude, profile, load string) string {
	var parts []string
	for _, s := range []string{class, magnitude, profile} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	s := strings.Join(parts, ", ")
	if load != "" {
		s += " at " + load
	}
	return s
}

// loadsOfRows checks that every row says at which of the offered loads it was
// obtained (FD-3.3-3). Thresholds have a row of their own for it.
func (c *checker) loadsOfRows() {
	if len(c.offered) == 0 {
		return
	}
	check := func(list string, i int, load string) {
		if !slices.Contains(c.offered, load) {
			c.omit("FD-3.3-3", place(list, i, "load"), "a row of %s does not say at which of the offered loads it was obtained", strings.ReplaceAll(list, "_", " "))
		}
	}
	for i, x := range c.r.Baseline {
		check("baseline", i, x.Load)
	}
	for i, x := range c.r.Quiet {
		check("quiet", i, x.Load)
	}
	for i, x := range c.r.Latency {
		check("latency", i, x.Load)
	}
	for i, x := range c.r.Coverage {
		check("coverage", i, x.Load)
	}
	for i, x := range c.r.FalseDetection {
		check("false_detection", i, x.Load)
	}
	for i, x := range c.r.Masking {
		check("masking", i, x.Load)
	}
}

// baselines checks that what magnitudes are a change from is in the report,
// for every class and load with trials (FD-4.2-6).
func (c *checker) baselines() {
	seen := map[[2]string]bool{}
	for _, x := range c.r.Coverage {
		at := [2]string{x.Load, c.classes[x.Class]}
		if seen[at] || x.Trials() <= 0 || at[1] == "" || !slices.Contains(c.offered, x.Load) {
			continue
		}
		seen[at] = true
		b := c.base(x.Load, x.Class, "injection")
		var mean *string
		if b != nil {
			mean = b.Mean
		}
		if _, ok := numberOf(mean); !ok && !c.explained(x.Load, noBaseline...) {
			c.omit("FD-4.2-6", "baseline", "the baseline mean of %s at %s, from which the magnitudes are a change, is not reported", at[1], x.Load)
		}
	}
	for i, b := range c.r.Baseline {
		if b.Unit == "" {
			c.omit("FD-4.2-6", place("baseline", i, "unit"), "the baseline of %s has no unit", b.Indicator)
		}
	}
	for i, ind := range c.r.Indicators {
		if ind.Unit == "" {
			c.omit("FD-4.2-6", place("indicators", i, "unit"), "the magnitudes of %s have no unit", ind.Name)
		}
	}
}

// magnitude checks that a magnitude is an absolute number in its unit. missing
// is the row that wants one.
func (c *checker) magnitude(missing, where, row, text string) bool {
	if text == "" {
		c.omit(missing, where, "%s is reported without its magnitude", row)
		return false
	}
	if n, err := exact.Parse(text); err != nil || strings.HasPrefix(text, "+") || n.Sign() == 0 {
		c.omit("FD-4.2-6", where, "the magnitude of %s is %q, which is no absolute change from the baseline mean", row, text)
		return false
	}
	return true
}

// quietPeriods checks that the periods that were used are reported, as a rule
// and as lengths, at each load with trials (FD-4.3-5).
func (c *checker) quietPeriods() {
	for _, load := range c.offered {
		i := slices.IndexFunc(c.r.Quiet, func(q measure.Quiet) bool { return q.Load == load })
		if i < 0 {
			if !c.stopped {
				c.omit("FD-4.3-5", "quiet", "the quiet period used at %s is not reported", load)
			}
			continue
		}
		q := &c.r.Quiet[i]
		trials := slices.ContainsFunc(c.r.Coverage, func(x measure.Coverage) bool { return x.Load == load && x.Trials() > 0 })
		lengths := q.MinS != nil && q.MedianS != nil && q.MaxS != nil
		switch {
		case q.Rule == "" || q.AtLeastS <= 0 && q.AtMostS <= 0:
			c.omit("FD-4.3-5", place("quiet", i, "rule"), "the rule of the quiet period at %s is not reported", load)
		case q.Failed < 0 || q.Periods < q.Failed:
			c.omit("FD-4.3-5", place("quiet", i, "periods"), "more quiet periods at %s were not reached than were begun", load)
		case !lengths && (trials || q.Periods > q.Failed) && !c.explained(load, "FD-4.3-2", "FD-4.3-3", "FD-4.3-4", "FD-5.1-2"):
			c.omit("FD-4.3-5", place("quiet", i, "median_s"), "how long the quiet periods at %s were is not reported", load)
		case lengths && (*q.MinS > *q.MedianS || *q.MedianS > *q.MaxS):
			c.omit("FD-4.3-5", place("quiet", i, "median_s"), "the lengths of the quiet periods at %s are not in order", load)
		}
	}
}

// twoSD checks the mark of a magnitude below two standard deviations and the
// standard deviation beside it (FD-4.2-7, FD-4.2-9).
func (c *checker) twoSD(list string, i int, class, magnitude, load, row string, below bool, sd *string) {
	m, ok := numberOf(&magnitude)
	s, have := numberOf(sd)
	switch {
	case !ok:
	case below && !have:
		c.omit("FD-4.2-9", place(list, i, "baseline_sd"), "%s is below two standard deviations of the baseline and is reported without the standard deviation", row)
	case !have:
		if !c.explained(load, noBaseline...) {
			c.omit("FD-4.2-7", place(list, i, "baseline_sd"), "%s has no baseline standard deviation, so nothing shows whether it can be told from the baseline's variation", row)
		}
	default:
		over := m.Abs().Sub(s.Mul(twice))
		if want := over.Sign() < 0; want != below && over.Abs().Cmp(slack) > 0 {
			c.omit("FD-4.2-7", place(list, i, "below_2sd"), "%s is %s two standard deviations of the baseline (sd %s), and its mark says otherwise", row,
				map[bool]string{true: "below", false: "not below"}[want], *sd)
		} else if table := c.baselineSD(load, class); table != nil && *table != *sd {
			c.omit("FD-4.2-9", place(list, i, "baseline_sd"), "%s carries a standard deviation of %s, and the baseline of its load has %s", row, *sd, *table)
		}
	}
}
