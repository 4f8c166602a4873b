package virtual

import (
	"context"
	"math/big"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/world"
)

var hits int

// BenchmarkRequest shows what a simulated request costs, and as a ratio in the
// same run how many Bernoulli draws of the same generator that is.
func BenchmarkRequest(b *testing.B) {
	for _, c := range []struct {
		name    string
		options []func(*plan.Plan)
		fault   bool
	}{
		{"constant", []func(*plan.Plan){lognormal}, false},
		{"constant-fault", []func(*plan.Plan){lognormal}, true},
		{"poisson", []func(*plan.Plan){lognormal, poisson}, false},
		{"no-latency", nil, false},
		{"1-per-second", []func(*plan.Plan){lognormal, load(1)}, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			ctx := context.Background()
			w, err := testFactory(b, testPlan(c.options...)).Open(ctx, world.Segment{Name: "bench"}, func(detector.Signal) {})
			if err != nil {
				b.Fatal(err)
			}
			if c.fault {
				w.Apply(ctx, world.Fault{Class: "refusal", Fraction: exact.MustParse("0.05"), Profile: plan.Profile{Shape: "step"}, Verify: 1 << 60})
			}
			const step = 1000
			span := int64(exact.Second) * step
			span = int64(float64(span) / testRate(c.options))
			draws := random.New("draws")
			chance := random.ChanceOf(big.NewRat(1, 50))
			var simulated, drawn time.Duration
			b.ReportAllocs()
			for b.Loop() {
				t0 := time.Now()
				if err := w.Advance(ctx, w.Now()+span, nil); err != nil {
					b.Fatal(err)
				}
				t1 := time.Now()
				for range step {
					if draws.Hit(chance) {
						hits++
					}
				}
				simulated += t1.Sub(t0)
				drawn += time.Since(t1)
			}
			b.ReportMetric(float64(simulated.Nanoseconds())/float64(b.N)/step, "ns/request")
			b.ReportMetric(float64(drawn.Nanoseconds())/float64(b.N)/step, "ns/draw")
			b.ReportMetric(float64(simulated)/float64(drawn), "draws/request")
		})
	}
}

func testRate(options []func(*plan.Plan)) float64 {
	return testPlan(options...).Declaration.Load.Points[0].Rate.Float64()
}
