package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/apparatus/mechanism"
)

var ctx = context.Background()

func sh(script string) []string { return []string{"/bin/sh", "-c", script} }

func made(t *testing.T, apply string, o Options) *Mechanism {
	t.Helper()
	m, err := New(plan.CommandApparatus{Apply: sh(apply), Remove: sh("true"), Check: sh("echo; env | grep ^FDBENCH_ | sort")}, o)
	if err != nil {
		t.Skipf("no shell here: %v", err)
	}
	return m
}

func TestEnvironment(t *testing.T) {
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "FDBENCH_") {
			t.Setenv(name, "") // and back afterwards
			os.Unsetenv(name)
		}
	}
	t.Setenv("FDBENCH_LEVEL", "of an outer run")
	dir := t.TempDir()
	m := made(t, `env | grep ^FDBENCH_ | sort > out; pwd >> out`, Options{Dir: dir})
	v := mechanism.Values{Class: "a b", Magnitude: "0.2", Fraction: "0.5", Level: `{"x": "$HOME; rm"}`, Trial: "t", Lease: "150"}
	if err := m.Apply(ctx, v); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(filepath.Join(dir, "out"))
	where, _ := filepath.EvalSymlinks(dir)
	want := "FDBENCH_CLASS=a b\nFDBENCH_FRACTION=0.5\nFDBENCH_LEASE=150\nFDBENCH_LEVEL={\"x\": \"$HOME; rm\"}\nFDBENCH_MAGNITUDE=0.2\nFDBENCH_TRIAL=t\n" + where + "\n"
	if string(b) != want {
		t.Errorf("%s\nwant\n%s", b, want)
	}
	if d, err := m.Configuration(ctx); err != nil || d != mechanism.Digest([]byte("\n")) {
		t.Errorf("the check program sees values of a fault: %v", err)
	}
}

func TestNewRefuses(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		apply []string
		want  string
	}{{nil, "FD-3.4-3"}, {[]string{""}, "FD-3.4-3"}, {[]string{"fdbench-no-such-program"}, "cannot be run"}, {[]string{"./absent"}, "cannot be run"}, {[]string{plain}, "cannot be run"}} {
		if _, err := New(plan.CommandApparatus{Apply: c.apply, Remove: sh("true"), Check: sh("true")}, Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.apply, err)
		}
	}
	own := filepath.Join(dir, "own.sh")
	if err := os.WriteFile(own, []byte("#!/bin/sh\ntouch ran\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	m, err := New(plan.CommandApparatus{Apply: []string{"./own.sh"}, Remove: sh("true"), Check: sh("true")}, Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Apply(ctx, mechanism.Values{}); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err != nil {
		t.Error(err)
	}
}

func TestErrors(t *testing.T) {
	t.Setenv("FDBENCH_TEST_API_KEY", "hunter22")
	m := made(t, `echo "cannot reach it with $FDBENCH_TEST_API_KEY" >&2; exit 3`, Options{})
	err := m.Apply(ctx, mechanism.Values{})
	var exit *ExitError
	if !errors.As(err, &exit) || exit.Status != "exit status 3" || exit.Output != "cannot reach it with [secret]" {
		t.Errorf("%v", err)
	}
	if strings.Contains(err.Error(), "hunter22") || strings.Contains(err.Error(), "echo") {
		t.Errorf("the error shows a secret or the script: %v", err)
	}
	m = made(t, `i=0; while [ $i -lt 3000 ]; do echo "line $i of very many lines of an error" >&2; i=$((i+1)); done; exit 1`, Options{})
	if err := m.Apply(ctx, mechanism.Values{}); len(err.Error()) > 1000 {
		t.Errorf("an error of %d characters", len(err.Error()))
	}
	bad, newErr := New(plan.CommandApparatus{Apply: sh("true"), Remove: sh("true"), Check: sh("exit 1")}, Options{})
	if newErr != nil {
		t.Fatal(newErr)
	}
	if p := bad.Check(ctx); len(p) != 1 || p[0].Rule != "FD-3.4-3" {
		t.Errorf("%+v", p)
	}
}

func TestTooMuchOutput(t *testing.T) {
	m, err := New(plan.CommandApparatus{Apply: sh("true"), Remove: sh("true"), Check: sh(fmt.Sprintf("head -c %d /dev/zero", MaxOutput+1))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Configuration(ctx); err == nil || !strings.Contains(err.Error(), "MiB") {
		t.Errorf("%v", err)
	}
}

// alive tells whether a process runs; one that nobody waited for does not.
func alive(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	return !strings.HasPrefix(rest, "Z")
}

// TestTimeout stops a program that takes too long, together with what it
// started, and even if both do not want to.
func TestTimeout(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("this system lists no processes under /proc")
	}
	for _, script := range []string{`sleep 60 & echo $! > pid; wait`, `trap "" TERM; sh -c 'trap "" TERM; while true; do sleep 0.1; done' & echo $! > pid; wait; wait; sleep 60`} {
		dir := t.TempDir()
		m := made(t, script, Options{Dir: dir, Timeout: 300 * time.Millisecond})
		begin := time.Now()
		err := m.Apply(ctx, mechanism.Values{})
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "300ms") {
			t.Errorf("%v", err)
		}
		if took := time.Since(begin); took > 3*time.Second {
			t.Errorf("it took %s", took)
		}
		b, _ := os.ReadFile(filepath.Join(dir, "pid"))
		pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			if !alive(pid) {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if alive(pid) {
			t.Errorf("what the program started runs still")
		}
	}
}

// TestLeavesOthersRunning does not wait for what a program leaves behind.
func TestLeavesOthersRunning(t *testing.T) {
	dir := t.TempDir()
	m := made(t, `sleep 3 & echo $! > pid`, Options{Dir: dir})
	begin := time.Now()
	if err := m.Apply(ctx, mechanism.Values{}); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > 2*time.Second {
		t.Errorf("it took %s", took)
	}
	b, _ := os.ReadFile(filepath.Join(dir, "pid"))
	pid, _ := strconv.Atoi(strings.TrimSpace(string(b)))
	if p, err := os.FindProcess(pid); err == nil {
		p.Kill()
	}
}

func TestStarted(t *testing.T) {
	var groups []int
	m := made(t, "true", Options{Started: func(g int) { groups = append(groups, g) }})
	if err := m.Apply(ctx, mechanism.Values{}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Configuration(ctx); err != nil {
		t.Fatal(err)
	}
	if len(groups) != 2 || groups[0] <= 1 || groups[1] != 0 {
		t.Errorf("%v", groups)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if err := m.Apply(canceled, mechanism.Values{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if len(groups) != 2 {
		t.Error("a program was run after the end")
	}
}
