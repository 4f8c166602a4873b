package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"fdbench": main})
}

// TestScript runs the scripts in testdata. Each begins with a copy of the
// scenario testdata/base in $WORK/base and of the repository's examples in
// $WORK/scenarios.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			e.Values[daemonsKey{}] = daemons{}
			if err := copyFolder("testdata/base", filepath.Join(e.WorkDir, "base")); err != nil {
				return err
			}
			return copyFolder("../../scenarios", filepath.Join(e.WorkDir, "scenarios"))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"begin":  begin,
			"edit":   edit,
			"end":    end,
			"flip":   flip,
			"once":   once,
			"repeat": repeatLine,
		},
	})
}

// copyFolder copies the files of a tree, without locks that a run left there.
func copyFolder(from, to string) error {
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if e.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		if strings.HasSuffix(path, ".lock") {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), b, 0o644)
	})
}

// exits runs a command and demands its exit code: "exits 3 fdbench lint base".
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code command...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var e *exec.ExitError
	switch {
	case errors.As(err, &e):
		got = e.ExitCode()
	case err != nil && !errors.Is(err, context.DeadlineExceeded):
		ts.Fatalf("%v", err)
	}
	ts.Logf("[stdout]\n%s[stderr]\n%s", ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// edit replaces a text that stands in a file exactly once.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edit file old new")
	}
	path := ts.MkAbs(args[0])
	b, err := os.ReadFile(path)
	ts.Check(err)
	unescape := strings.NewReplacer(`\n`, "\n")
	old := unescape.Replace(args[1])
	if n := strings.Count(string(b), old); n != 1 {
		ts.Fatalf("%q stands %d times in %s", old, n, args[0])
	}
	ts.Check(os.WriteFile(path, []byte(strings.Replace(string(b), old, unescape.Replace(args[2]), 1)), 0o644))
}

// flip changes one digit in a line of a file, which keeps its JSON valid.
func flip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: flip file line")
	}
	path := ts.MkAbs(args[0])
	b, err := os.ReadFile(path)
	ts.Check(err)
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	lines := strings.SplitAfter(string(b), "\n")
	i := strings.LastIndexAny(lines[n-1], "123456789")
	digit := byte('1')
	if lines[n-1][i] == '1' {
		digit = '2'
	}
	lines[n-1] = lines[n-1][:i] + string(digit) + lines[n-1][i+1:]
	ts.Check(os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644))
}

// once demands that a text stands exactly once in what the last command wrote:
// one mistake gives one message.
func once(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: once stdout|stderr text")
	}
	if n := strings.Count(ts.ReadFile(args[0]), args[1]); n != 1 {
		ts.Fatalf("%q stands %d times in %s", args[1], n, args[0])
	}
}

// repeatLine writes a line many times into a file.
func repeatLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: repeat file count line")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(args[2]+"\n", n)), 0o644))
}
