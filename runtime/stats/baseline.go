package stats

import (
	"math"
	"math/big"
	"slices"

	"github.com/fdbench/fdbench/lang/exact"
)

// Window is one aggregation window of an indicator: the exact sum of the
// scores of its responses and their number. A score is a whole number in
// whatever unit the indicator counts in (0 or 1 for a rate, tokens for a
// length). A window without responses is undefined.
type Window struct{ Sum, N int64 }

// Value is the indicator over the window, and false where it is undefined.
func (w Window) Value() (exact.Number, bool) {
	if w.N <= 0 {
		return exact.Number{}, false
	}
	return exact.Frac(w.Sum, w.N), true
}

// Baseline is what a Baseline Interval says about one indicator at one load and
// one point (FD-4.2-4, FD-4.2-5). All values are exact; Mean and Variance are
// fractions with large denominators where windows differ in their N, so print
// them with Decimal or SD.
type Baseline struct {
	Windows   int          // windows with responses, over which Mean and Variance are taken
	Undefined int          // windows without
	Responses int64        // in all windows
	Pooled    exact.Number // sum of scores over Responses: the indicator over the whole interval
	Mean      exact.Number // mean of the windows' values
	Variance  exact.Number // of the windows' values, n-1 in the denominator
}

// BaselineOf sums up the windows of an interval, in any order. It is false with
// fewer than two windows that have responses, because no standard deviation
// then exists (FD-4.2-5).
func BaselineOf(ws []Window) (Baseline, bool) {
	groups, b := groupBySize(ws)
	if b.Windows < 2 {
		return b, false
	}
	// With D a common multiple of all N, sum(x) = A/D and sum(x*x) = Q/(D*D)
	// for whole A and Q, so that only the last step reduces a fraction.
	d := big.NewInt(1)
	for _, g := range groups {
		d.Mul(d, new(big.Int).Quo(big.NewInt(g.n), gcd(d, g.n)))
	}
	total, a, q := new(big.Int), new(big.Int), new(big.Int)
	scale, term := new(big.Int), new(big.Int)
	for _, g := range groups {
		total.Add(total, g.sum)
		scale.Quo(d, term.SetInt64(g.n))
		a.Add(a, term.Mul(g.sum, scale))
		q.Add(q, term.Mul(term.Mul(g.squares, scale), scale))
	}
	k := big.NewInt(int64(b.Windows))
	b.Pooled = fraction(total, big.NewInt(b.Responses))
	b.Mean = fraction(a, new(big.Int).Mul(k, d))
	// (sum(x*x) - sum(x)^2/k)/(k-1) over the denominator k*(k-1)*D*D.
	num := new(big.Int).Mul(q, k)
	num.Sub(num, a.Mul(a, a))
	den := new(big.Int).Mul(d, d)
	den.Mul(den, k).Mul(den, new(big.Int).Sub(k, big.NewInt(1)))
	b.Variance = fraction(num, den)
	return b, true
}

// sizeGroup holds the sums over all windows of n responses.
type sizeGroup struct {
	n            int64
	sum, squares *big.Int
}

// groupBySize gathers windows of equal size, in ascending order of it.
// Constant arrivals give one or two sizes, which keeps the fractions small.
func groupBySize(ws []Window) ([]sizeGroup, Baseline) {
	sorted := slices.Clone(ws)
	slices.SortFunc(sorted, func(a, b Window) int {
		switch {
		case a.N < b.N:
			return -1
		case a.N > b.N:
			return 1
		}
		return 0
	})
	var b Baseline
	var groups []sizeGroup
	s := new(big.Int)
	for _, w := range sorted {
		if w.N <= 0 {
			b.Undefined++
			continue
		}
		b.Windows++
		b.Responses += w.N
		if len(groups) == 0 || groups[len(groups)-1].n != w.N {
			groups = append(groups, sizeGroup{n: w.N, sum: new(big.Int), squares: new(big.Int)})
		}
		g := groups[len(groups)-1]
		s.SetInt64(w.Sum)
		g.sum.Add(g.sum, s)
		g.squares.Add(g.squares, s.Mul(s, s))
	}
	return groups, b
}

// gcd returns the greatest common divisor of d and n, both positive.
func gcd(d *big.Int, n int64) *big.Int {
	m := big.NewInt(n)
	return m.GCD(nil, nil, new(big.Int).Mod(d, m), m)
}

func fraction(num, den *big.Int) exact.Number {
	return exact.FromRat(new(big.Rat).SetFrac(num, den))
}

// SD is the standard deviation of the windows' values, rounded down at places
// decimals. It is for printing; rules compare with Variance.
func (b Baseline) SD(places int) exact.Number { return b.Variance.Sqrt(places) }

// Floor is twice the standard deviation, rounded up at places decimals: the
// smallest magnitude of so many decimals for which [BelowTwoSD] is false. It
// is the search floor of FD-5.3-5.
func (b Baseline) Floor(places int) exact.Number {
	v := four.Mul(b.Variance)
	root := v.Sqrt(places)
	if root.Mul(root).Cmp(v) == 0 {
		return root
	}
	step := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)
	return root.Add(fraction(big.NewInt(1), step))
}

// WithinOneSD tells whether x is within one standard deviation of the windows'
// mean, (x-mean)^2 <= variance (FD-4.3-3).
func (b Baseline) WithinOneSD(x exact.Number) bool {
	// Cross-multiplied, because reducing fractions of this size costs far
	// more than multiplying them, and the quiet gate asks at every window.
	xr, mr, vr := x.Rat(), b.Mean.Rat(), b.Variance.Rat()
	off := new(big.Int).Mul(xr.Num(), mr.Denom())
	off.Sub(off, new(big.Int).Mul(mr.Num(), xr.Denom()))
	off.Mul(off, off).Mul(off, vr.Denom())
	den := new(big.Int).Mul(xr.Denom(), mr.Denom())
	return off.Cmp(den.Mul(den, den).Mul(den, vr.Num())) <= 0
}

// MeansDiffer tells whether the pooled mean and the windows' mean are further
// apart than a tenth of a standard deviation, which says that the windows'
// sizes and values go together.
func (b Baseline) MeansDiffer() bool {
	off := b.Mean.Sub(b.Pooled)
	return hundred.Mul(off.Mul(off)).Cmp(b.Variance) > 0
}

// MeanOfWindows returns the mean of the windows' values, each window counting
// alike. It is false without windows and where one is undefined: the quiet
// gate must not take silence for rest.
func MeanOfWindows(ws []Window) (exact.Number, bool) {
	if len(ws) == 0 {
		return exact.Number{}, false
	}
	var sum exact.Number
	for _, w := range ws {
		v, ok := w.Value()
		if !ok {
			return exact.Number{}, false
		}
		sum = sum.Add(v)
	}
	return sum.Div(exact.Int(int64(len(ws)))), true
}

// BaselineWindows returns how many whole windows w fit into an interval.
func BaselineWindows(interval, w exact.Duration) int64 {
	if w <= 0 || interval < 0 {
		return 0
	}
	return int64(interval / w)
}

// BinomialSD returns the standard deviation that the windows of a rate would
// have if responses were independent, sqrt(p(1-p)/n) with p the pooled rate
// and n the mean number of responses a window. Advisory. NaN where the pooled
// value is no rate.
func (b Baseline) BinomialSD() float64 {
	p := b.Pooled.Float64()
	if b.Windows == 0 || !isProbability(p) {
		return nan
	}
	return math.Sqrt(p * (1 - p) * float64(b.Windows) / float64(b.Responses))
}

// Overdispersion returns the windows' standard deviation over [Baseline.BinomialSD]:
// about 1 for independent responses, above 1 where they come in bursts.
// Advisory. NaN for a rate of 0 or 1.
func (b Baseline) Overdispersion() float64 {
	floor := b.BinomialSD()
	if floor == 0 {
		return nan
	}
	return math.Sqrt(b.Variance.Float64()) / floor
}

// GuardSD returns the binomial standard deviation at the rate
// (bad+1/2)/(responses+1), which is positive where no response was bad. A
// magnitude below twice of it deserves a flag even where the measured standard
// deviation is 0. Advisory; it never replaces the measured value.
func (b Baseline) GuardSD() float64 {
	if b.Windows == 0 || !isProbability(b.Pooled.Float64()) {
		return nan
	}
	n := float64(b.Responses)
	p := (b.Pooled.Float64()*n + 0.5) / (n + 1)
	return math.Sqrt(p * (1 - p) * float64(b.Windows) / n)
}
