package verify_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report"
	"github.com/fdbench/fdbench/runtime/verify"
)

// folder writes a complete run.
func folder(t testing.TB, o synthetic.Options) string {
	t.Helper()
	dir := t.TempDir()
	c := synthetic.New(o)
	b, err := c.Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := measure.Compute(c.Plan, bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	built, err := report.Build(r)
	if err != nil {
		t.Fatal(err)
	}
	files := built.CSV()
	files[verify.PlanFile] = plan.Encode(c.Plan)
	files[verify.ResultFile] = measure.Encode(r)
	files[verify.ReportFile] = built.Markdown()
	for name, data := range files {
		write(t, dir, name, data)
	}
	return dir
}

func write(t testing.TB, dir, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, dir, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func check(t testing.TB, dir string) []verify.Problem {
	t.Helper()
	problems, err := verify.Verify(dir)
	if err != nil {
		t.Fatal(err)
	}
	return problems
}

var small = synthetic.Options{Loads: []int64{10}, Trials: 4, Reduced: true}

func TestUntouchedFolder(t *testing.T) {
	if p := check(t, folder(t, small)); len(p) > 0 {
		t.Errorf("%v", p)
	}
	if _, err := verify.Verify(filepath.Join(t.TempDir(), "nowhere")); err == nil {
		t.Error("a folder that does not exist verifies")
	}
}

func replace(old, new string) func([]byte) []byte {
	return func(b []byte) []byte {
		if !bytes.Contains(b, []byte(old)) {
			panic("nothing to replace: " + old)
		}
		return bytes.Replace(b, []byte(old), []byte(new), 1)
	}
}

func TestChangedFilesAreNamed(t *testing.T) {
	dir := folder(t, small)
	for _, x := range []struct {
		file string
		edit func([]byte) []byte
		path string
		says string
	}{
		{verify.PlanFile, replace(`"0.07"`, `"0.08"`), "", "declaration"},
		{verify.PlanFile, func([]byte) []byte { return []byte("{}") }, "", ""},
		{verify.JournalFile, replace(`"detected":true`, `"detected":false`), "line ", "changed after it was written"},
		{verify.JournalFile, func(b []byte) []byte { return nil }, "", "nothing was run"},
		{verify.JournalFile, func(b []byte) []byte { return b[:len(b)-1] }, "", "interrupted"},
		{verify.JournalFile, func(b []byte) []byte {
			i := bytes.IndexByte(b, '\n') + 1
			j := i + bytes.IndexByte(b[i:], '\n') + 1
			return append(bytes.Clone(b[:i]), b[j:]...)
		}, "line 2", "removed"},
		{verify.ResultFile, replace(`"undetected": `, `"undetected": 1`), "latency[0].undetected", "give"},
		{verify.ResultFile, replace(`"status": "simulated"`, `"status": "conformant"`), "conformance.status", `"conformant" stands where the plan and the journal give "simulated"`},
		{verify.ResultFile, replace("\n  \"series\"", "\n\n  \"series\""), "", "layout"},
		{verify.ResultFile, replace(`"generation"`, `"generations"`), "generation", "generations"},
		{verify.ResultFile, func(b []byte) []byte { return b[:len(b)/2] }, "", "the file ends here"},
		{verify.ResultFile, replace(`"series":`, `"series"`), "series", "not JSON"},
		{verify.ResultFile, func(b []byte) []byte { return append(b, "{}"...) }, "", "follows the end"},
		{verify.ReportFile, replace("simulated", "certified"), "line 1", "not what"},
		{"latency.csv", func(b []byte) []byte { return append(b, "x\n"...) }, "line ", "not what"},
		{"coverage.csv", func(b []byte) []byte { return b[:len(b)/2] }, "line ", "not what"},
	} {
		good := read(t, dir, x.file)
		write(t, dir, x.file, x.edit(bytes.Clone(good)))
		p := check(t, dir)
		write(t, dir, x.file, good)
		if len(p) == 0 || p[0].File != x.file || !strings.Contains(p[0].Path, x.path) || !strings.Contains(p[0].String(), x.says) {
			t.Errorf("%s: got %v, want %q and %q", x.file, p, x.path, x.says)
		}
		if strings.HasPrefix(x.file, "r") && len(p) > 1 {
			t.Errorf("%s: one change gives %d problems: %v", x.file, len(p), p)
		}
	}
}

func TestMissingFiles(t *testing.T) {
	dir := folder(t, small)
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) < 12 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, path := range names {
		name := filepath.Base(path)
		good := read(t, dir, name)
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		p := check(t, dir)
		write(t, dir, name, good)
		if len(p) != 1 || p[0].File != name || !strings.Contains(p[0].Detail, "missing") {
			t.Errorf("%s is missing: %v", name, p)
		}
	}
}

// A journal that was written anew by someone who has the plan holds as a
// chain; the figures that it changes do not.
func TestRewrittenJournal(t *testing.T) {
	for name, edit := range map[string]func(*synthetic.Case){
		"detection struck out": func(c *synthetic.Case) {
			synthetic.Each(c, func(r *journal.TrialRecord) { r.Discard, r.Kept = "operator_error", r.Kept && r.Detected })
		},
		"alert renamed": func(c *synthetic.Case) {
			synthetic.Each(c, func(r *journal.TrialRecord) {
				if r.Event != nil {
					r.Event.Labels["alertname"] = "Other"
				}
			})
		},
		"search below the floor": func(c *synthetic.Case) {
			synthetic.Each(c, func(r *journal.SearchStep) {
				if r.Status == measure.SearchFound {
					r.Status = measure.SearchBelowFloor
				}
			})
		},
	} {
		dir := folder(t, small)
		c := synthetic.New(small)
		edit(c)
		other := t.TempDir()
		if _, err := c.Write(other); err != nil {
			t.Fatal(err)
		}
		write(t, dir, verify.JournalFile, read(t, other, verify.JournalFile))
		p := check(t, dir)
		if len(p) == 0 || p[0].File != verify.ResultFile || !strings.HasPrefix(p[0].Path, "conformance.") {
			t.Errorf("%s: %v", name, p)
		}
	}
}

func TestPlanWhoseAttributionCannotBeRead(t *testing.T) {
	dir := folder(t, small)
	p := synthetic.Plan(small)
	p.Declaration.Signal.Attribution = "signal.mood == 'bad'"
	plan.Seal(p)
	write(t, dir, verify.PlanFile, plan.Encode(p))
	got := check(t, dir)
	if len(got) != 1 || got[0].File != verify.PlanFile || got[0].Path != "declaration.signal.attribution" || !strings.Contains(got[0].Detail, "mood") {
		t.Errorf("%v", got)
	}
}

func TestJournalOfAnotherPlan(t *testing.T) {
	dir := folder(t, small)
	other := small
	other.Reduced = false
	write(t, dir, verify.PlanFile, plan.Encode(synthetic.Plan(other)))
	p := check(t, dir)
	if len(p) != 1 || p[0].File != verify.JournalFile || !strings.Contains(p[0].Detail, "another plan") || !strings.HasPrefix(p[0].Detail, "FD-1.2-1, FD-4.1-6: ") {
		t.Errorf("%v", p)
	}
}

// A changed value in result.json is named by its own path, whichever it is.
func TestPathOfEveryChangedValue(t *testing.T) {
	dir := folder(t, small)
	good := read(t, dir, verify.ResultFile)
	lines := bytes.SplitAfter(good, []byte("\n"))
	tried := 0
	for i, line := range lines {
		key, value, ok := strings.Cut(strings.TrimSpace(string(line)), ": ")
		value = strings.TrimSuffix(value, ",")
		if !ok || !json.Valid([]byte(value)) || i%5 != 0 || strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[") {
			continue
		}
		tried++
		changed := bytes.Clone(bytes.Join(lines[:i], nil))
		changed = append(changed, bytes.Replace(line, []byte(": "+value), []byte(`: "changed"`), 1)...)
		changed = append(changed, bytes.Join(lines[i+1:], nil)...)
		write(t, dir, verify.ResultFile, changed)
		p := check(t, dir)
		if len(p) != 1 || !strings.HasSuffix(p[0].Path, strings.Trim(key, `"`)) || !strings.Contains(p[0].Detail, `"changed"`) {
			t.Errorf("line %d (%s): %v", i+1, key, p)
		}
		if tried > 40 {
			break
		}
	}
	if tried < 20 {
		t.Errorf("only %d values tried", tried)
	}
}

// TestRawStamps changes, removes and misnames files of raw stamps.
func TestRawStamps(t *testing.T) {
	real := small
	real.Time = "real"
	const name = "requests/segment-0.jsonl"
	for _, x := range []struct {
		what   string
		edit   func(dir string) error
		pruned bool
		file   string // of the problem; "" for none
		says   string // of the problem, or else of the note
	}{
		{"untouched", func(string) error { return nil }, false, "", ""},
		{"changed", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, name), append(read(t, dir, name), '\n'), 0o666)
		}, false, name, "was changed"},
		{"changed, and others taken away", func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "requests/segment-1.jsonl")), os.WriteFile(filepath.Join(dir, name), nil, 0o666))
		}, true, name, "was changed"},
		{"missing", func(dir string) error { return os.Remove(filepath.Join(dir, name)) }, false, name, "it is missing"},
		{"taken away", func(dir string) error { return os.RemoveAll(filepath.Join(dir, "requests")) }, true, "", "files of raw stamps were taken away"},
		{"a folder", func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, name)), os.Mkdir(filepath.Join(dir, name), 0o777))
		}, false, verify.JournalFile, "no file in the folder"},
	} {
		dir := folder(t, real)
		if err := x.edit(dir); err != nil {
			t.Fatal(err)
		}
		f, err := verify.Check(dir, verify.Options{Pruned: x.pruned})
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case x.file == "" && len(f.Problems) > 0:
			t.Errorf("%s: %v", x.what, f.Problems)
		case x.file != "" && (len(f.Problems) != 1 || f.Problems[0].File != x.file || f.Problems[0].Path == "" || !strings.Contains(f.Problems[0].Detail, x.says)):
			t.Errorf("%s: %v", x.what, f.Problems)
		case x.file == "" && x.says != "" && (len(f.Notes) != 1 || !strings.Contains(f.Notes[0], x.says)):
			t.Errorf("%s: %q", x.what, f.Notes)
		case x.says == "" && len(f.Notes) > 0:
			t.Errorf("%s: %q", x.what, f.Notes)
		}
	}
}

// TestRawStampsOfAForgedJournal: a name must not lead out of the folder, and
// segments without a file are told.
func TestRawStampsOfAForgedJournal(t *testing.T) {
	real := small
	real.Time = "real"
	c, dir := synthetic.New(real), t.TempDir()
	if _, err := c.Write(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, verify.JournalFile)); err != nil {
		t.Fatal(err)
	}
	n := 0
	synthetic.Each(c, func(r *journal.Commit) {
		switch n++; n {
		case 1:
			r.Raw.Name = "../outside.jsonl"
		case 2:
			r.Raw.Left = 7
		case 3:
			r.Raw = nil
		}
	})
	if _, err := c.Write(dir); err != nil {
		t.Fatal(err)
	}
	write(t, dir, verify.PlanFile, plan.Encode(c.Plan))
	f, err := verify.Check(dir, verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Problems) == 0 || f.Problems[0].File != verify.JournalFile || !strings.Contains(f.Problems[0].Detail, "../outside.jsonl") {
		t.Errorf("%v", f.Problems)
	}
	if len(f.Notes) != 2 || !strings.HasPrefix(f.Notes[0], "No raw stamps were kept of 1 of ") || !strings.Contains(f.Notes[1], " 7 requests") {
		t.Errorf("%q", f.Notes)
	}
}
