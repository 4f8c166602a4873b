package compiler

import (
	"os"
	"path/filepath"
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

// Every explanation is true: its bad snippet gets a diagnostic of the very
// rule, and its good one gets none and no error at all.
func TestSnippetsOfRules(t *testing.T) {
	for _, r := range rule.Rules() {
		if _, ok := spec.Lookup(r.ID); !ok {
			t.Errorf("%s is no requirement", r.ID)
		}
		if r.Check != nil && r.Bad == "" {
			t.Errorf("%s has a check and no snippet that breaks it", r.ID)
		}
		if r.Bad == "" {
			continue
		}
		t.Run(r.ID, func(t *testing.T) {
			for _, kind := range []string{"bad", "good"} {
				snippet := r.Bad
				if kind == "good" {
					snippet = r.Good
				}
				files, err := rule.Example(snippet)
				if err != nil {
					t.Fatalf("%s: %v", kind, err)
				}
				_, diags := compileFiles(t, files)
				own := 0
				for _, d := range diags {
					if d.Rule == r.ID {
						own++
					}
				}
				switch {
				case kind == "bad" && own == 0:
					t.Errorf("the bad snippet breaks something else:\n%s", listText(diags))
				case kind == "good" && (own > 0 || diags.HasErrors()):
					t.Errorf("the good snippet is not good:\n%s", listText(diags))
				}
			}
		})
	}
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
