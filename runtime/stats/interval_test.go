package stats

import (
	"math"
	"math/big"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

// binomialExact is the sum of P(X = x) over the x that are asked for, in
// fractions: the slow and certain way.
func binomialExact(n int, p *big.Rat, in func(x int) bool) float64 {
	power := func(base *big.Int, e int) *big.Int { return new(big.Int).Exp(base, big.NewInt(int64(e)), nil) }
	bad, good := p.Num(), new(big.Int).Sub(p.Denom(), p.Num())
	sum := new(big.Int)
	for x := 0; x <= n; x++ {
		if in(x) {
			term := new(big.Int).Binomial(int64(n), int64(x))
			sum.Add(sum, term.Mul(term, power(bad, x)).Mul(term, power(good, n-x)))
		}
	}
	f, _ := new(big.Rat).SetFrac(sum, power(p.Denom(), n)).Float64()
	return f
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.15g, want %.15g within %g", what, got, want, tolerance)
	}
}

func TestBinomialSum(t *testing.T) {
	for _, p := range []*big.Rat{big.NewRat(1, 2), big.NewRat(1, 50), big.NewRat(19, 20), big.NewRat(1, 1000)} {
		f, _ := p.Float64()
		for _, n := range []int{1, 2, 17, 60} {
			for k := 0; k <= n+1; k++ {
				want := binomialExact(n, p, func(x int) bool { return x >= k })
				got := binomialSum(n, f, k, n)
				if math.Abs(got-want) > 1e-13*want {
					t.Errorf("P(X >= %d), n=%d p=%v: %.16g, want %.16g", k, n, p, got, want)
				}
			}
		}
	}
	near(t, "whole range, n=1e6", binomialSum(1_000_000, 0.07, 0, 1_000_000), 1, 1e-11)
	for _, p := range []float64{0, 1} {
		near(t, "certain", binomialSum(5, p, int(5*p), int(5*p)), 1, 0)
		near(t, "impossible", binomialSum(5, p, 1, 4), 0, 0)
	}
	near(t, "n=0", binomialSum(0, 0.3, 0, 0), 1, 0)
}

func TestGammaTails(t *testing.T) {
	// Poisson sums by hand, and the closed forms of chi-square with 1 and 2
	// degrees of freedom.
	for _, m := range []float64{0.01, 1, 7.5, 30, 200} {
		sum, term := 0.0, math.Exp(-m)
		for k := range 260 {
			sum += term
			term *= m / float64(k+1)
			p, q := gammaTails(float64(k)+1, m)
			near(t, "Poisson sum", q, sum, 1e-13)
			near(t, "complement", p+q, 1, 1e-15)
		}
		p, _ := gammaTails(0.5, m)
		near(t, "one degree of freedom", p, math.Erf(math.Sqrt(m)), 1e-14)
		p, _ = gammaTails(1, m)
		near(t, "two degrees of freedom", p, -math.Expm1(-m), 1e-14)
	}
}

func TestClopperPearson(t *testing.T) {
	tests := []struct {
		k, n   int
		c      float64
		lo, hi float64
	}{
		{20, 20, 0.95, 0.831566529017, 1},
		{19, 20, 0.95, 0.751267237228, 0.998734910502},
		{0, 20, 0.95, 0, 0.168433470983},
		{18, 20, 0.99, 0.612874742932, 0.994704850525},
		{0, 0, 0.95, 0, 1},
	}
	for _, tt := range tests {
		lo, hi := ClopperPearson(tt.k, tt.n, tt.c)
		near(t, "lower", lo, tt.lo, 1e-9)
		near(t, "upper", hi, tt.hi, 1e-9)
	}
	for _, bad := range []struct {
		k, n int
		c    float64
	}{{-1, 5, 0.95}, {6, 5, 0.95}, {1, -1, 0.95}, {1, 5, 0}, {1, 5, 1}, {1, 5, math.NaN()}} {
		lo, hi := ClopperPearson(bad.k, bad.n, bad.c)
		if !math.IsNaN(lo) || !math.IsNaN(hi) || !math.IsNaN(ClopperPearsonLower(bad.k, bad.n, bad.c)) {
			t.Errorf("%+v gave %v..%v", bad, lo, hi)
		}
	}
}

// TestClopperPearsonLaws: the limits are where the tails are a/2, they grow
// with k, and detected and missed are mirror images.
func TestClopperPearsonLaws(t *testing.T) {
	for _, n := range []int{1, 7, 20, 33, 400, 5000} {
		before := -1.0
		for k := 0; k <= n; k += 1 + n/40 {
			lo, hi := ClopperPearson(k, n, 0.9)
			if k > 0 {
				near(t, "lower tail", binomialSum(n, lo, k, n), 0.05, 1e-11)
			}
			if k < n {
				near(t, "upper tail", binomialSum(n, hi, 0, k), 0.05, 1e-11)
			}
			if c := float64(k) / float64(n); !(lo <= c && c <= hi) || lo < before {
				t.Errorf("%d of %d: %v..%v", k, n, lo, hi)
			}
			before = lo
			mlo, mhi := ClopperPearson(n-k, n, 0.9)
			near(t, "mirror", mlo+hi, 1, 1e-12)
			near(t, "mirror", mhi+lo, 1, 1e-12)
		}
	}
}

func TestGarwood(t *testing.T) {
	lo, hi := Garwood(0, 0.95)
	near(t, "lower of 0", lo, 0, 0)
	near(t, "upper of 0", hi, 3.688879454114, 1e-9)
	lo, hi = Garwood(20, 0.95)
	near(t, "lower of 20", lo, 12.216519585404, 1e-9)
	near(t, "upper of 20", hi, 30.888377902675, 1e-9)
	near(t, "one-sided upper of 0", PoissonUpper(0, 0.95), -math.Log(0.05), 1e-12)
	near(t, "one-sided upper of 3", PoissonUpper(3, 0.95), 7.753656527933, 1e-9)
	for _, k := range []int{1, 5, 100, 10_000, 1_000_000} {
		lo, hi := Garwood(k, 0.95)
		p, _ := gammaTails(float64(k), lo)
		_, q := gammaTails(float64(k)+1, hi)
		near(t, "lower tail", p, 0.025, 1e-10)
		near(t, "upper tail", q, 0.025, 1e-10)
		if root := math.Sqrt(float64(k)); lo < float64(k)-3*root || hi > float64(k)+3*root+4 {
			t.Errorf("%d: %v..%v", k, lo, hi)
		}
	}
	rate, lo, hi := GarwoodRate(3, 24, 0.95)
	near(t, "rate", rate, 0.125, 0)
	near(t, "lower rate", lo, 0.025778005121, 1e-9)
	near(t, "upper rate", hi, 0.365303044573, 1e-9)
	for _, v := range []float64{
		first(Garwood(-1, 0.95)), first(Garwood(1, 1)), PoissonUpper(-1, 0.9), PoissonUpper(1, 0),
		first3(GarwoodRate(1, 0, 0.95)), first3(GarwoodRate(-1, 1, 0.95)), first3(GarwoodRate(1, math.NaN(), 0.95)),
	} {
		if !math.IsNaN(v) {
			t.Errorf("meaningless arguments gave %v", v)
		}
	}
}

func first(a, _ float64) float64     { return a }
func first3(a, _, _ float64) float64 { return a }

func TestSDFactors(t *testing.T) {
	lo, hi := SDFactors(10, 0.95)
	near(t, "lower factor", lo, 0.687835207, 1e-7)
	near(t, "upper factor", hi, 1.825610183, 1e-7)
	lo, hi = SDFactors(2, 0.9)
	near(t, "one degree of freedom, lower", 1/(lo*lo), 2*math.Pow(math.Erfinv(0.95), 2), 1e-9)
	near(t, "one degree of freedom, upper", 1/(hi*hi), 2*math.Pow(math.Erfinv(0.05), 2), 1e-9)
	if lo, hi := SDFactors(1, 0.95); !math.IsNaN(lo) || !math.IsNaN(hi) {
		t.Error("one window has no spread")
	}
}

func TestRanks(t *testing.T) {
	tests := []struct {
		n            int
		num, den     int64
		confidence   float64
		lower, upper int
		coverage     float64
	}{
		{20, 1, 2, 0.95, 6, 15, 0.958610534667969},
		{5, 1, 2, 0.95, 0, 0, 1},
		{6, 1, 2, 0.95, 1, 6, 0.96875},
		{20, 19, 20, 0.95, 17, 0, 0.98409847398},
		{71, 19, 20, 0.95, 63, 0, -1},
		{72, 19, 20, 0.95, 64, 72, 0.965490047908},
		{20, 1, 20, 0.95, 0, 4, 0.98409847398}, // the mirror image of the 95th percentile
		{5, 1, 2, 0.9375, 1, 5, 0.9375},        // P(B = 0) is exactly a/2
		{1000, 1, 2, 0.95, 469, 532, 0.953708802639497},
	}
	for _, tt := range tests {
		r := QuantileRanks(tt.n, tt.num, tt.den, tt.confidence)
		if r.Lower != tt.lower || r.Upper != tt.upper {
			t.Errorf("n=%d %d/%d: ranks %d and %d, want %d and %d", tt.n, tt.num, tt.den, r.Lower, r.Upper, tt.lower, tt.upper)
		}
		if tt.coverage >= 0 {
			near(t, "coverage", r.Coverage, tt.coverage, 1e-9)
		}
		if r.Coverage < tt.confidence-1e-12 {
			t.Errorf("n=%d covers %v", tt.n, r.Coverage)
		}
	}
	for _, bad := range []Ranks{
		QuantileRanks(0, 1, 2, 0.95), QuantileRanks(5, 0, 1, 0.95), QuantileRanks(5, 1, 1, 0.95),
		QuantileRanks(5, 2, 1, 0.95), QuantileRanks(5, 1, 2, 1),
	} {
		if bad.Lower != 0 || bad.Upper != 0 || !math.IsNaN(bad.Coverage) {
			t.Errorf("meaningless arguments gave %+v", bad)
		}
	}
}

func TestIntervals(t *testing.T) {
	data := []exact.Duration{50, 10, 40, 20, 30, 60}
	iv := MedianCI(data, 0.95)
	if !iv.HasLower || !iv.HasUpper || iv.Lower != 10 || iv.Upper != 60 {
		t.Errorf("%+v", iv)
	}
	if iv := P95CI(data, 0.95); iv.HasUpper || !iv.HasLower || iv.Lower != 40 || iv.Ranks.Upper != 0 {
		t.Errorf("%+v", iv)
	}
	if data[0] != 50 {
		t.Error("the data was sorted in place")
	}
	if iv := MedianCI([]exact.Duration{}, 0.95); iv.HasLower || iv.HasUpper {
		t.Errorf("no data, %+v", iv)
	}
	if iv := Of(data, Ranks{Lower: 7, Upper: 9}); iv.HasLower || iv.HasUpper {
		t.Errorf("ranks beyond the data, %+v", iv)
	}
	near(t, "20 values", MaxCovers(20, 0.95), 0.641514077591, 1e-12)
	near(t, "no values", MaxCovers(0, 0.95), 0, 0)
	if !math.IsNaN(MaxCovers(-1, 0.95)) || !math.IsNaN(MaxCovers(1, 1.5)) {
		t.Error("meaningless arguments")
	}
}
