// Package promtest starts the programs that the live drivers are tested
// against: Prometheus, Alertmanager, VictoriaMetrics and vmalert, on free ports
// of the loopback interface, with their files in a folder that goes with the
// test, and stopped by their process id. A test is skipped where a program is
// not installed.
//
// It imports the standard library only.
package promtest

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// ready is how long a server may take to start on a busy machine.
const ready = 30 * time.Second

// Server is one running program.
type Server struct {
	URL string // "http://127.0.0.1:PORT"
	Dir string // its files

	t       testing.TB
	args    []string
	probe   string
	log     string
	cmd     *exec.Cmd
	stopped chan struct{}
}

// Port is a port of the loopback interface that was free just now.
func Port(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// program finds the first of several names, or skips the test.
func program(t testing.TB, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("%s is not installed (Debian has it as a package)", strings.Join(names, " or "))
	return ""
}

// Write writes a file into the server's folder.
func (s *Server) Write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.Dir, name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func start(t testing.TB, port int, probe string, files map[string]string, args func(dir, address string) []string) *Server {
	t.Helper()
	address := fmt.Sprintf("127.0.0.1:%d", port)
	s := &Server{URL: "http://" + address, Dir: t.TempDir(), t: t, probe: probe}
	s.args = args(s.Dir, address)
	s.log = filepath.Join(s.Dir, "log")
	for name, text := range files {
		s.Write(name, text)
	}
	t.Cleanup(func() {
		s.Kill()
		if t.Failed() {
			if b, err := os.ReadFile(s.log); err == nil {
				t.Logf("log of %s, its end:\n%s", filepath.Base(s.args[0]), b[max(0, len(b)-2000):])
			}
		}
	})
	s.Start()
	return s
}

// Start starts a server that was stopped, with the same files and port, and
// waits until it is ready.
func (s *Server) Start() {
	s.t.Helper()
	log, err := os.OpenFile(s.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close()
	s.cmd = exec.Command(s.args[0], s.args[1:]...)
	s.cmd.Dir, s.cmd.Stdout, s.cmd.Stderr = s.Dir, log, log
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	stopped := make(chan struct{})
	s.stopped = stopped
	go func(c *exec.Cmd) {
		c.Wait()
		close(stopped)
	}(s.cmd)
	client := &http.Client{Timeout: time.Second}
	for until := time.Now().Add(ready); time.Now().Before(until); time.Sleep(30 * time.Millisecond) {
		resp, err := client.Get(s.URL + s.probe)
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return
			}
		}
		select {
		case <-stopped:
			s.t.Fatalf("%s ended at once", s.args[0])
		default:
		}
	}
	s.t.Fatalf("%s is not ready after %v", s.args[0], ready)
}

// Stop ends a server as an operator does.
func (s *Server) Stop() { s.end(syscall.SIGTERM) }

// Kill ends a server at once, as a crash does.
func (s *Server) Kill() { s.end(syscall.SIGKILL) }

func (s *Server) end(signal syscall.Signal) {
	if s.cmd == nil {
		return
	}
	s.cmd.Process.Signal(signal)
	select {
	case <-s.stopped:
	case <-time.After(10 * time.Second):
		s.cmd.Process.Kill()
		<-s.stopped
	}
	s.cmd = nil
}

// Reload makes a server read its configuration again.
func (s *Server) Reload() { s.cmd.Process.Signal(syscall.SIGHUP) }

// Prometheus starts a Prometheus with a configuration and other files, such as
// rules, in its folder. Without flags it sends alerts again each second.
func Prometheus(t testing.TB, config string, files map[string]string, flags ...string) *Server {
	t.Helper()
	path := program(t, "prometheus")
	all := map[string]string{"prometheus.yml": config}
	for name, text := range files {
		all[name] = text
	}
	return start(t, Port(t), "/-/ready", all, func(dir, address string) []string {
		if flags == nil {
			flags = []string{"--rules.alert.resend-delay=1s"}
		}
		return append([]string{path, "--config.file=" + dir + "/prometheus.yml", "--storage.tsdb.path=" + dir + "/data",
			"--web.listen-address=" + address}, flags...)
	})
}

// Alertmanager starts an Alertmanager with a configuration.
func Alertmanager(t testing.TB, config string) *Server {
	t.Helper()
	return AlertmanagerAt(t, Port(t), config)
}

// AlertmanagerAt starts one at a port that is known before.
func AlertmanagerAt(t testing.TB, port int, config string) *Server {
	t.Helper()
	path := program(t, "prometheus-alertmanager", "alertmanager")
	return start(t, port, "/-/ready", map[string]string{"alertmanager.yml": config}, func(dir, address string) []string {
		return []string{path, "--config.file=" + dir + "/alertmanager.yml", "--storage.path=" + dir + "/data",
			"--web.listen-address=" + address, "--cluster.listen-address="}
	})
}

// VictoriaMetrics starts a VictoriaMetrics that scrapes.
func VictoriaMetrics(t testing.TB, scrape string) *Server {
	t.Helper()
	path := program(t, "victoria-metrics")
	return start(t, Port(t), "/health", map[string]string{"scrape.yml": scrape}, func(dir, address string) []string {
		return []string{path, "-storageDataPath=" + dir + "/data", "-httpListenAddr=" + address, "-promscrape.config=" + dir + "/scrape.yml",
			"-search.latencyOffset=0s", "-search.maxStalenessInterval=5s", "-search.disableCache"}
	})
}

// Vmalert starts a vmalert that reads from a VictoriaMetrics.
func Vmalert(t testing.TB, rules, datasource, notifier string) *Server {
	t.Helper()
	path := program(t, "vmalert")
	return start(t, Port(t), "/health", map[string]string{"rules.yml": rules}, func(dir, address string) []string {
		return []string{path, "-rule=" + dir + "/rules.yml", "-datasource.url=" + datasource, "-remoteWrite.url=" + datasource,
			"-remoteRead.url=" + datasource, "-notifier.url=" + notifier, "-httpListenAddr=" + address, "-evaluationInterval=1s", "-rule.resendDelay=1s"}
	})
}

// Counters is a server whose counters a Prometheus scrapes at /metrics.
type Counters struct {
	Address string // HOST:PORT
	set     chan map[string]float64
}

// Serve starts a server of counters.
func Serve(t testing.TB) *Counters {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &Counters{Address: l.Addr().String(), set: make(chan map[string]float64, 1)}
	c.set <- map[string]float64{}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		values := <-c.set
		defer func() { c.set <- values }()
		for name, v := range values {
			fmt.Fprintf(w, "# TYPE %s counter\n%s %v\n", name, name, v)
		}
	})}
	done := make(chan struct{})
	go func() {
		server.Serve(l)
		close(done)
	}()
	t.Cleanup(func() {
		server.Close()
		<-done
	})
	return c
}

// Add adds to a counter, which it makes.
func (c *Counters) Add(name string, v float64) {
	values := <-c.set
	values[name] += v
	c.set <- values
}
