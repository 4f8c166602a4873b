package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report/omission"
)

// Input is one of two results, with what is known besides.
type Input struct {
	Name   string // as the caller names it
	Result *measure.Result

	// Plan is nil for a bare result: then the figures were not recomputed.
	Plan *plan.Plan

	// Omissions are what a report of a bare result would leave out or
	// misstate, as package report finds it. Figures of such a result are not
	// shown (FD-5.4-6, FD-5.4-7 and every other row on reports).
	Omissions []omission.Omission

	// Latencies are those of the detected trials of each row, in seconds, as
	// the journal has them; nil for a bare result.
	Latencies map[measure.RowKey][]float64
}

// Compare sets two results side by side. study is a key of [Factors] that has
// to differ, alone; "" asks for all five to be the same. Where they must not be
// compared the reasons are in Refusals.
func Compare(a, b Input, study string) *Comparison {
	c := &Comparison{
		Format: Format, Study: study, Footer: footer,
		A: side(a), B: side(b),
		Repetition: a.Result.PlanDigest == b.Result.PlanDigest && a.Result.PlanDigest != "",
		SameRun:    a.Result.Footer.JournalSHA256 == b.Result.Footer.JournalSHA256 && a.Result.Footer.JournalSHA256 != "",
		TwoLists:   study == OfferedLoad,
		Keys:       keys(a.Result, b.Result),
		Remarks:    []string{}, Conditions: []Difference{}, Redefined: []string{},
		Baseline: []BaselineRow{}, Latency: []LatencyRow{}, Coverage: []CoverageRow{}, Threshold: []ThresholdRow{},
		FalseDetection: []FalseDetectionRow{}, Masking: []MaskingRow{},
		Supplementary: noIntervals(),
	}
	c.Refusals = refusals(c, a, b)
	if len(c.Refusals) > 0 {
		c.Heading = "Not comparable"
		c.Statement = "Section 1.2 of the methodology says which results may stand beside one another. These may not, so no value of them is shown."
		return c
	}
	c.Comparable = true
	c.head(a.Result, b.Result)
	c.conditions(a, b)
	c.rows(a.Result, b.Result)
	c.intervals(a.Result, b.Result)
	if study != "" && !c.TwoLists {
		c.Supplementary.Tests = tests(c, a, b)
	}
	c.remark()
	return c
}

const footer = "These values characterise one detector in one declared environment. They carry no meaning outside it, are not made for " +
	"ranking detectors across organisations, and do not say whether a detector is adequate. A difference between two values is no judgement of either."

func side(in Input) Side {
	r := in.Result
	s := Side{
		Name: in.Name, Verified: in.Plan != nil, Series: r.Series, Generation: r.Generation, Status: r.Conformance.Status, Time: r.Conformance.Time,
		Environment: r.Topology.Environment, Organisation: organisation(r), PlanDigest: r.PlanDigest, JournalSHA256: r.Footer.JournalSHA256,
		Reductions: append([]measure.Reduction{}, r.Conformance.Reductions...),
		Deviations: append([]measure.Deviation{}, r.Conformance.Deviations...),
		Attested:   append([]measure.Attested{}, r.Conformance.Attested...),
		Violations: append([]measure.Violation{}, r.Conformance.Violations...),
		Units:      map[string]string{},
	}
	for _, fc := range r.FaultClasses {
		s.Units[fc.Name] = unit(r, fc)
	}
	return s
}

// unit is the unit of a class's magnitudes in words: a rate is a share of
// responses.
func unit(r *measure.Result, fc plan.FaultClass) string {
	for _, ind := range r.Indicators {
		switch {
		case ind.Name != fc.Indicator:
		case ind.Unit != "1":
			return ind.Unit
		case ind.Kind == "rate":
			return "share"
		}
	}
	return ""
}

// head names the comparison. A reduced or simulated series is called so in the
// heading, since it is no result under the methodology (FD-1.2-10).
func (c *Comparison) head(a, b *measure.Result) {
	what, not := "two results under the methodology", ""
	// Both are of one kind, or they are refused.
	simulated := a.Conformance.Status == measure.StatusSimulated || b.Conformance.Status == measure.StatusSimulated
	reduced := len(a.Conformance.Reductions) > 0 || len(b.Conformance.Reductions) > 0
	switch {
	case simulated && reduced:
		what, not = "two simulated, reduced series", "Both ran in virtual time, in front of the model of a deployment, and both are reduced. Neither is a result under the methodology."
	case simulated:
		what, not = "two simulated series", "Both ran in virtual time, in front of the model of a deployment. Neither is a result under the methodology."
	case reduced:
		what, not = "two reduced series", "Both are reduced series for screening. Neither is a result under the methodology."
	}
	if c.Study == "" {
		c.Heading = "Comparison of " + what
		c.Statement = sentences(not, "All five keys of section 1.2 are the same.")
	} else {
		c.Heading = fmt.Sprintf("Characterisation of a change in the %s, from %s", words(c.Study), what)
		c.Statement = sentences(not, fmt.Sprintf("The %s differs, as listed, and the other four keys of section 1.2 are the same. "+
			"The two are different series: what stands here describes what this one change did in this one environment, and is no comparison of equals.", words(c.Study)))
	}
}

func sentences(parts ...string) string {
	return strings.TrimSpace(strings.Join(parts, " "))
}

// remark adds what the tables must not be read without.
func (c *Comparison) remark() {
	add := func(format string, args ...any) { c.Remarks = append(c.Remarks, fmt.Sprintf(format, args...)) }
	switch claimed := !c.A.Verified || !c.B.Verified; {
	case c.SameRun && claimed:
		add("Both name the same journal and have the same figures. That the figures are of that journal is a claim of the file that was not verified.")
	case c.SameRun:
		add("Both have the same journal: this is one and the same measurement, set beside itself. A run in virtual time repeats byte by byte.")
	case c.Repetition && claimed:
		add("Both name the same plan. That the figures are of that plan is a claim of the file that was not verified.")
	case c.Repetition:
		add("Both have the same plan: B repeats what A measured.")
	}
	if x, y := c.A.Status, c.B.Status; x != y {
		add("A is called %s and B %s.", strings.ReplaceAll(x, "_", " "), strings.ReplaceAll(y, "_", " "))
	}
	for _, s := range []*Side{&c.A, &c.B} {
		if !s.Verified {
			add("%s is a bare result and was not verified: its figures are as they stand in the file, and were not recomputed from a plan and a journal. Name the folder of its run to have that done.", s.Name)
		}
	}
	for _, k := range c.Keys {
		if k.Name == DetectorConfiguration && slices.Contains(kinds(k.Differences), kindSignal) {
			add("The declared signal differs: a detection is not the same event on both sides.")
		}
	}
	for _, name := range c.Redefined {
		add("The fault class %q is defined differently in the two, so its rows are not matched.", name)
	}
	if c.TwoLists {
		add("The offered loads differ. Values at different loads never stand in one row: what follows are two lists.")
	}
	if len(c.Conditions) > 0 {
		add("The two were declared differently outside of the five keys as well. The tables have to be read with that list.")
	}
}
