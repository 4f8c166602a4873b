package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fdbench/fdbench/runtime/reuse/manifest"
)

// kills is how often a program is to be killed: FDBENCH_KILLS, or few times.
func kills(t *testing.T, few int) int {
	t.Helper()
	v := os.Getenv("FDBENCH_KILLS")
	if v == "" {
		return few
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// reuseScenario writes a scenario with a manifest of so many items, every
// fourth of them a control, and returns its folder.
func reuseScenario(t *testing.T, text string, items, words int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "rag")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	prose := func(of int) string {
		var b strings.Builder
		for w := range words {
			fmt.Fprintf(&b, "document%d says%d ", of, w)
		}
		return b.String()
	}
	var b []byte
	for i := range items {
		it := &manifest.Item{ItemID: fmt.Sprint("item-", i), Dataset: "d", SourceID: fmt.Sprint("source-", i), Transform: "instruction_variant",
			Recipient: "Read this with care. " + prose(i), Donors: []manifest.Donor{{DonorID: fmt.Sprint("donor-", i), Text: prose(i), Label: "base_prompt"}}}
		if i%4 == 3 {
			it.Transform, it.Control, it.Donors[0].Text = "negative_control", true, prose(items+i)
			it.Metadata = map[string]json.RawMessage{"negative_source_id": json.RawMessage(`"another"`)}
		}
		var err error
		if b, err = manifest.Append(b, it); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range map[string][]byte{"rag.fdb.hcl": []byte(text), "manifest.jsonl": b} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// everything is what a folder holds, by name.
func everything(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(b)
	}
	return files
}

// killed runs a command, ends it with SIGKILL after a time, and tells whether
// it was still running.
func killed(t *testing.T, after time.Duration, args ...string) bool {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	_ = cmd.Process.Kill()
	err := cmd.Wait()
	var e *exec.ExitError
	return errors.As(err, &e) && e.Sys().(syscall.WaitStatus).Signaled()
}

func done(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", args[1:], err, errs.String())
	}
}

// campaign kills runs of a scenario, a few times each, and hands what each came
// to to check.
func campaign(t *testing.T, want int, length time.Duration, fresh func() (args []string, out string), check func(out string)) {
	t.Helper()
	const perRun = 4
	tries, landed := 0, 0
	for landed < want && tries < 6*want {
		args, out := fresh()
		for range perRun {
			tries++
			if landed == want || !killed(t, time.Duration(rand.Int64N(int64(length))), args...) {
				break // it came to its end before the kill
			}
			landed++
		}
		done(t, args...)
		check(out)
		done(t, args[0], "verify", out)
		if left, err := filepath.Glob(filepath.Join(out, ".tmp-*")); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v %v", left, err)
		}
	}
	t.Logf("%d kills met a running program, in %d tries; the undisturbed run took %v", landed, tries, length)
	if landed < want {
		t.Errorf("only %d of %d kills met a running program", landed, want)
	}
}

const offlineReuse = `fdbench { language = 1 }

reuse "rag" {
  manifest   = "manifest.jsonl"
  block_size = 7

  planner "span" {
    min_run = 9
  }
}

gate "controls stay cold" {
  on        = reuse.rag
  condition = "negative_control_semantic_eligible_rate <= 0.01 and all(requests, .exact_hit_blocks <= .total_blocks)"
}
`

// TestResumeReuseOffline kills the run of a manifest at random instants and
// lets it go on, to the bytes of a run that nobody disturbed, its lock too.
func TestResumeReuseOffline(t *testing.T) {
	bin := program(t)
	scenario := reuseScenario(t, offlineReuse, 1500, 200)
	whole := filepath.Join(t.TempDir(), "whole")
	begin := time.Now()
	done(t, bin, "run", scenario, "--out", whole)
	length := time.Since(begin)
	want, lock := everything(t, whole), readLockOf(t, scenario)
	if len(want) < 6 {
		t.Fatalf("a run leaves %d files", len(want))
	}
	var copied string
	campaign(t, kills(t, 6), length, func() ([]string, string) {
		copied = scenarioCopy(t, scenario)
		out := filepath.Join(t.TempDir(), "out")
		return []string{bin, "run", copied, "--out", out}, out
	}, func(out string) {
		got := everything(t, out)
		for name := range maps.Keys(want) {
			if got[name] != want[name] {
				t.Fatalf("after kills %s is another one (%d bytes, want %d)", name, len(got[name]), len(want[name]))
			}
		}
		if len(got) != len(want) {
			t.Fatalf("after kills there are %d files, want %d", len(got), len(want))
		}
		if got := readLockOf(t, copied); got != lock {
			t.Fatalf("the lock differs:\n%s\nwant\n%s", got, lock)
		}
	})
}

const liveReuse = `fdbench { language = 1 }

variable "at" {
  type = string
}

reuse "rag" {
  manifest   = "manifest.jsonl"
  block_size = 16

  planner "span" {
    min_run = 16
  }

  live "openai" {
    base_url      = "http://${var.at}"
    engine        = "vllm"
    model         = "m"
    reset         = "http://${var.at}/flush_cache"
    metrics       = "http://${var.at}/metrics"
    hit_threshold = "16 tokens"
    max_tokens    = 8
    warmup        = 1
  }

  evidence "vllm" {
    log = "vllm.log"
  }
}

gate "cold arms were cold" {
  on        = reuse.rag
  condition = "pairs_contaminated == 0 and pairs_unchecked == 0 and hit_rate == 1 and materialized_requests >= 1"
  at_least  = { pairs_used = 24 }
}
`

// serving starts a deployment that reuses what it is asked to, and returns its
// address.
func serving(t *testing.T, bin, log string) string {
	t.Helper()
	cmd := exec.Command(bin, "serve", "--listen", "127.0.0.1:0", "--answers", "extract", "--model", "m", "--reuse", "semantic", "--tokenizer", "stable",
		"--cache", "1000", "--flush-open", "--engine-log", log, "--latency", "first=2ms,prefill=2us")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the deployment does not begin: %v", err)
	}
	_, at, _ := strings.Cut(line, "address=")
	at, _, _ = strings.Cut(at, " ")
	return strings.TrimSpace(at)
}

// timeless is a result without what another run of the same plan measures
// otherwise: times, their intervals, and how often the engine was asked in all.
func timeless(t *testing.T, out string) map[string]any {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(out, "result.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r map[string]any
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatal(err)
	}
	pairs := r["paired"].(map[string]any)
	for name, v := range pairs {
		if i, ok := v.(map[string]any); ok && i["n"] != nil {
			pairs[name] = i["n"]
		} else if strings.HasPrefix(name, "ttft_") || strings.HasSuffix(name, "_deviation") {
			pairs[name] = v != nil
		}
	}
	for _, e := range r["evidence"].([]any) {
		delete(e.(map[string]any), "summary")
	}
	confirmed := r["confirmation"].(map[string]any)
	for _, name := range []string{"engine_semantic_hits", "materialization_events", "materialized_tokens"} {
		delete(confirmed, name)
	}
	extra := r["supplementary"].(map[string]any)
	delete(extra, "engine_counters")
	return r
}

// TestResumeReuseLive kills a run that sends requests. What it comes to is what
// a run that nobody disturbed comes to, but for the times: every pair once, all
// cold arms cold, and of an engine's log that holds the requests of the killed
// ones too, its own.
func TestResumeReuseLive(t *testing.T) {
	bin := program(t)
	scenario := reuseScenario(t, liveReuse, 24, 60)
	log := filepath.Join(t.TempDir(), "vllm.log")
	at := "at=" + serving(t, bin, log)
	fresh := func() ([]string, string) {
		to := scenarioCopy(t, scenario)
		if err := os.Symlink(log, filepath.Join(to, "vllm.log")); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
		out := filepath.Join(t.TempDir(), "out")
		return []string{bin, "run", to, "--out", out, "--var", at}, out
	}
	args, out := fresh()
	begin := time.Now()
	done(t, args...)
	length := time.Since(begin)
	want := timeless(t, out)
	campaign(t, kills(t, 6), length, fresh, func(out string) {
		if d := cmp.Diff(want, timeless(t, out)); d != "" {
			t.Fatalf("after kills the result is another one:\n%s", d)
		}
	})
}
