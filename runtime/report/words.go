package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report/figure"
)

// grouped prints a whole number with its thousands set apart.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// withUnit is a magnitude in its unit.
func withUnit(magnitude, unit string) string {
	if unit == "" {
		return figure.Signed(magnitude)
	}
	return figure.Signed(magnitude) + " " + unit
}

func interval(lo, hi *float64, format func(float64) string, noHi string) string {
	if lo == nil && hi == nil {
		return "none"
	}
	l, h := "no lower limit", noHi
	if lo != nil {
		l = format(*lo)
	}
	if hi != nil {
		h = format(*hi)
	}
	return l + " to " + h
}

// unitOf is the unit that a class's magnitudes are in.
func unitOf(r *measure.Result, class string) string {
	for _, fc := range r.FaultClasses {
		if fc.Name != class {
			continue
		}
		for _, ind := range r.Indicators {
			if ind.Name == fc.Indicator {
				return unitWords(ind)
			}
		}
	}
	return ""
}

// unitWords names the unit of an indicator; a rate is a share of responses.
func unitWords(ind plan.Indicator) string {
	switch {
	case ind.Unit != "1":
		return ind.Unit
	case ind.Kind == "rate":
		return "share"
	}
	return ""
}

// notes are the remarks that a latency row must not be read without.
func notes(l *measure.Latency, s *measure.SuppLatency) []string {
	var n []string
	if l.Trials < l.Required {
		n = append(n, fmt.Sprintf("%d of %d planned trials", l.Trials, l.Required))
	}
	if l.Detected == 1 || l.Detected == 2 {
		n = append(n, fmt.Sprintf("rests on %d detected", l.Detected))
	}
	if l.P95IsMax && l.P95S != nil {
		n = append(n, fmt.Sprintf("p95 is the largest of %d", l.Detected))
	}
	if l.Below2SD {
		n = append(n, "below 2 sd of the baseline (sd "+figure.Decimal(l.BaselineSD)+")")
	}
	if s != nil && s.BelowGuard && !l.Below2SD {
		n = append(n, "so few responses that chance alone may move the baseline by as much (supplementary)")
	}
	if l.Detected > 0 && l.Detected < l.Undetected {
		n = append(n, "most trials undetected")
	}
	return n
}

// chanceWords warns where false detections that the attribution gives to a
// fault class would alone make its trials count as detected, or "" where of no
// class one trial in twenty would.
func chanceWords(r *measure.Result, load string) string {
	type share struct {
		class  string
		lo, hi float64
	}
	var shares []share
	for _, x := range r.Supplementary.Coverage {
		if x.Row.Load != load || x.Chance == nil {
			continue
		}
		i := slices.IndexFunc(shares, func(s share) bool { return s.class == x.Row.Class })
		if i < 0 {
			shares = append(shares, share{x.Row.Class, *x.Chance, *x.Chance})
			continue
		}
		shares[i].lo, shares[i].hi = min(shares[i].lo, *x.Chance), max(shares[i].hi, *x.Chance)
	}
	var words []string
	for _, s := range shares {
		if s.hi < 0.05 {
			continue
		}
		w := figure.Two(s.hi)
		if figure.Two(s.lo) != w {
			w = figure.Two(s.lo) + " to " + w
		}
		words = append(words, s.class+" "+w)
	}
	if len(words) == 0 {
		return ""
	}
	return "share of a class's trials that would count as detected by its own false detections alone: " + strings.Join(words, ", ")
}

// loads lists the load points of a result in order.
func loads(r *measure.Result) []string {
	var out []string
	seen := map[string]bool{}
	add := func(l string) {
		if l != "" && !seen[l] {
			seen[l] = true
			out = append(out, l)
		}
	}
	for _, x := range r.Quiet {
		add(x.Load)
	}
	for _, x := range r.Coverage {
		add(x.Load)
	}
	return out
}

// coverageOf finds the supplementary row of a combination.
func coverageOf(r *measure.Result, class, profile, magnitude, load string) *measure.SuppCoverage {
	for i := range r.Supplementary.Coverage {
		s := &r.Supplementary.Coverage[i]
		if s.Row == (measure.RowKey{Class: class, Profile: profile, Magnitude: magnitude, Load: load}) {
			return s
		}
	}
	return nil
}

func falseOf(r *measure.Result, load string) (*measure.FalseDetection, *measure.SuppFalse) {
	var f *measure.FalseDetection
	var s *measure.SuppFalse
	for i := range r.FalseDetection {
		if r.FalseDetection[i].Load == load {
			f = &r.FalseDetection[i]
		}
	}
	for i := range r.Supplementary.False {
		if r.Supplementary.False[i].Load == load {
			s = &r.Supplementary.False[i]
		}
	}
	return f, s
}

// falseWords says a False Detection Rate with its period: a count alone is no
// rate.
func falseWords(f *measure.FalseDetection, s *measure.SuppFalse, confidence float64) string {
	if f == nil {
		return "not observed"
	}
	out := fmt.Sprintf("%d in %s", f.Count, figure.Span(f.PeriodS))
	if s != nil && s.PerHour != nil && s.High != nil {
		out += fmt.Sprintf(" (%s an hour; %s%% interval %s to %s)", figure.Significant(*s.PerHour, 2), figure.Significant(confidence*100, 3), figure.Significant(*s.Low, 2), figure.Significant(*s.High, 2))
	}
	return out
}

// thresholdWords is the outcome of a search. Below the floor there is no
// magnitude, not even that of the floor (FD-5.3-14).
func thresholdWords(t *measure.Threshold) string {
	switch {
	case withheldThreshold(t):
		return withheldThresholdWords
	case t.Status == measure.SearchFound && t.UpperBound != nil:
		return figure.Signed(*t.UpperBound)
	case t.Status == measure.SearchBelowFloor:
		return "below the floor"
	case t.Status == measure.SearchAboveBound:
		return "above the upper bound"
	}
	return "incomplete"
}

// stepAt is the step of a search at the threshold that was found, and nil where
// none was, or is withheld.
func stepAt(t *measure.Threshold) *measure.TraceStep {
	if t.Status != measure.SearchFound || t.UpperBound == nil || withheldThreshold(t) {
		return nil
	}
	for i := len(t.Trace) - 1; i >= 0; i-- {
		if s := &t.Trace[i]; s.Met && s.Magnitude == *t.UpperBound {
			return s
		}
	}
	return nil
}

// countsAt is the coverage of that step, "19/20", and "" without one.
func countsAt(t *measure.Threshold) string {
	if s := stepAt(t); s != nil {
		return fmt.Sprintf("%d/%d", s.Detected, s.Trials)
	}
	return ""
}

// maskingSD is the standard deviation beside a masking, "" where the two points
// are the same.
func maskingSD(m *measure.Masking) string {
	switch {
	case m.Magnitude == nil:
		return ""
	case m.Below2SD:
		return figure.Decimal(m.BaselineSD) + " (below 2 sd)"
	}
	return figure.Decimal(m.BaselineSD)
}

// belowWords marks a masking whose magnitude cannot be told from the baseline's
// variation, with the standard deviation (FD-4.2-9).
func belowWords(m *measure.Masking) string {
	if !m.Below2SD {
		return ""
	}
	return "below 2 sd of the baseline (sd " + figure.Decimal(m.BaselineSD) + ")"
}

func maskingWords(m *measure.Masking) string {
	switch {
	case m.Status == "not_applicable":
		return "not applicable, the two points are the same"
	case m.Median == nil:
		return "incomplete"
	case m.Status == "incomplete":
		return figure.Three(*m.Median) + " (incomplete)"
	}
	return figure.Three(*m.Median)
}

// plural is a number with its noun: "1 generation", "2 generations".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
