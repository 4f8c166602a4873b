package compare_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/compare"
	"github.com/fdbench/fdbench/runtime/compare/comparetest"
	"github.com/fdbench/fdbench/spec"
)

// Every example that breaks a rule is refused under the rule's own id, and
// every one that keeps it is compared.
func TestExamples(t *testing.T) {
	for _, base := range []string{"", "real", "reduced", "real reduced"} {
		if ids, err := comparetest.CheckExample(spec.Example{In: spec.InComparison, Base: base}); err != nil || len(ids) > 0 {
			t.Errorf("two equal results (%s) are refused under %v, %v", base, ids, err)
		}
	}
	for _, r := range compare.Rules() {
		for _, x := range r.Bad {
			ids, err := comparetest.CheckExample(x)
			if err != nil {
				t.Errorf("%s: %v", r.ID, err)
			} else if !slices.Contains(ids, r.ID) {
				t.Errorf("%s: %q is refused under %v", r.ID, x.Name, ids)
			}
			if x.Edge && len(ids) != 1 {
				t.Errorf("%s: %q lies next to the boundary of one rule, and is refused under %v", r.ID, x.Name, ids)
			}
		}
		for _, x := range r.Good {
			if ids, err := comparetest.CheckExample(x); err != nil || len(ids) > 0 {
				t.Errorf("%s: %q is refused under %v, %v", r.ID, x.Name, ids, err)
			}
		}
	}
}

// The rows that the table decides when results are compared are the ones that
// have a rule, each with a pair of examples at its boundary.
func TestRulesAreThoseOfTheTable(t *testing.T) {
	var want, got []string
	for _, q := range spec.FaultDetection() {
		if q.At(spec.Compare) {
			want = append(want, q.ID)
		}
	}
	for _, r := range compare.Rules() {
		got = append(got, r.ID)
		if r.Stage != spec.Compare || r.Effect != spec.NoCompare || r.How == "" {
			t.Errorf("%s: stage %q, effect %q, how %q", r.ID, r.Stage, r.Effect, r.How)
		}
		edge := func(x spec.Example) bool { return x.Edge && x.In == spec.InComparison }
		if !slices.ContainsFunc(r.Bad, edge) || !slices.ContainsFunc(r.Good, edge) {
			t.Errorf("%s has no pair of examples at its boundary", r.ID)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("rules of %v, and the table has %v", got, want)
	}
}

// No refusal names a requirement that has no rule.
func TestEveryIDIsRegistered(t *testing.T) {
	registered := map[string]bool{}
	for _, r := range compare.Rules() {
		registered[r.ID] = true
	}
	id := regexp.MustCompile(`FD-[0-9.]+-[0-9]+`)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range id.FindAllString(text, -1) {
				found++
				if !registered[m] {
					t.Errorf("%s names %s, for which there is no rule", name, m)
				}
			}
			return true
		})
	}
	if found < len(registered) {
		t.Errorf("%d ids in the source, and %d rules", found, len(registered))
	}
}
