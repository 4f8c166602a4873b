package stats

import (
	"math"
	"math/big"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

// enumerate sums the probabilities of all x that are out of tolerance, with
// the tolerance decided in fractions: achieved(x) against intended.
func enumerate(n int, p *big.Rat, intended exact.Number, achieved func(x int) exact.Number) float64 {
	return binomialExact(n, p, func(x int) bool { return !KeepMagnitude(intended, achieved(x)) })
}

func TestDiscardAgainstEnumeration(t *testing.T) {
	for _, tt := range []struct {
		n     int
		p0, d string
	}{
		{40, "0.02", "0.1"}, {50, "0.02", "0.1"}, {100, "0.1", "0.2"}, {60, "0.3", "0.5"}, {40, "0", "0.25"},
		{80, "0.25", "0.75"}, {50, "0.9", "-0.3"}, {30, "1", "-0.5"}, {1, "0.5", "0.25"}, {90, "1/3", "1/3"},
	} {
		p0, d, n := num(tt.p0), num(tt.d), exact.Int(int64(tt.n))
		f0, fd := p0.Float64(), d.Float64()
		ratio := func(x int) exact.Number { return exact.Int(int64(x)).Div(n) }
		want := enumerate(tt.n, p0.Add(d).Rat(), d, func(x int) exact.Number { return ratio(x).Sub(p0) })
		near(t, "Bernoulli", DiscardBernoulli(tt.n, f0, fd), want, 1e-12)

		// Quota, upward or downward.
		f, ok := InjectionFraction(p0, d)
		if !ok {
			t.Fatalf("%+v has no injection", tt)
		}
		forced, _ := f.Mul(n).Round(0).Int64()
		want = enumerate(tt.n-int(forced), p0.Rat(), d, func(x int) exact.Number {
			if d.Sign() > 0 {
				x += int(forced)
			}
			return ratio(x).Sub(p0)
		})
		near(t, "quota", DiscardQuota(tt.n, f0, fd), want, 1e-12)

		// Paired: changed responses, each way.
		want = enumerate(tt.n, d.Abs().Rat(), d.Abs(), ratio)
		near(t, "paired Bernoulli", DiscardPaired(tt.n, f0, fd, false), want, 1e-12)
		useful := exact.Int(1).Sub(p0)
		if d.Sign() < 0 {
			useful = p0
		}
		picks := f.Mul(n)
		few, _ := picks.Int64()
		share := picks.Sub(exact.Int(few)).Float64()
		want = (1 - share) * enumerate(int(few), useful.Rat(), d.Abs(), ratio)
		if share > 0 {
			want += share * enumerate(int(few)+1, useful.Rat(), d.Abs(), ratio)
		}
		near(t, "paired quota", DiscardPaired(tt.n, f0, fd, true), want, 1e-12)
	}
}

func TestDiscardBoundary(t *testing.T) {
	// n=500, 0.02+0.1: 55..65 is kept with both ends, which binary64 would miss.
	lo, hi := keptRange(500, 500*(0.02+0.1), 0.1)
	if lo != 55 || hi != 65 {
		t.Errorf("kept %d..%d", lo, hi)
	}
	lo, hi = keptRange(300, 300*(1./3+0.1), 0.1)
	if lo != 127 || hi != 133 {
		t.Errorf("kept %d..%d", lo, hi)
	}
}

func TestDiscardReference(t *testing.T) {
	near(t, "Bernoulli n=100", DiscardBernoulli(100, 0.02, 0.1), 0.645038565743, 1e-9)
	near(t, "quota n=100", DiscardQuota(100, 0.02, 0.1), 0.269058160203, 1e-9)
	near(t, "quota n=500", DiscardQuota(500, 0.05, 0.3), 0.000280076382, 1e-9)
	near(t, "Bernoulli n=30000", DiscardBernoulli(30_000, 0.02, 0.05), 0.0006625423482957693, 1e-9)
}

// TestDiscardLarge compares with the normal limit where n is large, and checks
// that the forecast falls with n on the whole and keeps small values.
func TestDiscardLarge(t *testing.T) {
	const n, p0, d = 1_000_000, 0.02, 0.003
	sd := math.Sqrt(n * (p0 + d) * (1 - p0 - d))
	want := 2 * normal(-(0.1*d*n+0.5)/sd)
	near(t, "Bernoulli n=1e6", DiscardBernoulli(n, p0, d), want, 2e-4)
	if v := DiscardQuota(n, p0, d); !(v > 0 && v < DiscardBernoulli(n, p0, d)) {
		t.Errorf("quota n=1e6: %v", v)
	}
	if v := DiscardBernoulli(n, 0.02, 0.1); !(v > 0 && v < 1e-100) {
		t.Errorf("a far tail is %v", v)
	}
}

func TestDiscardArguments(t *testing.T) {
	for _, f := range []func(int, float64, float64) float64{
		DiscardBernoulli, DiscardQuota,
		func(n int, p0, d float64) float64 { return DiscardPaired(n, p0, d, true) },
		func(n int, p0, d float64) float64 { return DiscardPaired(n, p0, d, false) },
	} {
		near(t, "no requests", f(0, 0.1, 0.1), 1, 0)
		for _, bad := range [][3]float64{{10, -0.1, 0.2}, {10, 0.5, 0.6}, {10, 0.5, -0.6}, {-1, 0.1, 0.1}, {10, math.NaN(), 0.1}} {
			if v := f(int(bad[0]), bad[1], bad[2]); !math.IsNaN(v) {
				t.Errorf("%v gave %v", bad, v)
			}
		}
		// Certain outcomes: every response turns bad.
		near(t, "all bad", f(50, 0, 1), 0, 0)
		near(t, "all good", f(50, 1, -1), 0, 0)
	}
	near(t, "attempts", ExpectedAttempts(0.75), 4, 0)
	if !math.IsInf(ExpectedAttempts(1), 1) {
		t.Error("all are discarded")
	}
}

func TestVerificationRequests(t *testing.T) {
	tests := []struct {
		p0, d, z float64
		want     int
	}{
		{0.02, 0.1, 1.959963984540054, 4057},
		{0.02, 0.05, 1.959963984540054, 10004},
		{0.5, 0.5, 1.96, 0},
		{0.1, 0, 1.96, math.MaxInt},
		{0.5, 0.6, 1.96, math.MaxInt},
		{0.5, -0.25, 2, 1200},
		{0.5, 1e-12, 1.96, math.MaxInt},
	}
	for _, tt := range tests {
		if got := VerificationRequests(tt.p0, tt.d, tt.z); got != tt.want {
			t.Errorf("VerificationRequests(%v, %v, %v) = %d, want %d", tt.p0, tt.d, tt.z, got, tt.want)
		}
	}
	n := VerificationRequests(0.02, 0.1, 1.96)
	near(t, "kept at that size", DiscardBernoulli(n, 0.02, 0.1), 0.05, 0.003)
}
