package drivers

import (
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/random"
)

// TestEveryKindCanBeReadBack makes a detector of each kind that a plan can
// declare and reads it.
func TestEveryKindCanBeReadBack(t *testing.T) {
	bound, one := exact.MustParse("0.1"), exact.Int(1)
	for kind, says := range map[string]string{"threshold": "threshold 1/10", "ewma": `chart "ewma"`, "cusum": `chart "cusum"`,
		"prometheus_rules": `alert "High"`, "oracle": ""} {
		p := &plan.Plan{Declaration: plan.Declaration{Seed: "1", Detector: plan.Detector{Name: "d", Kind: kind, Evaluate: exact.Second,
			Indicators: []plan.DetectorIndicator{{Label: "x", Exports: "x_total", Window: plan.Window{Duration: exact.Minute}}},
			Alerts: []plan.Alert{{Name: "High", Indicator: "x", Comparator: "above", Threshold: &bound, Lambda: &bound, Limit: &one,
				Reference: &bound, Decision: &one, Learn: 10}},
			Prometheus: &plan.Prometheus{RulesFile: "a.yml", Rules: "groups:\n- name: g\n  rules:\n  - alert: High\n    expr: x_total > 1\n",
				ScrapeInterval: 15 * exact.Second, EvaluationInterval: 15 * exact.Second}}}}
		det, err := New(p, func(s string) *random.Stream { return random.New(s) }, func(detector.Signal) {})
		if says == "" {
			if err == nil || !strings.Contains(err.Error(), kind) {
				t.Errorf("%s: %v", kind, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		c, ok := det.(detector.Configured)
		if !ok {
			t.Errorf("%s cannot be read back", kind)
			continue
		}
		var s detector.Settings
		c.Settings(&s)
		if !strings.Contains(string(s.Bytes()), says) {
			t.Errorf("%s reads as %s", kind, s.Bytes())
		}
	}
}
