package folder

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/internal/atomicfile"
)

// planned is the plan of what has a name; its text is its name and digest.
func planned(kind Kind, name, digest string) Plan {
	return Plan{Kind: kind, Digest: digest, Text: []byte(name + " " + digest), Decode: func(b []byte) (string, string, error) {
		name, digest, ok := strings.Cut(string(b), " ")
		if !ok {
			return "", "", errors.New("a digest is missing")
		}
		return name, digest, nil
	}}
}

func put(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

func TestPrepare(t *testing.T) {
	ruled := Kind{Noun: "series", EditedRule: "X-1", OtherRule: "X-1, X-2"}
	plain := Kind{Noun: "block"}
	long := "sha256:0123456789abcdef"
	for _, tt := range []struct {
		about string
		files map[string]string // nil: no folder
		plan  Plan
		want  string // the error, with DIR for the folder
		left  string
	}{
		{"no folder", nil, planned(plain, "a", "1"), "", PlanFile},
		{"an empty folder", map[string]string{}, planned(plain, "a", "1"), "", PlanFile},
		{"half a file", map[string]string{atomicfile.Prefix + "x": ""}, planned(plain, "a", "1"), "", atomicfile.Prefix + "x " + PlanFile},
		{"the same plan", map[string]string{PlanFile: "a 1", "notes": ""}, planned(ruled, "a", "1"), "", "notes " + PlanFile},
		{"another plan", map[string]string{PlanFile: "b " + long}, planned(ruled, "a", "1"),
			`X-1, X-2: DIR holds the run of another plan (series "b", sha256:0123456789ab…), and this plan is 1; choose another folder, or go back to the scenario that the run was made from`, PlanFile},
		{"another plan, without rules", map[string]string{PlanFile: "b 2"}, planned(plain, "a", "1"),
			`DIR holds the run of another plan (block "b", 2), and this plan is 1; choose another folder, or go back to the scenario that the run was made from`, PlanFile},
		{"an edited plan", map[string]string{PlanFile: "edited"}, planned(ruled, "a", "1"),
			"X-1: DIR holds a plan that cannot be trusted: a digest is missing; choose another folder", PlanFile},
		{"no run", map[string]string{"thesis.txt": ""}, planned(ruled, "a", "1"),
			"DIR holds thesis.txt and no run of fdbench; choose an empty folder", "thesis.txt"},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		if tt.files != nil {
			if err := os.Mkdir(dir, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		for name, text := range tt.files {
			put(t, dir, name, text)
		}
		got := ""
		if err := Prepare(dir, tt.plan); err != nil {
			var other *OtherPlanError
			if !errors.As(err, &other) {
				t.Errorf("%s: %T", tt.about, err)
			}
			got = strings.ReplaceAll(err.Error(), dir, "DIR")
		}
		if got != tt.want {
			t.Errorf("%s: %q", tt.about, got)
		}
		if left := names(t, dir); left != tt.left {
			t.Errorf("%s: %s", tt.about, left)
		}
	}
	if err := Prepare(put(t, t.TempDir(), "file", ""), planned(plain, "a", "1")); err == nil {
		t.Error("a file was taken for a folder")
	}
}

func TestSweepAndWrite(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, atomicfile.Prefix+"report.md-1", "half")
	same := put(t, dir, "same", "1")
	put(t, dir, "other", "1")
	old := time.Unix(1e9, 0)
	if err := os.Chtimes(same, old, old); err != nil {
		t.Fatal(err)
	}
	Sweep(dir)
	if err := Write(dir, map[string][]byte{"same": []byte("1"), "other": []byte("2"), "new": []byte("3")}); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); got != "new other same" {
		t.Error(got)
	}
	if info, err := os.Stat(same); err != nil || !info.ModTime().Equal(old) {
		t.Errorf("a file of the same bytes was written: %v", err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "other")); err != nil || string(b) != "2" {
		t.Errorf("%q, %v", b, err)
	}
	if err := Write(filepath.Join(dir, "nowhere"), map[string][]byte{"a": nil}); err == nil {
		t.Error("a folder that is not there was written to")
	}
}

func TestModeError(t *testing.T) {
	for _, exploratory := range []bool{false, true} {
		remedy := map[bool]string{false: "without --explore", true: "with --explore"}[exploratory]
		if got := (&ModeError{"out", exploratory}).Error(); !strings.HasPrefix(got, "out holds ") || !strings.Contains(got, remedy) {
			t.Error(got)
		}
	}
}
