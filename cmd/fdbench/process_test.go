package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// program is the test binary under the name by which TestMain knows that it is
// to be fdbench.
func program(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "fdbench")
	if err := os.Symlink(self, link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	return link
}

// outputs are the files of a run that must not depend on how it went.
var outputs = []string{"plan.json", "journal.jsonl", "result.json", "report.md", "latency.csv", "coverage.csv", "threshold.csv", "false_detection.csv"}

func read(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, name := range outputs {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(b)
	}
	return files
}

// same compares two runs and names the first line that differs.
func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for _, name := range outputs {
		if got[name] == want[name] {
			continue
		}
		g, w := strings.Split(got[name], "\n"), strings.Split(want[name], "\n")
		for i := range min(len(g), len(w)) {
			if g[i] != w[i] {
				t.Fatalf("%s: %s differs at line %d:\n got %.200s\nwant %.200s", what, name, i+1, g[i], w[i])
			}
		}
		t.Fatalf("%s: %s has %d lines, want %d", what, name, len(g), len(w))
	}
}

func scenarioCopy(t *testing.T, from string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), filepath.Base(from))
	if err := copyFolder(from, dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func runProgram(t *testing.T, bin, scenario, out string, env ...string) {
	t.Helper()
	cmd := exec.Command(bin, "run", scenario, "--out", out)
	cmd.Env = append(os.Environ(), env...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("run: %v\n%s", err, errs.String())
	}
}

// TestResumeAfterKill kills the program at random instants and lets it go on,
// until it has come to its end to the bytes of a run that nobody disturbed.
// FDBENCH_KILLS says how often; many kills are spread over a larger scenario.
func TestResumeAfterKill(t *testing.T) {
	kills, from := 6, "testdata/base"
	if v := os.Getenv("FDBENCH_KILLS"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil {
			t.Fatal(err)
		}
		kills = n
		if n > 20 {
			from = "../../scenarios/quickstart"
		}
	}
	bin := program(t)
	whole := t.TempDir()
	begin := time.Now()
	scenario := scenarioCopy(t, from)
	runProgram(t, bin, scenario, whole)
	length := time.Since(begin)
	want := read(t, whole)
	lock := readLockOf(t, scenario)

	const perRun = 4
	tries, landed := 0, 0
	for landed < kills && tries < 5*kills {
		scenario, out := scenarioCopy(t, from), filepath.Join(t.TempDir(), "out")
		for range perRun {
			tries++
			if landed == kills || !kill(t, bin, scenario, out, time.Duration(rand.Int64N(int64(length)))) {
				break // it came to its end before the kill
			}
			landed++
		}
		runProgram(t, bin, scenario, out)
		same(t, "after kills", read(t, out), want)
		if got := readLockOf(t, scenario); got != lock {
			t.Fatalf("the lock differs:\n%s\nwant\n%s", got, lock)
		}
		left, err := filepath.Glob(filepath.Join(out, ".tmp-*"))
		if err != nil || len(left) > 0 {
			t.Errorf("left behind: %v %v", left, err)
		}
	}
	t.Logf("%d kills met a running program, in %d tries; the undisturbed run took %v", landed, tries, length)
	if landed < kills {
		t.Errorf("only %d of %d kills met a running program", landed, kills)
	}
}

// kill runs the program and ends it with SIGKILL after a time. It tells
// whether the program was still running.
func kill(t *testing.T, bin, scenario, out string, after time.Duration) bool {
	t.Helper()
	cmd := exec.Command(bin, "run", scenario, "--out", out)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	_ = cmd.Process.Kill()
	err := cmd.Wait()
	var e *exec.ExitError
	return errors.As(err, &e) && e.Sys().(syscall.WaitStatus).Signaled()
}

func readLockOf(t *testing.T, scenario string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(scenario, filepath.Base(scenario)+".fdb.lock"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestInterrupt sends SIGINT: the program says how to go on, and goes on.
func TestInterrupt(t *testing.T) {
	bin, scenario, out := program(t), scenarioCopy(t, "testdata/base"), filepath.Join(t.TempDir(), "out")
	begin := time.Now()
	runProgram(t, bin, scenario, t.TempDir())
	length := time.Since(begin)
	for try := range 20 {
		cmd := exec.Command(bin, "run", scenario, "--out", out)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(length / time.Duration(try+2))
		_ = cmd.Process.Signal(os.Interrupt)
		err := cmd.Wait()
		var e *exec.ExitError
		if !errors.As(err, &e) || e.ExitCode() != exitInterrupted {
			// The signal came before the program listened, or after its end.
			if err := os.RemoveAll(out); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if !strings.Contains(errs.String(), "interrupted;") || !strings.Contains(errs.String(), "the same command goes on") {
			t.Errorf("standard error does not say how to go on:\n%s", errs.String())
		}
		runProgram(t, bin, scenario, out)
		return
	}
	t.Error("no interrupt met a running program")
}

// TestSameBytesEverywhere runs a scenario under other numbers of processors,
// time zones, locales, folders and line ends.
func TestSameBytesEverywhere(t *testing.T) {
	bin := program(t)
	for _, from := range []string{"testdata/base", "../../scenarios/reduced"} {
		out := t.TempDir()
		runProgram(t, bin, scenarioCopy(t, from), out, "GOMAXPROCS=1", "TZ=UTC", "LC_ALL=C")
		want := read(t, out)
		for _, env := range [][]string{
			{"GOMAXPROCS=2"},
			{"GOMAXPROCS=7"},
			{"TZ=Asia/Kathmandu"},
			{"LC_ALL=tr_TR.UTF-8", "LANG=tr_TR.UTF-8"},
			{"GOGC=20"},
		} {
			out := t.TempDir()
			runProgram(t, bin, scenarioCopy(t, from), out, env...)
			same(t, strings.Join(env, " "), read(t, out), want)
		}
		crlf := scenarioCopy(t, from)
		files, err := filepath.Glob(filepath.Join(crlf, "*.fdb.hcl"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no scenario files: %v", err)
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(f, bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		out = t.TempDir()
		runProgram(t, bin, crlf, out)
		same(t, "a checkout with CRLF", read(t, out), want)
	}
}

// TestFullDisk runs into the end of a small file system: one message, exit code
// 1, and the same command goes on when there is room.
func TestFullDisk(t *testing.T) {
	bin, scenario, disk := program(t), scenarioCopy(t, "testdata/base"), t.TempDir()
	// The mount lives in a namespace of its own and ends with its process. The
	// folder that is full becomes one with room before the second run.
	script := `mount -t tmpfs -o size=48k tmpfs "$3" || exit 99
"$1" run "$2" --out "$3/out" 2>&1 >/dev/null; echo "code $?"
mount -o remount,size=64m "$3" || exit 99
"$1" run "$2" --out "$3/out" 2>&1 >/dev/null; echo "code $?"
"$1" verify "$3/out"; echo "code $?"`
	var out []byte
	var err error
	for _, flags := range []string{"-m", "-rm"} {
		out, err = exec.Command("unshare", flags, "sh", "-c", script, "sh", bin, scenario, disk).CombinedOutput()
		if err == nil {
			break
		}
	}
	if err != nil {
		t.Skipf("a small file system cannot be mounted here: %v %s", err, bytes.TrimSpace(out))
	}
	text := string(out)
	for _, want := range []string{"code 1\n", "no space left on device", "make room, and run the same command again", "as they were made", "code 0\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the output lacks %q:\n%s", want, text)
		}
	}
	if n := strings.Count(text, "Error:"); n != 1 {
		t.Errorf("%d errors, want 1:\n%s", n, text)
	}
}
