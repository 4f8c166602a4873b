package launch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/reuse/execute"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
)

// reuseScenario writes a scenario with a reuse block, and jobs compiles it.
func reuseScenario(t *testing.T, blocks string) string {
	t.Helper()
	dir := t.TempDir()
	text := strings.Repeat("the mill at the end of the valley turned for ninety winters ", 3)
	line, err := manifest.Append(nil, &manifest.Item{ItemID: "a", Dataset: "d", SourceID: "s", Transform: "exact_repeat", Recipient: text,
		Donors: []manifest.Donor{{DonorID: "donor", Text: text, Label: "base_prompt"}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"m.jsonl": line, "x.fdb.hcl": []byte("fdbench { language = 1 }\n" + blocks)} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func reuseJobs(t *testing.T, dir string) []Job {
	t.Helper()
	result, diags := compiler.CompilePath(dir, compiler.Options{})
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	jobs, err := OfScenario(dir, filepath.Join(dir, "out"), result)
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

const oneBlock = "reuse \"rag\" {\n  manifest = \"m.jsonl\"\n  block_size = %d\n}\n"

func TestReuseJobs(t *testing.T) {
	dir := reuseScenario(t, fmt.Sprintf(oneBlock, 16))
	jobs := reuseJobs(t, dir)
	if len(jobs) != 1 || jobs[0].Reuse == nil || jobs[0].Name() != "rag" || jobs[0].Dir != filepath.Join(dir, "out") || jobs[0].Digest() != jobs[0].Reuse.Digest {
		t.Fatalf("%+v", jobs)
	}
	two := reuseScenario(t, fmt.Sprintf(oneBlock, 16)+"reuse \"other\" {\n  manifest = \"m.jsonl\"\n}\n")
	if jobs := reuseJobs(t, two); len(jobs) != 2 || filepath.Base(jobs[1].Dir) != jobs[1].Name() || jobs[0].Dir == jobs[1].Dir {
		t.Errorf("%+v", jobs)
	}

	path := filepath.Join(dir, "rag.plan.json")
	if err := os.WriteFile(path, append(plan.EncodeReuse(jobs[0].Reuse), '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
	j, err := OfPlan(path, "out", "")
	if err != nil || j.Reuse == nil || j.Digest() != jobs[0].Digest() || j.Scenario != dir {
		t.Errorf("%+v, %v", j, err)
	}
	if _, err := ReadPlan(path); !Refused(err) {
		t.Errorf("the plan of a reuse block is that of a series: %v", err)
	}
	b := []byte(strings.Replace(string(plan.EncodeReuse(jobs[0].Reuse)), `"block_size":16`, `"block_size":17`, 1))
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OfPlan(path, "out", ""); !Refused(err) {
		t.Errorf("an edited plan: %v", err)
	}
}

// The lock is on the disk before the first row is, and a changed block is
// refused until it begins the next generation.
func TestLockOfAReuseBlock(t *testing.T) {
	dir := reuseScenario(t, fmt.Sprintf(oneBlock, 16))
	j := reuseJobs(t, dir)[0]
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	saw := false
	_, err := RunReuse(ctx, j, ReuseOptions{Progress: func(e execute.Event) {
		if e.Phase == execute.PhaseItems && e.Done == 0 && !saw {
			s, err := FindLock(j)
			saw = err == nil && s.Generation == 1
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || !saw {
		t.Fatalf("the lock was seen: %v; %v", saw, err)
	}
	r, err := RunReuse(t.Context(), j, ReuseOptions{})
	if err != nil || r.Generation != 1 {
		t.Fatalf("%v", err)
	}
	if _, err := RunReuse(t.Context(), j, ReuseOptions{Explore: true}); !Refused(err) || strings.Contains(err.Error(), "FD-") {
		t.Errorf("explored in a folder of a locked run: %v", err)
	}

	if err := os.WriteFile(filepath.Join(dir, "x.fdb.hcl"), []byte("fdbench { language = 1 }\n"+fmt.Sprintf(oneBlock, 8)), 0o644); err != nil {
		t.Fatal(err)
	}
	changed := reuseJobs(t, dir)[0]
	changed.Dir = filepath.Join(dir, "second")
	s, err := FindLock(changed)
	if err != nil || s.Generation != 1 || len(s.Diffs) == 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	_, err = RunReuse(t.Context(), changed, ReuseOptions{})
	var c *plan.ChangedError
	if !errors.As(err, &c) || !Refused(err) || strings.Contains(err.Error(), "FD-") {
		t.Errorf("a changed block: %v", err)
	}
	r, err = RunReuse(t.Context(), changed, ReuseOptions{NewSeries: true})
	if err != nil || r.Generation != 2 || len(r.Earlier) != 1 || len(r.Earlier[0].Changed) == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	told := 0
	if _, err := RunReuse(t.Context(), changed, ReuseOptions{NewSeries: true, Unchanged: func(g int) { told = g }}); err != nil || told != 2 {
		t.Errorf("told %d, %v", told, err)
	}
}

func TestExploredReuseBlock(t *testing.T) {
	dir := reuseScenario(t, fmt.Sprintf(oneBlock, 16))
	j := reuseJobs(t, dir)[0]
	r, err := RunReuse(t.Context(), j, ReuseOptions{Explore: true})
	if err != nil || !r.Exploratory || r.Generation != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	if _, err := os.Stat(j.Lock); err == nil {
		t.Error("an exploratory run wrote the lock")
	}
	live := reuseScenario(t, "reuse \"rag\" {\n  manifest = \"m.jsonl\"\n  live \"openai\" {\n    base_url = \"http://127.0.0.1:9\"\n    model = \"m\"\n  }\n}\n")
	if _, err := RunReuse(t.Context(), reuseJobs(t, live)[0], ReuseOptions{Explore: true}); !Refused(err) {
		t.Errorf("a live block is explored: %v", err)
	}
}
