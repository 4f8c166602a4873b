package live

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fdbench/fdbench/runtime/journal"
)

// stepping is the body of a short series whose clock is stepped.
var stepping = brief("It shows what a stepped clock does, and no detector.", "8 req/s", "4s", "20s", "0.8")

const steppingWindow = "2s"

// inside names the variable that tells a test that the kernel under it is its
// own: the folder for what it has to show.
const inside = "FDBENCH_LIVE_KERNEL"

// guest is what the kernel of the test starts first. The file system of the
// machine is its own, to be read only; folders for what is written are in
// memory, except for one.
const guest = `#!/bin/bash
mount -t proc proc /proc && mount -t sysfs sys /sys && mount -t tmpfs -o size=1g tmp /run && ip link set lo up || halt -f
mount -t hostfs -o %[1]q none /mnt || halt -f
cd %[2]q
export HOME=/run TMPDIR=/run PATH=%[3]q FDBENCH_LIVE=clock FDBENCH_LIVE_PROGRAM=%[4]q %[5]s=/mnt
%[6]q -test.run '^TestSteppedClock$' -test.v -test.timeout 45m > /mnt/log 2>&1
echo $? > /mnt/code
halt -f
`

// TestSteppedClock steps the wall clock under a whole deployment, with Debian's
// Prometheus and Alertmanager, while a series runs. The clock of this machine
// is left alone: all of it runs under a kernel of its own, User-Mode Linux.
func TestSteppedClock(t *testing.T) {
	wanted(t, "clock")
	if shown := os.Getenv(inside); shown != "" {
		stepped(t, shown)
		return
	}
	kernel := need(t, "linux.uml", "user-mode-linux")
	need(t, "prometheus", "prometheus")
	need(t, "prometheus-alertmanager", "prometheus-alertmanager")
	shown := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	first := file(t, shown, "init", fmt.Sprintf(guest, shown, here, os.Getenv("PATH"), fdbench(t), inside, self))
	if err := os.Chmod(first, 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, kernel, "mem=2G", "root=/dev/root", "rootfstype=hostfs", "rootflags=/", "ro", "init="+first, "con=null", "con0=fd:0,fd:1", "quiet")
	// The kernel is several processes, which end together.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	console, err := cmd.CombinedOutput()
	log, _ := os.ReadFile(filepath.Join(shown, "log"))
	code, lost := os.ReadFile(filepath.Join(shown, "code"))
	t.Logf("under a kernel of its own:\n%s", log)
	if lost != nil {
		t.Fatalf("the kernel did not come to its end: %v\n%s", err, console)
	}
	if strings.TrimSpace(string(code)) != "0" {
		t.Error("what ran under a kernel of its own failed")
	}
	if page, err := os.ReadFile(filepath.Join(shown, "live-clock.md")); err == nil {
		publish(t, "live-clock.md", string(page))
	}
}

// step sets the wall clock of the kernel under this test.
func step(t *testing.T, by time.Duration) {
	t.Helper()
	to := syscall.NsecToTimeval(time.Now().Add(by).UnixNano())
	if err := syscall.Settimeofday(&to); err != nil {
		t.Fatalf("the clock cannot be set: %v", err)
	}
}

// stepped runs the series.
func stepped(t *testing.T, shown string) {
	s := newStack(t)
	s.interval = "500ms"
	s.write(refusals(), steppingWindow, false, stepping)
	s.serve()
	s.observe()
	s.notify()
	s.watch()
	out := filepath.Join(t.TempDir(), "out")
	p := start(t, nil, fdbench(t), "run", s.dir, "--out", out)
	x := table{head: []string{"step", "when", "after entry"}}
	n, want := 0, 0
	for _, c := range []struct {
		by      time.Duration
		applied bool
	}{{30 * time.Second, true}, {-20 * time.Second, true}, {-time.Minute, false}, {time.Hour, false}, {200 * time.Millisecond, true}} {
		when, wait := "between two trials", time.Second
		if c.applied {
			when, wait = "with a fault applied", 500*time.Millisecond
		}
		n = await(t, p, out, n, 10*time.Minute, kind(map[bool]string{true: "apply", false: "trial"}[c.applied]))
		time.Sleep(wait)
		step(t, c.by)
		x.add(c.by, when, n)
		want++
	}
	if !p.wait(30 * time.Minute) {
		t.Fatal("the run did not come to its end")
	}
	if p.code() != 0 {
		t.Errorf("exit code %d\n%s", p.code(), p.Log())
	}
	text, errs, code := run(t, time.Minute, nil, fdbench(t), "verify", out)
	if code != 0 {
		t.Errorf("verify: %s%s", text, errs)
	}
	report, _, _ := run(t, time.Minute, nil, fdbench(t), "report", out)

	y := table{head: []string{"trial", "kept", "detected", "latency", "received after emission", "told of steps"}}
	told, kept := 0, 0
	for _, r := range trials(t, out) {
		var steps []string
		for _, s := range r.Steps {
			steps = append(steps, time.Duration(s.By).Round(10*time.Millisecond).String())
		}
		told += len(steps)
		latency, after := "", ""
		if r.Kept && r.Purpose == "trials" {
			kept++
		}
		if r.Detected {
			latency, after = sec(time.Duration(r.Latency)), sec(time.Duration(r.Event.At-r.Event.EmittedAt))
		}
		if r.Early > 0 {
			t.Errorf("%s: %d notifications of it are taken for earlier ones", r.Trial, r.Early)
		}
		y.add(r.Trial, r.Kept, r.Detected, latency, after, strings.Join(steps, ", "))
	}
	if told != want || kept != 8 {
		t.Errorf("%d trials were kept, want 8; %d steps are told, want %d", kept, told, want)
	}
	file(t, shown, "live-clock.md", fmt.Sprintf("A series whose wall clock was stepped while it ran, under a kernel of its own.\n\n%s\n%s\n```\n%s```\n", x.String(), y.String(), report))
}

// trials are the trials of a run, sham trials included.
func trials(t *testing.T, dir string) []journal.TrialRecord {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "journal.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var list []journal.TrialRecord
	for line := range bytes.Lines(b) {
		var e struct {
			Kind string
			Data json.RawMessage
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		if e.Kind != journal.KindTrial {
			continue
		}
		var r journal.TrialRecord
		if err := json.Unmarshal(e.Data, &r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}
