package compiler

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/spec"
)

// compileFiles writes files into a folder and compiles it.
func compileFiles(t testing.TB, files map[string][]byte) (*Result, diag.List) {
	t.Helper()
	dir := t.TempDir()
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return CompilePath(dir, Options{})
}

func listText(l diag.List) string {
	var b strings.Builder
	for _, d := range l {
		b.WriteString(d.Severity.String() + " " + d.Rule)
		if d.Subject != nil {
			b.WriteString(" " + d.Subject.String())
		}
		b.WriteString(": " + d.Summary + ": " + d.Detail + "\n")
	}
	return b.String()
}

// implied are the ids that a violation brings with it beside its own, by rule
// and name of the example.
var implied = map[string][]string{}

// Every example is what it says: one that breaks its rule is caught under the
// rule's own id and under no other, and one that keeps it gets no error and no
// warning.
func TestExamplesOfRules(t *testing.T) {
	for _, r := range rule.Rules() {
		refuses := false
		for _, e := range r.Bad {
			t.Run(r.ID+"/bad/"+e.Name, func(t *testing.T) {
				diags, err := CheckExample(e)
				if err != nil {
					t.Fatal(err)
				}
				own := false
				for _, d := range diags {
					switch {
					case d.Rule == r.ID:
						own = true
					case d.Severity != diag.Note && !slices.Contains(implied[r.ID+"/"+e.Name], d.Rule):
						t.Errorf("it breaks something else too:\n%s", listText(diag.List{d}))
					}
				}
				if !own {
					t.Errorf("it is not caught:\n%s", listText(diags))
				}
				refuses = refuses || diags.HasErrors()
				if r.Effect == spec.Warns && e.Base == "" && r.Check != nil && diags.HasErrors() && level(r.ID) == spec.Should {
					t.Errorf("a recommendation refuses it:\n%s", listText(diags))
				}
			})
		}
		if r.Effect == spec.Refuses && !refuses {
			t.Errorf("%s refuses, and none of its examples is refused", r.ID)
		}
		for _, e := range r.Good {
			t.Run(r.ID+"/good/"+e.Name, func(t *testing.T) {
				diags, err := CheckExample(e)
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range diags {
					if d.Severity != diag.Note || d.Rule == r.ID {
						t.Errorf("it is not good:\n%s", listText(diag.List{d}))
					}
				}
			})
		}
	}
}

func level(id string) spec.Level {
	q, _ := spec.Lookup(id)
	return q.Level
}

func TestExampleIsClean(t *testing.T) {
	files, err := rule.Example("")
	if err != nil {
		t.Fatal(err)
	}
	r, diags := compileFiles(t, files)
	if len(diags) > 0 {
		t.Errorf("the example has diagnostics:\n%s", listText(diags))
	}
	if len(r.Plans) != 1 || r.Plans[0] == nil {
		t.Fatalf("no plan: %v", r.Plans)
	}
}
