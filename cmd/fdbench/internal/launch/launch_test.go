package launch

import (
	"context"
	"encoding/json"
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
	"github.com/fdbench/fdbench/runtime/folder"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/live/livetest"
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

// beginRun runs a job until its first trial could begin, when the lock is
// written, and returns the generation that its journal was begun with.
func beginRun(j Job, o Options) (int, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o.Progress = func(execute.Event) { cancel() }
	if _, err := Run(ctx, j, o); !errors.Is(err, context.Canceled) {
		return 0, err
	}
	open, err := opening(filepath.Join(j.Dir, execute.JournalFile))
	if err != nil {
		return 0, err
	}
	return open.Generation, nil
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
		{&folder.OtherPlanError{Dir: "x"}, true},
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

// In real time a segment is told of when it begins, and a series that is stopped
// in its first Baseline Interval has no lock yet.
func TestNoLockWhenTheFirstSegmentBegins(t *testing.T) {
	b, dir := livetest.New(t, 2), t.TempDir()
	t.Setenv(livetest.KeyEnv, livetest.Key)
	j := Job{Plan: b.Plan, Dir: filepath.Join(dir, "out"), Lock: filepath.Join(dir, "x.fdb.lock")}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	began := false
	_, err := Run(ctx, j, Options{Live: execute.Live{Drivers: b.Drivers(t)}, Progress: func(e execute.Event) {
		began = began || e.Begins && e.Phase == "baseline"
		cancel()
	}})
	if _, missing := os.Stat(j.Lock); !began || !errors.Is(err, context.Canceled) || !os.IsNotExist(missing) {
		t.Errorf("began %v, ended with %v, the lock: %v", began, err, missing)
	}
}

// A lock that cannot be written is noticed before anything is measured.
func TestNothingWithoutTheLock(t *testing.T) {
	j := job(t, nil)
	j.Lock = filepath.Join(filepath.Dir(j.Lock), "no-such-folder", "x.fdb.lock")
	_, err := Run(context.Background(), j, Options{})
	if err == nil || !strings.Contains(err.Error(), "x.fdb.lock cannot be written") || !strings.Contains(err.Error(), "--explore") || Refused(err) {
		t.Fatalf("Run = %v", err)
	}
	if _, err := os.Stat(j.Dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a run that cannot be locked left a folder (%v)", err)
	}
	if _, err := beginRun(j, Options{Explore: true}); err != nil {
		t.Errorf("exploring without a lock: %v", err)
	}
}

// The lock of a series is found by every spelling of its path.
func TestFindLock(t *testing.T) {
	j := job(t, nil)
	if _, err := beginRun(j, Options{}); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(j.Lock)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(j.Lock)
	other := j
	other.Dir, other.Lock = filepath.Join(dir, "again"), filepath.Join(dir, "y.fdb.lock")
	s, err := FindLock(other)
	if err != nil || s.Path != j.Lock || s.Named != other.Lock || s.Generation != 1 || len(s.Diffs) > 0 {
		t.Fatalf("FindLock = %+v, %v", s, err)
	}
	if _, err := beginRun(other, Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(other.Lock); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a second lock was begun (%v)", err)
	}

	// One file of a folder has a lock of its own beside those of the others.
	other.Single = true
	if err := os.WriteFile(filepath.Join(dir, "x.fdb.hcl"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if s, err := FindLock(other); err != nil || s.Path != other.Lock || s.Generation != 0 {
		t.Errorf("FindLock of another file = %+v, %v", s, err)
	}
	if err := os.Remove(filepath.Join(dir, "x.fdb.hcl")); err != nil {
		t.Fatal(err)
	}
	if s, err := FindLock(other); err != nil || s.Path != j.Lock {
		t.Errorf("FindLock of a renamed file = %+v, %v", s, err)
	}

	// Two that know the series, and one that is damaged.
	if err := os.WriteFile(other.Lock, written, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, k := range []Job{j, other} {
		if _, err := FindLock(k); !Refused(err) || !strings.Contains(err.Error(), "x.fdb.lock") || !strings.Contains(err.Error(), "y.fdb.lock") {
			t.Errorf("FindLock of two locks = %v", err)
		}
	}
	if err := os.WriteFile(other.Lock, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := FindLock(j); !Refused(err) {
		t.Errorf("FindLock beside a damaged lock = %v", err)
	}
}

func TestHasLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[b]*")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if HasLock(dir) || HasLock(filepath.Join(dir, "s.fdb.hcl")) || HasLock(filepath.Join(dir, "nowhere", "s.fdb.hcl")) {
		t.Error("a lock where there is none")
	}
	if err := os.WriteFile(filepath.Join(dir, "other.fdb.lock"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if !HasLock(dir) || !HasLock(filepath.Join(dir, "s.fdb.hcl")) {
		t.Error("no lock where there is one")
	}
}

// The journal of a generation names those before it, with what was changed.
func TestEarlierGenerations(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "x.fdb.lock")
	var last Job
	for _, limit := range []string{"0.2", "0.3", "0.25"} {
		last = job(t, map[string]string{"limit": limit})
		last.Lock = lock
		if _, err := beginRun(last, Options{NewSeries: true}); err != nil {
			t.Fatal(err)
		}
	}
	open, err := opening(filepath.Join(last.Dir, execute.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	if open.Generation != 3 || len(open.Earlier) != 2 {
		t.Fatalf("generation %d, earlier %+v", open.Generation, open.Earlier)
	}
	for i, want := range []journal.Change{{Old: "0.2", New: "0.3"}, {Old: "0.3", New: "0.25"}} {
		e := open.Earlier[i]
		if e.Generation != i+1 || len(e.Changed) != 1 || e.Changed[0].Old != want.Old || e.Changed[0].New != want.New || !strings.Contains(e.Changed[0].Path, "RefusalsHigh") {
			t.Errorf("earlier[%d] = %+v", i, e)
		}
	}
}

// A journal that was computed anew from its first line to its last is found
// where the plan is executed again.
func TestRerunFindsAMadeUpJournal(t *testing.T) {
	if testing.Short() {
		t.Skip("runs four whole series")
	}
	// A third generation, so that what came before it is executed again too.
	j := job(t, nil)
	for i, limit := range []string{"0.2", "0.3"} {
		k := job(t, map[string]string{"limit": limit})
		k.Lock = j.Lock
		if gen, err := beginRun(k, Options{NewSeries: true}); err != nil || gen != i+1 {
			t.Fatalf("generation %d, %v", gen, err)
		}
	}
	if r, err := Run(context.Background(), j, Options{NewSeries: true}); err != nil || r.Generation != 3 {
		t.Fatal(err)
	}
	if line, err := Rerun(context.Background(), j.Dir, "", nil); err != nil || line != 0 {
		t.Fatalf("executed again: line %d, %v", line, err)
	}
	other := job(t, map[string]string{"limit": "0.3"})
	if _, err := Run(context.Background(), other, Options{Explore: true}); err != nil {
		t.Fatal(err)
	}
	forge(t, filepath.Join(other.Dir, execute.JournalFile), filepath.Join(j.Dir, execute.JournalFile), j.Plan.Digest)
	if line, err := Rerun(context.Background(), j.Dir, "", nil); err != nil || line < 2 {
		t.Errorf("a made up journal: line %d, %v", line, err)
	}
}

// forge writes the entries of one journal as if another plan had given them.
func forge(t *testing.T, from, to, digest string) {
	t.Helper()
	f, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Remove(to); err != nil {
		t.Fatal(err)
	}
	var w *journal.Writer
	err = journal.Read(f, func(e journal.Entry) error {
		if e.Kind == journal.KindOpen {
			var open journal.Open
			if err := json.Unmarshal(e.Data, &open); err != nil {
				return err
			}
			open.PlanDigest = digest
			w, err = journal.Create(to, open)
			return err
		}
		return w.Append(e.Kind, e.Data)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestOtherRun(t *testing.T) {
	j := job(t, nil)
	if OtherRun(j.Dir, "sha256:00") {
		t.Error("a folder that is not there holds a run")
	}
	if _, err := beginRun(j, Options{Explore: true}); err != nil {
		t.Fatal(err)
	}
	if OtherRun(j.Dir, j.Plan.Digest) || !OtherRun(j.Dir, "sha256:00") {
		t.Error("OtherRun is wrong about whose run it is")
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
	if gen, err := beginRun(j, Options{}); err != nil || gen != 1 {
		t.Fatalf("generation %d, %v", gen, err)
	}
	// Nothing was changed: however often a new series is asked for, it is the
	// first generation.
	for i := range 2 {
		same, told := j, 0
		same.Dir = filepath.Join(t.TempDir(), "same")
		gen, err := beginRun(same, Options{NewSeries: true, Unchanged: func(gen int) { told = gen }})
		if err != nil || gen != 1 || told != 1 {
			t.Fatalf("unchanged, time %d: generation %d, told %d, %v", i+1, gen, told, err)
		}
	}
	changed := job(t, map[string]string{"limit": "0.2"})
	changed.Lock = j.Lock
	var c *plan.ChangedError
	if _, err := beginRun(changed, Options{}); !errors.As(err, &c) || len(c.Diffs) == 0 {
		t.Fatalf("a run of a changed series = %v", err)
	}
	if _, err := os.Stat(changed.Dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a refused run left a folder (%v)", err)
	}
	for range 2 {
		if gen, err := beginRun(changed, Options{NewSeries: true}); err != nil || gen != 2 {
			t.Fatalf("generation %d, %v", gen, err)
		}
	}
	// The first series again is a third generation, and not in the first's folder.
	if _, err := beginRun(j, Options{NewSeries: true}); !Refused(err) {
		t.Fatalf("generation 3 in the folder of generation 1: %v", err)
	}
	j.Dir = filepath.Join(t.TempDir(), "third")
	if gen, err := beginRun(j, Options{NewSeries: true}); err != nil || gen != 3 {
		t.Fatalf("generation %d, %v", gen, err)
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
