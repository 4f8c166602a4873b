package launch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/execute"
	"github.com/fdbench/fdbench/runtime/journal"
)

// job is a small series with its lock in a folder of its own.
func job(t *testing.T, vars map[string]string) Job {
	t.Helper()
	result, diags := compiler.CompilePath("../../testdata/base", compiler.Options{Variables: vars})
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	dir := t.TempDir()
	return Job{Plan: result.Plans[0], Dir: filepath.Join(dir, "out"), Lock: filepath.Join(dir, "x.fdb.lock")}
}

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{errors.New("other"), false},
		{&fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}, false},
		{context.Canceled, false},
		{&RefusedError{errors.New("no")}, true},
		{&execute.OtherPlanError{Dir: "x"}, true},
		{&plan.EditedError{Section: "budget"}, true},
		{&plan.ChangedError{Series: "x"}, true},
		{fmt.Errorf("x: %w", &journal.ChainError{Line: 3}), true},
		{&journal.PlanError{}, true},
	} {
		if got := Refused(tt.err); got != tt.want {
			t.Errorf("Refused(%v) = %v", tt.err, got)
		}
	}
}

func TestLockIsWrittenBeforeTheFirstTrial(t *testing.T) {
	j := job(t, nil)
	seen := map[string]bool{}
	_, err := Run(context.Background(), j, Options{Progress: func(e execute.Event) {
		if len(seen) == 0 {
			if _, err := os.Stat(j.Lock); err != nil || e.Phase != "baseline" {
				t.Errorf("the first event is of phase %s, and the lock: %v", e.Phase, err)
			}
		}
		seen[e.Phase] = true
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, phase := range []string{"baseline", "sham", "trials", "search", "false_detection"} {
		if !seen[phase] {
			t.Errorf("no event of phase %s", phase)
		}
	}
}

// A lock that cannot be written stops the run before any trial.
func TestNoTrialWithoutTheLock(t *testing.T) {
	j := job(t, nil)
	j.Lock = filepath.Join(filepath.Dir(j.Lock), "no-such-folder", "x.fdb.lock")
	_, err := Run(context.Background(), j, Options{})
	if err == nil || !strings.Contains(err.Error(), "lock of the scenario could not be written") {
		t.Fatalf("Run = %v", err)
	}
	f, err := os.Open(filepath.Join(j.Dir, execute.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	err = journal.Read(f, func(e journal.Entry) error {
		if e.Kind == journal.KindApply || e.Kind == journal.KindTrial {
			t.Errorf("line %d: an entry of kind %s", e.Line, e.Kind)
		}
		return nil
	})
	if err != nil && !errors.Is(err, journal.ErrTorn) {
		t.Error(err)
	}
}

func TestInterruptedBeforeAnything(t *testing.T) {
	j := job(t, nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, j, Options{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("Run = %v", err)
	}
	if _, err := os.Stat(j.Lock); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a run without a trial wrote the lock (%v)", err)
	}
}

func TestGenerations(t *testing.T) {
	j := job(t, nil)
	first, err := Run(context.Background(), j, Options{})
	if err != nil || first.Generation != 1 {
		t.Fatalf("generation %d, %v", first.Generation, err)
	}
	changed := job(t, map[string]string{"limit": "0.2"})
	changed.Lock = j.Lock
	var c *plan.ChangedError
	if _, err := Run(context.Background(), changed, Options{}); !errors.As(err, &c) || len(c.Diffs) == 0 {
		t.Fatalf("Run of a changed series = %v", err)
	}
	if _, err := os.Stat(changed.Dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a refused run left a folder (%v)", err)
	}
	second, err := Run(context.Background(), changed, Options{NewSeries: true})
	if err != nil || second.Generation != 2 {
		t.Fatalf("generation %v, %v", second, err)
	}
	again, err := Run(context.Background(), changed, Options{NewSeries: true})
	if err != nil || again.Generation != 2 {
		t.Fatalf("going on: generation %v, %v", again, err)
	}
	// The first series again is a third generation, and not in the first's folder.
	if _, err := Run(context.Background(), j, Options{NewSeries: true}); !Refused(err) {
		t.Fatalf("generation 3 in the folder of generation 1: %v", err)
	}
	j.Dir = filepath.Join(t.TempDir(), "third")
	if third, err := Run(context.Background(), j, Options{NewSeries: true}); err != nil || third.Generation != 3 {
		t.Fatalf("generation %v, %v", third, err)
	}
}

// Two runs in one folder: the second is told, and the first is not disturbed.
func TestTwoRunsAtOnce(t *testing.T) {
	j := job(t, nil)
	tried := false
	_, err := Run(context.Background(), j, Options{Progress: func(execute.Event) {
		if tried {
			return
		}
		tried = true
		if _, err := Run(context.Background(), j, Options{}); err == nil || !strings.Contains(err.Error(), "another run") {
			t.Errorf("a second run at the same time = %v", err)
		}
	}})
	if err != nil || !tried {
		t.Errorf("the first run = %v, tried %v", err, tried)
	}
}

func TestExploring(t *testing.T) {
	j := job(t, nil)
	r, err := Run(context.Background(), j, Options{Explore: true})
	if err != nil || !r.Exploratory {
		t.Fatalf("Run = %+v, %v", r, err)
	}
	if _, err := os.Stat(j.Lock); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("exploring wrote the lock (%v)", err)
	}
	if _, err := Run(context.Background(), j, Options{}); !Refused(err) {
		t.Errorf("going on under the lock = %v", err)
	}
}

func TestOfPlan(t *testing.T) {
	j := job(t, nil)
	dir := t.TempDir()
	path := filepath.Join(dir, "p.json")
	if err := os.WriteFile(path, append(plan.Encode(j.Plan), '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := OfPlan(path, "out", "")
	if err != nil || got.Plan.Digest != j.Plan.Digest || got.Lock != filepath.Join(dir, filepath.Base(dir)+".fdb.lock") {
		t.Errorf("OfPlan = %+v, %v", got, err)
	}
	if got, err := OfPlan(path, "out", "../../testdata/base/base.fdb.hcl"); err != nil || got.Lock != "../../testdata/base/base.fdb.lock" {
		t.Errorf("OfPlan with a scenario = %+v, %v", got, err)
	}
	if err := os.WriteFile(path, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OfPlan(path, "out", ""); !Refused(err) {
		t.Errorf("OfPlan of no plan = %v", err)
	}
	if !IsPlan(path) || IsPlan(dir) || IsPlan("../../testdata/base/base.fdb.hcl") {
		t.Error("IsPlan is wrong about a plan, a folder or a scenario file")
	}
}
