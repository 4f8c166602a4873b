package procedure_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/measure"
)

// TestViolationsAreOfRegisteredRules walks the sources of this package: every
// id that it writes into a journal is one that a result is checked for.
func TestViolationsAreOfRegisteredRules(t *testing.T) {
	registered := map[string]bool{}
	for _, r := range measure.Rules() {
		registered[r.ID] = true
	}
	id := regexp.MustCompile(`^FD-[0-9.]+-[0-9]+$`)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && id.MatchString(strings.Trim(l.Value, `"`)) {
				used[strings.Trim(l.Value, `"`)] = true
			}
			return true
		})
	}
	for x := range used {
		if !registered[x] {
			t.Errorf("%s is written into journals, and no result is checked for it", x)
		}
	}
	if len(used) < 10 {
		t.Errorf("only %d ids were found", len(used))
	}
}
