package serving

import (
	"math"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
)

func number(s string) *exact.Number { n := exact.MustParse(s); return &n }

func declaration() *plan.Declaration {
	return &plan.Declaration{
		Indicators: []plan.Indicator{{Name: "a", Kind: "rate"}, {Name: "b", Kind: "rate"}, {Name: "words", Kind: "mean"}, {Name: "silent", Kind: "rate"}},
		Serving: plan.Serving{Behaviours: []plan.Behaviour{
			{Indicator: "a", Rate: number("0.02")}, {Indicator: "b", Rate: number("1/3")},
			{Indicator: "words", Distribution: &plan.Distribution{Kind: "lognormal", A: exact.Int(180), B: exact.MustParse("0.5")}},
		}},
		FaultClasses: []plan.FaultClass{{Name: "up", Indicator: "a", Direction: "up"}, {Name: "down", Indicator: "b", Direction: "down"},
			{Name: "longer", Indicator: "words", Direction: "up", Scale: exact.Int(2)}},
	}
}

func column0(b *Bank, scores []int32, i int) []float64 {
	out := make([]float64, b.Rows)
	for r := range out {
		out[r] = float64(scores[r*b.Stride+i])
	}
	return out
}

func mean(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s / float64(len(v))
}

func TestSimulatedRatesAreExact(t *testing.T) {
	b, err := Simulated(declaration())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.02, 1.0 / 3} {
		if got := mean(column0(b, b.Base, i)); math.Abs(got-want) > 1e-12 {
			t.Errorf("indicator %d: rate %.9f, want %.9f", i, got, want)
		}
	}
	if got := mean(column0(b, b.Base, 3)); got != 0 {
		t.Errorf("an indicator without behaviour has rate %g", got)
	}
	// The mean of a lognormal is median * exp(sigma^2/2).
	if got, want := mean(column0(b, b.Base, 2)), 180*math.Exp(0.125); math.Abs(got-want) > 0.1 {
		t.Errorf("words: mean %.3f, want %.3f", got, want)
	}
}

func TestSimulatedIndicatorsAreIndependent(t *testing.T) {
	b, err := Simulated(declaration())
	if err != nil {
		t.Fatal(err)
	}
	both := 0.0
	for r := range b.Rows {
		both += float64(b.Base[r*b.Stride] * b.Base[r*b.Stride+1])
	}
	want := 0.02 / 3
	if got := both / float64(b.Rows); math.Abs(got-want) > 4*math.Sqrt(want/float64(b.Rows)) {
		t.Errorf("both indicators hit on %.5f of rows, want %.5f", got, want)
	}
}

func TestTwinsShiftTheirOwnIndicatorOnly(t *testing.T) {
	b, err := Simulated(declaration())
	if err != nil {
		t.Fatal(err)
	}
	for class, want := range map[string]struct {
		column int
		mean   float64
	}{"up": {0, 1}, "down": {1, 0}, "longer": {2, 2 * mean(column0(b, b.Base, 2))}} {
		twin := b.Twins[class]
		if got := mean(column0(b, twin, want.column)); math.Abs(got-want.mean) > 1e-9 {
			t.Errorf("%s: mean %.6f, want %.6f", class, got, want.mean)
		}
		for i := range b.Stride {
			if i == want.column {
				continue
			}
			for r := range b.Rows {
				if twin[r*b.Stride+i] != b.Base[r*b.Stride+i] {
					t.Fatalf("%s: changed indicator %d", class, i)
				}
			}
		}
	}
}

func TestRatesOfManyDecimalsAreRefused(t *testing.T) {
	d := declaration()
	d.Serving.Behaviours[0].Rate = number("0.0200000001")
	if _, err := Simulated(d); err == nil {
		t.Error("no error")
	}
}

func TestRecordedChecksItsColumns(t *testing.T) {
	base := [][]int32{{0, 1}, {5, 6}}
	b, err := Recorded(base, map[string][][]int32{"up": {{1, 1}, {5, 7}}})
	if err != nil {
		t.Fatal(err)
	}
	if b.Rows != 2 || b.Base[2] != 1 || b.Base[3] != 6 || b.Twins["up"][3] != 7 {
		t.Errorf("%+v", b)
	}
	for _, twins := range []map[string][][]int32{{"up": {{1, 1}}}, {"up": {{1, 1}, {5}}}} {
		if _, err := Recorded(base, twins); err == nil {
			t.Errorf("%v: no error", twins)
		}
	}
	if _, err := Recorded(nil, nil); err == nil {
		t.Error("an empty bank: no error")
	}
}

func TestQuantiles(t *testing.T) {
	for _, c := range []struct {
		d    plan.Distribution
		u    float64
		want float64
	}{
		{plan.Distribution{Kind: "constant", A: exact.Int(3)}, 0.7, 3},
		{plan.Distribution{Kind: "uniform", A: exact.Int(2), B: exact.Int(4)}, 0.25, 2.5},
		{plan.Distribution{Kind: "exponential", A: exact.Int(2)}, 0.5, 2 * math.Ln2},
		{plan.Distribution{Kind: "lognormal", A: exact.Int(2), B: exact.Int(1)}, 0.5, 2},
		{plan.Distribution{Kind: "normal", A: exact.Int(2), B: exact.Int(1)}, 0.8413447460685429, 3},
	} {
		if got := Quantile(c.d, c.u); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s at %g: %.12f, want %.12f", c.d.Kind, c.u, got, c.want)
		}
	}
	for _, d := range []plan.Distribution{{}, {Kind: "constant", A: exact.MustParse("0.25")}} {
		if ns, _ := exact.DurationOf(d.A); Latencies(d)[0] != int64(ns) {
			t.Errorf("%+v: latency %v", d, Latencies(d))
		}
	}
	l := Latencies(plan.Distribution{Kind: "normal", A: exact.Int(1), B: exact.Int(2)})
	if l[0] != 0 || len(l) != latencySteps {
		t.Errorf("a latency below 0 became %d", l[0])
	}
}
