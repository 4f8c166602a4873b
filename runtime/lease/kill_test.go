//go:build unix

package lease

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fdbench/fdbench/runtime/deployment"
	"github.com/fdbench/fdbench/runtime/listen"
)

const adminToken = "token-of-the-test-deployment"

// site is a deployment with faults of its own.
type site struct {
	*httptest.Server
	mu      sync.Mutex
	applies int
	removes int
	failing int           // further remove calls that fail
	down    bool          // remove calls fail until it is up again
	reached chan string   // the call that is being held
	hold    string        // "before apply", "after apply", "before remove", "after remove", "check"
	then    string        // hold, once a fault is applied
	release chan struct{} // lets it go on
}

func newSite(t testing.TB) *site {
	t.Helper()
	os.Setenv(keyVariable, adminToken)
	d := deployment.New(deployment.Options{Engine: deployment.Template("lease", 1), Model: "m", Admin: adminToken})
	s := &site{reached: make(chan string, 1), release: make(chan struct{})}
	inner := listen.Server(d.Handler()).Handler
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			s.stop("check")
			inner.ServeHTTP(w, r)
			return
		}
		b, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(b))
		kind := "apply"
		if string(b) == "{}" {
			kind = "remove"
		}
		s.stop("before " + kind)
		s.mu.Lock()
		fail := kind == "remove" && (s.failing > 0 || s.down)
		if kind == "apply" {
			s.applies++
			s.hold, s.then = s.hold+s.then, ""
		} else {
			s.removes++
			s.failing--
		}
		s.mu.Unlock()
		if fail {
			http.Error(w, "no room for "+r.Header.Get("Authorization"), http.StatusServiceUnavailable)
			return
		}
		answer := httptest.NewRecorder()
		inner.ServeHTTP(answer, r)
		s.stop("after " + kind)
		w.WriteHeader(answer.Code)
		w.Write(answer.Body.Bytes())
	}))
	t.Cleanup(func() {
		s.Server.CloseClientConnections()
		s.Close()
	})
	return s
}

// stop holds the first call at a point until it is released.
func (s *site) stop(point string) {
	s.mu.Lock()
	held := s.hold == point
	if held {
		s.hold = ""
	}
	s.mu.Unlock()
	if held {
		s.reached <- point
		<-s.release
	}
}

func (s *site) set(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// defaults are what the deployment says of itself.
func (s *site) defaults(t *testing.T) string {
	t.Helper()
	r, _ := http.NewRequest("GET", s.URL+"/admin/defaults", nil)
	r.Header.Set("Authorization", "Bearer "+adminToken)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	b, _ := io.ReadAll(answer.Body)
	return string(b)
}

// process is a harness in a process of its own.
type process struct {
	t     *testing.T
	c     *exec.Cmd
	stdin io.WriteCloser
	lines chan string
}

func newHarness(t *testing.T, x task) *process {
	t.Helper()
	b, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, c: exec.Command(os.Args[0]), lines: make(chan string, 64)}
	p.c.Env = append(os.Environ(), roleVariable+"=harness", taskVariable+"="+string(b))
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	p.c.Stderr = log
	p.c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.stdin, _ = p.c.StdinPipe()
	out, _ := p.c.StdoutPipe()
	if err := p.c.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			p.lines <- s.Text()
		}
	}()
	t.Cleanup(func() {
		p.c.Process.Kill()
		p.c.Wait()
		log.Close()
		if b, _ := os.ReadFile(log.Name()); len(b) > 0 && t.Failed() {
			t.Logf("the processes said:\n%s", b)
		}
		eventually(t, 10*time.Second, "no watchdog is left", func() bool { return len(watchdogs(x.Record)) == 0 })
	})
	return p
}

// until waits for a line that begins so.
func (p *process) until(prefix string) string {
	p.t.Helper()
	limit := time.After(20 * time.Second)
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				p.t.Fatalf("the harness ended before it said %q", prefix)
			}
			if strings.HasPrefix(line, prefix) {
				return line
			}
			if strings.HasPrefix(line, "failed:") {
				p.t.Fatalf("%s", line)
			}
		case <-limit:
			p.t.Fatalf("the harness did not say %q", prefix)
		}
	}
}

// watchdogs are the processes that watch over a Record.
func watchdogs(record string) []int {
	var out []int
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		b, _ := os.ReadFile(f)
		args := strings.Split(strings.TrimRight(string(b), "\x00"), "\x00")
		if len(args) == 2 && args[0] == os.Args[0] && args[1] == record {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(f)))
			out = append(out, pid)
		}
	}
	return out
}

// lateBy is how long after a remove call an apply call comes through that was
// made before it: at once, so that the first look already sees it, or later.
var lateBy = map[string]time.Duration{"before apply": time.Nanosecond, "long before apply": 300 * time.Millisecond}

// TestKilled kills the harness in each phase. The fault is gone within the
// lease, or a second after the call that was under way came through, and
// stays away.
func TestKilled(t *testing.T) {
	needProc(t)
	const lease = 2 * time.Second
	for _, phase := range []string{"started", "before apply", "long before apply", "after apply", "check", "applied", "before remove", "after remove"} {
		t.Run(phase, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			record := filepath.Join(t.TempDir(), RecordName)
			baseline := s.defaults(t)
			s.set(func() {
				if s.hold = strings.TrimPrefix(phase, "long "); phase == "check" {
					s.hold, s.then = "", phase
				}
			})
			p := newHarness(t, task{Apparatus: defaultsApparatus(s.URL, lease), Record: record})
			p.until("started")
			switch phase {
			case "before apply", "long before apply", "after apply", "check":
				<-s.reached
			case "applied":
				p.until("applied")
			case "before remove", "after remove":
				p.until("applied")
				io.WriteString(p.stdin, "remove\n")
				<-s.reached
			}
			if phase != "started" && !exists(record) {
				t.Error("no record of the fault")
			}
			syscall.Kill(-p.c.Process.Pid, syscall.SIGKILL) // and its group, as a terminal or a supervisor would
			killed := time.Now()
			if after := lateBy[phase]; after > 0 { // the call comes through when its fault was removed already
				eventually(t, lease, "a remove call", func() bool {
					s.mu.Lock()
					defer s.mu.Unlock()
					return s.removes > 0
				})
				time.Sleep(after)
			}
			close(s.release)
			eventually(t, lease+3*time.Second, "the fault is gone", func() bool { return s.defaults(t) == baseline && !exists(record) })
			took := time.Since(killed)
			eventually(t, 5*time.Second, "the watchdog ends", func() bool { return len(watchdogs(record)) == 0 })
			if got := s.defaults(t); got != baseline {
				t.Errorf("the fault came back: %s", got)
			}
			t.Logf("the record was cleared %d ms after the kill", took.Milliseconds())
		})
	}
}

// TestFrozen stops the harness as a debugger or a full memory would: its lease
// runs out, and it hears of that when it goes on.
func TestFrozen(t *testing.T) {
	t.Parallel()
	needProc(t)
	const lease = time.Second
	s := newSite(t)
	record := filepath.Join(t.TempDir(), RecordName)
	baseline := s.defaults(t)
	p := newHarness(t, task{Apparatus: defaultsApparatus(s.URL, lease), Record: record})
	p.until("applied")
	time.Sleep(2 * lease) // renewed meanwhile
	if s.defaults(t) == baseline {
		t.Fatal("the fault ended though it was renewed")
	}
	p.c.Process.Signal(syscall.SIGSTOP)
	took := eventually(t, lease+time.Second, "the fault is gone", func() bool { return s.defaults(t) == baseline })
	if took < lease/2 {
		t.Errorf("the fault was gone after %s, well within the lease", took)
	}
	eventually(t, 5*time.Second, "the record is gone", func() bool { return !exists(record) })
	p.c.Process.Signal(syscall.SIGCONT)
	if line := p.until("renew:"); !strings.Contains(line, ErrExpired.Error()) {
		t.Error(line)
	}
	io.WriteString(p.stdin, "remove\n")
	if line := p.until("remove:"); !strings.Contains(line, ErrExpired.Error()) {
		t.Error(line)
	}
	p.until("closed")
}

// TestRemoveFailsAtFirst has the deployment refuse the first remove calls, of
// the harness and of the watchdog.
func TestRemoveFailsAtFirst(t *testing.T) {
	needProc(t)
	for _, kill := range []bool{false, true} {
		t.Run(fmt.Sprintf("killed %t", kill), func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.failing = 4
			record := filepath.Join(t.TempDir(), RecordName)
			baseline := s.defaults(t)
			p := newHarness(t, task{Apparatus: defaultsApparatus(s.URL, time.Second), Record: record})
			p.until("applied")
			if kill {
				p.c.Process.Kill()
			} else {
				io.WriteString(p.stdin, "remove\n")
				p.until("closed")
			}
			eventually(t, 10*time.Second, "the record is gone", func() bool { return !exists(record) })
			if got := s.defaults(t); got != baseline {
				t.Errorf("the fault is still there: %s", got)
			}
			if s.removes != 5 {
				t.Errorf("%d remove calls, want 5", s.removes)
			}
		})
	}
}

// TestWatchdogKilled kills the watchdog: the harness puts another in its place.
// When both are gone, the record is there for who comes next.
func TestWatchdogKilled(t *testing.T) {
	t.Parallel()
	needProc(t)
	s := newSite(t)
	record := filepath.Join(t.TempDir(), RecordName)
	baseline := s.defaults(t)
	p := newHarness(t, task{Apparatus: defaultsApparatus(s.URL, 2*time.Second), Record: record})
	p.until("applied")
	first := watchdogs(record)
	if len(first) != 1 {
		t.Fatalf("%d watchdogs", len(first))
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGHUP, syscall.SIGTERM} {
		syscall.Kill(first[0], sig)
	}
	time.Sleep(300 * time.Millisecond)
	if now := watchdogs(record); len(now) != 1 || now[0] != first[0] {
		t.Fatal("a signal that is not for it ended the watchdog")
	}
	syscall.Kill(first[0], syscall.SIGKILL)
	eventually(t, 5*time.Second, "another watchdog is there", func() bool {
		now := watchdogs(record)
		return len(now) == 1 && now[0] != first[0]
	})
	if s.defaults(t) == baseline {
		t.Fatal("the fault ended with the watchdog")
	}
	short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	if _, err := Recover(short, record); !errors.Is(err, ErrBusy) {
		t.Errorf("a run that lives was recovered: %v", err)
	}

	// Both at once, as when the machine's memory is full.
	p.c.Process.Signal(syscall.SIGSTOP)
	for _, pid := range watchdogs(record) {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	p.c.Process.Kill()
	p.c.Wait()
	if s.defaults(t) == baseline || !exists(record) {
		t.Fatal("nobody was there to remove the fault")
	}
	got, err := Recover(ctx, filepath.Dir(record))
	if err != nil || !got.Found || got.Class != "json_invalid" || got.Trial != "trial 1" {
		t.Errorf("%+v, %v", got, err)
	}
	if s.defaults(t) != baseline || exists(record) {
		t.Error("the fault is still there")
	}
	if got, err := Recover(ctx, record); err != nil || got.Found {
		t.Errorf("a second time: %+v, %v", got, err)
	}
}

func needProc(t *testing.T) {
	t.Helper()
	if !exists("/proc/self/cmdline") {
		t.Skip("this system lists no processes under /proc")
	}
}

// TestWatchdogTells kills a rehearsal whose fault cannot be removed for a
// while: the watchdog says so in its log, without the key, and when the fault is
// gone the folder is too.
func TestWatchdogTells(t *testing.T) {
	t.Parallel()
	needProc(t)
	s := newSite(t)
	dir := filepath.Join(t.TempDir(), RehearsalPrefix+"1")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	record, log := filepath.Join(dir, RecordName), filepath.Join(dir, LogName)
	s.set(func() { s.down = true })
	p := newHarness(t, task{Apparatus: defaultsApparatus(s.URL, 2*time.Second), Record: record, Log: true})
	p.until("applied")
	if b, err := os.ReadFile(log); err != nil || len(b) > 0 {
		t.Errorf("before anything went wrong: %q, %v", b, err)
	}
	syscall.Kill(-p.c.Process.Pid, syscall.SIGKILL)
	var text string
	eventually(t, 10*time.Second, "the watchdog tells of its attempts", func() bool {
		b, _ := os.ReadFile(log)
		text = string(b)
		return strings.Contains(text, "not removed yet")
	})
	for _, want := range []string{`the process that applied the fault "json_invalid" (trial 1) is gone`, "503"} {
		if !strings.Contains(text, want) {
			t.Errorf("the log lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, adminToken) {
		t.Errorf("the log holds the key:\n%s", text)
	}
	s.set(func() { s.down = false })
	eventually(t, 20*time.Second, "the folder is gone", func() bool { return !exists(dir) })
}
