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
				if code != exitDone || !strings.Contains(out, ": no errors") || strings.Contains(out, "Warning") {
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
			pasted(t, filepath.Join("../../scenarios", name, "README.md"), out)
			if name == "quickstart" {
				pasted(t, "../../README.md", shorten(out))
			}
		})
	}
}

const (
	fenceOpen  = "<!-- what it prints -->\n```text\n"
	fenceClose = "```\n<!-- end -->\n"
)

// between finds the marked text of a page.
func between(t *testing.T, page string) (before, text, after string) {
	t.Helper()
	before, rest, ok := strings.Cut(page, fenceOpen)
	text, after, end := strings.Cut(rest, fenceClose)
	if !ok || !end {
		t.Fatalf("the page has no text between %q and %q", fenceOpen, fenceClose)
	}
	return before, text, after
}

// pasted demands that a page shows an output as it is.
func pasted(t *testing.T, path, out string) {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, text, after := between(t, string(page))
	if text == out {
		return
	}
	if *update {
		if err := os.WriteFile(path, []byte(before+fenceOpen+out+fenceClose+after), 0o644); err != nil {
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
