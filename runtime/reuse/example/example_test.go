package example

import (
	"slices"
	"testing"

	"github.com/fdbench/fdbench/runtime/reuse/report"
	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/spec"
)

func TestOriginalsBreakNothing(t *testing.T) {
	for _, base := range Bases() {
		r, err := Result(spec.Example{Base: base})
		if err != nil {
			t.Fatalf("%q: %v", base, err)
		}
		want := result.StatusOffline
		if r.Run.Live != nil {
			want = result.StatusLive
		}
		if r.Conformance.Status != want || !r.Conformance.Complete || len(r.Conformance.Violations) > 0 {
			t.Errorf("%q: %+v", base, r.Conformance)
		}
		if _, err := report.Build(r); err != nil {
			t.Errorf("%q: %v", base, err)
		}
		for _, g := range r.Gates {
			if g.Status != result.GatePassed {
				t.Errorf("%q: gate %+v", base, g)
			}
		}
		if list, err := Omissions(spec.Example{Base: base, In: spec.InResult}); err != nil || len(list) > 0 {
			t.Errorf("%q: %v %v", base, list, err)
		}
	}
}

// Every example that breaks a rule breaks that one and no other; every other one
// breaks nothing.
func TestExamplesOfRuns(t *testing.T) {
	examples(t, result.Rules(), Check)
}

func TestExamplesOfReports(t *testing.T) {
	examples(t, report.Rules(), CheckResult)
}

func examples(t *testing.T, rules []spec.Rule, check func(spec.Example) ([]string, error)) {
	for _, r := range rules {
		if len(r.Bad) == 0 || len(r.Good) == 0 {
			t.Errorf("%s has no example of one kind", r.ID)
		}
		edge := func(x spec.Example) bool { return x.Edge }
		if !slices.ContainsFunc(r.Bad, edge) || !slices.ContainsFunc(r.Good, edge) {
			t.Errorf("%s has no example on its boundary", r.ID)
		}
		for _, x := range r.Bad {
			if ids, err := check(x); err != nil || !slices.Equal(ids, []string{r.ID}) {
				t.Errorf("%s: %s: breaks %v (%v)", r.ID, x.Name, ids, err)
			}
		}
		for _, x := range r.Good {
			if ids, err := check(x); err != nil || len(ids) > 0 {
				t.Errorf("%s: %s: breaks %v, want nothing (%v)", r.ID, x.Name, ids, err)
			}
		}
	}
}

func TestWrongExamples(t *testing.T) {
	for _, x := range []spec.Example{{Base: "none"}, {Base: result.BaseOffline, Text: "reuse_item\n  bend {}"}, {Base: result.BaseOffline, Text: "plan\n  drop"},
		{Base: result.BaseOffline, Text: "reuse_item\n  put figure 3"}, {Base: result.BaseOffline, Text: "reuse_item\n  set {\"figure\": 3}"}} {
		if ids, err := Check(x); err == nil {
			t.Errorf("%+v gave %v", x, ids)
		}
	}
}
