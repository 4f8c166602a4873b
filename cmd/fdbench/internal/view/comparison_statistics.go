package view

import (
	"fmt"

	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report/figure"
)

// The tests of a study stand behind the quantities, under a heading that says
// what they are.

func (v *comparisonView) coverageTests(bool) sheet {
	s := sheet{title: "Outside the methodology *: coverage, Fisher's exact test",
		head: []string{"fault", ">magnitude", "profile", ">A", ">B", ">p", ">p (Holm)"}}
	for _, x := range v.c.Supplementary.Tests.Coverage {
		for _, r := range v.c.Coverage {
			if r.Row == x.Row && r.A != nil && r.B != nil {
				s.add(x.Row.Load, v.row(x.Row, fmt.Sprintf("%d/%d", r.A.Detected(), r.A.Trials()), fmt.Sprintf("%d/%d", r.B.Detected(), r.B.Trials()),
					probability(x.P), probability(x.Adjusted))...)
			}
		}
	}
	return s
}

func (v *comparisonView) latencyTests(bool) sheet {
	s := sheet{title: "Outside the methodology *: latency of detected trials, Mann-Whitney test and Hodges-Lehmann shift from A to B",
		head: []string{"fault", ">magnitude", "profile", ">A n", ">B n", ">shift s", ">p", ">p (Holm)"}}
	approximate := false
	for _, x := range v.c.Supplementary.Tests.Latency {
		p := probability(x.P)
		if !x.Exact {
			p, approximate = p+"~", true
		}
		s.add(x.Row.Load, v.row(x.Row, fmt.Sprint(x.NA), fmt.Sprint(x.NB), signedSecs(x.ShiftS), p, probability(x.Adjusted))...)
	}
	if approximate {
		s.notes = append(s.notes, "~ from the normal approximation: the samples are too large for the exact distribution")
	}
	return s
}

func (v *comparisonView) falseTests(bool) sheet {
	s := sheet{title: "Outside the methodology *: new alerts without a fault, conditional binomial test",
		head: []string{"load", ">A new alerts", ">A in", ">B new alerts", ">B in", ">p", ">p (Holm)"}}
	for _, x := range v.c.Supplementary.Tests.FalseDetection {
		s.add("", x.Load, fmt.Sprint(x.EdgesA), figure.Span(x.PeriodAS), fmt.Sprint(x.EdgesB), figure.Span(x.PeriodBS), probability(x.P), probability(x.Adjusted))
	}
	return s
}

func (v *comparisonView) row(k measure.RowKey, figures ...string) []string {
	return append([]string{k.Class, v.magnitude(k.Class, k.Magnitude), k.Profile}, figures...)
}
