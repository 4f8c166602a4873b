package procedure_test

import (
	"context"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/procedure"
)

// full is a series of 6 classes, 5 magnitudes, 2 profiles, 4 loads and 20
// trials, complete with baselines, quiet periods, sham trials and
// false-detection observation.
var full = setup{classes: 6, magnitudes: []string{"0.1", "0.15", "0.2", "0.3", "0.5"}, profiles: []plan.Profile{step, ramp},
	loads: []string{"1", "4.64", "21.5", "100"}, trials: 20, attempts: 30, verify: 150 * exact.Second}

func BenchmarkFullSeries(b *testing.B) {
	p := full.build()
	f := factory(b, p)
	for b.Loop() {
		var last procedure.Event
		o, err := procedure.Run(context.Background(), p, f, &memory{discard: true}, nil, func(e procedure.Event) { last = e })
		if err != nil || !o.Complete {
			b.Fatal(o, err)
		}
		b.ReportMetric(float64(last.Trials), "trials")
		b.ReportMetric(exact.Duration(last.Total).Seconds().Float64()/86400, "test-days")
	}
}
