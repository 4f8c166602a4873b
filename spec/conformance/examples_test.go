package conformance

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/spec"
)

var update = flag.Bool("update", false, "write spec/conformance.md anew")

// shown is a verdict, or the reason why there is none.
type shown struct {
	Verdict
	found []finding
	err   error
}

// everything shows every example of every registry to its rule, once.
var everything = sync.OnceValue(func() []shown {
	var out []shown
	for _, g := range Registries() {
		for _, r := range g.Rules {
			for i, x := range append(append([]spec.Example{}, r.Bad...), r.Good...) {
				found, err := show(x)
				same := false
				if err == nil && i >= len(r.Bad) {
					same, err = untouched(x)
				}
				out = append(out, shown{Verdict{r, g.Package, x, i >= len(r.Bad), caught(found, r.ID), same}, found, err})
			}
		}
	}
	return out
})

// The registries and the table fit to each other.
func TestEveryRowHasItsRules(t *testing.T) {
	for _, p := range Check(spec.Requirements(), Registries()) {
		t.Error(p)
	}
}

// Each violation, applied alone to a valid original, is caught under the id of
// its row, and what keeps the rule passes without any finding.
func TestExamples(t *testing.T) {
	byRow := map[string][]shown{}
	for _, s := range everything() {
		byRow[s.Rule.ID] = append(byRow[s.Rule.ID], s)
	}
	for _, q := range spec.Requirements() {
		t.Run(q.ID, func(t *testing.T) {
			for _, s := range byRow[q.ID] {
				kind := "breaks: "
				if s.Good {
					kind = "keeps: "
				}
				t.Run(string(s.Rule.Stage)+"/"+kind+s.Example.Name, func(t *testing.T) {
					switch {
					case s.err != nil:
						t.Errorf("it cannot be applied: %v\n%s", s.err, s.Example.Text)
					case !s.Held() && s.Good:
						t.Errorf("it keeps the rule, and %v was found\n%s", s.Caught, s.Example.Text)
					case !s.Held():
						t.Errorf("it was caught under %v only\n%s", s.Caught, s.Example.Text)
					}
				})
			}
		})
	}
}

// What a rule says of its effect is what each of its violations meets, and each
// is found where it stands: what is refused in a scenario is an error, and what
// is only warned of is none.
func TestEffectsOfScenarios(t *testing.T) {
	n := 0
	for _, s := range everything() {
		if s.Good || s.Example.In != spec.InScenario || s.err != nil || s.Rule.Effect == spec.Permission {
			continue
		}
		n++
		want := s.Example.EffectOf(s.Rule)
		if got, ok := worst(s.found, s.Rule.ID); ok && (got == diag.Error) != (want != spec.Warns) {
			t.Errorf("%s, %s: its effect is %q, and the finding is of severity %s\n%s", s.Rule.ID, s.Example.Name, want, got, s.Example.Text)
		}
		for _, f := range s.found {
			if f.id == s.Rule.ID && !f.placed {
				t.Errorf("%s, %s: a finding without its place\n%s", s.Rule.ID, s.Example.Name, s.Example.Text)
			}
		}
	}
	if n == 0 {
		t.Fatal("no violation of a scenario")
	}
}

// A violation of a series is on record with the effect of its rule, or the
// series is not measured at all; one of a result leaves no report and names the
// member; one of two results leaves no comparison.
func TestEffectsOfSeries(t *testing.T) {
	n := map[string]int{}
	for _, s := range everything() {
		if s.Good || s.Example.In == spec.InScenario || s.err != nil {
			continue
		}
		n[s.Example.In]++
		want := s.Example.EffectOf(s.Rule)
		if s.Rule.Stage == spec.Report && want == spec.Withholds {
			want = spec.NoReport // of a result that prints what had to be withheld
		}
		for _, f := range s.found {
			switch {
			case f.id != s.Rule.ID:
			case f.effect != want:
				t.Errorf("%s, %s: its effect is %q, and what it meets is %q\n%s", s.Rule.ID, s.Example.Name, want, f.effect, s.Example.Text)
			case !f.placed:
				t.Errorf("%s, %s: a finding without its place\n%s", s.Rule.ID, s.Example.Name, s.Example.Text)
			}
		}
	}
	for _, in := range []string{spec.InJournal, spec.InPlan, spec.InResult, spec.InComparison} {
		if n[in] == 0 {
			t.Errorf("no violation of a %s", in)
		}
	}
}

// The originals that examples change are themselves without any finding.
func TestOriginalsAreClean(t *testing.T) {
	bases := map[spec.Example]bool{}
	for _, s := range everything() {
		// A comparison that studies a factor is refused where nothing differs.
		if s.Example.In != spec.InComparison {
			bases[spec.Example{In: s.Example.In, Base: s.Example.Base}] = true
		}
	}
	if len(bases) == 0 {
		t.Fatal("no example changes anything")
	}
	for x := range bases {
		found, err := show(x)
		// How long a series in real time takes is always said.
		found = slices.DeleteFunc(found, func(f finding) bool { return f.id == "LANG-budget" })
		if err != nil || len(found) > 0 {
			t.Errorf("the original %q of a %s has the findings %v, %v", x.Base, x.In, found, err)
		}
	}
}

// The page in spec is what this run shows, and no row of it is open.
func TestTable(t *testing.T) {
	var verdicts []Verdict
	for _, s := range everything() {
		if s.err == nil {
			verdicts = append(verdicts, s.Verdict)
		}
	}
	rows := spec.Requirements()
	for _, q := range rows {
		if StatusOf(q, verdicts) == Open {
			t.Errorf("%s is open", q.ID)
		}
	}
	for _, line := range Summarise(rows, verdicts).Lines() {
		t.Log(line)
	}
	path := filepath.Join(root, "spec", "conformance.md")
	want := Page(rows, verdicts)
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, want) {
		t.Errorf("spec/conformance.md is out of date (%v): run make conformance", err)
	}
}
