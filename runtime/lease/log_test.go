package lease

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/runtime/live/driver"
)

// TestNotes bounds what a watchdog tells in a day of failing.
func TestNotes(t *testing.T) {
	var b strings.Builder
	n := newNotes(&b)
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	n.now = func() time.Time { return now }
	for range 1000 { // every five seconds for more than an hour
		n.tell("not removed yet: %v", errors.New("status 503\x1b[2J"))
		now = now.Add(5 * time.Second)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 9 || lines[0] != "2026-03-04T05:06:07Z not removed yet: status 503 [2J" {
		t.Errorf("%d lines: %q", len(lines), lines[0])
	}
	for i := range 20_000 {
		n.tell("not removed yet: %d", i)
	}
	if len(b.String()) > longestLog+100 || strings.Count(b.String(), "left out") != 1 || !strings.HasSuffix(b.String(), "left out.\n") {
		t.Errorf("%d bytes", len(b.String()))
	}
	newNotes(nil).tell("to nobody")
}

// TestLogBeginsAnew keeps what earlier runs in a folder told, up to a bound.
func TestLogBeginsAnew(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, LogName)
	for _, c := range []struct{ before, after int }{{100, 101}, {longestLog, longestLog + 1}, {longestLog + 1, 1}} {
		if err := os.WriteFile(path, []byte(strings.Repeat("x", c.before)), 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := openLog(dir)
		if err != nil {
			t.Fatal(err)
		}
		f.WriteString("y")
		f.Close()
		if info, err := os.Stat(path); err != nil || info.Size() != int64(c.after) {
			t.Errorf("%d bytes before: %v, %v", c.before, info, err)
		}
	}
	if _, err := openLog(filepath.Join(dir, "none")); err == nil || !strings.Contains(err.Error(), "nowhere to tell") {
		t.Errorf("%v", err)
	}
}

// TestOrderlyEndLeavesNoLog wants the log there while a fault is applied, and
// gone when nothing stands in it.
func TestOrderlyEndLeavesNoLog(t *testing.T) {
	for _, told := range []bool{false, true} {
		s, dir := newToy(t), t.TempDir()
		x, err := New(ctx, s.plan(time.Hour), Options{Record: filepath.Join(dir, RecordName), Watchdog: watchdogLine()})
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Start(ctx, driver.NewClock()); err != nil {
			t.Fatal(err)
		}
		if _, err := x.Apply(ctx, refusals("trial")); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, LogName)
		if !exists(path) {
			t.Error("the watchdog has no log")
		}
		if told {
			if err := os.WriteFile(path, []byte("what went wrong\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := x.Remove(ctx); err != nil {
			t.Fatal(err)
		}
		if err := x.Close(ctx); err != nil {
			t.Fatal(err)
		}
		if exists(path) != told || !exists(dir) {
			t.Errorf("told %t: the log is there: %t", told, exists(path))
		}
	}
}

// TestSweep deletes the folder of a rehearsal and of nothing else, and nothing
// that somebody else put there.
func TestSweep(t *testing.T) {
	for _, c := range []struct {
		name, log, other string
		dir, left        bool
	}{
		{RehearsalPrefix + "1", "", "", false, false},
		{RehearsalPrefix + "2", "failed twice\n", "", false, false},
		{RehearsalPrefix + "3", "failed twice\n", "notes.txt", true, false},
		{"run", "", "", true, false},
		{"run2", "failed twice\n", "", true, true},
	} {
		dir := filepath.Join(t.TempDir(), c.name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{LogName: c.log, c.other: "mine"} {
			if name != "" {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		sweep(dir)
		if exists(dir) != c.dir || exists(filepath.Join(dir, LogName)) != c.left || c.other != "" && !exists(filepath.Join(dir, c.other)) {
			t.Errorf("%+v: folder %t, log %t", c, exists(dir), exists(filepath.Join(dir, LogName)))
		}
	}
}

// TestOutlived gives a deployment the time after which nobody wants a fault.
func TestOutlived(t *testing.T) {
	for _, c := range []struct {
		longest, lease time.Duration
		want           string
	}{
		{0, 30 * time.Second, "0"},
		{10 * time.Minute, 30 * time.Second, "810"}, // two minutes of the call, the trial, one minute, the lease
		{10*time.Minute + 1, 30 * time.Second, "811"},
	} {
		x, err := New(ctx, newToy(t).plan(c.lease), Options{Record: filepath.Join(t.TempDir(), RecordName)})
		if err != nil {
			t.Fatal(err)
		}
		f := refusals("trial")
		f.Longest = int64(c.longest)
		if v, err := x.values(f); err != nil || v.Lease != c.want {
			t.Errorf("%v: %+v, %v", c.longest, v, err)
		}
	}
}
