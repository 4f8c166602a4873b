package reporttest

import (
	"slices"
	"testing"

	"github.com/fdbench/fdbench/runtime/report"
	"github.com/fdbench/fdbench/spec"
)

// implied are the further rows that a bad example breaks because of the
// violation itself, by row and name.
var implied = map[string][]string{}

// Every bad example is caught under its own row and no other, and of every
// good one a report is made.
func TestExamples(t *testing.T) {
	for _, r := range report.Rules() {
		for _, e := range r.Bad {
			got, err := Check(e)
			want := append([]string{r.ID}, implied[r.ID+" "+e.Name]...)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, %s: broken are %v (%v), want %v", r.ID, e.Name, got, err, want)
			}
		}
		for _, e := range r.Good {
			if got, err := Check(e); err != nil || len(got) > 0 {
				t.Errorf("%s, %s: broken are %v (%v), want none", r.ID, e.Name, got, err)
			}
		}
	}
}

// The rules are those of the table whose moment is the report, each with
// examples on both sides of its boundary.
func TestRulesAreTheRowsOfReports(t *testing.T) {
	rules := map[string]spec.Rule{}
	for _, r := range report.Rules() {
		if _, twice := rules[r.ID]; twice {
			t.Errorf("%s has two rules", r.ID)
		}
		rules[r.ID] = r
		if r.Stage != spec.Report || r.How == "" || r.Effect == "" {
			t.Errorf("%s lacks its stage, its effect or how it is checked", r.ID)
		}
	}
	onEdge := func(list []spec.Example) bool {
		return slices.ContainsFunc(list, func(e spec.Example) bool { return e.Edge })
	}
	for _, q := range spec.FaultDetection() {
		r, have := rules[q.ID]
		if have != q.At(spec.Report) {
			t.Errorf("%s: has a rule %v, is decided at the report %v", q.ID, have, q.At(spec.Report))
		}
		delete(rules, q.ID)
		if !have {
			continue
		}
		if !onEdge(r.Good) || !onEdge(r.Bad) && q.Level != spec.May {
			t.Errorf("%s has no pair of examples on its boundary", q.ID)
		}
		if (r.Effect == spec.Permission) != (q.Level == spec.May) {
			t.Errorf("%s is a %s, and its effect is %q", q.ID, q.Level, r.Effect)
		}
	}
	for id := range rules {
		t.Errorf("%s is no row of the table", id)
	}
}
