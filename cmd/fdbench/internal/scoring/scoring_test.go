package scoring

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/dataset"
	"github.com/fdbench/fdbench/compiler/plan"
)

var long = plan.Indicator{Name: "long", Kind: "rate", Unit: "1", Predicate: "response.words > 2"}

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const rows = `{"id": "a", "prompt": "p", "response": "one"}
{"id": "b", "prompt": "q", "response": "one two three"}
{"id": "c", "prompt": "r", "response": "one two three"}
`

func scoreFile(path string, i plan.Indicator, class *plan.FaultClass, folder string) (*Report, error) {
	rows, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Score(path, rows, i, class, folder)
}

func TestScore(t *testing.T) {
	r, err := scoreFile(file(t, "r.jsonl", rows), long, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	if r.Rows[0].Score != 0 || r.Rows[1].Score != 1 || r.Rows[2].ID != "c" {
		t.Errorf("rows %+v", r.Rows)
	}
	// The sample standard deviation of 0, 1, 1 is 0.57735...
	if r.Summary.Mean != "0.666667" || *r.Summary.SD != "0.57735" || r.Summary.N != 3 {
		t.Errorf("summary %+v, sd %s", r.Summary, *r.Summary.SD)
	}
}

func TestOneRowHasNoDeviation(t *testing.T) {
	r, err := scoreFile(file(t, "r.jsonl", `{"response": "one"}`), long, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(r.Summary)
	if err != nil || string(b) != `{"mean":0,"sd":null,"n":1}` {
		t.Errorf("summary %s, %v", b, err)
	}
}

func TestReplacementLiesInItsFolder(t *testing.T) {
	other := file(t, "other.jsonl", `{"id": "a", "prompt": "p", "response": "one two three"}
{"id": "b", "prompt": "q", "response": "one"}
{"id": "c", "prompt": "r", "response": "one"}
`)
	class := plan.FaultClass{Name: "swap", Indicator: "long", Replace: filepath.Base(other)}
	r, err := scoreFile(file(t, "r.jsonl", rows), long, &class, filepath.Dir(other))
	if err != nil {
		t.Fatal(err)
	}
	if r.Fault != "swap" || *r.Rows[0].TwinScore != 1 || *r.Rows[1].Twin != "one" || r.Twins.Mean != "0.333333" {
		t.Errorf("report %+v, twins %+v", r, r.Twins)
	}
	if _, err := scoreFile(file(t, "r.jsonl", rows), long, &class, t.TempDir()); !os.IsNotExist(errors.Unwrap(err)) && !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing replacement gives %v", err)
	}
}

func TestBadFiles(t *testing.T) {
	var p *dataset.ProblemError
	if _, err := scoreFile(file(t, "r.jsonl", rows+"{}\n"), long, nil, ""); !errors.As(err, &p) || p.Problems[0].Line != 4 {
		t.Errorf("a bad line gives %v", err)
	}
	if _, err := scoreFile(file(t, "r.jsonl", "\n\n"), long, nil, ""); err == nil {
		t.Error("a file without responses is scored")
	}
	if _, err := scoreFile("nowhere.jsonl", long, nil, ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file gives %v", err)
	}
	if _, err := scoreFile(file(t, "r.jsonl", rows), plan.Indicator{Name: "x", Scorer: "nothing/1"}, nil, ""); err == nil {
		t.Error("an unknown scorer is accepted")
	}
}

func TestReadFileOfAFolder(t *testing.T) {
	if _, err := ReadFile(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("a folder: %v", err)
	}
}

func TestReadNamesTheSource(t *testing.T) {
	rows, err := Read("standard input", strings.NewReader("{\"response\": \"a\"}\n"))
	if err != nil || len(rows) != 1 || rows[0].Response != "a" {
		t.Errorf("Read = %v, %v", rows, err)
	}
	if _, err := Read("standard input", strings.NewReader("7\n")); err == nil || !strings.Contains(err.Error(), "standard input") {
		t.Errorf("a bad line: %v", err)
	}
}
