package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/scripts"
	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
)

var update = flag.Bool("update", false, "write the pages that are made from the program")

// call runs a command line in this process.
func call(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = dispatch(context.Background(), args, terminal.Plain(strings.NewReader(""), &o, &e, nil))
	return code, o.String(), e.String()
}

// slow are the examples that take longer than a few seconds.
var slow = map[string]bool{"prometheus-rules": true, "recorded": true}

// TestScenarios runs every example. Its README shows what it prints. Those of
// running deployments need more than this program, and are only looked at here.
func TestScenarios(t *testing.T) {
	entries, err := os.ReadDir("../../scenarios")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		if !e.IsDir() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			dir := scenarioCopy(t, filepath.Join("../../scenarios", name))
			code, out, errs := call("lint", dir)
			if strings.HasPrefix(name, "live-") {
				if code != exitDone || !strings.Contains(out, ": no errors") && !strings.Contains(out, ": no problems") || strings.Contains(out, "Warning") {
					t.Errorf("lint: code %d\n%s%s", code, out, errs)
				}
				return
			}
			if code != exitDone || !strings.Contains(out, ": no problems") || strings.Contains(out, "Warning") {
				t.Fatalf("lint: code %d\n%s%s", code, out, errs)
			}
			if testing.Short() && slow[name] {
				t.Skip("takes longer than a short test may")
			}
			run := t.TempDir()
			code, out, errs = call("run", dir, "--out", run)
			if code != exitDone {
				t.Fatalf("run: code %d\n%s%s", code, out, errs)
			}
			if code, problems, errs := call("verify", run); code != exitDone {
				t.Errorf("verify: code %d\n%s%s", code, problems, errs)
			}
			pasted(t, filepath.Join("../../scenarios", name, "README.md"), printed, out)
			if name == "quickstart" {
				pasted(t, "../../README.md", printed, shorten(out))
				pasted(t, "../../README.md", compared, studied(t, dir, run))
			}
		})
	}
}

const (
	printed    = "what it prints"
	compared   = "what compare prints"
	fenceClose = "```\n<!-- end -->\n"
)

// fenceOpen begins the marked text of a page.
func fenceOpen(what string) string { return "<!-- " + what + " -->\n```text\n" }

// between finds the marked text of a page.
func between(t *testing.T, page, what string) (before, text, after string) {
	t.Helper()
	before, rest, ok := strings.Cut(page, fenceOpen(what))
	text, after, end := strings.Cut(rest, fenceClose)
	if !ok || !end {
		t.Fatalf("the page has no text between %q and %q", fenceOpen(what), fenceClose)
	}
	return before, text, after
}

// pasted demands that a page shows an output as it is.
func pasted(t *testing.T, path, what, out string) {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, text, after := between(t, string(page), what)
	if text == out {
		return
	}
	if *update {
		if err := os.WriteFile(path, []byte(before+fenceOpen(what)+out+fenceClose+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s shows another output; run \"make generate\"", path)
}

// shorten is what the README at the top shows of the quickstart: what the run
// may be called, and one load.
func shorten(out string) string {
	var b strings.Builder
	shown := true
	for _, line := range strings.SplitAfter(out, "\n") {
		if strings.HasPrefix(line, "21.5 req/s") {
			shown = true
		}
		if shown {
			b.WriteString(line)
		}
		if shown && line == "\n" {
			shown = false
			b.WriteString("...\n\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// studied is what the README shows of a study: the quickstart with a limit of
// 0.12 in place of 0.10, at one load.
func studied(t *testing.T, dir, before string) string {
	t.Helper()
	path := filepath.Join(dir, "quickstart.fdb.hcl")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(b), "above         = 0.10", "above         = 0.12", 1)
	if changed == string(b) {
		t.Fatal("the quickstart has no limit of 0.10")
	}
	if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	after := t.TempDir()
	if code, out, errs := call("run", dir, "--new-series", "--out", after); code != exitDone {
		t.Fatalf("run: code %d\n%s%s", code, out, errs)
	}
	code, out, errs := call("compare", before, after, "--study", "detector")
	if code != exitDone {
		t.Fatalf("compare: code %d\n%s%s", code, out, errs)
	}
	_, table, _ := strings.Cut(out, "Detection Latency, over detected trials\n")
	table, _, _ = strings.Cut(table, "\n\n")
	shown := "Detection Latency, over detected trials\n"
	load := ""
	for i, line := range strings.SplitAfter(table, "\n") {
		if strings.HasSuffix(strings.TrimSpace(line), "req/s") {
			load = strings.TrimSpace(line)
		}
		at := load == "21.5 req/s" && (strings.HasSuffix(strings.TrimSpace(line), "req/s") ||
			strings.Contains(line, " refusal ") && strings.Contains(line, " step ") && !strings.Contains(line, "+0.05"))
		if i == 0 || at {
			shown += line
		}
	}
	return shown
}

// TestCommandReference keeps spec/commands.md.
func TestCommandReference(t *testing.T) {
	parser, err := newParser(new(commandLine), terminal.Plain(nil, nil, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	want := scripts.Reference(parser.Model, exitCodes())
	const path = "../../spec/commands.md"
	have, err := os.ReadFile(path)
	if err == nil && bytes.Equal(have, want) {
		return
	}
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s is out of date; run \"make generate\"", path)
}

// What is compiled and measured gets its report: fewer load points with their
// reason beside them, and no block that asks for a reduced series.
func TestFewerLoadPointsAreReported(t *testing.T) {
	b, err := os.ReadFile("testdata/base/base.fdb.hcl")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(b), `    points         = "0.5..50 req/s in 4 log steps"
    representative = "10.8 req/s"
`, `    points         = ["10 req/s"]
    representative = "10 req/s"
    because = {
      "FD-3.3-4" = "the machine takes one load"
      "FD-3.3-5" = "the machine takes one load"
    }
`, 1)
	if text == string(b) {
		t.Fatal("the fixture has another load block")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "base.fdb.hcl"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	if code, printed, errs := call("run", dir, "--out", out); code != exitDone || !strings.Contains(printed, "load points: 1 instead of 4") {
		t.Fatalf("run: code %d\n%s%s", code, printed, errs)
	}
	if code, printed, errs := call("verify", out); code != exitDone {
		t.Errorf("verify: code %d\n%s%s", code, printed, errs)
	}
}
