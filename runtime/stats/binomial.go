package stats

import "math"

var nan = math.NaN()

func isProbability(p float64) bool { return p >= 0 && p <= 1 }

// stirlingError is log(x!) minus Stirling's formula for it, x > 0.
func stirlingError(x float64) float64 {
	if x <= 15 {
		lg, _ := math.Lgamma(x + 1)
		return lg - (x+0.5)*math.Log(x) + x - 0.5*math.Log(2*math.Pi)
	}
	const s0, s1, s2, s3, s4 = 1. / 12, 1. / 360, 1. / 1260, 1. / 1680, 1. / 1188
	xx := x * x
	return (s0 - (s1-(s2-(s3-s4/xx)/xx)/xx)/xx) / x
}

// deviance is x*log(x/m) + m - x without cancellation near x = m.
func deviance(x, m float64) float64 {
	if math.Abs(x-m) >= 0.1*(x+m) {
		return x*math.Log(x/m) + m - x
	}
	v := (x - m) / (x + m)
	sum := (x - m) * v
	term := 2 * x * v
	for j := 3.0; ; j += 2 {
		term *= v * v
		next := sum + term/j
		if next == sum {
			return next
		}
		sum = next
	}
}

// binomialPoint is P(X = k) for X ~ Bin(n, p), by the saddle-point form of
// Loader, "Fast and accurate computation of binomial probabilities" (2000),
// which keeps its relative accuracy where log-gamma differences lose it.
func binomialPoint(n int, p float64, k int) float64 {
	switch {
	case k < 0 || k > n:
		return 0
	case p == 0 || p == 1:
		if (p == 0) == (k == 0) && (p == 1) == (k == n) {
			return 1
		}
		return 0
	case k == 0:
		return math.Exp(float64(n) * math.Log1p(-p))
	case k == n:
		return math.Pow(p, float64(n))
	}
	nf, kf, rf := float64(n), float64(k), float64(n-k)
	e := stirlingError(nf) - stirlingError(kf) - stirlingError(rf) - deviance(kf, nf*p) - deviance(rf, nf*(1-p))
	return math.Exp(e) * math.Sqrt(nf/(2*math.Pi*kf*rf))
}

// binomialSum is P(lo <= X <= hi). It starts at the most probable value of the
// range and walks outward until terms vanish, so that it takes time in the
// order of sqrt(n) and subtracts nothing.
func binomialSum(n int, p float64, lo, hi int) float64 {
	lo, hi = max(lo, 0), min(hi, n)
	if lo > hi {
		return 0
	}
	mode := min(max(int(float64(n+1)*p), lo), hi)
	peak := binomialPoint(n, p, mode)
	if p == 0 || p == 1 || peak == 0 {
		return peak
	}
	const negligible = 1e-22
	odds := p / (1 - p)
	sum := peak
	for k, t := mode, peak; k > lo; k-- {
		t *= float64(k) / (float64(n-k+1) * odds)
		if t < negligible*sum {
			break
		}
		sum += t
	}
	for k, t := mode, peak; k < hi; k++ {
		t *= float64(n-k) * odds / float64(k+1)
		if t < negligible*sum {
			break
		}
		sum += t
	}
	return min(sum, 1)
}

// gammaTails returns the regularised incomplete gamma functions P(a, x) and
// Q(a, x) = 1 - P for a > 0 and x >= 0. Q(k+1, m) is the Poisson probability
// of at most k at mean m; P(f/2, x/2) is the chi-square distribution function
// of f degrees of freedom. Series below a+1, Lentz's continued fraction above
// (Abramowitz and Stegun 6.5.29, 6.5.31).
func gammaTails(a, x float64) (p, q float64) {
	if x <= 0 {
		return 0, 1
	}
	// point = x^a exp(-x) / gamma(a+1), in the same saddle-point form.
	point := math.Exp(-stirlingError(a)-deviance(a, x)) / math.Sqrt(2*math.Pi*a)
	const eps = 1e-17
	if x < a+1 {
		sum, term := 1.0, 1.0
		for j := 1.0; term > eps*sum; j++ {
			term *= x / (a + j)
			sum += term
		}
		p = min(point*sum, 1)
		return p, 1 - p
	}
	const tiny = 1e-300
	b := x + 1 - a
	c := 1 / tiny
	d := 1 / b
	h := d
	for j := 1.0; j < 1e6; j++ {
		an := -j * (j - a)
		b += 2
		if d = an*d + b; math.Abs(d) < tiny {
			d = tiny
		}
		if c = b + an/c; math.Abs(c) < tiny {
			c = tiny
		}
		d = 1 / d
		delta := d * c
		h *= delta
		if math.Abs(delta-1) < 4e-16 {
			break
		}
	}
	q = min(point*a*h, 1)
	return 1 - q, q
}

// solve returns the x in [lo, hi] at which the increasing function f reaches
// target, by bisection down to neighbouring numbers or 1e-15 of x.
func solve(lo, hi, target float64, f func(float64) float64) float64 {
	for range 200 {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi || hi-lo <= 1e-15*hi {
			break
		}
		if f(mid) < target {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo + (hi-lo)/2
}

// normal is the standard normal distribution function.
func normal(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }
