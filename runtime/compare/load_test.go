package compare_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/compare"
	"github.com/fdbench/fdbench/runtime/folder"
	"github.com/fdbench/fdbench/runtime/measure"
)

func TestLoadRecomputes(t *testing.T) {
	dir := first(t)
	// What lies beside the plan and the journal is not read.
	write(t, filepath.Join(dir, "result.json"), []byte("{}"))
	in := load(t, dir)
	if in.Plan == nil || in.Name != dir || len(in.Latencies) == 0 {
		t.Fatalf("plan %v, name %q, latencies of %d rows", in.Plan, in.Name, len(in.Latencies))
	}
	for _, l := range in.Result.Latency {
		row := measure.RowKey{Class: l.Class, Profile: l.Profile, Magnitude: l.Magnitude, Load: l.Load}
		if got := len(in.Latencies[row]); got != l.Detected {
			t.Errorf("%v: %d latencies, and %d are detected", row, got, l.Detected)
		}
	}
}

func TestLoadRefusesWhatDoesNotHold(t *testing.T) {
	for name, x := range map[string]struct {
		file string
		edit func([]byte) []byte
		says string
	}{
		"a changed journal": {folder.JournalFile, func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"detected":true`), []byte(`"detected":false`), 1)
		}, "line "},
		"a line less": {folder.JournalFile, func(b []byte) []byte {
			i := bytes.IndexByte(b, '\n') + 1
			j := i + bytes.IndexByte(b[i:], '\n') + 1
			return append(bytes.Clone(b[:i]), b[j:]...)
		}, "line 2"},
		"an empty journal": {folder.JournalFile, func([]byte) []byte { return nil }, "nothing was run"},
		"a changed plan":   {folder.PlanFile, func(b []byte) []byte { return bytes.Replace(b, []byte(`"0.07"`), []byte(`"0.08"`), 1) }, "declaration"},
		"no plan":          {folder.PlanFile, func([]byte) []byte { return []byte("{}") }, "plan.json"},
	} {
		dir := first(t)
		path := filepath.Join(dir, x.file)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		write(t, path, x.edit(b))
		_, err = compare.Load(dir)
		var unfit *compare.UnfitError
		if !errors.As(err, &unfit) || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%s: %v, want %q", name, err, x.says)
		}
	}
}

func TestLoadOfOtherFiles(t *testing.T) {
	dir := first(t)
	result := filepath.Join(t.TempDir(), "result.json")
	for name, x := range map[string]struct{ text, says string }{
		"no JSON":        {"hello", "it is no result"},
		"another object": {`{"a": 1}`, "it is no result"},
		"another format": {`{"format": "fdbench.result/0"}`, "fdbench.result/0"},
		"unknown member": {`{"format": "fdbench.result/1", "score": 3}`, "score"},
	} {
		write(t, result, []byte(x.text))
		_, err := compare.Load(result)
		var unfit *compare.UnfitError
		if !errors.As(err, &unfit) || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%s: %v, want %q", name, err, x.says)
		}
	}
	if _, err := compare.Load(filepath.Join(dir, folder.PlanFile)); err == nil || !strings.Contains(err.Error(), "name the folder") {
		t.Errorf("a plan: %v", err)
	}
	if _, err := compare.Load(filepath.Join(dir, "nowhere")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := compare.Load(t.TempDir()); err == nil || !strings.Contains(err.Error(), "holds no run") {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := compare.Load(filepath.Dir(dir)); err == nil || !strings.Contains(err.Error(), "several series") && !strings.Contains(err.Error(), "holds no run") {
		t.Errorf("a folder of folders: %v", err)
	}
	several := t.TempDir()
	if err := os.Rename(dir, filepath.Join(several, "first")); err != nil {
		t.Fatal(err)
	}
	if _, err := compare.Load(several); err == nil || !strings.Contains(err.Error(), "several series") {
		t.Errorf("a folder of several runs: %v", err)
	}
}
