package procedure_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/procedure"
	"github.com/fdbench/fdbench/runtime/serving"
	"github.com/fdbench/fdbench/runtime/virtual"
	"github.com/fdbench/fdbench/runtime/world"
)

var (
	step = plan.Profile{Name: "step", Shape: "step"}
	ramp = plan.Profile{Name: "ramp 30s", Shape: "ramp", Ramp: 30 * exact.Second}
)

// setup is a series to build a plan of.
type setup struct {
	classes    int
	magnitudes []string
	profiles   []plan.Profile
	loads      []string
	trials     int
	attempts   int
	verify     exact.Duration
	window     exact.Duration
	search     bool
	masking    bool
	options    []func(*plan.Plan)
}

// build makes the plan by hand: rates of 0.02, and an alert above 0.08 on each.
func (s setup) build() *plan.Plan {
	rate, bound, keep := exact.MustParse("0.02"), exact.MustParse("0.08"), exact.MustParse("0.98")
	if s.window == 0 {
		s.window = 15 * exact.Second
	}
	p := &plan.Plan{Digest: "test", Series: "test", Declaration: plan.Declaration{
		Seed: "1", Window: s.window,
		Environment: plan.Environment{Kind: "simulated", Path: []string{"engine", "guardrail", "gateway"}, InjectAt: "engine", ObserveAt: "gateway", Position: "fip_upstream"},
		Serving:     plan.Serving{Kind: "simulated", Latency: plan.Distribution{Kind: "lognormal", A: exact.MustParse("1.2"), B: exact.MustParse("0.5")}},
		Apparatus:   plan.Apparatus{Sampling: "quota", Verify: "paired"},
		Detector:    plan.Detector{Kind: "threshold", Windows: "sliding", Evaluate: exact.Second},
		Signal:      plan.Signal{Type: "alert", EventClock: "receiver", Attribution: `signal.status == "firing" and signal.labels.indicator == fault.indicator`},
		Load:        plan.Load{Arrivals: "constant"},
		Quiet:       plan.Quiet{AtLeast: s.window, AtMost: 2 * exact.Hour, Windows: 4},
		Trials:      plan.Trials{Count: s.trials, Attempts: s.attempts},
		Sham:        plan.Sham{Trials: s.trials},
	}, Estimators: plan.Estimators{LoadTolerance: exact.MustParse("0.01")}}
	d := &p.Declaration
	for i := range s.classes {
		name := fmt.Sprintf("indicator%d", i)
		d.Indicators = append(d.Indicators, plan.Indicator{Name: name, Kind: "rate", Unit: "1"})
		d.FaultClasses = append(d.FaultClasses, plan.FaultClass{Name: fmt.Sprintf("class%d", i), Indicator: name, Direction: "up"})
		d.Serving.Behaviours = append(d.Serving.Behaviours, plan.Behaviour{Indicator: name, Rate: &rate})
		d.Detector.Indicators = append(d.Detector.Indicators, plan.DetectorIndicator{Label: name, Indicator: name, Window: plan.Window{Duration: s.window}, Sampling: exact.Int(1)})
		d.Detector.Alerts = append(d.Detector.Alerts, plan.Alert{Name: "High" + name, Indicator: name, Comparator: "above", Threshold: &bound, MinResponses: 10})
	}
	id, searches := 0, 0
	for l, rps := range s.loads {
		d.Load.Points = append(d.Load.Points, plan.LoadPoint{Rate: exact.MustParse(rps), Window: s.window,
			Baseline: max(20*s.window, 300*exact.Second), Timeout: 20 * s.window, Verification: s.verify})
		for _, c := range d.FaultClasses {
			for _, m := range s.magnitudes {
				for _, prof := range s.profiles {
					magnitude := exact.MustParse(m)
					p.Combinations.Trials = append(p.Combinations.Trials, plan.Combination{ID: id, Class: c.Name, Magnitude: magnitude, Profile: prof,
						Load: l, Fraction: magnitude.Div(keep), Trials: s.trials, Attempts: s.attempts, Timeout: 20*s.window + prof.Ramp, Verification: s.verify})
					id++
				}
			}
		}
		if s.search {
			p.Combinations.Searches = append(p.Combinations.Searches, plan.Search{ID: searches, Threshold: "t", Class: "class0", Profile: step, Load: l,
				Target: exact.MustParse("9/10"), TargetText: "18/20", Resolution: exact.MustParse("0.01"), Floor: true, Upper: exact.MustParse("0.4"),
				PerUnit: exact.Int(1).Div(keep), Largest: keep, Trials: s.trials, Attempts: s.attempts, Timeout: 20 * s.window, Verification: s.verify})
			searches++
		}
	}
	kinds := []string{"baseline", "sham", "trials", "search", "masking", "false_detection"}
	if s.masking {
		d.Environment.Guardrails = []plan.Guardrail{{Place: "guardrail", Masks: exact.MustParse("0.4"), Acts: true}}
		d.Masking = &plan.Masking{Trials: s.trials, Targets: []plan.MaskingTarget{{Class: "class0", Magnitude: exact.MustParse("0.2"), Fraction: exact.MustParse("0.2").Div(keep)}}}
	} else {
		kinds = []string{"baseline", "sham", "trials", "search", "false_detection"}
	}
	for l := range s.loads {
		for _, k := range kinds {
			if k != "search" || s.search {
				p.Phases = append(p.Phases, plan.Phase{Kind: k, Load: l})
			}
		}
	}
	for _, o := range s.options {
		o(p)
	}
	return p
}

// memory is a journal that can be read again.
type memory struct {
	kinds   []string
	data    [][]byte
	synced  int
	discard bool
}

func (m *memory) Append(kind string, data any) error {
	if m.discard {
		return nil
	}
	b, err := json.Marshal(data)
	m.kinds, m.data = append(m.kinds, kind), append(m.data, b)
	return err
}

func (m *memory) Sync() error { m.synced = len(m.kinds); return nil }

func (m *memory) bytes() []byte {
	var b bytes.Buffer
	for i, k := range m.kinds {
		fmt.Fprintf(&b, "%s %s\n", k, m.data[i])
	}
	return b.Bytes()
}

// records decodes every entry of a kind.
func records[T any](t testing.TB, m *memory, kind string) []T {
	t.Helper()
	var out []T
	for i, k := range m.kinds {
		if k == kind {
			var v T
			if err := json.Unmarshal(m.data[i], &v); err != nil {
				t.Fatal(err)
			}
			out = append(out, v)
		}
	}
	return out
}

func factory(t testing.TB, p *plan.Plan) world.Factory {
	t.Helper()
	bank, err := serving.Simulated(&p.Declaration)
	if err != nil {
		t.Fatal(err)
	}
	f, err := virtual.New(p, bank)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func run(t testing.TB, p *plan.Plan, f world.Factory) (*memory, procedure.Outcome) {
	t.Helper()
	m := &memory{}
	o, err := procedure.Run(context.Background(), p, f, m, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m, o
}

func kept(trials []journal.TrialRecord, purpose string) []journal.TrialRecord {
	var out []journal.TrialRecord
	for _, r := range trials {
		if r.Kept && r.Purpose == purpose {
			out = append(out, r)
		}
	}
	return out
}
