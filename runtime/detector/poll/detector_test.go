package poll

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/poll/fetch"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

// page is a server whose one answer can be changed.
type page struct {
	mu   sync.Mutex
	text string
	code int
}

func (p *page) set(text string, code int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text, p.code = text, code
}

func (p *page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.Header.Get("Authorization") != "Bearer geheim" {
		http.Error(w, "who are you?", http.StatusUnauthorized)
		return
	}
	w.WriteHeader(p.code)
	io.WriteString(w, p.text)
}

func serve(t *testing.T) (*page, string) {
	p := &page{text: "[]", code: 200}
	s := httptest.NewServer(p)
	t.Cleanup(s.Close)
	return p, s.URL
}

var mapping = &plan.Mapping{Alerts: `payload`, Status: `alert.on ? "firing" : "resolved"`, Value: `alert.v`, StartsAt: `alert.at`,
	NoData: `alert.dark ?? false`, Names: map[string]string{"alertname": `alert.name`}}

type ears struct {
	mu  sync.Mutex
	all []detector.Signal
}

func (e *ears) sink(s detector.Signal) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = append(e.all, s)
}

func (e *ears) take() []detector.Signal {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := e.all
	e.all = nil
	return out
}

// TestEdges asks by hand, since the interval is an hour.
func TestEdges(t *testing.T) {
	t.Setenv("DETECTOR_KEY", "geheim")
	p, url := serve(t)
	p.set(`[{"name":"old","on":true}]`, 200)
	d, err := New(&plan.Detector{Name: "d", Live: &plan.LiveDetector{URL: url, Mapping: mapping, Interval: 3600 * exact.Second, KeyEnv: "DETECTOR_KEY"}}, fetch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e, c := &ears{}, driver.NewClock()
	if err := d.Start(t.Context(), c, e.sink); err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	at := c.Time(0).Add(-time.Minute)
	for i, step := range []struct {
		text   string
		want   string // status and name of each signal
		firing int
	}{
		{`[{"name":"old","on":true}]`, "", 1},
		{fmt.Sprintf(`[{"name":"A","on":true,"v":0.5,"at":%d},{"name":"B","on":false},{"name":"old","on":true}]`, at.UnixNano()), "firing A", 2},
		{fmt.Sprintf(`[{"name":"A","on":true,"v":0.7,"at":%d},{"name":"old","on":false}]`, at.UnixNano()), "resolved old", 1},
		{fmt.Sprintf(`[{"name":"A","on":true,"at":%d}]`, at.Add(time.Second).UnixNano()), "resolved A, firing A", 1},
		{`[]`, "resolved A", 0},
		{`[{"name":"N","on":true,"dark":true}]`, "firing N no data", 1},
		{`[{"name":"N","on":true}]`, "firing N", 1},
		{`[{"name":"N","on":true},{"name":"N","on":false}]`, "", 1},
	} {
		p.set(step.text, 200)
		s, err := d.State(t.Context())
		if err != nil || s != (detector.State{Firing: step.firing}) {
			t.Errorf("step %d: %+v, %v", i, s, err)
		}
		var got []string
		for until := time.Now().Add(2 * time.Second); ; time.Sleep(time.Millisecond) {
			for _, s := range e.take() {
				text := s.Status + " " + s.Labels["alertname"]
				if s.NoData {
					text += " no data"
				}
				got = append(got, text)
				if s.Component != Component || s.Type != "alert" || s.At > c.Now() || i == 1 && (s.Value != "0.5" || s.StartsAt-c.At(at) > 1000 || c.At(at)-s.StartsAt > 1000 || s.EmittedAt != s.StartsAt) {
					t.Errorf("step %d: %+v", i, s)
				}
			}
			if strings.Join(got, ", ") == step.want && (step.want != "" || time.Now().After(until.Add(-1900*time.Millisecond))) {
				break
			}
			if time.Now().After(until) {
				t.Errorf("step %d: %s, want %s", i, strings.Join(got, ", "), step.want)
				break
			}
		}
	}
	if got := strings.Join(d.Active(), " "); got != "N" {
		t.Errorf("active: %s", got)
	}
	for text, code := range map[string]int{"[]": 500, "{": 200, `[{"on":3}]`: 200} {
		p.set(text, code)
		if s, err := d.State(t.Context()); err == nil {
			t.Errorf("%d %s: the state is %+v", code, text, s)
		}
		if problems := d.Check(t.Context()); len(problems) != 1 || strings.Contains(fmt.Sprint(problems), "geheim") {
			t.Errorf("%d %s: %+v", code, text, problems)
		}
	}
	if len(e.take()) != 0 || strings.Join(d.Active(), " ") != "N" {
		t.Error("what could not be read changed something")
	}
	if l := d.Looks(); l.Failed != 3 || l.Done != 9 || d.ErrorBound() != 3600e9 || d.Cycle() != 3600e9 {
		t.Errorf("%+v, bound %d, cycle %d", l, d.ErrorBound(), d.Cycle())
	}
	if got, want := d.Missed(), (world.Missed{Malformed: 2, Unanswered: 1}); got != want {
		t.Errorf("missed %+v, want %+v", got, want)
	}
	if got := d.Missed(); got != (world.Missed{}) {
		t.Errorf("%+v is told twice", got)
	}
}

// TestSchedule lets it ask by itself.
func TestSchedule(t *testing.T) {
	p, url := serve(t)
	d, err := New(&plan.Detector{Name: "d", Live: &plan.LiveDetector{URL: url, Mapping: mapping, Interval: 20 * exact.Millisecond, Cycle: exact.Second}}, fetch.Options{Key: "geheim"})
	if err != nil {
		t.Fatal(err)
	}
	e := &ears{}
	if err := d.Start(t.Context(), driver.NewClock(), e.sink); err != nil {
		t.Fatal(err)
	}
	p.set(`[{"name":"A","on":true}]`, 200)
	for until := time.Now().Add(5 * time.Second); len(e.take()) == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("no signal")
		}
	}
	if d.Cycle() != 1e9 || d.ErrorBound() < 20e6 {
		t.Errorf("cycle %d, bound %d", d.Cycle(), d.ErrorBound())
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	p.set(`[]`, 200)
	time.Sleep(50 * time.Millisecond)
	if got := e.take(); len(got) != 0 {
		t.Errorf("after Close: %+v", got)
	}
}

func TestStartFails(t *testing.T) {
	_, url := serve(t)
	d, err := New(&plan.Detector{Name: "d", Live: &plan.LiveDetector{URL: url, Mapping: mapping}}, fetch.Options{Key: "falsch"})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Start(t.Context(), driver.NewClock(), nil); err == nil || !strings.Contains(err.Error(), "401") || strings.Contains(err.Error(), "falsch") {
		t.Errorf("%v", err)
	}
	for _, live := range []*plan.LiveDetector{nil, {}, {URL: "ftp://x"}, {URL: url, Mapping: &plan.Mapping{}}, {URL: url, KeyEnv: "NO_SUCH_KEY"}} {
		if _, err := New(&plan.Detector{Name: "d", Live: live}, fetch.Options{}); err == nil {
			t.Errorf("%+v is a detector", live)
		}
	}
}
