package execute_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/detector/prometheus"
	"github.com/fdbench/fdbench/runtime/execute"
	"github.com/fdbench/fdbench/runtime/lease"
	"github.com/fdbench/fdbench/runtime/live"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/live/livetest"
)

func rehearse(t *testing.T, b *livetest.Bench) *execute.Rehearsal {
	t.Helper()
	stages := 0
	r, err := execute.Rehearse(t.Context(), b.Plan, execute.Live{Drivers: b.Drivers(t)},
		execute.Rehearsing{Look: 1500 * time.Millisecond, Wait: 1500 * time.Millisecond, Clear: 4 * time.Second, Tell: func(execute.Stage) { stages++ }})
	if err != nil {
		t.Fatal(err)
	}
	if want := 1 + len(r.Faults); len(r.Faults) > 0 && stages != want {
		t.Errorf("%d stages were told, want %d", stages, want)
	}
	return r
}

func TestRehearse(t *testing.T) {
	t.Setenv(livetest.KeyEnv, livetest.Key)
	b := livetest.New(t, 1)
	r := rehearse(t, b)
	if !r.OK() || len(r.Faults) != 1 || r.Load != "40 req/s" {
		t.Fatalf("%+v", r)
	}
	f := r.Faults[0]
	if f.Class != "refusal" || f.Achieved == nil || f.Signal == nil || *f.Signal <= 0 || f.Cleared == nil || f.Responses < 20 {
		t.Errorf("%+v", f)
	}
}

// TestRehearseSilent wants a fault that nobody signals to be told.
func TestRehearseSilent(t *testing.T) {
	t.Setenv(livetest.KeyEnv, livetest.Key)
	b := livetest.New(t, 1)
	b.Detector.Silence(true)
	r := rehearse(t, b)
	if r.OK() || len(r.Problems) > 0 || len(r.Faults) != 1 || len(r.Faults[0].Faulty) != 1 || !strings.Contains(r.Faults[0].Faulty[0], "no signal") ||
		!strings.Contains(r.Faults[0].Faulty[0], "none came at all") {
		t.Errorf("%+v", r)
	}
}

// TestRehearseOther wants to be told what came instead of an attributable signal.
func TestRehearseOther(t *testing.T) {
	t.Setenv(livetest.KeyEnv, livetest.Key)
	b := livetest.New(t, 1)
	b.Plan.Declaration.Signal.Attribution = `signal.labels.alertname == "Other"`
	r := rehearse(t, b)
	if len(r.Faults) != 1 || len(r.Faults[0].Faulty) != 1 || !strings.Contains(r.Faults[0].Faulty[0], "what came was Refusals firing from test") {
		t.Errorf("%+v", r)
	}
}

// stuck is a proxy whose faults cannot be removed.
type stuck struct {
	driver.Ledger
	removed atomic.Int64
	limit   atomic.Bool // Close was given no time
}

func (s *stuck) Remove(ctx context.Context) (int64, error) {
	s.removed.Add(1)
	return 0, errors.New("the remove program ended with exit status 1")
}

func (s *stuck) Close(ctx context.Context) error {
	if d, ok := ctx.Deadline(); ok && time.Until(d) <= 0 {
		s.limit.Store(true)
	}
	s.Ledger.Close(context.Background())
	return errors.New("it is still applied")
}

// TestRehearseInterrupted interrupts a rehearsal under a fault: that it is being
// removed is told at once, there is one attempt, and what came of it is kept.
func TestRehearseInterrupted(t *testing.T) {
	t.Setenv(livetest.KeyEnv, livetest.Key)
	for _, fails := range []bool{false, true} {
		b := livetest.New(t, 1)
		d := b.Drivers(t)
		s := &stuck{Ledger: d.Apparatus.(driver.Ledger)}
		if fails {
			d.Apparatus = s
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var told []string
		began := time.Now()
		_, err := execute.Rehearse(ctx, b.Plan, execute.Live{Drivers: d},
			execute.Rehearsing{Look: 1500 * time.Millisecond, Wait: time.Minute, Clear: 4 * time.Second, Tell: func(s execute.Stage) {
				if told = append(told, s.What); s.What == "refusal" {
					time.AfterFunc(300*time.Millisecond, cancel)
				}
			}})
		var acts *live.NotRemovedError
		if !errors.Is(err, context.Canceled) || errors.As(err, &acts) != fails || fails && strings.Count(err.Error(), "exit status 1") != 1 {
			t.Errorf("fails %t: %v", fails, err)
		}
		if n := len(told); n == 0 || told[n-1] != execute.Removing {
			t.Errorf("fails %t: told %q", fails, told)
		}
		if fails && (s.removed.Load() != 1 || !s.limit.Load()) {
			t.Errorf("%d attempts, and the last without a limit: %t", s.removed.Load(), !s.limit.Load())
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("fails %t: it ended after %v", fails, took)
		}
	}
}

// tried is a detector whose way of notifications can be tried.
type tried struct {
	*livetest.Detector
	try func(context.Context) error
}

func (d *tried) Try(ctx context.Context) error { return d.try(ctx) }

// TestRehearseTries wants notifications that do not arrive to be found, and
// said, before a fault is applied; and a setup without such a way to be none
// the worse.
func TestRehearseTries(t *testing.T) {
	t.Setenv(livetest.KeyEnv, livetest.Key)
	for _, c := range []struct {
		name   string
		err    error
		want   string
		faults int
	}{
		{"arrives", nil, "", 1},
		{"no such way", fmt.Errorf("no Alertmanager: %w", errors.ErrUnsupported), "", 1},
		{"does not arrive", &prometheus.TryError{URL: "http://127.0.0.1:9/x", Receivers: []string{"pager"}, Waited: 6 * time.Second}, "Alertmanager sends it to pager", 0},
	} {
		b := livetest.New(t, 1)
		d := b.Drivers(t)
		d.Detector = &tried{b.Detector, func(context.Context) error { return c.err }}
		var told []string
		r, err := execute.Rehearse(t.Context(), b.Plan, execute.Live{Drivers: d},
			execute.Rehearsing{Look: 1500 * time.Millisecond, Wait: 1500 * time.Millisecond, Clear: 4 * time.Second, Tell: func(s execute.Stage) { told = append(told, s.What) }})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Faults) != c.faults || r.OK() != (c.want == "") || len(told) < 2 || told[1] != execute.Trying {
			t.Errorf("%s: %+v, told %q", c.name, r, told)
		}
		if c.want != "" && (len(r.Problems) != 1 || !strings.Contains(r.Problems[0].What, c.want) || r.Problems[0].Remedy == "" || r.Problems[0].Part != "detector") {
			t.Errorf("%s: %+v", c.name, r.Problems)
		}
	}
}

// TestRehearseFinds spoils a setup in one respect after the other, and wants
// each said plainly, with a remedy, before any fault is applied.
func TestRehearseFinds(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte("<html>It works!</html>"))
	}))
	defer other.Close()
	for _, c := range []struct {
		name  string
		spoil func(*testing.T, *livetest.Bench)
		want  []string // each in one problem
	}{
		{"no engine", func(t *testing.T, b *livetest.Bench) { b.Engine.Close() }, []string{"nothing answers at"}},
		{"engine cuts", func(t *testing.T, b *livetest.Bench) { b.Dead.Store(true) }, []string{"deployment"}},
		{"no key", func(t *testing.T, b *livetest.Bench) { t.Setenv(livetest.KeyEnv, "") }, []string{livetest.KeyEnv + ", which holds the key of the deployment, is not set"}},
		{"wrong key", func(t *testing.T, b *livetest.Bench) { t.Setenv(livetest.KeyEnv, "wrong-key") }, []string{"refuses the key"}},
		{"wrong model", func(t *testing.T, b *livetest.Bench) { b.Plan.Declaration.Serving.Model = "large"; plan.Seal(b.Plan) }, []string{`no model "large"`}},
		{"another protocol", func(t *testing.T, b *livetest.Bench) {
			b.Plan.Declaration.Serving.Endpoint.BaseURL = other.URL
			plan.Seal(b.Plan)
		}, []string{"OpenAI-compatible"}},
		{"outside", func(t *testing.T, b *livetest.Bench) {
			b.Plan.Declaration.Serving.Endpoint.BaseURL = "http://192.0.2.7:80"
			plan.Seal(b.Plan)
		}, []string{"FD-7-1"}},
		{"port in use, and the detector is down", func(t *testing.T, b *livetest.Bench) {
			l, err := net.Listen("tcp", b.Plan.Declaration.Apparatus.Proxy.Listen)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { l.Close() })
			b.Detector.Down(http.ErrServerClosed)
		}, []string{"in use", "Server closed"}},
		{"another generator", func(t *testing.T, b *livetest.Bench) {
			b.Plan.Declaration.Population.Generator = "template/9"
			plan.Seal(b.Plan)
		}, []string{"template/9"}},
		{"a stream that is none", func(t *testing.T, b *livetest.Bench) {
			b.Plan.Declaration.Serving.Endpoint.Stream = true
			b.Plan.Declaration.Serving.Endpoint.Body = `{"stream":false}`
			plan.Seal(b.Plan)
		}, []string{"in one piece"}},
		{"a cache that is off", func(t *testing.T, b *livetest.Bench) {
			b.Cache.Store(true)
			b.Plan.Declaration.Environment.Caching = "disabled"
			plan.Seal(b.Plan)
		}, []string{"a cache answered"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(livetest.KeyEnv, livetest.Key)
			b := livetest.New(t, 1)
			c.spoil(t, b)
			r := rehearse(t, b)
			if r.OK() || len(r.Faults) > 0 {
				t.Fatalf("%+v", r)
			}
			if c.name == "no key" && len(r.Problems) != 1 {
				t.Errorf("a key that is not set is told otherwise too: %+v", r.Problems)
			}
			for _, want := range c.want {
				found := false
				for _, p := range r.Problems {
					found = found || strings.Contains(p.What, want) && p.Remedy != "" && p.Part != ""
					if strings.Contains(p.What+p.Remedy, livetest.Key) || strings.Contains(p.What+p.Remedy, "wrong-key") {
						t.Errorf("the key stands in %+v", p)
					}
				}
				if !found {
					t.Errorf("nothing says %q: %+v", want, r.Problems)
				}
			}
		})
	}
}

// TestRehearsalFolder names the folder of a fault that outlives the process
// before the fault is applied, and leaves none behind. A proxy's fault ends with
// the process and needs none.
func TestRehearsalFolder(t *testing.T) {
	t.Setenv(livetest.KeyEnv, livetest.Key)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	folders := func() []string {
		list, _ := filepath.Glob(filepath.Join(temp, lease.RehearsalPrefix+"*"))
		return list
	}
	for _, kind := range []string{"proxy", "command", "http"} {
		b := livetest.New(t, 1, func(p *plan.Plan) { p.Declaration.Apparatus.Kind = kind })
		var kept, during []string
		_, err := execute.Rehearse(t.Context(), b.Plan, execute.Live{Drivers: b.Drivers(t)},
			execute.Rehearsing{Look: time.Second, Wait: time.Second, Clear: 4 * time.Second,
				Keep: func(dir string) { kept = append(kept, dir) },
				Tell: func(s execute.Stage) {
					if s.What == "looking" {
						during = folders()
						if len(kept) != len(during) {
							t.Errorf("%s: a fault is about to be applied, and %q are named", kind, kept)
						}
					}
				}})
		if err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{true: 0, false: 1}[kind == "proxy"]; len(during) != want || !slices.Equal(kept, during) {
			t.Errorf("%s: named %q, made %q", kind, kept, during)
		}
		if left := folders(); len(left) > 0 {
			t.Errorf("%s: %q stay behind", kind, left)
		}
	}
}

// TestRehearseWithoutSecrets has drivers that cannot be made, since a variable
// that they need is not set.
func TestRehearseWithoutSecrets(t *testing.T) {
	t.Setenv(livetest.KeyEnv, livetest.Key)
	const variable = "FDBENCH_TEST_IS_NOT_SET"
	for _, kind := range []string{"prometheus", "webhook", "poll", "command"} {
		b := livetest.New(t, 1)
		d := &b.Plan.Declaration.Detector
		d.Kind, d.Live = kind, &plan.LiveDetector{URL: "http://127.0.0.1:1", Listen: "127.0.0.1:0", Path: "/alerts", Command: []string{"true"}, KeyEnv: variable}
		a := &b.Plan.Declaration.Apparatus
		a.Kind, a.Proxy = "http", nil
		a.HTTP = &plan.HTTPApparatus{Apply: plan.HTTPCall{Method: "POST", URL: "http://127.0.0.1:1/"}, Remove: plan.HTTPCall{Method: "POST", URL: "http://127.0.0.1:1/"}, KeyEnv: variable}
		r, err := execute.Rehearse(t.Context(), b.Plan, execute.Live{}, execute.Rehearsing{})
		if err != nil {
			t.Fatal(kind, err)
		}
		told := map[string]bool{}
		for _, p := range r.Problems {
			told[p.Part] = told[p.Part] || strings.Contains(p.What, variable)
		}
		if r.OK() || !told["detector"] || !told["apparatus"] {
			t.Errorf("%s: %+v", kind, r.Problems)
		}
	}
}
