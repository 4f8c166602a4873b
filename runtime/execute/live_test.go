package execute_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/runtime/execute"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/live"
	"github.com/fdbench/fdbench/runtime/live/livetest"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/verify"
)

// runBench carries a bench's plan out in a folder.
func runBench(ctx context.Context, t *testing.T, b *livetest.Bench, dir string, progress func(execute.Event)) (*measure.Result, error) {
	t.Helper()
	t.Setenv(livetest.KeyEnv, livetest.Key)
	return execute.Run(ctx, execute.Options{Plan: b.Plan, Dir: dir, Generation: 1, Live: execute.Live{Drivers: b.Drivers(t)}, Progress: progress})
}

// asItMust wants the one rule broken that a series of seconds cannot keep: a
// Baseline Interval of 300 s.
func asItMust(t *testing.T, c *measure.Conformance) {
	t.Helper()
	if c.Status != measure.StatusNonconform || !c.Complete || len(c.Violations) != 1 || c.Violations[0].Rule != "FD-4.2-3" || c.Time != "real" || len(c.Reductions) != 3 {
		t.Errorf("%+v", c)
	}
}

func entries(t *testing.T, dir string) []journal.Entry {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, execute.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []journal.Entry
	err = journal.Read(f, func(e journal.Entry) error {
		e.Data = bytes.Clone(e.Data)
		out = append(out, e)
		return nil
	})
	if err != nil && !errors.Is(err, journal.ErrTorn) {
		t.Fatal(err)
	}
	return out
}

// TestLiveRun carries a whole small series out in real time.
func TestLiveRun(t *testing.T) {
	b, dir := livetest.New(t, 2), t.TempDir()
	real, begun := 0, 0
	r, err := runBench(t.Context(), t, b, dir, func(e execute.Event) {
		switch {
		case e.Begins:
			begun++
			if begun != e.Segments+1 || real != e.Segments {
				t.Errorf("segment %d begins as number %d, and %d are complete: %+v", e.Segments, begun, real, e)
			}
		case e.Real:
			real++
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	asItMust(t, &r.Conformance)
	row := r.Latency[0]
	if row.Detected != 2 || row.Undetected != 0 || row.MedianS == nil || *row.MedianS <= 0 || *row.MedianS > 2 {
		t.Errorf("%+v", row)
	}
	if real < 5 || begun != real {
		t.Errorf("%d segments in real time are complete of %d that began", real, begun)
	}
	if problems, err := verify.Verify(dir); err != nil || len(problems) > 0 {
		t.Error(problems, err)
	}
	all := entries(t, dir)
	for _, name := range []string{execute.PlanFile, execute.JournalFile, execute.ResultFile, execute.ReportFile} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || strings.Contains(string(text), livetest.Key) {
			t.Errorf("%s holds the key, or is not there: %v", name, err)
		}
	}
	rawFiles(t, dir, all)
	x := r.Traffic.Loads[0]
	if x.Trials == 0 || x.Sent == 0 || x.Offered != x.Sent+x.Dropped || x.LateP50S == nil || *x.LateP50S > *x.LateP99S || *x.LateP99S > *x.LateMaxS || x.LateOK == nil {
		t.Errorf("%+v", x)
	}
	if len(x.Twins) == 0 || x.Twins[0].Responses == 0 || len(x.Shares) == 0 || r.Traffic.Rawless != 0 || len(r.Traffic.Raw) < 4 || len(r.Traffic.Resumptions) != 0 {
		t.Errorf("%+v", r.Traffic)
	}
	// The same again measures nothing.
	before := b.Asked.Load()
	if again, err := runBench(t.Context(), t, b, dir, nil); err != nil || again.Conformance.Status != r.Conformance.Status {
		t.Error(err)
	}
	if b.Asked.Load() != before {
		t.Error("a run that is complete sent requests")
	}
}

// rawFiles holds the raw stamps against what the journal says of them.
func rawFiles(t *testing.T, dir string, all []journal.Entry) {
	t.Helper()
	files := 0
	for _, e := range all {
		if e.Kind != journal.KindCommit {
			continue
		}
		var c journal.Commit
		if err := json.Unmarshal(e.Data, &c); err != nil || c.Raw == nil {
			t.Fatalf("%s: %v", e.Data, err)
		}
		files++
		b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(c.Raw.Name)))
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(b); c.Raw.SHA256 != "sha256:"+hex.EncodeToString(sum[:]) {
			t.Errorf("%s is not what the journal says", c.Raw.Name)
		}
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		rows := int64(0)
		for s := bufio.NewScanner(z); s.Scan(); rows++ {
			var r live.Row
			if err := json.Unmarshal(s.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
			if x := r.Stamps; r.Outcome == "ok" && (x.Sent < x.Scheduled || x.Headers < x.Sent || x.End < x.FirstContent || len(r.Observed) != 1 || r.Injection == nil) {
				t.Errorf("%s", s.Bytes())
			}
		}
		if rows != c.Raw.Rows || rows == 0 {
			t.Errorf("%s has %d rows, and the journal says %d", c.Raw.Name, rows, c.Raw.Rows)
		}
	}
	left, _ := os.ReadDir(filepath.Join(dir, live.RawDir))
	if files < 5 || len(left) != files {
		t.Errorf("%d files in the journal and %d in the folder", files, len(left))
	}
}

// Names of the environment variables that tell a child process where things
// are.
const (
	childEngine = "FDBENCH_CHILD_ENGINE"
	childFront  = "FDBENCH_CHILD_FRONT"
	childProxy  = "FDBENCH_CHILD_PROXY"
	childDir    = "FDBENCH_CHILD_DIR"
)

// TestChild is a run in a process of its own, for TestKilled.
func TestChild(t *testing.T) {
	dir := os.Getenv(childDir)
	if dir == "" {
		t.Skip("only for TestKilled")
	}
	b := livetest.Attach(t, os.Getenv(childEngine), os.Getenv(childFront), os.Getenv(childProxy), 1)
	if _, err := runBench(t.Context(), t, b, dir, nil); err != nil {
		t.Fatal(err)
	}
}

// TestKilled kills a run in each of its phases, twice in the middle of a fault,
// and resumes it.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a series in real time")
	}
	b := livetest.New(t, 1)
	dir, front, proxy := t.TempDir(), livetest.FreePort(t), livetest.FreePort(t)
	start := func() *exec.Cmd {
		c := exec.Command(os.Args[0], "-test.run=^TestChild$", "-test.timeout=60s")
		c.Env = append(os.Environ(), childEngine+"="+b.Engine.URL, childFront+"="+front, childProxy+"="+proxy, childDir+"="+dir,
			livetest.KeyEnv+"="+livetest.Key)
		c.Stdout, c.Stderr = os.Stderr, os.Stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c
	}
	path := filepath.Join(dir, execute.JournalFile)
	// kill ends a run with SIGKILL a moment after the journal's last entry is
	// the one that is waited for.
	kill := func(want string) {
		last := func() string {
			text, _ := os.ReadFile(path)
			lines := strings.Split(strings.TrimSpace(string(text)), "\n")
			return lines[len(lines)-1]
		}
		before := last()
		c := start()
		deadline := time.Now().Add(20 * time.Second)
		for now := last(); now == before || !strings.Contains(now, want); now = last() {
			if time.Now().After(deadline) {
				t.Errorf("the journal never ended with %s: %s", want, now)
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		time.Sleep(50 * time.Millisecond)
		c.Process.Kill()
		c.Wait()
	}
	kill(`"kind":"open"`) // the segment of the baseline is not on disk yet
	kill(`"kind":"apply"`)
	kill(`"kind":"apply"`)
	if err := start().Wait(); err != nil {
		t.Fatal(err)
	}
	all := entries(t, dir)
	resumed, applied, kept := 0, 0, map[string]int{}
	for _, e := range all {
		switch e.Kind {
		case journal.KindResume:
			var r journal.Resumed
			json.Unmarshal(e.Data, &r)
			resumed++
			if r.Trial != "" {
				applied++
				if r.Class != "refusal" || r.Entries == 0 || r.Load == nil || *r.Load != 0 || r.Segment == "" || r.Applied == 0 || r.Removed <= r.Applied {
					t.Errorf("%+v", r)
				}
			}
		case journal.KindTrial:
			var r journal.TrialRecord
			json.Unmarshal(e.Data, &r)
			kept[r.Trial]++
		}
	}
	if applied != 2 || resumed != 3 {
		t.Errorf("%d resumptions are on record, %d of them with a fault, want 3 and 2", resumed, applied)
	}
	for name, n := range kept {
		if n != 1 {
			t.Errorf("trial %q is on record %d times", name, n)
		}
	}
	if problems, err := verify.Verify(dir); err != nil || len(problems) > 0 {
		t.Error(problems, err)
	}
	var result measure.Result
	text, err := os.ReadFile(filepath.Join(dir, execute.ResultFile))
	if err == nil {
		err = json.Unmarshal(text, &result)
	}
	if err != nil {
		t.Fatal(err)
	}
	asItMust(t, &result.Conformance)
	under := 0.0
	for _, x := range result.Traffic.Resumptions {
		if x.Trial != "" {
			under += *x.UnderFaultS
		}
	}
	if f := result.FalseDetection[0]; under <= 0 || f.TimeUnderFaultS <= under || f.PeriodS < f.TimeUnderFaultS {
		t.Errorf("%v s under faults that were removed late, in %+v", under, f)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, live.RawDir, ".tmp-*")); len(left) > 0 {
		t.Errorf("half written files are left: %q", left)
	}
}
