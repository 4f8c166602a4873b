package execute_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/runtime/execute"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report"
	"github.com/fdbench/fdbench/spec/refdata"
)

func compile(t testing.TB, path string) *compiler.Result {
	t.Helper()
	r, diags := compiler.CompilePath(path, compiler.Options{})
	if diags.HasErrors() {
		diag.WriteText(os.Stderr, diags, r.Document.Sources(), diag.TextOptions{})
		t.Fatal("the scenario does not compile")
	}
	return r
}

func run(t testing.TB, r *compiler.Result, dir string) []*measure.Result {
	t.Helper()
	var out []*measure.Result
	for _, p := range r.Plans {
		result, err := execute.Run(context.Background(), execute.Options{Plan: p, Dataset: r.Data[p.Series], Dir: filepath.Join(dir, p.Series), Generation: 1})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, result)
	}
	return out
}

// TestRealResponses replays changes of real deployments whose size is known:
// another system prompt, another style, another model.
func TestRealResponses(t *testing.T) {
	if testing.Short() {
		t.Skip("months of test time over real responses are not run with -short")
	}
	dir := t.TempDir()
	for _, name := range []string{"xstest-mistral-7b-instruct", "xstest-mistral-7b-guarded", "alpacaeval-mixtral", "alpacaeval-mixtral-concise",
		"alpacaeval-mixtral-verbose", "alpacaeval-openhermes"} {
		b, err := os.ReadFile(refdata.Path(t, "data/responses/"+name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile("testdata/real.fdb.hcl")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "real.fdb.hcl"), b, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, result := range run(t, compile(t, dir), filepath.Join(dir, "out")) {
		if !result.Conformance.Complete {
			t.Errorf("%s is incomplete: %+v", result.Series, result.Conformance.Violations)
		}
		if testing.Verbose() {
			if built, err := report.Build(result); err != nil {
				t.Error(err)
			} else {
				built.Text(os.Stdout, report.TextOptions{Width: 110})
			}
		}
	}
}
