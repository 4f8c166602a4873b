package repair

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/internal/atomicfile"
)

// scenario copies the complete scenario of the scripts, with a text of it
// replaced each by the next.
func scenario(t *testing.T, replace ...string) string {
	t.Helper()
	b, err := os.ReadFile("../../testdata/base/base.fdb.hcl")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(text, replace[i]) {
			t.Fatalf("%q is not in the scenario", replace[i])
		}
		text = strings.Replace(text, replace[i], replace[i+1], 1)
	}
	path := filepath.Join(t.TempDir(), "base.fdb.hcl")
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var check = compiler.Options{Check: true}

func TestUntilNothingIsLeft(t *testing.T) {
	good := read(t, "../../testdata/base/base.fdb.hcl")
	for _, tt := range []struct {
		name    string
		replace []string
		fixed   int
	}{
		{"nothing to do", nil, 0},
		{"one argument", []string{"count    = 20", "cuont    = 20"}, 1},
		{"one after the other", []string{"count    = 20", "cuont    = 20", "\"1h\" }", "1h }"}, 2},
		{"a quantity without quotes", []string{"window = \"1m\"", "window = 1m"}, 1},
		{"a reference in quotes", []string{"detector    = detector.watch", "detector    = \"watch\""}, 1},
		{"a whole reference in quotes", []string{"detector    = detector.watch", "detector    = \"detector.watch\""}, 1},
		{"a misspelt reference", []string{"population  = population.support", "population  = population.suport"}, 1},
		{"a misspelt root", []string{"population  = population.support", "population  = popluation.support"}, 1},
		{"a bare word", []string{"kind         = \"simulated\"", "kind         = simulated"}, 1},
		{"a misspelt word", []string{"kind         = \"simulated\"", "kind         = \"simulatd\""}, 1},
		{"a unit of elsewhere", []string{"\"10.8 req/s\"", "\"10.8 rps\""}, 1},
		{"a unit written out", []string{"at_most  = \"2h\"", "at_most  = \"2 hours\""}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := scenario(t, tt.replace...)
			before := read(t, path)
			out := Scenario(path, check)
			if read(t, path) != before {
				t.Error("the file was written too early")
			}
			if len(out.Diags) > 0 || len(out.Fixed) != tt.fixed {
				t.Fatalf("fixed %v, left %v", out.Fixed, out.Diags)
			}
			if err := out.Write(); err != nil {
				t.Fatal(err)
			}
			got := read(t, path)
			// "2 h" and "2h" are the same.
			if strings.ReplaceAll(got, "2 h\"", "2h\"") != good {
				t.Errorf("the file became\n%s", out.Diff())
			}
			if (out.Diff() == "") != (tt.fixed == 0) {
				t.Errorf("difference\n%s", out.Diff())
			}
			if again := Scenario(path, check); len(again.Fixed) > 0 {
				t.Errorf("a second time fixes %v", again.Fixed)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}
		})
	}
}

func TestFunctionNames(t *testing.T) {
	path := scenario(t, "variable \"limit\" {", "locals {\n  a = uper(\"x\")\n}\n\nvariable \"limit\" {")
	out := Scenario(path, check)
	if len(out.Fixed) != 1 || out.Fixed[0].New != "upper" || len(out.Diags) > 0 {
		t.Errorf("fixed %v, left %v", out.Fixed, out.Diags)
	}
}

// What cannot be repaired stays, with places in the repaired text.
func TestTheRestRemains(t *testing.T) {
	path := scenario(t, "count    = 20", "# About trials.\n\n    cuont    = 20\n    wonderful = 1")
	out := Scenario(path, check)
	if len(out.Fixed) != 1 || len(out.Diags) != 1 || out.Diags[0].Rule != "LANG-unknown-argument" {
		t.Fatalf("fixed %v, left %v", out.Fixed, out.Diags)
	}
	if err := out.Write(); err != nil {
		t.Fatal(err)
	}
	text := read(t, path)
	if at := out.Diags[0].Subject; text[at.Start.Byte:at.End.Byte] != "wonderful" || !strings.Contains(text, "# About trials.") {
		t.Errorf("%v in\n%s", at, text)
	}
}

// Line ends and the byte order mark stay, and places count in what is stored.
func TestLineEndsStay(t *testing.T) {
	path := scenario(t, "count    = 20", "cuont    = 20")
	raw := "\xef\xbb\xbf" + strings.ReplaceAll(read(t, path), "\n", "\r\n")
	if err := os.WriteFile(path, []byte(raw), 0o644); err != nil {
		t.Fatal(err)
	}
	out := Scenario(path, check)
	if err := out.Write(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); got != strings.Replace(raw, "cuont", "count", 1) {
		t.Errorf("the file became %q", got)
	}
	if f := out.Result.Document.Files[0]; string(f.Raw) != read(t, path) {
		t.Error("the document does not know what is stored")
	}
}

func TestChangedMeanwhile(t *testing.T) {
	path := scenario(t, "count    = 20", "cuont    = 20")
	out := Scenario(path, check)
	if err := os.WriteFile(path, []byte("# mine now\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := out.Write(); !errors.Is(err, atomicfile.ErrChanged) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
	if got := read(t, path); got != "# mine now\n" {
		t.Errorf("the file became %q", got)
	}
}

// A scenario of several files is repaired in each, and only there.
func TestSeveralFiles(t *testing.T) {
	dir := filepath.Dir(scenario(t, "count    = 20", "cuont    = 20"))
	for name, text := range map[string]string{"more.fdb.hcl": "locals {\n  a = 'x'\n}\n", "notes.hcl": "locals {\n  a = 'x'\n}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out := Scenario(dir, check)
	if err := out.Write(); err != nil || len(out.Files) != 2 || len(out.Diags) > 0 {
		t.Fatalf("%d files, %v, %v", len(out.Files), out.Diags, err)
	}
	if got := read(t, filepath.Join(dir, "more.fdb.hcl")); got != "locals {\n  a = \"x\"\n}\n" {
		t.Errorf("%q", got)
	}
	if got := read(t, filepath.Join(dir, "notes.hcl")); !strings.Contains(got, "'x'") {
		t.Errorf("a file outside of the scenario became %q", got)
	}
}

func TestNothingToRead(t *testing.T) {
	out := Scenario(filepath.Join(t.TempDir(), "nowhere"), check)
	if !out.Diags.HasErrors() || len(out.Fixed) > 0 || out.Write() != nil || out.Result == nil {
		t.Errorf("%+v", out)
	}
}

// An unused directive is taken out, and one that is of use stays.
func TestDirectives(t *testing.T) {
	path := scenario(t, "count    = 20", "count    = 20 # fdbench:ignore FD-3.3-5 the load is what it is")
	out := Scenario(path, check)
	if len(out.Fixed) != 1 || out.Fixed[0].Rule != "LANG-ignore-unused" || len(out.Diags) > 0 {
		t.Fatalf("fixed %v, left %v", out.Fixed, out.Diags)
	}
	if err := out.Write(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); got != read(t, "../../testdata/base/base.fdb.hcl") {
		t.Errorf("the file became\n%s", got)
	}
}
