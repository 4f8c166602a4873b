package conformance

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/runtime/execute"
	"github.com/fdbench/fdbench/runtime/report"
	reuse "github.com/fdbench/fdbench/runtime/reuse/execute"
)

func scenarios(t *testing.T) []string {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(root, "scenarios", "*"))
	if err != nil || len(folders) < 4 {
		t.Fatalf("%d scenarios: %v", len(folders), err)
	}
	return folders
}

// A scenario that readers copy breaks nothing: it has no error, no warning and
// no ignore that is not used.
func TestScenariosAreClean(t *testing.T) {
	for _, folder := range scenarios(t) {
		_, diags := compiler.CompilePath(folder, compiler.Options{Check: true})
		for _, d := range diags {
			if d.Severity != diag.Note {
				t.Errorf("%s: %s %s: %s: %s", filepath.Base(folder), d.Severity, d.Rule, d.Summary, d.Detail)
			}
		}
	}
}

// quick are the scenarios that run in seconds.
var quick = []string{"quickstart", "reduced", "reuse"}

// What the quick ones measure violates nothing, and their report leaves
// nothing out.
func TestScenariosMeasureCleanly(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs scenarios")
	}
	for _, name := range quick {
		r, diags := compiler.CompilePath(filepath.Join(root, "scenarios", name), compiler.Options{})
		if diags.HasErrors() {
			t.Fatalf("%s: %v", name, diags)
		}
		if len(r.Plans)+len(r.Reuses) == 0 {
			t.Errorf("%s: nothing to run", name)
		}
		for _, p := range r.Reuses {
			result, err := reuse.Run(t.Context(), reuse.Options{Plan: p, Dir: t.TempDir(), Folder: filepath.Join(root, "scenarios", name), Generation: 1})
			if err != nil {
				t.Errorf("%s, reuse block %s: %v", name, p.Name, err) // where no report can be made, too
				continue
			}
			for _, v := range result.Conformance.Violations {
				t.Errorf("%s, reuse block %s: %s: %s", name, p.Name, v.Rule, v.Detail)
			}
			if !result.Conformance.Complete {
				t.Errorf("%s, reuse block %s is not complete: %s", name, p.Name, result.Conformance.Reason)
			}
		}
		for _, p := range r.Plans {
			dir, err := os.MkdirTemp("", "conformance")
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			result, err := execute.Run(t.Context(), execute.Options{Plan: p, Dataset: r.Data[p.Series], Dir: dir, Generation: 1})
			if err != nil {
				t.Errorf("%s, series %s: %v", name, p.Series, err)
				continue
			}
			for _, v := range result.Conformance.Violations {
				t.Errorf("%s, series %s: %s: %s", name, p.Series, v.Rule, v.Detail)
			}
			if _, err := report.Build(result); err != nil {
				t.Errorf("%s, series %s: %v", name, p.Series, err)
			}
		}
	}
}
