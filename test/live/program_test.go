package live

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// wanted skips a test that FDBENCH_LIVE, a list, does not name.
func wanted(t *testing.T, name string) {
	t.Helper()
	if !slices.Contains(strings.Fields(os.Getenv("FDBENCH_LIVE")), name) {
		t.Skipf("it takes minutes and real programs: .ci/live %s runs it", name)
	}
}

// need finds a program, or skips the test.
func need(t *testing.T, name, debian string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed; it is in Debian's package %s", name, debian)
	}
	return path
}

var build = sync.OnceValues(func() (string, error) {
	if bin := os.Getenv("FDBENCH_LIVE_PROGRAM"); bin != "" {
		return bin, nil // built before
	}
	dir, err := os.MkdirTemp("", "fdbench-live-")
	if err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "fdbench")
	out, err := exec.Command("go", "build", "-o", bin, "../../cmd/fdbench").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return bin, err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if os.Getenv("FDBENCH_LIVE") != "" && os.Getenv("FDBENCH_LIVE_PROGRAM") == "" {
		if bin, err := build(); err == nil {
			os.RemoveAll(filepath.Dir(bin))
		}
	}
	os.Exit(code)
}

// fdbench is the program as it is in this checkout.
func fdbench(t *testing.T) string {
	t.Helper()
	bin, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// program is a process that the test started and that ends with it.
type program struct {
	t    *testing.T
	name string
	cmd  *exec.Cmd
	mu   sync.Mutex
	log  bytes.Buffer
	done chan struct{}
	err  error // of Wait, once done is closed

	Ready map[string]string // key=value of the first line on standard output
}

func (p *program) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.log.Len() < 1<<20 {
		p.log.Write(b)
	}
	return len(b), nil
}

// Log is what the program wrote on standard error so far, and on standard
// output after its first line.
func (p *program) Log() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

// start runs a program. It gets SIGKILL when the test's own process ends
// without having ended it.
func start(t *testing.T, env []string, args ...string) *program {
	t.Helper()
	p := launch(t, env, false, args...)
	return p
}

// ready starts one of fdbench's servers and waits for the line that says that
// it is ready.
func ready(t *testing.T, env []string, args ...string) *program {
	t.Helper()
	return launch(t, env, true, args...)
}

func launch(t *testing.T, env []string, waits bool, args ...string) *program {
	t.Helper()
	p := &program{t: t, name: filepath.Base(args[0]), cmd: exec.Command(args[0], args[1:]...), done: make(chan struct{}), Ready: map[string]string{}}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	p.cmd.Stderr = p
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := make(chan string, 1)
	go func() {
		r := bufio.NewReader(out)
		text, _ := r.ReadString('\n')
		line <- text
		r.WriteTo(p)
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	t.Cleanup(func() { p.stop() })
	if !waits {
		return p
	}
	select {
	case text := <-line:
		for _, field := range strings.Fields(text) {
			if key, value, ok := strings.Cut(field, "="); ok {
				p.Ready[key] = value
			}
		}
		if len(p.Ready) == 0 {
			t.Fatalf("%s was not ready: %s%s", p.name, text, p.Log())
		}
	case <-time.After(30 * time.Second):
		t.Fatalf("%s was not ready after 30 s: %s", p.name, p.Log())
	}
	return p
}

// signal sends one; a process that has ended gets none.
func (p *program) signal(s os.Signal) {
	select {
	case <-p.done:
	default:
		_ = p.cmd.Process.Signal(s)
	}
}

// stop ends the program, first in peace.
func (p *program) stop() {
	p.signal(syscall.SIGTERM)
	if !p.wait(10 * time.Second) {
		p.signal(syscall.SIGKILL)
		<-p.done
	}
}

// wait tells whether the program ended within a time.
func (p *program) wait(d time.Duration) bool {
	select {
	case <-p.done:
		return true
	case <-time.After(d):
		return false
	}
}

// code is the exit code of a program that ended.
func (p *program) code() int { return p.cmd.ProcessState.ExitCode() }

// run runs a command to its end and returns what it wrote and its exit code.
func run(t *testing.T, most time.Duration, env []string, args ...string) (out, errs string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), most)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Errorf("%s did not end within %v", strings.Join(args, " "), most)
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

// Ports that were given out. They lie below those that the system chooses for
// outgoing connections, so that no connection takes one before it is used.
var ports = struct {
	sync.Mutex
	next int
}{next: 20000 + rand.IntN(8000)}

// free gives addresses of loopback that nobody listens at, each once.
func free(t *testing.T, n int) []string {
	t.Helper()
	ports.Lock()
	defer ports.Unlock()
	var list []string
	for len(list) < n {
		if ports.next++; ports.next > 32000 {
			t.Fatal("there are no free ports from 20000 to 32000")
		}
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", ports.next))
		if err != nil {
			continue // somebody else's
		}
		list = append(list, l.Addr().String())
		l.Close()
	}
	return list
}

// until waits for a GET to be answered with 200.
func until(t *testing.T, p *program, url string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if p.wait(0) {
			break
		}
		if resp, err := http.Get(url); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return
			}
		}
	}
	log := p.Log()
	t.Fatalf("%s was not ready at %s:\n%s", p.name, url, log[max(0, len(log)-2000):])
}

// file writes a file into a folder of the test.
func file(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
