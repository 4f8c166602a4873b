package execute_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/execute"
	"github.com/fdbench/fdbench/runtime/folder"
	"github.com/fdbench/fdbench/runtime/journal"
)

func small(t testing.TB) *plan.Plan {
	t.Helper()
	return compile(t, "testdata/small.fdb.hcl").Plans[0]
}

func execTo(t testing.TB, p *plan.Plan, dir string) error {
	t.Helper()
	_, err := execute.Run(context.Background(), execute.Options{Plan: p, Dir: dir, Generation: 1})
	return err
}

// contents reads every file of a folder.
func contents(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, e := range entries {
		if out[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func same(t *testing.T, got, want map[string][]byte, when string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d files, want %d", when, len(got), len(want))
	}
	for name, b := range want {
		if !bytes.Equal(got[name], b) {
			t.Errorf("%s: %s differs", when, name)
		}
	}
}

// TestCutAnywhereResumes keeps a random number of the journal's bytes, as a
// killed process leaves them, and none of the results.
func TestCutAnywhereResumes(t *testing.T) {
	p := small(t)
	whole := filepath.Join(t.TempDir(), "whole")
	if err := execTo(t, p, whole); err != nil {
		t.Fatal(err)
	}
	want := contents(t, whole)
	log := want[execute.JournalFile]
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 12 {
		keep := rng.IntN(len(log))
		if i == 0 {
			keep = 0
		}
		dir := t.TempDir()
		os.WriteFile(filepath.Join(dir, execute.PlanFile), want[execute.PlanFile], 0o644)
		os.WriteFile(filepath.Join(dir, execute.JournalFile), log[:keep], 0o644)
		os.WriteFile(filepath.Join(dir, ".tmp-report.md-1"), []byte("half"), 0o644)
		if err := execTo(t, p, dir); err != nil {
			t.Fatalf("cut at %d of %d: %v", keep, len(log), err)
		}
		same(t, contents(t, dir), want, "resumed")
	}
	// A run that is complete is left as it is.
	if err := execTo(t, p, whole); err != nil {
		t.Fatal(err)
	}
	same(t, contents(t, whole), want, "run again")
}

func TestInterruptedRunResumes(t *testing.T) {
	p := small(t)
	whole := filepath.Join(t.TempDir(), "whole")
	if err := execTo(t, p, whole); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "run")
	for stop := 3; ; stop++ {
		ctx, cancel := context.WithCancel(context.Background())
		fresh := 0
		_, err := execute.Run(ctx, execute.Options{Plan: p, Dir: dir, Generation: 1, Progress: func(e execute.Event) {
			if !e.Replayed {
				fresh++
			}
			if fresh == 3 {
				cancel()
			}
		}})
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) || stop > 50 {
			t.Fatal(err)
		}
	}
	same(t, contents(t, dir), contents(t, whole), "interrupted again and again")
}

func TestAnotherPlansFolderIsRefused(t *testing.T) {
	p := small(t)
	dir := filepath.Join(t.TempDir(), "run")
	if err := execTo(t, p, dir); err != nil {
		t.Fatal(err)
	}
	before := contents(t, dir)
	other := *p
	other.Declaration.Seed = "2"
	plan.Seal(&other)
	var wrong *folder.OtherPlanError
	if err := execTo(t, &other, dir); !errors.As(err, &wrong) {
		t.Errorf("error %v", err)
	}
	same(t, contents(t, dir), before, "after the refusal")

	notARun := t.TempDir()
	os.WriteFile(filepath.Join(notARun, "notes.txt"), []byte("mine"), 0o644)
	if err := execTo(t, p, notARun); !errors.As(err, &wrong) || wrong.NotARun != "notes.txt" {
		t.Errorf("error %v", err)
	}
	if n := len(contents(t, notARun)); n != 1 {
		t.Errorf("%d files after a refusal", n)
	}
}

func TestAnotherEnginesPlanIsRefused(t *testing.T) {
	other := *small(t)
	other.Estimators.Engine = "fdbench.virtual/0"
	plan.Seal(&other)
	dir := filepath.Join(t.TempDir(), "run")
	if err := execTo(t, &other, dir); err == nil || !strings.Contains(err.Error(), "compile the scenario again") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder was made")
	}
}

func TestEditedJournalIsRefused(t *testing.T) {
	p := small(t)
	dir := filepath.Join(t.TempDir(), "run")
	if err := execTo(t, p, dir); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, execute.JournalFile)
	log, _ := os.ReadFile(path)
	edited := bytes.Replace(log, []byte(`"detected":false`), []byte(`"detected":true `), 1)
	if bytes.Equal(edited, log) {
		t.Fatal("the run has no undetected trial to edit")
	}
	os.WriteFile(path, edited, 0o644)
	var chain *journal.ChainError
	if err := execTo(t, p, dir); !errors.As(err, &chain) || chain.Line < 2 {
		t.Errorf("error %v", err)
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(now, edited) {
		t.Error("a refused journal was changed")
	}
}

// TestSeedsDiffer wants another seed to give other figures and the same seed
// the same bytes, whatever ran before in the process.
func TestSeedsDiffer(t *testing.T) {
	p := small(t)
	a, b, c := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b"), filepath.Join(t.TempDir(), "c")
	other := *p
	other.Declaration.Seed = "2"
	plan.Seal(&other)
	for dir, p := range map[string]*plan.Plan{a: p, b: p, c: &other} {
		if err := execTo(t, p, dir); err != nil {
			t.Fatal(err)
		}
	}
	same(t, contents(t, a), contents(t, b), "run twice")
	if bytes.Equal(contents(t, a)["latency.csv"], contents(t, c)["latency.csv"]) {
		t.Error("another seed gave the same latencies")
	}
}

// TestRefusalsNameTheirRequirement wants every refusal of a plan to say which
// sentence it keeps.
func TestRefusalsNameTheirRequirement(t *testing.T) {
	p := small(t)
	dir := filepath.Join(t.TempDir(), "run")
	if err := execTo(t, p, dir); err != nil {
		t.Fatal(err)
	}
	other := *p
	other.Declaration.Seed = "2"
	plan.Seal(&other)
	engine := *p
	engine.Estimators.Engine = "fdbench.virtual/1"
	plan.Seal(&engine)
	edited := filepath.Join(t.TempDir(), "edited")
	os.Mkdir(edited, 0o755)
	os.WriteFile(filepath.Join(edited, execute.PlanFile), bytes.Replace(plan.Encode(p), []byte(`"seed":"`), []byte(`"seed":"9`), 1), 0o644)
	swapped := filepath.Join(t.TempDir(), "swapped")
	os.Mkdir(swapped, 0o755)
	os.WriteFile(filepath.Join(swapped, execute.PlanFile), plan.Encode(&other), 0o644)
	log, _ := os.ReadFile(filepath.Join(dir, execute.JournalFile))
	os.WriteFile(filepath.Join(swapped, execute.JournalFile), log, 0o644)
	for _, c := range []struct {
		name, dir string
		plan      *plan.Plan
		rules     []string
	}{
		{"another plan", dir, &other, []string{"FD-4.1-5", "FD-1.2-1"}},
		{"another engine", t.TempDir(), &engine, []string{"FD-1.2-1"}},
		{"an edited plan", edited, p, []string{"FD-4.1-5"}},
		{"the journal of another plan", swapped, &other, []string{"FD-1.2-1", "FD-4.1-6"}},
	} {
		err := execTo(t, c.plan, c.dir)
		for _, id := range c.rules {
			if err == nil || !strings.Contains(err.Error(), id) {
				t.Errorf("%s: %v, want %s", c.name, err, id)
			}
		}
	}
}

// TestOpening wants the first entry to say where onsets are stamped, by whom,
// and that nothing was talked to.
func TestOpening(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	if err := execTo(t, small(t), dir); err != nil {
		t.Fatal(err)
	}
	log, err := os.Open(filepath.Join(dir, execute.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	var o journal.Open
	kinds := map[string]int{}
	err = journal.Read(log, func(e journal.Entry) error {
		kinds[e.Kind]++
		if e.Kind == journal.KindOpen {
			return json.Unmarshal(e.Data, &o)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if o.Onset != (journal.OnsetClock{Source: "apparatus", Resolution: 1}) || o.Hosts != (journal.Hosts{Apparatus: "virtual", Detector: "virtual"}) ||
		o.Targets == nil || len(o.Targets) != 0 {
		t.Errorf("the opening entry is %+v", o)
	}
	if kinds[journal.KindReadback] != kinds[journal.KindSegment] || kinds[journal.KindViolation] != 0 {
		t.Errorf("%d readings for %d segments, %d violations", kinds[journal.KindReadback], kinds[journal.KindSegment], kinds[journal.KindViolation])
	}
}

// TestStoppedRunSaysWhy runs into a quiet period that never ends: the rule is in
// the journal and once in the result, and the run is not complete.
func TestStoppedRunSaysWhy(t *testing.T) {
	p := *small(t)
	d := p.Declaration.Detector
	d.Alerts = append([]plan.Alert(nil), d.Alerts...)
	for i := range d.Alerts {
		d.Alerts[i].KeepFiring = 1000 * exact.Hour
	}
	p.Declaration.Detector = d
	plan.Seal(&p)
	dir := filepath.Join(t.TempDir(), "run")
	r, err := execute.Run(context.Background(), execute.Options{Plan: &p, Dir: dir, Generation: 1})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, v := range r.Conformance.Violations {
		if v.Rule == "FD-4.3-4" {
			n++
		}
	}
	if n != 1 || r.Conformance.Complete {
		t.Errorf("complete: %t, violations %+v", r.Conformance.Complete, r.Conformance.Violations)
	}
	before := contents(t, dir)
	if err := execTo(t, &p, dir); err != nil {
		t.Fatal(err)
	}
	same(t, contents(t, dir), before, "run again")
}
