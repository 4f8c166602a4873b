package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// entry is a line of a journal, as far as these tests look into it.
type entry struct {
	N    int
	Kind string
	Data struct {
		Kept bool
	}
}

// entries reads what a journal holds so far; a line that is being written is
// left out.
func entries(dir string) []entry {
	b, err := os.ReadFile(filepath.Join(dir, "journal.jsonl"))
	if err != nil {
		return nil
	}
	var list []entry
	for line := range bytes.Lines(b) {
		var e entry
		if bytes.HasSuffix(line, []byte("\n")) && json.Unmarshal(line, &e) == nil {
			list = append(list, e)
		}
	}
	return list
}

// await waits until the journal goes on, after its first n entries, with one
// that is meant. It gives the number of entries then.
func await(t *testing.T, p *program, dir string, n int, most time.Duration, meant func(entry) bool) int {
	t.Helper()
	for deadline := time.Now().Add(most); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		for i, e := range entries(dir) {
			if i >= n && meant(e) {
				return i + 1
			}
		}
		if p.wait(0) {
			t.Fatalf("the run ended with %d:\n%s", p.code(), p.Log())
		}
	}
	t.Fatalf("what was waited for did not come within %v", most)
	return 0
}

func kind(kinds ...string) func(entry) bool {
	return func(e entry) bool { return strings.Contains(" "+strings.Join(kinds, " ")+" ", " "+e.Kind+" ") }
}

// brief is the body of a short series, in which much else happens.
func brief(reason, load, quiet, verification, magnitude string) string {
	return fmt.Sprintf(`  reduced { reason = %[1]q }

  load {
    points         = [%[2]q]
    representative = %[2]q
    because        = { "FD-3.3-4" = "It has to be short.", "FD-3.3-5" = "It has to be short." }
  }

  baseline { interval = "300s" }

  quiet {
    at_least = %[3]q
    at_most  = "3m"
  }

  trials {
    count        = 8
    attempts     = 30
    timeout      = "20 windows"
    verification = %[4]q
  }

  fault "refusals" {
    class      = fault_class.refusal
    magnitudes = [%[5]s]
    profiles   = ["step"]
  }

  false_detection { at_least = "1m" }

  sham { trials = 3 }

`, reason, load, quiet, verification, magnitude)
}

var eventful = brief("It shows what a run survives, and no detector.", "50 req/s", "2s", "4s", "0.4")

// TestFaults lets everything happen to one run that may happen to a run, and
// lets it come to its end.
func TestFaults(t *testing.T) {
	wanted(t, "faults")
	s := newStack(t)
	s.write(refusals(), seriesWindow, true, eventful)
	serve := func() {
		s.engine = ready(t, nil, fdbench(t), "serve", "--listen", s.Engine, "--answers", "template", "--model", "m", "--latency", "first=10ms,token=300us,sigma=0.2")
	}
	serve()
	s.observe()
	s.notify()
	s.watch()
	out := filepath.Join(t.TempDir(), "out")
	begin := func() *program { return start(t, nil, fdbench(t), "run", s.dir, "--out", out) }
	x := table{head: []string{"what happened", "when", "entries before", "what the journal says next"}}
	p := begin()
	n := 0
	happened := func(what, when string, from int) {
		var next []string
		for i, e := range entries(out) {
			if i >= from && len(next) < 6 {
				next = append(next, e.Kind)
			}
		}
		x.add(what, when, from, strings.Join(next, ", "))
	}
	killed := func(when string) {
		before := len(entries(out))
		p.signal(syscall.SIGKILL)
		<-p.done
		p = begin()
		await(t, p, out, before, 10*time.Minute, kind("segment", "trial", "baseline", "commit"))
		happened("the harness was killed", when, before)
		n = before
	}

	// What is not synced yet cannot be seen here; an interval of five minutes
	// has begun after one.
	time.Sleep(time.Minute)
	killed("in the Baseline Interval")

	n = await(t, p, out, n, 10*time.Minute, kind("apply"))
	time.Sleep(300 * time.Millisecond)
	killed("with a fault applied")

	n = await(t, p, out, n, 5*time.Minute, kind("trial"))
	time.Sleep(time.Second)
	killed("between two trials")

	n = await(t, p, out, n, 5*time.Minute, kind("apply"))
	s.engine.signal(syscall.SIGKILL)
	<-s.engine.done
	time.Sleep(3 * time.Second)
	serve()
	at := n
	n = await(t, p, out, n, 5*time.Minute, kind("trial"))
	happened("the deployment died in mid-stream and came back after 3 s", "with a fault applied", at)

	n = await(t, p, out, n, 5*time.Minute, kind("trial"))
	s.prometheus.stop()
	s.watch()
	at = n
	n = await(t, p, out, n, 10*time.Minute, kind("trial"))
	happened("Prometheus was restarted", "between two trials", at)

	s.alertmanager.stop()
	time.Sleep(2 * time.Minute)
	s.notify()
	at = n
	n = await(t, p, out, n, 10*time.Minute, kind("trial"))
	happened("Alertmanager was away for two minutes", "between two trials", at)

	storm(t, s, 10000)
	at = n
	n = await(t, p, out, n, 10*time.Minute, kind("trial"))
	happened("10,000 alerts came to the receiver", "between two trials", at)

	for deadline := time.Now().Add(20 * time.Minute); !strings.Contains(p.Log(), "false detection"); time.Sleep(time.Second) {
		if time.Now().After(deadline) || p.wait(0) {
			t.Fatalf("the false-detection observation did not begin: %s", p.Log())
		}
	}
	time.Sleep(5 * time.Second)
	killed("in the false-detection observation")

	if !p.wait(20 * time.Minute) {
		t.Fatal("the run did not come to its end")
	}
	kept, kinds := 0, map[string]int{}
	for _, e := range entries(out) {
		kinds[e.Kind]++
		if e.Kind == "trial" && e.Data.Kept {
			kept++
		}
	}
	if p.code() != 0 {
		t.Errorf("exit code %d\n%s", p.code(), p.Log())
	}
	if kept < 8 {
		t.Errorf("%d trials were kept, want 8", kept)
	}
	text, errs, code := run(t, time.Minute, nil, fdbench(t), "verify", out)
	if code != 0 {
		t.Errorf("verify: %s%s", text, errs)
	}
	report, _, _ := run(t, time.Minute, nil, fdbench(t), "report", out)
	publish(t, "live-faults.md", fmt.Sprintf("What happened to one run, which ended with exit code %d and %d trials kept. What a kill left unfinished is cut, and repeated. Entries by kind: %v.\n\n%s\n```\n%s```\n", p.code(), kept, kinds, x.String(), report))
}

// storm sends alerts of other rules to the receiver, a hundred in a payload, as
// an Alertmanager does that has much to say.
func storm(t *testing.T, s *stack, alerts int) {
	t.Helper()
	const each = 100
	for i := 0; i < alerts; i += each {
		var list []map[string]any
		for k := range each {
			list = append(list, map[string]any{"status": "firing", "labels": map[string]string{"alertname": "Other", "instance": fmt.Sprint(i + k)},
				"annotations": map[string]string{}, "startsAt": time.Now().Format(time.RFC3339Nano), "endsAt": "0001-01-01T00:00:00Z", "generatorURL": "http://127.0.0.1/", "fingerprint": fmt.Sprintf("%016x", i+k)})
		}
		body, err := json.Marshal(map[string]any{"version": "4", "groupKey": fmt.Sprintf("{}:{i=%d}", i), "truncatedAlerts": 0, "status": "firing", "receiver": "harness",
			"groupLabels": map[string]string{"alertname": "Other"}, "commonLabels": map[string]string{}, "commonAnnotations": map[string]string{}, "externalURL": "http://127.0.0.1/", "alerts": list})
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.Post("http://"+s.Receiver+"/alerts", "application/json", bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Errorf("the receiver answers a storm with %d", resp.StatusCode)
			return
		}
	}
}

// TestFullDiskLive runs into the end of a small file system, and goes on when
// there is room.
func TestFullDiskLive(t *testing.T) {
	wanted(t, "faults")
	s := newStack(t)
	s.write(refusals(), seriesWindow, true, eventful)
	s.serve()
	s.observe()
	s.notify()
	s.watch()
	disk := t.TempDir()
	// The mount lives in a namespace of its own and ends with its process.
	script := `mount -t tmpfs -o size=32k tmpfs "$3" || exit 99
"$1" run "$2" --out "$3/out" 2>&1 >/dev/null; echo "code $?"
mount -o remount,size=64m "$3" || exit 99
timeout -s INT 20 "$1" run "$2" --out "$3/out" 2>&1 >/dev/null; echo "code $?"`
	var out []byte
	var err error
	for _, flags := range []string{"-m", "-rm"} {
		cmd := exec.CommandContext(t.Context(), "unshare", flags, "sh", "-c", script, "sh", fdbench(t), s.dir, disk)
		// The shell's own children end with it.
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
		if out, err = cmd.CombinedOutput(); err == nil {
			break
		}
	}
	if err != nil {
		t.Skipf("a small file system cannot be mounted here: %v %s", err, bytes.TrimSpace(out))
	}
	for _, want := range []string{"code 1\n", "no space left on device", "interrupted;"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the output lacks %q:\n%s", want, out)
		}
	}
	publish(t, "live-full-disk.txt", string(out))
}
