package virtual

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/threshold"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/world"
)

var step = plan.Profile{Name: "step", Shape: "step"}

func readBack(t testing.TB, w world.World) world.Readback {
	t.Helper()
	r, err := w.ReadBack(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func sampled(p *plan.Plan) {
	p.Declaration.Detector.Indicators[0].Sampling = exact.MustParse("1/3")
}

// TestReadingFollowsTheFault wants the deployment to read as another one from
// the application of a fault until the last changed response was answered, and
// as the declared one before and after.
func TestReadingFollowsTheFault(t *testing.T) {
	for _, options := range [][]func(*plan.Plan){{lognormal}, {lognormal, sampled}, {lognormal, poisson}} {
		w := open(t, options...).(*virtualWorld)
		declared := w.home.Declared()
		advance(t, w, 100*second)
		if got := readBack(t, w); got != declared || got.Detector == "" || got.Serving == "" || got.Population == "" {
			t.Errorf("at rest %+v, declared %+v", got, declared)
		}
		var under []string
		for i, fraction := range []string{"0.3", "0.4"} {
			if _, err := w.Apply(context.Background(), world.Fault{Class: "refusal", Fraction: exact.MustParse(fraction), Profile: step, Verify: 60 * second}); err != nil {
				t.Fatal(err)
			}
			under = append(under, readBack(t, w).Serving)
			advance(t, w, w.Now()+100*second)
			if got := readBack(t, w); got.Serving != under[i] || got.Detector != declared.Detector {
				t.Errorf("under a fault %+v, and %s at its onset", got, under[i])
			}
			if _, err := w.Remove(context.Background()); err != nil {
				t.Fatal(err)
			}
			if w.fault.altered == 0 {
				t.Fatal("no changed response is on its way")
			}
			if got := readBack(t, w); got.Serving != under[i] {
				t.Error("the fault is gone while responses that it changed are on their way")
			}
			advance(t, w, w.Now()+100*second)
			if got := readBack(t, w); got != declared {
				t.Errorf("after removal %+v, declared %+v", got, declared)
			}
		}
		if under[0] == under[1] || slices.Contains(under, declared.Serving) {
			t.Errorf("readings under two faults %q, without one %s", under, declared.Serving)
		}
	}
}

// TestReadingShowsWhatIsInUse changes what a world works with behind its back.
func TestReadingShowsWhatIsInUse(t *testing.T) {
	for _, c := range []struct {
		name     string
		change   func(*virtualWorld)
		detector bool
		says     string
	}{
		{"a detector with another threshold", func(w *virtualWorld) {
			d := w.plan.Declaration.Detector
			other := exact.MustParse("0.09")
			d.Alerts = slices.Clone(d.Alerts)
			d.Alerts[0].Threshold = &other
			w.det, _ = threshold.New(&d, func(detector.Signal) {})
		}, true, `"threshold 9/100" was "threshold 2/25"`},
		{"another sampling", func(w *virtualWorld) { w.sampling = []random.Chance{random.ChanceOf(exact.MustParse("0.5").Rat())} }, true,
			`"sampling \"0.5\"" was "sampling \"1/3\""`},
		{"no sampling", func(w *virtualWorld) { w.sampling = nil }, true, `"sampling \"1\""`},
		{"another indicator", func(w *virtualWorld) { w.columns[0] = 1 }, true, `"computes \"other\""`},
		{"other responses", func(w *virtualWorld) { b := *w.bank; w.bank = &b }, false, ""},
		{"other latencies", func(w *virtualWorld) { w.latencies = slices.Clone(w.latencies) }, false, ""},
		{"fewer latencies", func(w *virtualWorld) { w.latencies = w.latencies[:10] }, false, ""},
		{"other guardrails", func(w *virtualWorld) { w.masks = slices.Clone(w.masks) }, false, ""},
	} {
		w := open(t, lognormal, sampled, func(p *plan.Plan) {
			p.Declaration.Indicators = append(p.Declaration.Indicators, plan.Indicator{Name: "other", Kind: "rate"})
		}).(*virtualWorld)
		before := readBack(t, w)
		if c := w.Change(); c != "" {
			t.Errorf("%s: a change before it: %s", c, c)
		}
		c.change(w)
		after := readBack(t, w)
		if (after.Detector != before.Detector) != c.detector || (after.Serving != before.Serving) == c.detector || after.Population != before.Population {
			t.Errorf("%s: %+v, before %+v", c.name, after, before)
		}
		if got := w.Change(); !strings.Contains(got, c.says) || (got == "") == c.detector {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

func TestIdentity(t *testing.T) {
	f := testFactory(t, testPlan())
	if f.Onset() != (world.Onset{Source: "apparatus", Resolution: 1}) || f.Hosts() != (world.Hosts{Apparatus: "virtual", Detector: "virtual"}) || len(f.Targets()) != 0 {
		t.Errorf("%+v, %+v, %+v", f.Onset(), f.Hosts(), f.Targets())
	}
	w := open(t, lognormal)
	advance(t, w, 10*second)
	if _, err := w.Apply(context.Background(), world.Fault{Class: "refusal", Fraction: exact.MustParse("0.3"), Profile: step, Verify: 60 * second}); err != nil {
		t.Fatal(err)
	}
	advance(t, w, 100*second)
	if _, err := w.Remove(context.Background()); err != nil {
		t.Fatal(err)
	}
	advance(t, w, 200*second)
	a := w.Applied()
	if !a.Complete || a.ObservedFrom != a.From || a.ObservedTo != a.To || a.ObservedN != a.N || a.N != 6000 || a.Cached != 0 || a.Markers != nil {
		t.Errorf("%+v", a)
	}
}

// TestOffered counts the requests of windows against the schedule itself.
func TestOffered(t *testing.T) {
	for _, o := range []func(*plan.Plan){func(*plan.Plan) {}, poisson} {
		w := open(t, o, lognormal).(*virtualWorld)
		advance(t, w, 7*second)
		var want []int64
		w.Count(5 * second)
		for range 40 {
			n := w.Requests()
			advance(t, w, w.Now()+5*second)
			want = append(want, w.Requests()-n)
		}
		if got := w.Offered(); !slices.Equal(got, want) {
			t.Errorf("%d windows %v, want %v", len(got), got, want)
		}
		advance(t, w, w.Now()+4*second)
		if n := len(w.Offered()); n != 40 {
			t.Errorf("%d windows are complete, want 40", n)
		}
		w.Count(0)
		advance(t, w, w.Now()+20*second)
		if n := len(w.Offered()); n != 0 {
			t.Errorf("%d windows were counted after the end", n)
		}
	}
}

func BenchmarkReadBack(b *testing.B) {
	w := open(b, lognormal, sampled)
	for b.Loop() {
		readBack(b, w)
	}
}
