package stats

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/fdbench/fdbench/runtime/random"
)

// fisherByCounting sums the tables in whole numbers.
func fisherByCounting(a, b, c, d int) float64 {
	ways := func(x int) *big.Int {
		w := new(big.Int).Binomial(int64(a+b), int64(x))
		return w.Mul(w, new(big.Int).Binomial(int64(c+d), int64(a+c-x)))
	}
	seen, extreme := ways(a), new(big.Int)
	for x := max(0, a-d); x <= min(a+b, a+c); x++ {
		if w := ways(x); w.Cmp(seen) <= 0 {
			extreme.Add(extreme, w)
		}
	}
	f, _ := new(big.Rat).SetFrac(extreme, new(big.Int).Binomial(int64(a+b+c+d), int64(a+c))).Float64()
	return f
}

func TestFisherExact(t *testing.T) {
	near(t, "20/20 against 16/20", FisherExact(20, 0, 16, 4), 0.106, 5e-4)
	near(t, "20/20 against 15/20", FisherExact(20, 0, 15, 5), 0.047, 5e-4)
	near(t, "20/20 against 14/20", FisherExact(20, 0, 14, 6), 0.020196020196, 1e-10)
	near(t, "nothing", FisherExact(0, 0, 0, 0), 1, 0)
	near(t, "one empty", FisherExact(5, 3, 0, 0), 1, 1e-12)
	for a := range 7 {
		for b := range 5 {
			for c := range 6 {
				for d := range 5 {
					want := fisherByCounting(a, b, c, d)
					near(t, "table", FisherExact(a, b, c, d), want, 1e-12)
					near(t, "swapped", FisherExact(c, d, a, b), want, 1e-12)
				}
			}
		}
	}
	near(t, "large", FisherExact(900, 100, 850, 150), fisherByCounting(900, 100, 850, 150), 1e-11)
	if !math.IsNaN(FisherExact(-1, 1, 1, 1)) {
		t.Error("a negative count")
	}
}

func TestPoissonRatio(t *testing.T) {
	near(t, "2 against 9", PoissonRatio(2, 24, 9, 24), 0.0654296875, 1e-10)
	near(t, "unequal periods", PoissonRatio(3, 24, 3, 12), 0.639231824417, 1e-10)
	near(t, "swapped", PoissonRatio(9, 24, 2, 24), 0.0654296875, 1e-10)
	near(t, "no events", PoissonRatio(0, 1, 0, 1), 1, 0)
	for _, bad := range []float64{PoissonRatio(-1, 1, 1, 1), PoissonRatio(1, 0, 1, 1), PoissonRatio(1, 1, 1, math.NaN())} {
		if !math.IsNaN(bad) {
			t.Errorf("meaningless arguments gave %v", bad)
		}
	}
}

// mannWhitneyByPairs counts U for every split of the joined sample.
func mannWhitneyByPairs(x, y []float64) (u, p float64) {
	pairs := func(in func(i int) bool, all []float64) (u float64) {
		for i, a := range all {
			for j, b := range all {
				if in(i) && !in(j) {
					switch {
					case a > b:
						u++
					case a == b:
						u += 0.5
					}
				}
			}
		}
		return u
	}
	all := slices.Concat(x, y)
	u = pairs(func(i int) bool { return i < len(x) }, all)
	var low, high, count float64
	for mask := range 1 << len(all) {
		size := 0
		for i := range all {
			size += mask >> i & 1
		}
		if size != len(x) {
			continue
		}
		v := pairs(func(i int) bool { return mask>>i&1 == 1 }, all)
		count++
		if v <= u {
			low++
		}
		if v >= u {
			high++
		}
	}
	return u, min(1, 2*min(low, high)/count)
}

func TestMannWhitneyExact(t *testing.T) {
	r := random.New("mann-whitney")
	for range 40 {
		x, y := make([]float64, 1+r.Below(5)), make([]float64, 1+r.Below(5))
		for i := range x {
			x[i] = float64(r.Below(6)) // many ties
		}
		for i := range y {
			y[i] = float64(r.Below(6))
		}
		u, p := mannWhitneyByPairs(x, y)
		got, ok := MannWhitneyExact(x, y)
		if !ok || !got.Exact || got.U != u || math.Abs(got.P-p) > 1e-12 {
			t.Fatalf("%v and %v: %+v, want U %v, p %v", x, y, got, u, p)
		}
		back, _ := MannWhitneyExact(y, x)
		if back.U+got.U != float64(len(x)*len(y)) || math.Abs(back.P-got.P) > 1e-12 || back.Shift != -got.Shift {
			t.Fatalf("swapped: %+v and %+v", got, back)
		}
	}
}

func TestMannWhitneyShift(t *testing.T) {
	x := []float64{4.1, 5.2, 6.3, 7.7, 8.1, 9.4, 10.2, 11.0}
	y := []float64{6.0, 9.9, 10.8, 12.5, 13.1, 14.2, 15.0, 16.6}
	r, _ := MannWhitneyExact(x, y)
	near(t, "shift", r.Shift, 4.8, 1e-10)
	near(t, "p", r.P, 0.014763014763, 1e-10)
	for _, bad := range [][2][]float64{{nil, y}, {x, nil}, {{math.NaN()}, y}} {
		if r, ok := MannWhitneyExact(bad[0], bad[1]); ok {
			t.Errorf("%v gave %+v", bad, r)
		}
	}
}

// TestMannWhitneyLarge: where the exact table grows too large the normal
// approximation takes over, and the two agree near the change.
func TestMannWhitneyLarge(t *testing.T) {
	sample := func(n int, shift float64) []float64 {
		r := random.New("large", string(rune('a'+int(shift))))
		out := make([]float64, n)
		for i := range out {
			out[i] = math.Round(1000*r.Float64()) + 100*shift
		}
		return out
	}
	small, ok := MannWhitneyExact(sample(50, 0), sample(50, 1))
	if !ok || !small.Exact {
		t.Fatalf("%+v", small)
	}
	large, ok := MannWhitneyExact(sample(200, 0), sample(200, 0))
	if !ok || large.Exact || large.P != 1 {
		t.Errorf("equal samples: %+v", large)
	}
	large, _ = MannWhitneyExact(sample(200, 0), sample(200, 1))
	if large.Exact || !(large.P < 0.01) || !(large.Shift > 50 && large.Shift < 150) {
		t.Errorf("shifted samples: %+v", large)
	}
	constant := make([]float64, 200)
	if r, _ := MannWhitneyExact(constant, constant); r.P != 1 || r.Shift != 0 {
		t.Errorf("all equal: %+v", r)
	}
	x, y := sample(60, 0), sample(60, 1)
	ranks, ties := doubledMidranks(x, y)
	r, _ := MannWhitneyExact(x, y)
	if !r.Exact {
		t.Fatalf("two samples of 60 are exact: %+v", r)
	}
	all := float64(len(ranks))
	sd := math.Sqrt(60 * 60 / 12.0 * (all + 1 - ties/(all*(all-1))))
	near(t, "normal approximation", 2*normal(-(math.Abs(r.U-1800)-0.5)/sd), r.P, 0.05*r.P)
}

func TestHolm(t *testing.T) {
	got := Holm([]float64{0.04, 0.01, math.NaN(), 0.03, 0.9})
	want := []float64{0.09, 0.04, math.NaN(), 0.09, 0.9}
	for i := range want {
		if math.IsNaN(want[i]) != math.IsNaN(got[i]) || math.Abs(got[i]-want[i]) > 1e-15 {
			t.Errorf("adjusted %v, want %v", got, want)
			break
		}
	}
	if got := Holm([]float64{0.6, 0.7}); got[0] != 1 || got[1] != 1 {
		t.Errorf("capped at 1: %v", got)
	}
	if len(Holm(nil)) != 0 {
		t.Error("nothing to adjust")
	}
}

func TestMannKendall(t *testing.T) {
	r := MannKendall([]float64{1, 3, 2, 5, 4, 6})
	if r.S != 11 {
		t.Errorf("S = %d", r.S)
	}
	near(t, "variance", r.VarS, 28.333333333333, 1e-9)
	near(t, "z", r.Z, 1.878672873255, 1e-9)
	near(t, "p", r.P, 2*normal(-1.878672873255), 1e-9)
	falling := MannKendall([]float64{6, 4, 5, 2, 3, 1})
	if falling.S != -11 || falling.Z != -r.Z || falling.P != r.P {
		t.Errorf("reversed: %+v", falling)
	}
	tied := MannKendall([]float64{1, 1, 2, 2, 2, 3})
	near(t, "variance with ties", tied.VarS, (6*5*17-2*1*9-3*2*11)/18.0, 1e-12)
	for _, flat := range [][]float64{nil, {1}, {2, 2, 2}} {
		if r := MannKendall(flat); r.S != 0 || r.Z != 0 || r.P != 1 || r.VarS != 0 {
			t.Errorf("%v: %+v", flat, r)
		}
	}
	if r := MannKendall([]float64{1, 2, 2, 1}); r.Z != 0 || r.P != 1 {
		t.Errorf("S = 0 has no continuity correction: %+v", r)
	}
}
