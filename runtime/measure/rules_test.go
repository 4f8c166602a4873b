package measure_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/spec"
)

// Every row that a run can break has its rule here, and no other row has.
func TestRulesAreTheRowsOfTheMoment(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range measure.Rules() {
		row, ok := spec.Lookup(r.ID)
		if seen[r.ID] || !ok || !row.At(spec.Run) || r.Stage != spec.Run || r.How == "" {
			t.Errorf("%s: twice %v, in the table %v, at %v, %q", r.ID, seen[r.ID], ok, row.When, r.How)
		}
		seen[r.ID] = true
		if (r.Effect == spec.Permission) != (row.Level == spec.May) {
			t.Errorf("%s: a %s with the effect %q", r.ID, row.Level, r.Effect)
		}
		edges := map[bool]bool{}
		for i, x := range slices.Concat(r.Bad, r.Good) {
			edges[i < len(r.Bad)] = edges[i < len(r.Bad)] || x.Edge
		}
		if !edges[false] || !edges[true] && row.Level != spec.May {
			t.Errorf("%s has no pair of examples on and next to its boundary", r.ID)
		}
	}
	for _, row := range spec.FaultDetection() {
		if row.At(spec.Run) && !seen[row.ID] {
			t.Errorf("%s is decided at run time, and no rule does", row.ID)
		}
	}
}

var id = regexp.MustCompile(`^FD-[0-9.]+-[0-9]+$`)

// The source names no requirement that is not registered, and each registered
// one in code that checks.
func TestSourceNamesTheRegisteredRules(t *testing.T) {
	registered := map[string]bool{}
	for _, r := range measure.Rules() {
		registered[r.ID] = r.Effect == spec.Permission // nothing checks what is permitted
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name := f.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "rules") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			s, err := strconv.Unquote(lit.Value)
			if err != nil || !id.MatchString(s) || s == "FD-6-3" { // an attestation, not a violation
				return true
			}
			if _, ok := registered[s]; !ok {
				t.Errorf("%s names %s, which is not registered", name, s)
			}
			registered[s] = true
			return true
		})
	}
	for r, named := range registered {
		// That a journal is of another plan is an error of package journal.
		if !named && r != "FD-4.1-6" {
			t.Errorf("nothing checks %s", r)
		}
	}
}
