package rule

import (
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/spec"
)

func TestRulesAreRowsInOrder(t *testing.T) {
	position := map[string]int{}
	for i, q := range spec.Requirements() {
		position[q.ID] = i
	}
	last, seen := -1, map[string]bool{}
	for _, r := range Rules() {
		i, ok := position[r.ID]
		if !ok {
			t.Errorf("%s is no requirement", r.ID)
			continue
		}
		if seen[r.ID] {
			t.Errorf("%s is there twice", r.ID)
		}
		seen[r.ID] = true
		if i < last {
			t.Errorf("%s comes after %s", r.ID, spec.Requirements()[last].ID)
		}
		last = i
		if r.How == "" || r.Effect == "" || r.Stage == "" {
			t.Errorf("%s does not say how, at what moment or to what effect", r.ID)
		}
		may := spec.Requirements()[i].Level == spec.May
		if len(r.Good) == 0 || len(r.Bad) == 0 && !may {
			t.Errorf("%s has no example that breaks it, or none that keeps it", r.ID)
		}
		if r.Check == nil && len(r.Bad) == 0 && !may {
			t.Errorf("nothing decides %s", r.ID)
		}
		edges := [2]bool{}
		for k, list := range [][]spec.Example{r.Bad, r.Good} {
			names := map[string]bool{}
			for _, e := range list {
				if e.Name == "" || names[e.Name] || e.In != spec.InScenario || e.Text == "" {
					t.Errorf("%s: the example %q has no name or text of its own", r.ID, e.Name)
				}
				names[e.Name] = true
				edges[k] = edges[k] || e.Edge
			}
		}
		// What a row of KV reuse draws the line at may be decided later than its
		// rule here, which then only refuses words: the table of conformance asks
		// for a pair of the row, at whatever moment.
		if !may && !spec.Requirements()[i].Reuse() && edges != [2]bool{true, true} {
			t.Errorf("%s has no pair of examples on its boundary and next to it", r.ID)
		}
	}
	for _, q := range spec.Requirements() {
		if q.Before() && !seen[q.ID] {
			t.Errorf("%s is decided before a run, and no rule says how", q.ID)
		}
	}
}

func TestRegisteredAreTheRowsBeforeARun(t *testing.T) {
	listed := map[string]spec.Rule{}
	for _, r := range Registered() {
		listed[r.ID] = r
	}
	for _, q := range spec.Requirements() {
		r, ok := listed[q.ID]
		if ok != q.Before() || ok && !q.At(r.Stage) {
			t.Errorf("%s: decided at %v, registered %v at %q", q.ID, q.When, ok, r.Stage)
		}
		want := spec.Refuses
		switch q.Level {
		case spec.Should:
			want = spec.Warns
		case spec.May:
			want = spec.Permission
		}
		if ok && r.Effect != want {
			t.Errorf("%s is a %s and is %q", q.ID, q.Level, r.Effect)
		}
	}
	for _, r := range Early() {
		if _, twice := listed[r.ID]; twice {
			t.Errorf("%s is both registered and early", r.ID)
		}
	}
	if len(Registered())+len(Early()) != len(Rules()) {
		t.Errorf("%d and %d of %d rules", len(Registered()), len(Early()), len(Rules()))
	}
}

func TestMovingVersions(t *testing.T) {
	for v, want := range map[string]bool{
		"latest": true, "LATEST": true, "": true, " ": true, "main": true, "judge:latest": true, "large-latest": true,
		"v-newest": true, "gpt-4:latest@x": true, "v3-latest-2": true, "Current.3": true, "stable_2": true, "main@3f2a": true, "x/nightly": true,
		"latest2": true, "latest@sha256:12": true, "preview": true, "beta": true,
		"2026-03-01": false, "sha256:12": false, "1.4.2": false, "v4-preview-2026-03-01": false, "maintained-3": false, "unstable": false,
		"gpt-4:latest@sha256:0123456789abcdef": false, "latest@SHA256:0123AB": false,
	} {
		if moving(v) != want {
			t.Errorf("moving(%q) = %v", v, !want)
		}
	}
}

func TestOnWithin(t *testing.T) {
	p := plan.Profile{On: 30, Off: 90}
	for span, want := range map[exact.Duration]exact.Duration{0: 0, 10: 10, 30: 30, 100: 30, 120: 30, 130: 40, 240: 60, 270: 90} {
		if got := onWithin(span, p); got != want {
			t.Errorf("within %d it is on for %d, want %d", span, got, want)
		}
	}
	if got := onWithin(7, plan.Profile{}); got != 7 {
		t.Errorf("a profile without a cycle is on for %d of 7", got)
	}
}

func TestAlertnamesOfAttribution(t *testing.T) {
	for text, want := range map[string]string{
		`signal.labels.alertname == "A"`:                                         "A",
		`"A" == signal.labels["alertname"]`:                                      "A",
		`signal.labels.alertname in ["A", "B"]`:                                  "A B",
		`signal.labels.alertname == "A" or signal.labels.alertname == "B"`:       "A B",
		`signal.labels.severity == "A"`:                                          "",
		`signal.labels.alertname != "A"`:                                         "",
		`signal.labels.alertname startsWith "A"`:                                 "",
		`not (signal.labels.alertname in ["B", "A"]) and signal.type == "alert"`: "B A",
		`(`: "",
	} {
		if got := strings.Join(literalsOf(text), " "); got != want {
			t.Errorf("%s names %q, want %q", text, got, want)
		}
	}
}

func TestExampleRefusesBadSnippets(t *testing.T) {
	for _, s := range []string{"{", `series "example" {
  remove "nothing" {}
}`} {
		if _, err := Example(s); err == nil {
			t.Errorf("Example(%q) has no error", s)
		}
	}
}

func TestSameID(t *testing.T) {
	for label, want := range map[string]bool{"fd_4_3_4": true, "FD-4.3-4": true, "fd434": true, "fd_4_3_5": false, "": false} {
		if sameID(label, "FD-4.3-4") != want {
			t.Errorf("sameID(%q) = %v", label, !want)
		}
	}
}

func TestCounterIn(t *testing.T) {
	for expr, want := range map[string]bool{
		"rate(llm_refusals_total[5m])":      true,
		"llm_refusals_total":                true,
		"llm_refusals_total > 3":            true,
		"x_llm_refusals_total":              false,
		"llm_refusals_total_sum":            false,
		"job:llm_refusals_total":            false,
		"sum by (m) (llm_refusals_total{})": true,
		"":                                  false,
	} {
		if got := counterIn(expr, "llm_refusals_total"); got != want {
			t.Errorf("%q: %v", expr, got)
		}
	}
}
