package execute_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/fdbench/fdbench/runtime/execute"
	"github.com/fdbench/fdbench/runtime/journal"
)

// TestRecover looks at a run that was cut off behind one kind of entry or
// another.
func TestRecover(t *testing.T) {
	p := small(t)
	whole := filepath.Join(t.TempDir(), "whole")
	if err := execTo(t, p, whole); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(filepath.Join(whole, execute.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	behind := func(kind string) []byte {
		i := bytes.Index(log, []byte(`"kind":"`+kind+`"`))
		return log[:i+bytes.IndexByte(log[i:], '\n')+1]
	}
	for _, c := range []struct {
		name      string
		log       []byte
		announced bool
	}{
		{"nothing was run", nil, false}, {"torn in the first line", log[:30], false},
		{"a baseline", behind(journal.KindBaseline), false},
		{"a fault", behind(journal.KindApply), true},
		{"a fault, and half an entry", append(behind(journal.KindApply), `{"n":`...), true},
		{"a trial that applied one", behind(journal.KindTrial), false},
		{"all of it", log, false},
	} {
		dir := t.TempDir()
		if c.log != nil {
			if err := os.WriteFile(filepath.Join(dir, execute.JournalFile), c.log, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		r, err := execute.Recover(t.Context(), dir)
		if err != nil || (r.Announced != nil) != c.announced || r.Removed != "" || r.Closed != (len(c.log) == len(log)) {
			t.Errorf("%s: %+v, %v", c.name, r, err)
		}
		if c.announced && (r.Announced.Class == "" || r.Announced.Magnitude.Sign() == 0) {
			t.Errorf("%s: %+v", c.name, r.Announced)
		}
	}
	// A changed journal is not one to read from, and one that is being written
	// is of a run that removes its faults itself.
	dir := t.TempDir()
	changed := bytes.Replace(log, []byte(`"phase":"baseline"`), []byte(`"phase":"basement"`), 1)
	os.WriteFile(filepath.Join(dir, execute.JournalFile), changed, 0o644)
	var chain *journal.ChainError
	if _, err := execute.Recover(t.Context(), dir); !errors.As(err, &chain) {
		t.Errorf("a changed journal: %v", err)
	}
	busy := t.TempDir()
	w, err := journal.Create(filepath.Join(busy, execute.JournalFile), journal.Open{PlanDigest: p.Digest})
	if err != nil {
		t.Fatal(err)
	}
	var at *execute.BusyError
	if _, err := execute.Recover(t.Context(), busy); !errors.As(err, &at) {
		t.Errorf("a run at work: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := execute.Recover(t.Context(), busy); err != nil {
		t.Errorf("a run that is over: %v", err)
	}
}
