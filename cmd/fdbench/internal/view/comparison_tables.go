package view

import (
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/runtime/compare"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report/figure"
)

// comparisonSheets builds the tables of a comparison, with or without the
// intervals, which are supplementary. Where the loads differ each quantity has
// two tables, one of A and one of B, so that no row has a value of both.
func comparisonSheets(c *compare.Comparison) []func(intervals bool) sheet {
	var out []func(bool) sheet
	v := &comparisonView{c}
	for _, q := range []func(bool, string) sheet{v.baseline, v.latency, v.coverage, v.threshold, v.falseDetection, v.masking} {
		sides := []string{"AB"}
		if c.TwoLists {
			sides = []string{"A", "B"}
		}
		for _, s := range sides {
			out = append(out, func(intervals bool) sheet { return q(intervals, s) })
		}
	}
	if c.Supplementary.Tests != nil {
		out = append(out, v.coverageTests, v.latencyTests, v.falseTests)
	}
	return out
}

type comparisonView struct{ c *compare.Comparison }

// heads are the columns of one figure for each side that a table shows.
func heads(sides string, names ...string) []string {
	var out []string
	for _, name := range names {
		for _, s := range sides {
			out = append(out, ">"+string(s)+" "+name)
		}
	}
	return out
}

// cells lays the figures of both sides out under heads. A side without the row
// says so.
func cells(sides string, n int, a, b []string) []string {
	absent := func(have []string, mark string) []string {
		if have != nil {
			return have
		}
		out := make([]string, n)
		out[0] = "not in " + mark
		return out
	}
	var out []string
	x, y := absent(a, "A"), absent(b, "B")
	for i := range n {
		if strings.Contains(sides, "A") {
			out = append(out, x[i])
		}
		if strings.Contains(sides, "B") {
			out = append(out, y[i])
		}
	}
	return out
}

// shows tells whether a table of these sides has the row.
func shows(sides string, a, b bool) bool {
	return strings.Contains(sides, "A") && a || strings.Contains(sides, "B") && b
}

func title(name, sides string) string {
	if len(sides) == 1 {
		return name + " of " + sides
	}
	return name
}

func (v *comparisonView) unit(class string) string {
	if u := v.c.A.Units[class]; u != "" {
		return u
	}
	return v.c.B.Units[class]
}

func (v *comparisonView) magnitude(class, magnitude string) string {
	s := printable(figure.Signed(magnitude))
	if u := v.unit(class); u != "" {
		s += " " + u
	}
	return s
}

func (v *comparisonView) baseline(_ bool, sides string) sheet {
	s := sheet{title: title("Baseline", sides), head: append([]string{"indicator", "point"}, heads(sides, "mean", "sd", "windows")...)}
	figures := func(x *measure.Baseline) []string {
		if x == nil {
			return nil
		}
		return []string{printable(figure.Decimal(x.Mean)), printable(figure.Decimal(x.SD)), fmt.Sprint(x.Windows)}
	}
	for _, r := range v.c.Baseline {
		if shows(sides, r.A != nil, r.B != nil) {
			s.add(r.Load, append([]string{r.Indicator, r.Point}, cells(sides, 3, figures(r.A), figures(r.B))...)...)
		}
	}
	return s
}

func (v *comparisonView) latency(intervals bool, sides string) sheet {
	s := sheet{title: title("Detection Latency, over detected trials", sides),
		head: append([]string{"fault", ">magnitude", "profile"}, heads(sides, "median s", "p95 s", "detected/n")...)}
	a, b := map[measure.RowKey]*measure.SuppLatency{}, map[measure.RowKey]*measure.SuppLatency{}
	for _, x := range v.c.Supplementary.Latency {
		if x.A != nil {
			a[x.Row] = x.A
		}
		if x.B != nil {
			b[x.Row] = x.B
		}
	}
	marked, weak := false, false
	figures := func(x *measure.Latency, ci *measure.SuppLatency) []string {
		if x == nil {
			return nil
		}
		median, p95 := figure.Bounded(x.MedianS, x.ErrorBoundS, "none"), figure.Bounded(x.P95S, x.ErrorBoundS, "none")
		if intervals && ci != nil && x.MedianS != nil {
			median += span(ci.MedianLowS, ci.MedianHighS, figure.Seconds) + "*"
			p95 += span(ci.P95LowS, ci.P95HighS, figure.Seconds) + "*"
		}
		if x.P95IsMax {
			p95, marked = p95+"^", true
		}
		n := fmt.Sprintf("%d/%d", x.Detected, x.Trials)
		if x.Below2SD {
			n, weak = n+"°", true
		}
		return []string{median, p95, n}
	}
	for _, r := range v.c.Latency {
		if shows(sides, r.A != nil, r.B != nil) {
			s.add(r.Row.Load, append([]string{r.Row.Class, v.magnitude(r.Row.Class, r.Row.Magnitude), r.Row.Profile},
				cells(sides, 3, figures(r.A, a[r.Row]), figures(r.B, b[r.Row]))...)...)
		}
	}
	if marked {
		s.notes = append(s.notes, "^ with fewer than 20 detected trials p95 is the largest latency seen")
	}
	if weak {
		s.notes = append(s.notes, "° the magnitude is below two standard deviations of that side's baseline")
	}
	return s
}

func (v *comparisonView) coverage(intervals bool, sides string) sheet {
	s := sheet{title: title("Detection Coverage", sides), head: append([]string{"fault", ">magnitude", "profile"}, heads(sides, "detected/n")...)}
	a, b := map[measure.RowKey]*measure.SuppCoverage{}, map[measure.RowKey]*measure.SuppCoverage{}
	for _, x := range v.c.Supplementary.Coverage {
		if x.A != nil {
			a[x.Row] = x.A
		}
		if x.B != nil {
			b[x.Row] = x.B
		}
	}
	figures := func(x *measure.Coverage, ci *measure.SuppCoverage) []string {
		if x == nil {
			return nil
		}
		text := fmt.Sprintf("%d/%d", x.Detected(), x.Trials())
		if intervals && ci != nil {
			text += span(ci.Low, ci.High, figure.Two) + "*"
		}
		return []string{text}
	}
	for _, r := range v.c.Coverage {
		if shows(sides, r.A != nil, r.B != nil) {
			s.add(r.Row.Load, append([]string{r.Row.Class, v.magnitude(r.Row.Class, r.Row.Magnitude), r.Row.Profile},
				cells(sides, 1, figures(r.A, a[r.Row]), figures(r.B, b[r.Row]))...)...)
		}
	}
	return s
}

func (v *comparisonView) threshold(intervals bool, sides string) sheet {
	figuresOf := []string{"at most", "detected/n there", "baseline sd"}
	s := sheet{title: title("Detection Threshold Magnitude", sides)}
	if !intervals {
		figuresOf = figuresOf[:2]
		s.notes = append(s.notes, "the standard deviation that goes with it is that of the baseline at the observation point, above")
	}
	n := len(figuresOf)
	s.head = append([]string{"fault", "profile", "target", ">resolution"}, heads(sides, figuresOf...)...)
	a, b := map[measure.RowKey]*measure.SuppThreshold{}, map[measure.RowKey]*measure.SuppThreshold{}
	for _, x := range v.c.Supplementary.Threshold {
		if x.A != nil {
			a[x.Row] = x.A
		}
		if x.B != nil {
			b[x.Row] = x.B
		}
	}
	figures := func(x *measure.Threshold, ci *measure.SuppThreshold) []string {
		if x == nil {
			return nil
		}
		value, counts := thresholdOutcomes[x.Status], "none"
		if x.UpperBound != nil {
			value = v.magnitude(x.Class, *x.UpperBound)
			for _, t := range x.Trace {
				if t.Met && t.Magnitude == *x.UpperBound {
					counts = fmt.Sprintf("%d/%d", t.Detected, t.Trials)
				}
			}
			if intervals && ci != nil {
				counts += span(ci.UpperLow, ci.UpperHigh, figure.Two) + "*"
			}
		}
		return []string{value, counts, printable(figure.Decimal(x.BaselineSD))}[:n]
	}
	for _, r := range v.c.Threshold {
		if shows(sides, r.A != nil, r.B != nil) {
			key := measure.RowKey{Class: r.Class, Profile: r.Profile, Load: r.Load}
			s.add(r.Load, append([]string{r.Class, r.Profile, r.Target, r.Resolution}, cells(sides, n, figures(r.A, a[key]), figures(r.B, b[key]))...)...)
		}
	}
	return s
}

var thresholdOutcomes = map[string]string{
	measure.SearchFound: "found", measure.SearchBelowFloor: "below the floor",
	measure.SearchAboveBound: "above the upper bound", measure.SearchIncomplete: "incomplete",
}

func (v *comparisonView) falseDetection(intervals bool, sides string) sheet {
	s := sheet{title: title("False Detection Rate", sides), head: append([]string{"load"}, heads(sides, "signals", "in", "an hour*")...)}
	if !intervals {
		s.head = append([]string{"load"}, heads(sides, "signals", "in")...)
	}
	a, b := map[string]*measure.SuppFalse{}, map[string]*measure.SuppFalse{}
	for _, x := range v.c.Supplementary.FalseDetection {
		if x.A != nil {
			a[x.Load] = x.A
		}
		if x.B != nil {
			b[x.Load] = x.B
		}
	}
	n := 2
	if intervals {
		n = 3
	}
	figures := func(x *measure.FalseDetection, ci *measure.SuppFalse) []string {
		if x == nil {
			return nil
		}
		out := []string{fmt.Sprint(x.Count), figure.Span(x.PeriodS)}
		if intervals {
			rate := "none"
			if ci != nil && ci.PerHour != nil {
				rate = figure.Three(*ci.PerHour) + span(ci.Low, ci.High, figure.Three)
			}
			out = append(out, rate)
		}
		return out
	}
	for _, r := range v.c.FalseDetection {
		if shows(sides, r.A != nil, r.B != nil) {
			s.add("", append([]string{r.Load}, cells(sides, n, figures(r.A, a[r.Load]), figures(r.B, b[r.Load]))...)...)
		}
	}
	return s
}

func (v *comparisonView) masking(intervals bool, sides string) sheet {
	s := sheet{title: title("Boundary Masking", sides), head: append([]string{"fault", ">magnitude"}, heads(sides, "median", "n")...)}
	a, b := map[measure.RowKey]*measure.SuppMasking{}, map[measure.RowKey]*measure.SuppMasking{}
	for _, x := range v.c.Supplementary.Masking {
		key := measure.RowKey{Class: x.Row.Class, Magnitude: x.Row.Magnitude, Load: x.Row.Load}
		if x.A != nil {
			a[key] = x.A
		}
		if x.B != nil {
			b[key] = x.B
		}
	}
	figures := func(x *measure.Masking, ci *measure.SuppMasking) []string {
		if x == nil {
			return nil
		}
		value := strings.ReplaceAll(x.Status, "_", " ")
		if x.Median != nil {
			value = figure.Three(*x.Median)
			if intervals && ci != nil {
				value += span(ci.Low, ci.High, figure.Three) + "*"
			}
		}
		return []string{value, fmt.Sprint(x.Trials)}
	}
	for _, r := range v.c.Masking {
		if shows(sides, r.A != nil, r.B != nil) {
			key := measure.RowKey{Class: r.Class, Load: r.Load}
			magnitude := "none"
			if r.Magnitude != nil {
				key.Magnitude, magnitude = *r.Magnitude, v.magnitude(r.Class, *r.Magnitude)
			}
			s.add(r.Load, append([]string{r.Class, magnitude}, cells(sides, 2, figures(r.A, a[key]), figures(r.B, b[key]))...)...)
		}
	}
	return s
}
