//go:build unix

package lease

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/live/driver"
)

// programs is an apparatus whose deployment is a file.
func programs(dir, apply string) plan.Apparatus {
	sh := func(script string) []string { return []string{"/bin/sh", "-c", script} }
	file := filepath.Join(dir, "config")
	return plan.Apparatus{Name: "files", Kind: "command", Lease: exact.Duration(2 * time.Second), Command: &plan.CommandApparatus{
		Apply: sh(apply + " echo $FDBENCH_CLASS $FDBENCH_LEVEL $FDBENCH_LEASE > " + file), Remove: sh("echo normal > " + file), Check: sh("cat " + file)},
		Levels: []plan.Level{{Class: "json_invalid", Magnitude: exact.MustParse("0.2"), Value: "1.5"}}}
}

func config(t *testing.T, dir string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "config"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestCommand(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "config"), []byte("normal\n"), 0o644)
	x, err := New(ctx, programs(dir, ""), Options{Record: filepath.Join(t.TempDir(), RecordName), Watchdog: watchdogLine(), Confirm: time.Second})
	if err != nil {
		t.Skipf("no shell here: %v", err)
	}
	if err := x.Start(ctx, driver.NewClock()); err != nil {
		t.Fatal(err)
	}
	defer x.Close(ctx)
	if _, err := x.Apply(ctx, refusals("trial")); err != nil {
		t.Fatal(err)
	}
	if got := config(t, dir); got != "json_invalid 1.5 0\n" { // nobody says how long the trial takes
		t.Errorf("%q", got)
	}
	if len(x.Targets()) != 0 {
		t.Errorf("%v", x.Targets())
	}
	if err := x.Close(ctx); err != nil || config(t, dir) != "normal\n" {
		t.Errorf("%v, %q", err, config(t, dir))
	}
}

// TestKilledWhileProgramRuns kills the harness while its apply program is under
// way: the program does not go on and apply the fault when all have left.
func TestKilledWhileProgramRuns(t *testing.T) {
	t.Parallel()
	needProc(t)
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "config"), []byte("normal\n"), 0o644)
	record := filepath.Join(t.TempDir(), RecordName)
	p := newHarness(t, task{Apparatus: programs(dir, "touch "+filepath.Join(dir, "begun")+"; sleep 2.5;"), Record: record})
	p.until("started")
	eventually(t, 5*time.Second, "the program runs", func() bool { return exists(filepath.Join(dir, "begun")) })
	p.c.Process.Kill()
	eventually(t, 4*time.Second, "the record is gone", func() bool { return !exists(record) })
	time.Sleep(2500 * time.Millisecond)
	if got := config(t, dir); got != "normal\n" {
		t.Errorf("the fault came after all: %q", got)
	}
}
