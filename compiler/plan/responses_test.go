package plan

import (
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

func TestResponsesOf(t *testing.T) {
	d := Declaration{Detector: Detector{Indicators: []DetectorIndicator{
		{Label: "a", Indicator: "a", Window: Window{Duration: exact.Minute}, Sampling: exact.Frac(1, 10)},
		{Label: "b5", Indicator: "b", Window: Window{Duration: 5 * exact.Minute}, Sampling: exact.Frac(1, 4)},
		{Label: "b1", Indicator: "b", Window: Window{Duration: exact.Minute}, Sampling: exact.Frac(1, 2)},
		{Label: "c", Indicator: "c", Window: Window{Requests: 200}, Sampling: exact.Int(1)},
	}}}
	point := LoadPoint{Rate: exact.Frac(5, 2), Window: 10 * exact.Minute}
	for name, want := range map[string]struct{ sampling, responses exact.Number }{
		"a":      {exact.Frac(1, 10), exact.Int(15)},
		"b":      {exact.Frac(1, 2), exact.Int(375)},
		"c":      {exact.Int(1), exact.Int(200)},
		"absent": {exact.Int(1), exact.Int(1500)},
	} {
		if got := d.SamplingOf(name); got.Cmp(want.sampling) != 0 {
			t.Errorf("sampling of %s is %s, want %s", name, got, want.sampling)
		}
		if got := d.ResponsesOf(name, point); got.Cmp(want.responses) != 0 {
			t.Errorf("responses of %s are %s, want %s", name, got, want.responses)
		}
	}
}
