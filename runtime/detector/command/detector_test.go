package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

type ears struct {
	mu      sync.Mutex
	signals []detector.Signal
}

func (e *ears) sink(s detector.Signal) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.signals = append(e.signals, s)
}

func (e *ears) wait(t *testing.T, n int) []detector.Signal {
	t.Helper()
	for until := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		e.mu.Lock()
		got := append([]detector.Signal(nil), e.signals...)
		e.mu.Unlock()
		if len(got) >= n {
			return got
		}
		if time.Now().After(until) {
			t.Fatalf("%d signals of %d: %+v", len(got), n, got)
		}
	}
}

// script makes a detector of a shell script.
func script(t *testing.T, text string) *Detector {
	t.Helper()
	d, err := New(&plan.Detector{Name: "d", Live: &plan.LiveDetector{Command: []string{"sh", "-c", text}, Interval: exact.Second}}, Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func start(t *testing.T, d *Detector) (*ears, driver.Clock) {
	t.Helper()
	e, c := &ears{}, driver.NewClock()
	if err := d.Start(t.Context(), c, e.sink); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return e, c
}

func TestSignals(t *testing.T) {
	d := script(t, `
echo '{"status":"firing","labels":{"alertname":"A"},"value":0.50,"starts_at":"2026-11-30T18:00:00Z","emitted_at":1796061601}'
echo
echo '{"status":"firing","type":"log","component":"tail","value":"x","repeat":true,"no_data":true,"reason":"r"}'
echo 'not a signal' ; echo 'said aloud' >&2
printf '{"status":"resolved","labels":{"alertname":"A"}}'
exec >&-
sleep 60`)
	if d.Cycle() != 1e9 || d.ErrorBound() != 1e9 {
		t.Errorf("cycle %d, bound %d", d.Cycle(), d.ErrorBound())
	}
	e, c := start(t, d)
	got := e.wait(t, 3)
	starts, emitted := c.At(time.Date(2026, 11, 30, 18, 0, 0, 0, time.UTC)), c.At(time.Unix(1796061601, 0))
	if s := got[0]; s.Type != "alert" || s.Component != "command" || s.Value != "0.50" || s.StartsAt != starts || s.EmittedAt != emitted || s.Labels["alertname"] != "A" || s.At <= 0 {
		t.Errorf("%+v", s)
	}
	if s := got[1]; s.Type != "log" || s.Component != "tail" || s.Value != "x" || !s.Repeat || !s.NoData || s.Reason != "r" || s.StartsAt != s.At || s.EmittedAt != s.At {
		t.Errorf("%+v", s)
	}
	if s := got[2]; s.Status != "resolved" {
		t.Errorf("%+v", s)
	}
	if got := strings.Join(d.Active(), " "); got != "" && got != "A" {
		t.Errorf("active: %s", got)
	}
	p := fmt.Sprint(d.Check(t.Context()))
	if !strings.Contains(p, "no signal: invalid character") {
		t.Errorf("%s", p)
	}
}

// TestRepetition has a program print an alert for as long as it fires.
func TestRepetition(t *testing.T) {
	d := script(t, `
say() { echo "{\"status\":\"$1\",\"labels\":{\"alertname\":\"A\"}$2}"; }
say firing ',"no_data":true'; say firing ',"no_data":true'; say firing; say firing; say firing ',"no_data":true'; say firing
say resolved; say firing ',"starts_at":100'; say firing; say firing ',"starts_at":100'; say firing ',"starts_at":200'
exec sleep 60`)
	e, _ := start(t, d)
	want := "firing, firing repeat, firing, firing repeat, firing repeat, firing repeat, resolved, firing, firing repeat, firing repeat, firing"
	var got []string
	for _, s := range e.wait(t, 11) {
		text := s.Status
		if s.Repeat {
			text += " repeat"
		}
		got = append(got, text)
	}
	if strings.Join(got, ", ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, ", "), want)
	}
	if s, err := d.State(t.Context()); err != nil || s != (detector.State{Firing: 1}) {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestRestart has a program that ends after its first signal, and starts it
// again.
func TestRestart(t *testing.T) {
	d := script(t, `
if [ -e again ]; then echo '{"status":"resolved","labels":{"alertname":"A"}}'; exec sleep 60; fi
touch again; echo '{"status":"firing","labels":{"alertname":"A"}}'; echo broken >&2; exit 3`)
	e, _ := start(t, d)
	e.wait(t, 1)
	unknown := false
	for until := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		s, err := d.State(t.Context())
		if err != nil {
			unknown = unknown || strings.Contains(err.Error(), "exit status 3") && strings.Contains(err.Error(), "broken")
		} else if s.Resting() && d.Stats().Signals == 2 {
			break
		}
		if time.Now().After(until) {
			t.Fatalf("%+v, %v", s, err)
		}
	}
	if !unknown {
		t.Error("while the program did not run, the state was known")
	}
	if got, want := d.Missed(), (world.Missed{Restarts: 1}); got != want {
		t.Errorf("missed %+v, want %+v", got, want)
	}
	if got := d.Missed(); got != (world.Missed{}) {
		t.Errorf("%+v is told twice", got)
	}
	if got, want := d.Stats(), (Stats{Signals: 2, Starts: 2}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestClose ends a program that does not want to end, with a child.
func TestClose(t *testing.T) {
	dir := t.TempDir()
	pids := filepath.Join(dir, "pids")
	d := script(t, `trap '' TERM; sleep 50 & echo $! $$ > `+pids+`; echo '{"status":"firing"}'; while :; do sleep 50; done`)
	e, _ := start(t, d)
	e.wait(t, 1)
	b, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 3*grace {
		t.Errorf("Close took %v", took)
	}
	for _, pid := range strings.Fields(string(b)) {
		for until := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
			stat, err := os.ReadFile("/proc/" + pid + "/stat")
			if err != nil || bytes.Contains(stat, []byte(") Z ")) {
				break
			}
			if time.Now().After(until) {
				t.Errorf("process %s is left: %s", pid, stat)
				break
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, live := range []*plan.LiveDetector{nil, {}, {Command: []string{""}}, {Command: []string{"x"}, KeyEnv: "NO_SUCH_KEY"}} {
		if _, err := New(&plan.Detector{Name: "d", Live: live}, Options{}); err == nil {
			t.Errorf("%+v is a detector", live)
		}
	}
	d, err := New(&plan.Detector{Name: "d", Live: &plan.LiveDetector{Command: []string{"/no/such/program"}}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p := d.Check(t.Context()); len(p) != 1 || !strings.Contains(p[0].What, "cannot be started") {
		t.Errorf("%+v", p)
	}
	if err := d.Start(t.Context(), driver.NewClock(), nil); err == nil {
		t.Error("it started")
	}
	if _, err := d.State(t.Context()); err == nil {
		t.Error("its state is known")
	}
	if s, err := d.Configuration(context.Background()); s != "" || err != nil {
		t.Errorf("%s, %v", s, err)
	}
}

func TestParse(t *testing.T) {
	for line, want := range map[string]string{
		`{`:                                     "unexpected EOF",
		`{"state":"firing"}`:                    `unknown field "state"`,
		`{"status":"on"}`:                       `the status is "on"`,
		`{"status":"firing"} {}`:                "more than one",
		`{"status":"firing","value":[]}`:        "value is neither",
		`{"status":"firing","starts_at":"now"}`: "starts_at: ",
		`{"status":"firing","emitted_at":{}}`:   "emitted_at: ",
		`{"status":"firing","labels":{"a":1}}`:  "labels",
	} {
		if _, err := parse([]byte(line), driver.NewClock(), 5); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", MaxLine)
	l := newLines(strings.NewReader("a\r\n\n " + long + "\nb\n" + long + "\nc"))
	for i, want := range []string{"a", "", "!", "b", "!", "c"} {
		line, err := l.next()
		switch {
		case want == "!" && !errors.Is(err, errLong), want != "!" && (err != nil || string(line) != want):
			t.Errorf("line %d: %.20q, %v, want %s", i, line, err, want)
		}
	}
	if _, err := l.next(); err != io.EOF {
		t.Errorf("after the end: %v", err)
	}
}

func TestTail(t *testing.T) {
	var b tail
	for i := range 10_000 {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	b.Write([]byte("\n"))
	if b.last() != "line 9999" || len(b.b) > tailSize {
		t.Errorf("%q of %d bytes", b.last(), len(b.b))
	}
	b.Write([]byte(strings.Repeat("y", 3*tailSize)))
	if len(b.last()) != 200 || len(b.b) > tailSize {
		t.Errorf("%d of %d bytes", len(b.last()), len(b.b))
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"status":"firing","labels":{"alertname":"A"},"value":1e400,"starts_at":1796061601339,"emitted_at":"2026-11-30T18:00:00.5+01:00"}`)
	f.Add(`{"status":"resolved","value":"x","starts_at":1.5}`)
	f.Fuzz(func(t *testing.T, line string) {
		s, err := parse([]byte(line), driver.NewClock(), 5)
		if err == nil && (s.Status != "firing" && s.Status != "resolved" || s.Type == "" || s.Component == "") {
			t.Errorf("%+v", s)
		}
	})
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a\n\nb"))
	f.Fuzz(func(t *testing.T, b []byte) {
		l, n := newLines(bytes.NewReader(b)), 0
		for ; ; n++ {
			if _, err := l.next(); err == io.EOF {
				break
			}
		}
		want := bytes.Count(b, []byte("\n"))
		if len(b) > 0 && b[len(b)-1] != '\n' {
			want++
		}
		if n != want {
			t.Errorf("%d lines of %d", n, want)
		}
	})
}
