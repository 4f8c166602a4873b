package virtual

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/stats"
	"github.com/fdbench/fdbench/runtime/world"
	"github.com/fdbench/fdbench/spec/refdata"
)

// sample collects values for a mean with its standard error.
type sample struct{ n, sum, squares float64 }

func (s *sample) add(v float64) { s.n++; s.sum += v; s.squares += v * v }

func (s *sample) mean() float64 { return s.sum / s.n }

func (s *sample) se() float64 {
	return math.Sqrt((s.squares - s.sum*s.sum/s.n) / (s.n - 1) / s.n)
}

// alarms runs a world until it has heard n first alarms and returns the
// number of requests between one and the next, the first counted from the
// start. It serves detectors that start afresh after an alarm.
func alarms(t *testing.T, f *Factory, n int) *sample {
	t.Helper()
	ctx := context.Background()
	out := &sample{}
	last := int64(0)
	var w world.World
	w, err := f.Open(ctx, world.Segment{Name: "reference"}, func(s detector.Signal) {
		if s.Status == "firing" {
			at := w.Requests()
			out.add(float64(at - last))
			last = at
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for int(out.n) < n {
		if err := w.Advance(ctx, w.Now()+int64(exact.Hour), nil); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// firstAlarm is the number of requests until the first alarm of a new world.
func firstAlarm(t *testing.T, f *Factory, name string) float64 {
	t.Helper()
	heard := false
	w, err := f.Open(context.Background(), world.Segment{Name: name}, func(s detector.Signal) { heard = heard || s.Status == "firing" })
	if err != nil {
		t.Fatal(err)
	}
	for !heard {
		if err := w.Advance(context.Background(), w.Now()+int64(exact.Hour), func() bool { return heard }); err != nil {
			t.Fatal(err)
		}
	}
	return float64(w.Requests())
}

func num(s string) *exact.Number { n := exact.MustParse(s); return &n }

// chart turns the plan's detector into one chart on single requests.
func chart(kind string, a plan.Alert, indicator string, d plan.Distribution) func(*plan.Plan) {
	return func(p *plan.Plan) {
		a.Name, a.Indicator = "Chart", "x"
		p.Declaration.Indicators = []plan.Indicator{{Name: "x", Kind: indicator, Unit: "1"}}
		p.Declaration.FaultClasses = []plan.FaultClass{{Name: "x", Indicator: "x", Direction: "up"}}
		b := plan.Behaviour{Indicator: "x", Distribution: &d}
		if indicator == "rate" {
			b = plan.Behaviour{Indicator: "x", Rate: &d.A}
		}
		p.Declaration.Serving.Behaviours = []plan.Behaviour{b}
		p.Declaration.Detector = plan.Detector{Kind: kind, Alerts: []plan.Alert{a},
			Indicators: []plan.DetectorIndicator{{Label: "x", Indicator: "x", Window: plan.Window{Requests: 1}, Sampling: exact.Int(1)}}}
	}
}

// normal scores carry five digits of a standard deviation.
func normal(shift int64) plan.Distribution {
	return plan.Distribution{Kind: "normal", A: exact.Int(100000 * shift), B: exact.Int(100000)}
}

func rate(s string) plan.Distribution {
	return plan.Distribution{Kind: "constant", A: exact.MustParse(s)}
}

var (
	pageChart = plan.Alert{Reference: num("0.5"), Decision: num("4"), Center: num("0"), SD: num("100000"), Sides: "both", Reset: true}
	ewmaChart = plan.Alert{Lambda: num("0.1"), Limit: num("2.814"), Center: num("0"), SD: num("100000"), Sides: "both", Reset: true}
	walkChart = plan.Alert{Up: 19, Down: 1, Decision: num("95"), Reset: true}
)

// references maps the entries of the reference data that a scenario can
// express to a simulation of them. Of the others, an e-detector and a
// sequential test are no detectors of fdbench, and the rest is arithmetic that
// runtime/stats is checked with.
var references = map[string]func(*testing.T) *sample{
	"gauss-cusum2-k0.5-h4-arl0": func(t *testing.T) *sample {
		return alarms(t, testFactory(t, testPlan(chart("cusum", pageChart, "mean", normal(0)))), 100000)
	},
	"gauss-cusum2-k0.5-h4-arl1-1sd": func(t *testing.T) *sample {
		return alarms(t, testFactory(t, testPlan(chart("cusum", pageChart, "mean", normal(1)))), 100000)
	},
	"ewma-l0.1-L2.814-arl0": func(t *testing.T) *sample {
		return alarms(t, testFactory(t, testPlan(chart("ewma", ewmaChart, "mean", normal(0)))), 30000)
	},
	"ewma-l0.1-L2.814-arl1-1sd": func(t *testing.T) *sample {
		return alarms(t, testFactory(t, testPlan(chart("ewma", ewmaChart, "mean", normal(1)))), 100000)
	},
	"bern-cusum-02-10-arl0": func(t *testing.T) *sample {
		return alarms(t, testFactory(t, testPlan(chart("cusum", walkChart, "rate", rate("0.02")))), 800)
	},
	"bern-cusum-02-10-arl1-zero": func(t *testing.T) *sample {
		return alarms(t, testFactory(t, testPlan(chart("cusum", walkChart, "rate", rate("0.1")))), 100000)
	},
	"sliding-10-c3-arl0": func(t *testing.T) *sample {
		bound := plan.Alert{Comparator: "at_least", Threshold: num("0.3")}
		f := testFactory(t, testPlan(chart("threshold", bound, "rate", rate("0.02")), func(p *plan.Plan) {
			p.Declaration.Detector.Windows = "sliding"
			p.Declaration.Detector.Indicators[0].Window.Requests = 10
		}))
		s := &sample{}
		for i := range 4000 {
			s.add(firstAlarm(t, f, fmt.Sprint(i)))
		}
		return s
	},
	"tumbling-60x1-c5-far": func(t *testing.T) *sample {
		bound := plan.Alert{Comparator: "at_least", Threshold: num("5/60")}
		f := testFactory(t, testPlan(chart("threshold", bound, "rate", rate("0.02")), load(1), func(p *plan.Plan) {
			p.Declaration.Detector.Windows, p.Declaration.Detector.Evaluate = "tumbling", 60*exact.Second
			p.Declaration.Detector.Indicators[0].Window = plan.Window{Duration: 60 * exact.Second}
		}))
		// Alarms in successive windows are one edge: count windows that end
		// with the alert firing.
		s, ctx := &sample{}, context.Background()
		w, err := f.Open(ctx, world.Segment{Name: "reference"}, func(detector.Signal) {})
		if err != nil {
			t.Fatal(err)
		}
		for i := range int64(300000) {
			if err := w.Advance(ctx, (i+1)*60*int64(exact.Second), nil); err != nil {
				t.Fatal(err)
			}
			state, _ := w.Detector(ctx)
			s.add(float64(state.Firing))
		}
		return s
	},
	"prom-am-15-15-60-30-mean": prometheusLatency,
	"discard-10pct-n300":       func(t *testing.T) *sample { return discards(t, 1, 3000) },
	"discard-10pct-n3000":      func(t *testing.T) *sample { return discards(t, 10, 2000) },
	"discard-10pct-n30000":     func(t *testing.T) *sample { return discards(t, 100, 1000) },
}

// discards is the share of correct applications that the literal ten-percent
// rule discards when each request is picked by itself.
func discards(t *testing.T, rps int64, n int) *sample {
	f := testFactory(t, testPlan(load(rps), func(p *plan.Plan) { p.Declaration.Apparatus.Sampling = "bernoulli" }))
	s, ctx := &sample{}, context.Background()
	magnitude := exact.MustParse("0.05")
	for i := range n {
		w, err := f.Open(ctx, world.Segment{Name: fmt.Sprint(i)}, func(detector.Signal) {})
		if err != nil {
			t.Fatal(err)
		}
		fault := world.Fault{Class: "refusal", Fraction: magnitude.Div(exact.MustParse("0.98")), Profile: plan.Profile{Shape: "step"}, Verify: 300 * int64(exact.Second)}
		w.Apply(ctx, fault)
		w.Advance(ctx, 300*int64(exact.Second), nil)
		w.Remove(ctx)
		w.Advance(ctx, 310*int64(exact.Second), nil)
		a := w.Applied()
		if !a.Complete || a.N != 300*rps {
			t.Fatalf("verified %d requests, complete: %t", a.N, a.Complete)
		}
		if stats.KeepMagnitude(magnitude, exact.Frac(a.Injected, a.N).Sub(exact.MustParse("0.02"))) {
			s.add(0)
		} else {
			s.add(1)
		}
	}
	return s
}

// prometheusLatency applies a fault that the very next scrape shows, at random
// phases of scrape, evaluation and onset.
func prometheusLatency(t *testing.T) *sample {
	const rules = "groups:\n- name: g\n  interval: 15s\n  rules:\n  - alert: Bad\n    expr: increase(bad_total[31s]) > 0\n    for: 1m\n"
	s, ctx := &sample{}, context.Background()
	for i := range 1500 {
		f := testFactory(t, testPlan(chart("prometheus_rules", plan.Alert{}, "rate", rate("0")), load(50), func(p *plan.Plan) {
			p.Declaration.Seed = fmt.Sprint(i)
			d := &p.Declaration.Detector
			d.Name, d.Alerts, d.Indicators[0].Exports = "prometheus", nil, "bad_total"
			d.Prometheus = &plan.Prometheus{RulesFile: "rules.yml", Rules: rules, ScrapeInterval: 15 * exact.Second,
				EvaluationInterval: 15 * exact.Second, Total: "all_total"}
			d.Manager = &plan.Alertmanager{GroupBy: []string{"..."}, GroupWait: 30 * exact.Second, GroupInterval: 5 * exact.Minute,
				RepeatInterval: 4 * exact.Hour, SendResolved: true}
		}))
		heard := int64(0)
		w, err := f.Open(ctx, world.Segment{Name: fmt.Sprint(i)}, func(s detector.Signal) {
			if s.Status == "firing" && heard == 0 {
				heard = s.At
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		w.Advance(ctx, 120*int64(exact.Second)+int64(random.New("onset", fmt.Sprint(i)).Below(uint64(15*exact.Second))), nil)
		onset, err := w.Apply(ctx, world.Fault{Class: "x", Fraction: exact.Int(1), Profile: plan.Profile{Shape: "step"}, Verify: 1})
		if err != nil {
			t.Fatal(err)
		}
		w.Advance(ctx, onset+200*int64(exact.Second), nil)
		latency := float64(heard-onset) / 1e9
		if latency < 90 || latency > 120.1 {
			t.Fatalf("run %d: latency %.3f s is outside 90 to 120 s", i, latency)
		}
		s.add(latency)
	}
	return s
}

// TestDetectorReference compares simulated means with detector theory.
func TestDetectorReference(t *testing.T) {
	raw, err := os.ReadFile(refdata.Path(t, "data/detector-reference.json"))
	if err != nil {
		t.Fatal(err)
	}
	var data struct {
		References []struct {
			ID, Unit  string
			Value     float64
			Tolerance string `json:"check_tolerance"`
		}
	}
	if err := json.Unmarshal(raw, &data); err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, ref := range data.References {
		simulate, ok := references[ref.ID]
		if !ok {
			continue
		}
		checked++
		t.Run(ref.ID, func(t *testing.T) {
			t.Parallel()
			got := simulate(t)
			off, se := got.mean()-ref.Value, got.se()
			if ref.Unit == "1" {
				se = math.Sqrt(ref.Value * (1 - ref.Value) / got.n)
			}
			t.Logf("%s: simulated %.6g, reference %.6g, off by %.2f standard errors (n = %.0f)", ref.ID, got.mean(), ref.Value, off/se, got.n)
			if math.Abs(off) > 4*se {
				t.Errorf("simulated %.6g, reference %.6g %s: off by more than 4 standard errors of %.3g", got.mean(), ref.Value, ref.Unit, se)
			}
			if strings.Contains(ref.Tolerance, "within 1%") && math.Abs(off) > ref.Value/100 {
				t.Errorf("simulated %.6g, reference %.6g: off by more than one percent", got.mean(), ref.Value)
			}
		})
	}
	if checked != len(references) {
		t.Errorf("%d of %d simulations found their reference", checked, len(references))
	}
}
