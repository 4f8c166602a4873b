package difference

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/fdbench/fdbench/runtime/folder"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/report/omission"
)

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestPlan(t *testing.T) {
	dir := t.TempDir()
	decode := func(b []byte) (*string, error) {
		if s := string(b); s != "edited" {
			return &s, nil
		}
		return nil, errors.New("it was edited")
	}
	if p, problem, err := Plan(dir, decode); p != nil || err != nil || problem == nil || problem.String() != "plan.json: it is missing: without the plan nothing can be checked" {
		t.Errorf("%v, %v, %v", p, problem, err)
	}
	put(t, dir, folder.PlanFile, "edited")
	if p, problem, err := Plan(dir, decode); p != nil || err != nil || problem == nil || *problem != (Problem{"plan.json", "", "it was edited"}) {
		t.Errorf("%v, %v, %v", p, problem, err)
	}
	put(t, dir, folder.PlanFile, "whole")
	if p, problem, err := Plan(dir, decode); p == nil || *p != "whole" || problem != nil || err != nil {
		t.Errorf("%v, %v, %v", p, problem, err)
	}
}

func TestRecompute(t *testing.T) {
	dir := t.TempDir()
	failing := func(err error) func(io.Reader) (*int, error) {
		return func(io.Reader) (*int, error) { return nil, err }
	}
	if _, problem, err := Recompute(dir, "", failing(nil)); err != nil || problem == nil || problem.Detail != "it is missing: without the journal no figure can be checked" {
		t.Errorf("%v, %v", problem, err)
	}
	put(t, dir, folder.JournalFile, "12")
	for _, x := range []struct {
		err  error
		want string
	}{
		{&journal.ChainError{Line: 7, Reason: "it was changed"}, "journal.jsonl: line 7: it was changed"},
		{fmt.Errorf("wrapped: %w", &journal.PlanError{Got: "a", Want: "b"}), "journal.jsonl: line 1: X-1: it was written for another plan (a) than the one beside it (b)"},
		{journal.ErrEmpty, "journal.jsonl: " + journal.ErrEmpty.Error()},
	} {
		if r, problem, err := Recompute(dir, "X-1: ", failing(x.err)); r != nil || err != nil || problem == nil || problem.String() != x.want {
			t.Errorf("%v: %v, %v, %v", x.err, r, problem, err)
		}
	}
	if _, problem, err := Recompute(dir, "", failing(io.ErrClosedPipe)); problem != nil || err != io.ErrClosedPipe {
		t.Errorf("%v, %v", problem, err)
	}
	r, problem, err := Recompute(dir, "", func(r io.Reader) (*int, error) {
		b, err := io.ReadAll(r)
		n := len(b)
		return &n, err
	})
	if r == nil || *r != 2 || problem != nil || err != nil {
		t.Errorf("%v, %v, %v", r, problem, err)
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	if got, err := Result(dir, []byte(`{"a": 1}`)); err != nil || !slices.Equal(got, []Problem{{"result.json", "", "it is missing"}}) {
		t.Errorf("%v, %v", got, err)
	}
	put(t, dir, folder.ResultFile, `{"a": 2}`)
	if got, err := Result(dir, []byte(`{"a": 1}`)); err != nil || !slices.Equal(got, []Problem{{"result.json", "a", "2 stands where the plan and the journal give 1"}}) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := Result(dir, []byte(`{"a": 2}`)); err != nil || got != nil {
		t.Errorf("%v, %v", got, err)
	}
	put(t, dir, "c.csv", "1\n2\n3\n")
	put(t, dir, "a.csv", "1\n2\n3\n")
	put(t, dir, "b.csv", "1\n2")
	const other = "it is not what the plan and the journal give"
	want := []Problem{{"a.csv", "line 2", other}, {"b.csv", "line 2", other}, {"d.csv", "", "it is missing"}}
	got, err := Reports(dir, map[string][]byte{"d.csv": nil, "c.csv": []byte("1\n2\n3\n"), "b.csv": []byte("1\n2\n"), "a.csv": []byte("1\n4\n3\n")})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestLine(t *testing.T) {
	for _, x := range []struct {
		have, want string
		line       int
	}{{"", "", 0}, {"a\n", "a\n", 0}, {"", "a", 1}, {"b", "a", 1}, {"a\nb\n", "a\nc\n", 2}, {"a\n", "a\nb\n", 2}, {"a\nb\n", "a\n", 2}, {"a", "a\n", 1}} {
		if got := Line([]byte(x.have), []byte(x.want)); got != x.line {
			t.Errorf("%q and %q differ in line %d, not %d", x.have, x.want, x.line, got)
		}
	}
}

func TestOmitted(t *testing.T) {
	got, err := Omitted(fmt.Errorf("wrapped: %w", &omission.Error{Omissions: []omission.Omission{{Rule: "X-1", Where: "a.b", Detail: "there is none"}}}))
	if err != nil || !slices.Equal(got, []Problem{{"report.md", "a.b", "no report can be made: X-1: there is none"}}) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := Omitted(io.EOF); got != nil || err != io.EOF {
		t.Errorf("%v, %v", got, err)
	}
}
