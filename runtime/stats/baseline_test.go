package stats

import (
	"math"
	"slices"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/random"
)

func TestBaselineOf(t *testing.T) {
	b, ok := BaselineOf([]Window{{1, 10}, {0, 0}, {3, 10}, {1, 5}})
	if !ok || b.Windows != 3 || b.Undefined != 1 || b.Responses != 25 {
		t.Fatalf("%+v, %v", b, ok)
	}
	// Values 0.1, 0.3, 0.2.
	if b.Pooled.Cmp(num("0.2")) != 0 || b.Mean.Cmp(num("0.2")) != 0 || b.Variance.Cmp(num("0.01")) != 0 {
		t.Errorf("pooled %v, mean %v, variance %v", b.Pooled, b.Mean, b.Variance)
	}
	if b.SD(6).Cmp(num("0.1")) != 0 || b.Floor(6).Cmp(num("0.2")) != 0 {
		t.Errorf("sd %v, floor %v", b.SD(6), b.Floor(6))
	}
	if !b.WithinOneSD(num("0.3")) || !b.WithinOneSD(num("0.1")) || b.WithinOneSD(num("0.3000000001")) || b.WithinOneSD(num("0.0999999")) {
		t.Error("within one sd is inclusive")
	}
}

func TestBaselineNeedsTwoWindows(t *testing.T) {
	for _, ws := range [][]Window{nil, {{1, 10}}, {{1, 10}, {0, 0}, {0, 0}}} {
		if b, ok := BaselineOf(ws); ok {
			t.Errorf("%v gave %+v", ws, b)
		}
	}
}

// TestBaselineLaws compares with the plain definition in fractions.
func TestBaselineLaws(t *testing.T) {
	r := random.New("baseline laws")
	for range 60 {
		k := 2 + int(r.Uint64()%40)
		ws := make([]Window, k)
		var sum, responses exact.Number
		var values []exact.Number
		for i := range ws {
			n := int64(1 + r.Uint64()%300)
			ws[i] = Window{Sum: int64(r.Uint64()%uint64(2*n+1)) - n, N: n}
			v, _ := ws[i].Value()
			values = append(values, v)
			sum = sum.Add(exact.Int(ws[i].Sum))
			responses = responses.Add(exact.Int(n))
		}
		var mean, variance exact.Number
		for _, v := range values {
			mean = mean.Add(v)
		}
		mean = mean.Div(exact.Int(int64(k)))
		for _, v := range values {
			variance = variance.Add(v.Sub(mean).Mul(v.Sub(mean)))
		}
		variance = variance.Div(exact.Int(int64(k - 1)))
		b, ok := BaselineOf(ws)
		if !ok || b.Mean.Cmp(mean) != 0 || b.Variance.Cmp(variance) != 0 || b.Pooled.Cmp(sum.Div(responses)) != 0 {
			t.Fatalf("%v: %+v; want mean %v, variance %v", ws, b, mean, variance)
		}
		if m, ok := MeanOfWindows(ws); !ok || m.Cmp(mean) != 0 {
			t.Fatalf("mean of windows %v, want %v", m, mean)
		}
		slices.Reverse(ws)
		if again, _ := BaselineOf(ws); again.Mean.String() != b.Mean.String() || again.Variance.String() != b.Variance.String() {
			t.Fatal("the order of windows shows")
		}
		for _, places := range []int{0, 3, 9} {
			floor := b.Floor(places)
			step := exact.Int(1)
			for range places {
				step = step.Div(ten)
			}
			if BelowTwoSD(floor, b.Variance) || floor.Sign() > 0 && !BelowTwoSD(floor.Sub(step), b.Variance) {
				t.Fatalf("floor %v at %d places of variance %v", floor, places, b.Variance)
			}
		}
		for _, v := range values {
			off := v.Sub(mean)
			if got := b.WithinOneSD(v); got != (off.Mul(off).Cmp(variance) <= 0) {
				t.Fatalf("WithinOneSD(%v) = %v", v, got)
			}
		}
	}
}

func TestBaselineWithoutVariation(t *testing.T) {
	b, ok := BaselineOf([]Window{{0, 100}, {0, 100}, {0, 100}})
	if !ok || b.Variance.Sign() != 0 || b.Floor(4).Sign() != 0 {
		t.Fatalf("%+v", b)
	}
	if !b.WithinOneSD(exact.Int(0)) || b.WithinOneSD(num("0.01")) {
		t.Error("only the mean itself is within a standard deviation of 0")
	}
	if got := b.Overdispersion(); !math.IsNaN(got) {
		t.Errorf("overdispersion %v", got)
	}
	p := 0.5 / 301
	if want := math.Sqrt(p * (1 - p) / 100); math.Abs(b.GuardSD()-want) > 1e-15 {
		t.Errorf("guard %v, want %v", b.GuardSD(), want)
	}
}

func TestMeansDiffer(t *testing.T) {
	// Busy windows are bad, quiet ones good: the pooled mean is far off.
	b, _ := BaselineOf([]Window{{90, 100}, {0, 10}, {80, 100}, {1, 10}})
	if !b.MeansDiffer() {
		t.Errorf("pooled %v and mean %v", b.Pooled, b.Mean)
	}
	b, _ = BaselineOf([]Window{{9, 100}, {10, 100}, {8, 100}})
	if b.MeansDiffer() {
		t.Error("equal sizes have equal means")
	}
}

func TestUndefinedWindows(t *testing.T) {
	if _, ok := MeanOfWindows([]Window{{1, 2}, {0, 0}}); ok {
		t.Error("silence is not rest")
	}
	if _, ok := MeanOfWindows(nil); ok {
		t.Error("no windows have no mean")
	}
	if b := (Baseline{}); !math.IsNaN(b.BinomialSD()) || !math.IsNaN(b.GuardSD()) {
		t.Error("an empty baseline has no advisory figures")
	}
	tokens, _ := BaselineOf([]Window{{900, 3}, {1000, 4}})
	if !math.IsNaN(tokens.BinomialSD()) || !math.IsNaN(tokens.GuardSD()) {
		t.Error("a mean of tokens is no rate")
	}
}

func TestBaselineWindows(t *testing.T) {
	for _, tt := range []struct {
		interval, w exact.Duration
		want        int64
	}{{600, 60, 10}, {599, 60, 9}, {10, 0, 0}, {-10, 5, 0}} {
		if got := BaselineWindows(tt.interval, tt.w); got != tt.want {
			t.Errorf("%d windows of %d in %d", got, tt.w, tt.interval)
		}
	}
}
