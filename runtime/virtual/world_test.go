package virtual

import (
	"context"
	"math"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/world"
)

const second = int64(exact.Second)

func open(t testing.TB, options ...func(*plan.Plan)) world.World {
	t.Helper()
	w, err := testFactory(t, testPlan(options...)).Open(context.Background(), world.Segment{Name: t.Name()}, func(detector.Signal) {})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func advance(t testing.TB, w world.World, until int64) {
	t.Helper()
	if err := w.Advance(context.Background(), until, nil); err != nil {
		t.Fatal(err)
	}
	if w.Now() != until {
		t.Fatalf("advanced to %d, want %d", w.Now(), until)
	}
}

func TestConstantArrivalsKeepTheirRate(t *testing.T) {
	for _, r := range []string{"1", "3", "4.64", "21.5", "100", "1000/7", "0.3"} {
		rate := exact.MustParse(r)
		w := open(t, func(p *plan.Plan) { p.Declaration.Load.Points[0].Rate = rate })
		advance(t, w, 100000*second)
		want := rate.Mul(exact.Int(100000))
		if off := exact.Int(w.Requests()).Sub(want).Abs(); off.Cmp(exact.Int(1)) > 0 {
			t.Errorf("%s req/s: %d requests in 100000 s, want %s", r, w.Requests(), want.Decimal(1))
		}
	}
}

func TestPoissonArrivals(t *testing.T) {
	s := schedule(exact.Int(10), "poisson", random.New("poisson"))
	var counts sample
	for i := range int64(20000) {
		n := 0.0
		for at, _ := s.Next(); at < (i+1)*second; at, _ = s.Next() {
			s.Advance()
			n++
		}
		counts.add(n)
	}
	mean := counts.mean()
	dispersion := (counts.squares/counts.n - mean*mean) / mean
	if math.Abs(mean-10) > 4*counts.se() || math.Abs(dispersion-1) > 0.05 {
		t.Errorf("mean %.3f, index of dispersion %.3f; want 10 and 1", mean, dispersion)
	}
}

// TestQuotaFixesThePicks wants the number of changed responses in the
// verification window within one of the intended share, for each profile.
func TestQuotaFixesThePicks(t *testing.T) {
	for _, c := range []struct {
		profile plan.Profile
		share   float64 // of the asked verification that the profile allows
	}{
		{plan.Profile{Shape: "step"}, 1},
		{plan.Profile{Shape: "ramp", Ramp: 60 * exact.Second}, 1},
		{plan.Profile{Shape: "drift", Ramp: 600 * exact.Second}, 1},
		{plan.Profile{Shape: "pulse", On: 100 * exact.Second}, 1.0 / 3},
		{plan.Profile{Shape: "intermittent", On: 20 * exact.Second, Off: 40 * exact.Second}, 1},
	} {
		for _, fraction := range []string{"0.05", "0.3", "1"} {
			w := open(t, lognormal, func(p *plan.Plan) {
				rate := exact.Number{}
				p.Declaration.Serving.Behaviours[0].Rate = &rate
			})
			advance(t, w, 7*second)
			f := exact.MustParse(fraction)
			onset, err := w.Apply(context.Background(), world.Fault{Class: "refusal", Fraction: f, Profile: c.profile, Verify: 300 * second})
			if err != nil || onset != 7*second {
				t.Fatal(onset, err)
			}
			end := w.Applied().To
			advance(t, w, end)
			w.Remove(context.Background())
			advance(t, w, end+20*second)
			a := w.Applied()
			n := 30000 * c.share
			if !a.Complete || math.Abs(float64(a.N)-n) > 10 {
				t.Errorf("%s: verified over %d requests, want %.0f (complete: %t)", c.profile.Shape, a.N, n, a.Complete)
			}
			if want := n * f.Float64(); math.Abs(float64(a.Injected-a.Before)-want) > 2 {
				t.Errorf("%s, fraction %s: %d changed responses, want %.1f", c.profile.Shape, fraction, a.Injected-a.Before, want)
			}
		}
	}
}

// TestRampRises compares the picks in the two halves of a ramp: a quarter of
// the mass lies in the first.
func TestRampRises(t *testing.T) {
	for _, sampling := range []string{"quota", "bernoulli"} {
		w := open(t, func(p *plan.Plan) { p.Declaration.Apparatus.Sampling = sampling })
		w.Watch([]int64{100 * second})
		w.Apply(context.Background(), world.Fault{Class: "refusal", Fraction: exact.MustParse("0.98"), Profile: plan.Profile{Shape: "ramp", Ramp: 200 * exact.Second}, Verify: second})
		advance(t, w, 200*second)
		ws := w.Windows(world.Injection, 0)
		first, second := float64(ws[0].Sum)/float64(ws[0].N), float64(ws[1].Sum)/float64(ws[1].N)
		// Mean share 0.245 and 0.735, over a baseline of 0.02.
		if math.Abs(first-0.26) > 0.02 || math.Abs(second-0.74) > 0.02 {
			t.Errorf("%s: halves of the ramp at %.3f and %.3f, want 0.260 and 0.740", sampling, first, second)
		}
	}
}

// TestRequestsInFlightStayClean wants no change in a response to a request
// that started before onset, and a change in those that started before the
// removal.
func TestRequestsInFlightStayClean(t *testing.T) {
	w := open(t, func(p *plan.Plan) {
		p.Declaration.Serving.Latency = plan.Distribution{Kind: "constant", A: exact.Int(5)}
		rate := exact.Number{}
		p.Declaration.Serving.Behaviours[0].Rate = &rate
	})
	ctx := context.Background()
	w.Watch([]int64{second})
	advance(t, w, 10*second)
	w.Apply(ctx, world.Fault{Class: "refusal", Fraction: exact.Int(1), Profile: plan.Profile{Shape: "step"}, Verify: 10 * second})
	advance(t, w, 20*second)
	w.Remove(ctx)
	if a := w.Applied(); a.Complete {
		t.Error("complete with responses on their way")
	}
	if _, err := w.Apply(ctx, world.Fault{Class: "refusal", Fraction: exact.Int(1)}); err == nil {
		t.Error("a second fault was applied while responses of the first were on their way")
	}
	advance(t, w, 30*second)
	for i, win := range w.Windows(world.Injection, 0) {
		changed := i >= 15 && i < 25
		if got := win.N > 0 && win.Sum == win.N; got != changed {
			t.Errorf("second %d: %d of %d responses changed", i, win.Sum, win.N)
		}
	}
	a := w.Applied()
	if first := a.FirstAffected - 15*second; !a.Complete || first < 0 || first > second/100 {
		t.Errorf("first changed response %d ns after onset plus latency, complete: %t", first, a.Complete)
	}
}

func TestGuardrailMasksItsShare(t *testing.T) {
	for _, c := range []struct {
		guard plan.Guardrail
		want  float64
	}{
		{plan.Guardrail{Masks: exact.MustParse("0.25"), Acts: true}, 0.25},
		{plan.Guardrail{Masks: exact.MustParse("0.25"), Acts: true, Class: "refusal"}, 0.25},
		{plan.Guardrail{Masks: exact.MustParse("0.25"), Acts: true, Class: "other"}, 0},
		{plan.Guardrail{Masks: exact.MustParse("0.25")}, 0},
		{plan.Guardrail{Masks: exact.Int(1), Acts: true}, 1},
	} {
		w := open(t, func(p *plan.Plan) { p.Declaration.Environment.Guardrails = []plan.Guardrail{c.guard} })
		w.Apply(context.Background(), world.Fault{Class: "refusal", Fraction: exact.MustParse("0.5"), Profile: plan.Profile{Shape: "step"}, Verify: 1000 * second})
		advance(t, w, 1000*second)
		a := w.Applied()
		got := 1 - float64(a.Observed-a.Before)/float64(a.Injected-a.Before)
		if math.Abs(got-c.want) > 0.015 {
			t.Errorf("%+v: masks %.3f, want %.3f", c.guard, got, c.want)
		}
	}
}

// TestWindowsCoverEveryResponse sums the windows of both points against the
// requests that were offered.
func TestWindowsCoverEveryResponse(t *testing.T) {
	w := open(t, poisson)
	advance(t, w, 3*second)
	before := w.Requests()
	w.Watch([]int64{15 * second})
	advance(t, w, 3*second+1000*15*second)
	for point := range 2 {
		var n, sum int64
		ws := w.Windows(point, 0)
		for _, win := range ws {
			n, sum = n+win.N, sum+win.Sum
		}
		if len(ws) != 1000 || n != w.Requests()-before {
			t.Errorf("point %d: %d windows hold %d responses of %d requests", point, len(ws), n, w.Requests()-before)
		}
		if share := float64(sum) / float64(n); math.Abs(share-0.02) > 4*math.Sqrt(0.02*0.98/float64(n)) {
			t.Errorf("point %d: rate %.5f, want 0.02", point, share)
		}
	}
}

// TestSamplingIsTheDetectors wants the detector, and the windows at the
// observation point, to see the sampled share and the injection point all.
func TestSamplingIsTheDetectors(t *testing.T) {
	heard := 0
	p := testPlan(func(p *plan.Plan) {
		p.Declaration.Detector.Indicators[0].Sampling = exact.MustParse("0.1")
		p.Declaration.Detector.Alerts[0].MinResponses = 200
	})
	w, err := testFactory(t, p).Open(context.Background(), world.Segment{Name: "sampling"}, func(detector.Signal) { heard++ })
	if err != nil {
		t.Fatal(err)
	}
	w.Apply(context.Background(), world.Fault{Class: "refusal", Fraction: exact.Int(1), Profile: plan.Profile{Shape: "step"}, Verify: 100 * second})
	w.Watch([]int64{15 * second})
	advance(t, w, 300*second)
	// A tenth of 1,500 responses a window stays below the minimum of 200.
	if heard != 0 {
		t.Errorf("%d signals from a detector that sees 150 responses a window and wants 200", heard)
	}
	if in, out := w.Windows(world.Injection, 0), w.Windows(world.Observation, 0); in[1].N != 1500 || out[1].N < 100 || out[1].N > 200 {
		t.Errorf("windows of %d and %d responses, want 1500 and about 150", in[1].N, out[1].N)
	}
}

// TestStopEndsAtTheSignal wants Advance to return at the signal's instant.
func TestStopEndsAtTheSignal(t *testing.T) {
	var at int64
	w, err := testFactory(t, testPlan()).Open(context.Background(), world.Segment{Name: "stop"}, func(s detector.Signal) { at = s.At })
	if err != nil {
		t.Fatal(err)
	}
	advance(t, w, 20*second)
	w.Apply(context.Background(), world.Fault{Class: "refusal", Fraction: exact.Int(1), Profile: plan.Profile{Shape: "step"}, Verify: second})
	if err := w.Advance(context.Background(), 3600*second, func() bool { return at > 0 }); err != nil {
		t.Fatal(err)
	}
	if at == 0 || w.Now() != at {
		t.Errorf("stopped at %d for a signal at %d", w.Now(), at)
	}
}

func TestCancelledAdvanceReturns(t *testing.T) {
	w := open(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := w.Advance(ctx, 365*24*3600*second, nil); err == nil {
		t.Error("no error")
	}
}

// TestEverySegmentHasItsOwnStreams compares two names, and one name twice.
func TestEverySegmentHasItsOwnStreams(t *testing.T) {
	f := testFactory(t, testPlan(poisson))
	requests := func(name string) int64 {
		w, err := f.Open(context.Background(), world.Segment{Name: name}, func(detector.Signal) {})
		if err != nil {
			t.Fatal(err)
		}
		advance(t, w, 1000*second)
		return w.Requests()
	}
	if a, b := requests("a"), requests("a"); a != b {
		t.Errorf("one name gave %d and %d requests", a, b)
	}
	if a, b := requests("a"), requests("b"); a == b {
		t.Errorf("two names gave %d requests both", a)
	}
}
