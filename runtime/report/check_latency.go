package report

import (
	"slices"
	"strings"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/measure"
)

// complete tells whether a row names its class, its profile and its load. The
// load has its own row of the table, see loadsOfRows.
func (c *checker) complete(rule, list string, i int, row, class, profile string) bool {
	ok := true
	for _, x := range [][2]string{{"class", class}, {"profile", profile}} {
		if x[1] == "" {
			c.omit(rule, place(list, i, x[0]), "%s is stated without its %s", row, map[string]string{"class": "fault class", "profile": "fault profile"}[x[0]])
			ok = false
		}
	}
	if class != "" && c.classes[class] == "" {
		c.omit(rule, place(list, i, "class"), "%s is of a fault class that the report does not describe", row)
		ok = false
	}
	return ok
}

// latencies checks section 5.1, row by row.
func (c *checker) latencies() {
	seen := map[measure.RowKey]bool{}
	for i := range c.r.Latency {
		l := &c.r.Latency[i]
		row := "the latency of " + rowName(l.Class, l.Magnitude, l.Profile, l.Load)
		at := func(member string) string { return place("latency", i, member) }
		named := c.complete("FD-5.1-1", "latency", i, row, l.Class, l.Profile)
		if !c.magnitude("FD-5.1-1", at("magnitude"), row, l.Magnitude) || !named || !slices.Contains(c.offered, l.Load) {
			continue
		}
		if seen[keyOf(l)] {
			c.omit("FD-1.2-1", at(""), "%s is reported twice: a report is of one run of one plan", row)
			continue
		}
		seen[keyOf(l)] = true
		c.twoSD("latency", i, l.Class, l.Magnitude, l.Load, row, l.Below2SD, l.BaselineSD)
		switch {
		case l.Required < 20 && !c.reduced("trials"):
			c.omit("FD-1.2-9", at("required"), "%s was planned with %s instead of twenty, and this reduction is not stated", row, plural(l.Required, "trial"))
		case l.Trials > 0 && l.Trials < l.Required && l.Trials == l.Detected+l.Undetected && !c.explained(l.Load, fewer...):
			c.omit("FD-5.1-8", at("trials"), "%s rests on %s of %d, and nothing says why", row, plural(l.Trials, "trial"), l.Required)
		}
		c.values(l, at, row)
	}
}

// values checks the figures of a row: what has to be there, and what cannot be
// made from the detected trials alone.
func (c *checker) values(l *measure.Latency, at func(string) string, row string) {
	if l.Withheld != "" && !withheldLatency(l) {
		c.omit("FD-5.4-6", at("withheld"), "%s is called withheld and has a value", row)
		return
	}
	if withheldLatency(l) && (c.falseRow(l.Load) == nil || c.violated(l.Load, "FD-5.4-6")) {
		return // falseDetections asks why
	}
	if l.Detected == 0 {
		for _, x := range []struct {
			name string
			v    *float64
		}{{"median_s", l.MedianS}, {"p95_s", l.P95S}, {"mean_s", l.MeanS}} {
			if x.v != nil {
				c.omit("FD-5.1-17", at(x.name), "%s has a value of %s s, and none of its trials was detected", row, number(x.v))
				return
			}
		}
		return
	}
	if l.Estimator == "" {
		c.omit("FD-5.1-13", at("estimator"), "%s does not say by which estimator its quantiles were made", row)
	}
	switch {
	case l.MedianS == nil:
		c.omit("FD-5.1-12", at("median_s"), "%s has no median, and %s detected", row, were(l.Detected))
	case *l.MedianS <= 0:
		c.omit("FD-5.1-12", at("median_s"), "%s has a median that is no time after the onset", row)
	}
	switch {
	case l.P95S == nil:
		c.omit("FD-5.1-13", at("p95_s"), "%s has no 95th percentile, and %s detected", row, were(l.Detected))
	case l.MedianS != nil && *l.P95S < *l.MedianS:
		c.omit("FD-5.1-13", at("p95_s"), "%s has a 95th percentile below its median", row)
	case l.P95IsMax != (l.Detected < 20):
		c.omit("FD-5.1-13", at("p95_is_max"), "%s rests on %s, and whether its 95th percentile is the largest of them is marked otherwise", row, plural(l.Detected, "detected trial"))
	}
	c.imputed(l, at, row)
}

func were(n int) string {
	if n == 1 {
		return "1 trial was"
	}
	return plural(n, "trial") + " were"
}

// imputed finds values that the latencies of the detected trials cannot give,
// because something stands in for an undetected one (FD-5.1-17). None is above
// the timeout. The mean is at most what it is when each latency is as large as
// the quantiles let it be: half of them at the median, those up to the 95th
// percentile there, and the rest, one in twenty, at the timeout.
func (c *checker) imputed(l *measure.Latency, at func(string) string, row string) {
	timeout := decimal(l.TimeoutS)
	for _, x := range []struct {
		name, words string
		v           *float64
	}{{"median_s", "median", l.MedianS}, {"p95_s", "95th percentile", l.P95S}, {"mean_s", "mean", l.MeanS}} {
		if x.v != nil && decimal(*x.v).Cmp(timeout) > 0 {
			c.omit("FD-5.1-17", at(x.name), "%s has a %s of %s s, above its timeout of %s s: no detected trial can be there", row, x.words, number(x.v), number(&l.TimeoutS))
			return
		}
	}
	if l.MedianS == nil || l.P95S == nil || l.MeanS == nil || *l.P95S < *l.MedianS {
		return
	}
	n, half, above := int64(l.Detected), int64(l.Detected+1)/2, int64(l.Detected/20)
	most := exact.Int(half).Mul(decimal(*l.MedianS)).Add(exact.Int(n - half - above).Mul(decimal(*l.P95S))).Add(exact.Int(above).Mul(timeout)).Div(exact.Int(n))
	// Means and quantiles are written with the digits of a binary64.
	if mean := decimal(*l.MeanS); mean.Sub(most).Cmp(slack) > 0 || mean.Sign() <= 0 {
		c.omit("FD-5.1-17", at("mean_s"), "%s has a mean of %s s, which its %s cannot have: something stands in for the undetected ones", row, number(l.MeanS), plural(l.Detected, "detected trial"))
	}
}

// coverages checks section 5.2: each row for itself, and against the latency
// of the same combination, which comes from the same trials.
func (c *checker) coverages() {
	keys := c.matchable()
	seen := map[measure.RowKey]bool{}
	for i := range c.r.Coverage {
		x := &c.r.Coverage[i]
		row := "the coverage of " + rowName(x.Class, x.Magnitude, x.Profile, x.Load)
		at := func(member string) string { return place("coverage", i, member) }
		named := c.complete("FD-5.2-5", "coverage", i, row, x.Class, x.Profile)
		if !c.magnitude("FD-5.2-4", at("magnitude"), row, x.Magnitude) || !named || !slices.Contains(c.offered, x.Load) {
			continue
		}
		key := measure.RowKey{Class: x.Class, Profile: x.Profile, Magnitude: x.Magnitude, Load: x.Load}
		if seen[key] {
			c.omit("FD-1.2-1", at(""), "%s is reported twice: a report is of one run of one plan", row)
			continue
		}
		seen[key] = true
		c.twoSD("coverage", i, x.Class, x.Magnitude, x.Load, row, x.Below2SD, x.BaselineSD)
		if l := latencyOf(c.r, x, x.Load); l != nil {
			c.sameTrials(x, l, i, at, row)
			continue
		}
		if x.Detected() < 0 || x.Trials() < 0 || x.Detected() > x.Trials() {
			c.omit("FD-5.2-3", at("detected"), "%s is not a number of detected trials with the number of trials: %d of %d", row, x.Detected(), x.Trials())
		}
		if keys && !c.explained(x.Load, "FD-5.4-3", "FD-5.4-6") {
			c.omit("FD-5.2-1", at(""), "%s has no latency beside it, and both come from the same trials", row)
		}
	}
	for i := range c.r.Latency {
		l := &c.r.Latency[i]
		key := keyOf(l)
		if keys && !seen[key] {
			c.omit("FD-5.2-1", place("latency", i, ""), "the latency of %s has no coverage beside it, and both come from the same trials", rowName(l.Class, l.Magnitude, l.Profile, l.Load))
		}
	}
}

// matchable tells whether every row has the keys by which a latency and a
// coverage are matched. What breaks a key is said already.
func (c *checker) matchable() bool {
	ok := len(c.offered) > 0
	check := func(class, profile, magnitude, load string) {
		_, err := exact.Parse(magnitude)
		ok = ok && c.classes[class] != "" && profile != "" && err == nil && !strings.HasPrefix(magnitude, "+") && slices.Contains(c.offered, load)
	}
	for _, l := range c.r.Latency {
		check(l.Class, l.Profile, l.Magnitude, l.Load)
	}
	for _, x := range c.r.Coverage {
		check(x.Class, x.Profile, x.Magnitude, x.Load)
	}
	return ok
}

// sameTrials compares the counts of a coverage and of the latency beside it,
// and names the count that is wrong.
func (c *checker) sameTrials(x *measure.Coverage, l *measure.Latency, i int, at func(string) string, row string) {
	j := slices.IndexFunc(c.r.Latency, func(y measure.Latency) bool { return keyOf(&y) == keyOf(l) })
	other := func(member string) string { return place("latency", j, member) }
	latency := "the latency of " + rowName(l.Class, l.Magnitude, l.Profile, l.Load)
	same := x.Detected() == l.Detected
	switch {
	case same && x.Trials() == l.Trials && l.Undetected == l.Trials-l.Detected && l.Detected >= 0 && l.Undetected >= 0:
		if l.Attempts != l.Trials+l.Discarded || l.Discarded < 0 {
			c.omit("FD-5.2-2", other("attempts"), "%s has %d attempts, and its kept and discarded trials are %d", latency, l.Attempts, l.Trials+l.Discarded)
		}
	case x.Detected() < 0 || x.Detected() > x.Trials() || x.Trials() <= 0 && l.Trials > 0:
		c.omit("FD-5.2-3", at("trials"), "%s is not a number of detected trials with the number of trials: %d of %d", row, x.Detected(), x.Trials())
	case same && x.Trials() == x.Detected() && l.Undetected > 0:
		c.omit("FD-5.1-11", at("trials"), "%s leaves the %s out of the trials that were run", row, plural(l.Undetected, "undetected trial"))
	case same && x.Trials() == l.Attempts && l.Attempts > l.Trials:
		c.omit("FD-5.2-2", at("trials"), "%s is divided by %s, and %d of them were discarded: trials run are those that were kept", row, plural(l.Attempts, "attempt"), l.Discarded)
	case same && l.Detected+l.Undetected == x.Trials():
		c.omit("FD-5.1-14", other("trials"), "%s says %d as its number of trials, and %d were run", latency, l.Trials, x.Trials())
	case same && x.Trials() == l.Trials:
		c.omit("FD-5.1-15", other("undetected"), "%s says %d as its number of undetected trials, and it is %d", latency, l.Undetected, x.Trials()-x.Detected())
	default:
		c.omit("FD-5.2-1", at(""), "%s is %d of %d and the latency beside it %d of %d: both come from the same trials", row, x.Detected(), x.Trials(), l.Detected, l.Trials)
	}
}
