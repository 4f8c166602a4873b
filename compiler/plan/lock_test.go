package plan

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

func TestLockLife(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.fdb.lock")
	l, err := ReadLock(path)
	if err != nil {
		t.Fatal(err)
	}
	p := sample()
	if gen, diffs := l.Check(p); gen != 0 || diffs != nil {
		t.Errorf("an empty lock knows generation %d, %v", gen, diffs)
	}
	if gen, err := l.Begin(p, false); gen != 1 || err != nil {
		t.Fatalf("the first generation is %d, %v", gen, err)
	}
	if err := l.Write(path); err != nil {
		t.Fatal(err)
	}

	// The same declaration goes on in the same generation.
	if l, err = ReadLock(path); err != nil {
		t.Fatal(err)
	}
	if gen, err := l.Begin(p, false); gen != 1 || err != nil {
		t.Fatalf("resumed in generation %d, %v", gen, err)
	}

	// A changed one is refused with the old and the new value.
	changed := sample()
	changed.Declaration.Signal.Attribution = "true"
	changed.Declaration.Trials.Count = 25
	changed.Combinations.Trials[0].Trials = 25
	Seal(changed)
	_, err = l.Begin(changed, false)
	var e *ChangedError
	if !errors.As(err, &e) || e.Generation != 1 || len(e.Diffs) != 3 {
		t.Fatalf("a changed declaration: %v", err)
	}
	if d := e.Diffs[0]; d != (Diff{"declaration.signal.attribution", `signal.status == "firing"`, "true"}) {
		t.Errorf("the first difference is %v", d)
	}
	for _, want := range []string{"--new-series", "FD-4.1-5", `signal.status == "firing"`, "true"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the message does not mention %s:\n%s", want, err)
		}
	}

	// The way out leaves a trace.
	if gen, err := l.Begin(changed, true); gen != 2 || err != nil {
		t.Fatalf("the next generation is %d, %v", gen, err)
	}
	if err := l.Write(path); err != nil {
		t.Fatal(err)
	}
	if l, err = ReadLock(path); err != nil {
		t.Fatal(err)
	}
	if n := len(l.Series["refusals"]); n != 2 {
		t.Errorf("%d generations are kept, want 2", n)
	}
	if diffs := l.Between("refusals", 2); len(diffs) != 3 {
		t.Errorf("between the generations: %v", diffs)
	}
	if gen, diffs := l.Check(p); gen != 2 || len(diffs) != 3 {
		t.Errorf("the old declaration against generation %d: %v", gen, diffs)
	}
	other := sample()
	other.Series = "another"
	if gen, err := l.Begin(other, false); gen != 1 || err != nil {
		t.Errorf("another series begins with generation %d, %v", gen, err)
	}
}

// Forecasts and rule notes are no part of what a lock compares; everything
// that a number depends on is.
func TestLockCompares(t *testing.T) {
	base := Flatten(sample())
	same := sample()
	same.Combinations.Trials[0].Discard = "0.02"
	same.Combinations.Trials[0].Floor = "3"
	same.Rules[0].Note = "other words"
	same.Budget.Best = 1
	same.Inputs.Files[0].SHA256 = "sha256:ff" // a comment in the scenario
	if d := diffOf(base, Flatten(same)); len(d) > 0 {
		t.Errorf("differences in what decides nothing: %v", d)
	}
	for name, change := range map[string]func(*Plan){
		"window":    func(p *Plan) { p.Declaration.Detector.Indicators[0].Window.Duration = exact.Hour },
		"threshold": func(p *Plan) { n := exact.Int(1); p.Declaration.Detector.Alerts[0].Threshold = &n },
		"load":      func(p *Plan) { p.Declaration.Load.Points[0].Rate = exact.Int(11) },
		"seed":      func(p *Plan) { p.Declaration.Seed = "2" },
		"attempts":  func(p *Plan) { p.Combinations.Trials[0].Attempts = 31 },
		"estimator": func(p *Plan) { p.Estimators.Quantile = "hyndman-fan-7" },
		"responses": func(p *Plan) { p.Inputs.Files[1].SHA256 = "sha256:ff" },
		"path":      func(p *Plan) { p.Declaration.Environment.Path = []string{"gateway"} },
		"fault":     func(p *Plan) { p.Combinations.Trials = nil },
		"two of them": func(p *Plan) {
			p.Declaration.Environment.Guardrails = []Guardrail{{Place: "a"}, {Place: "a", Class: "x"}}
		},
	} {
		p := sample()
		change(p)
		if d := diffOf(base, Flatten(p)); len(d) == 0 {
			t.Errorf("%s: a change was not seen", name)
		}
	}
}

func TestEditedLockIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.fdb.lock")
	l, _ := ReadLock(path)
	if _, err := l.Begin(sample(), false); err != nil {
		t.Fatal(err)
	}
	if err := l.Write(path); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, edit := range []struct{ old, new string }{
		{`"generation": 1`, `"generation": 2`},
		{`"20"`, `"19"`},
		{`"checksum": "sha256:`, `"checksum": "sha256:0`},
		{LockFormat, "fdbench.lock/2"},
		{`"series"`, `"seriez"`},
		{"{", ""},
	} {
		bad := strings.Replace(string(b), edit.old, edit.new, 1)
		if bad == string(b) {
			t.Fatalf("the lock has no %s", edit.old)
		}
		if err := os.WriteFile(path, []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadLock(path); err == nil {
			t.Errorf("%s to %s went unnoticed", edit.old, edit.new)
		}
	}
	// A checkout with CRLF is not an edit.
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(b), "\n", "\r\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadLock(path); err != nil {
		t.Errorf("with CRLF: %v", err)
	}
}

func TestLockWriteLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	l, _ := ReadLock(filepath.Join(dir, "x.fdb.lock"))
	for range 3 {
		if err := l.Write(filepath.Join(dir, "x.fdb.lock")); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	if err := l.Write(filepath.Join(dir, "absent", "x.fdb.lock")); err == nil {
		t.Error("written into a folder that does not exist")
	}
}

func TestLockPath(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "refusals")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := LockPath(dir); err != nil || got != filepath.Join(dir, "refusals.fdb.lock") {
		t.Errorf("LockPath of a folder = %s, %v", got, err)
	}
	if got, err := LockPath(dir + string(filepath.Separator)); err != nil || got != filepath.Join(dir, "refusals.fdb.lock") {
		t.Errorf("LockPath of a folder with a slash = %s, %v", got, err)
	}
	if got, err := LockPath("some/x.fdb.hcl"); err != nil || got != "some/x.fdb.lock" {
		t.Errorf("LockPath of a file = %s, %v", got, err)
	}
}
