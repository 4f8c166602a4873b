package virtual

import (
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/serving"
)

// testPlan is a deployment with one rate of 0.02 and a threshold detector over
// a sliding window; the options change it.
func testPlan(options ...func(*plan.Plan)) *plan.Plan {
	rate := exact.MustParse("0.02")
	bound := exact.MustParse("0.08")
	p := &plan.Plan{Digest: "test", Declaration: plan.Declaration{
		Seed:         "1",
		Environment:  plan.Environment{Kind: "simulated", Path: []string{"engine", "gateway"}, InjectAt: "engine", ObserveAt: "gateway"},
		Serving:      plan.Serving{Kind: "simulated", Latency: plan.Distribution{Kind: "constant"}, Behaviours: []plan.Behaviour{{Indicator: "refusal", Rate: &rate}}},
		Apparatus:    plan.Apparatus{Sampling: "quota", Verify: "paired"},
		Indicators:   []plan.Indicator{{Name: "refusal", Kind: "rate", Unit: "1"}},
		FaultClasses: []plan.FaultClass{{Name: "refusal", Indicator: "refusal", Direction: "up"}},
		Detector: plan.Detector{Kind: "threshold", Windows: "sliding", Evaluate: exact.Second,
			Indicators: []plan.DetectorIndicator{{Label: "refusal", Indicator: "refusal", Window: plan.Window{Duration: 15 * exact.Second}, Sampling: exact.Int(1)}},
			Alerts:     []plan.Alert{{Name: "High", Indicator: "refusal", Comparator: "above", Threshold: &bound}}},
		Load: plan.Load{Arrivals: "constant", Points: []plan.LoadPoint{{Rate: exact.Int(100), Window: 15 * exact.Second}}},
	}}
	for _, o := range options {
		o(p)
	}
	return p
}

func testFactory(t testing.TB, p *plan.Plan) *Factory {
	t.Helper()
	bank, err := serving.Simulated(&p.Declaration)
	if err != nil {
		t.Fatal(err)
	}
	f, err := New(p, bank)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func poisson(p *plan.Plan) { p.Declaration.Load.Arrivals = "poisson" }

func lognormal(p *plan.Plan) {
	p.Declaration.Serving.Latency = plan.Distribution{Kind: "lognormal", A: exact.MustParse("1.2"), B: exact.MustParse("0.5")}
}

func load(rate int64) func(*plan.Plan) {
	return func(p *plan.Plan) { p.Declaration.Load.Points[0].Rate = exact.Int(rate) }
}
