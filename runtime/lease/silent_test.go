//go:build unix

package lease

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stopWatchdog stops the watchdog of an apparatus until the test ends, as a debugger
// or a machine without memory would, and gives its process.
func (x *Apparatus) stopWatchdog(t *testing.T) int {
	t.Helper()
	x.state.Lock()
	pid := x.guard.process.Process.Pid
	x.state.Unlock()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Kill(pid, syscall.SIGCONT) })
	return pid
}

func hurry(t *testing.T) {
	a, w := answerTime, tellTime
	answerTime, tellTime = 3*time.Second, 200*time.Millisecond
	t.Cleanup(func() { answerTime, tellTime = a, w })
}

// TestWatchdogStopped stops the watchdog between two faults: another takes its
// place, and what the first one says when it goes on confuses nobody.
func TestWatchdogStopped(t *testing.T) {
	hurry(t)
	s := newToy(t)
	x, _ := begun(t, s.plan(5*time.Second), 3*time.Second)
	apply := func(trial string) {
		t.Helper()
		if _, err := x.Apply(ctx, refusals(trial)); err != nil {
			t.Errorf("%s: %v", trial, err)
		}
		if _, err := x.Remove(ctx); err != nil {
			t.Errorf("%s: %v", trial, err)
		}
	}
	apply("trial 1")
	pid := x.stopWatchdog(t)
	apply("trial 2")
	syscall.Kill(pid, syscall.SIGCONT)
	apply("trial 3")
	apply("trial 4")
	if x.guard.process.Process.Pid == pid {
		t.Error("the watchdog that was stopped is the watchdog still")
	}
	if err := x.Close(ctx); err != nil || s.now() != "normal" || exists(x.o.Record) {
		t.Errorf("%v, %s", err, s.now())
	}
}

// TestLateAnswer: the answer of a watchdog to a fault that was given up is not
// taken for one to the fault after it.
func TestLateAnswer(t *testing.T) {
	hurry(t)
	out, in := io.Pipe()
	defer out.Close()
	go io.Copy(io.Discard, out)
	g := &guard{beats: in, answers: make(chan string, 16)}
	if err := g.arm("one", time.Second); !errors.Is(err, errSilent) {
		t.Errorf("%v", err)
	}
	g.answers <- wordRefused + " one the record is gone"
	g.answers <- wordArmed + " two"
	if err := g.arm("two", time.Second); err != nil {
		t.Errorf("%v", err)
	}
	g.answers <- wordRefused + " three the record is gone"
	if err := g.arm("three", time.Second); err == nil || errors.Is(err, errSilent) || !strings.Contains(err.Error(), "the record is gone") {
		t.Errorf("%v", err)
	}
}

// TestFullPipe: a watchdog that takes nothing in any more does not hold up the
// harness, and another takes its place while the fault is applied.
func TestFullPipe(t *testing.T) {
	hurry(t)
	s := newToy(t)
	x, _ := begun(t, s.plan(time.Minute), 3*time.Second)
	if _, err := x.Apply(ctx, refusals("trial")); err != nil {
		t.Fatal(err)
	}
	pid := x.stopWatchdog(t)
	ended := make(chan error, 1)
	go func() {
		for range 1 << 14 { // more than a pipe holds
			if err := x.Renew(ctx); err != nil {
				ended <- err
				return
			}
		}
		ended <- nil
	}()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		syscall.Kill(pid, syscall.SIGCONT)
		t.Fatal("the harness waits for a watchdog that is stopped")
	}
	x.state.Lock()
	now := x.guard.process.Process.Pid
	x.state.Unlock()
	if now == pid || s.now() != "1.5" {
		t.Errorf("the watchdog is %d as before, or the fault is gone: %s", pid, s.now())
	}
	if _, err := x.Remove(ctx); err != nil || s.now() != "normal" {
		t.Errorf("%v, %s", err, s.now())
	}
}

// TestWatchdogSleeps stops a watchdog for longer than the lease while the
// harness renews: when it goes on it hears that the fault is wanted still.
func TestWatchdogSleeps(t *testing.T) {
	s := newToy(t)
	const lease = 400 * time.Millisecond
	for range 4 {
		x, _ := begun(t, s.plan(lease), 3*time.Second)
		if _, err := x.Apply(ctx, refusals("trial")); err != nil {
			t.Fatal(err)
		}
		pid := x.stopWatchdog(t)
		for i := range 12 {
			if time.Sleep(lease / 4); i == 8 {
				syscall.Kill(pid, syscall.SIGCONT)
			}
			if err := x.Renew(ctx); err != nil {
				t.Fatalf("renewal %d: %v", i, err)
			}
		}
		if s.now() != "1.5" || !exists(x.o.Record) {
			t.Fatal("the watchdog removed a fault that was renewed in time")
		}
		if _, err := x.Remove(ctx); err != nil {
			t.Error(err)
		}
		if got := filepath.Dir(x.o.Record); x.Close(ctx) != nil {
			t.Error(got)
		}
	}
}
