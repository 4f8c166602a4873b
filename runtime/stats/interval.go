package stats

import "math"

// ClopperPearson returns the exact two-sided confidence interval of a coverage
// of k in n (Clopper and Pearson, 1934). With no trials it is [0, 1]. NaN
// where k is not in [0, n] or confidence not in (0, 1).
func ClopperPearson(k, n int, confidence float64) (lo, hi float64) {
	if !isCount(k, n, confidence) {
		return nan, nan
	}
	a := (1 - confidence) / 2
	return binomialLower(k, n, a), 1 - binomialLower(n-k, n, a)
}

// ClopperPearsonLower returns the one-sided lower confidence limit of a
// coverage of k in n. NaN where [ClopperPearson] is.
func ClopperPearsonLower(k, n int, confidence float64) float64 {
	if !isCount(k, n, confidence) {
		return nan
	}
	return binomialLower(k, n, 1-confidence)
}

func isCount(k, n int, confidence float64) bool {
	return n >= 0 && k >= 0 && k <= n && isConfidence(confidence)
}

func isConfidence(c float64) bool { return c > 0 && c < 1 }

// binomialLower is the p at which k or more of n has probability a.
func binomialLower(k, n int, a float64) float64 {
	switch k {
	case 0:
		return 0
	case n:
		return math.Pow(a, 1/float64(n))
	}
	return solve(0, float64(k)/float64(n), a, func(p float64) float64 { return binomialSum(n, p, k, n) })
}

// Garwood returns the exact two-sided confidence interval of a Poisson mean of
// which k events were counted (Garwood, 1936). NaN where k < 0 or confidence
// is not in (0, 1).
func Garwood(k int, confidence float64) (lo, hi float64) {
	if k < 0 || !isConfidence(confidence) {
		return nan, nan
	}
	a := (1 - confidence) / 2
	if k > 0 {
		lo = solve(0, float64(k), a, func(m float64) float64 { p, _ := gammaTails(float64(k), m); return p })
	}
	return lo, poissonUpper(k, a)
}

// GarwoodRate returns k events in hours as a rate an hour with its two-sided
// confidence interval. NaN where [Garwood] is or hours is not positive.
func GarwoodRate(k int, hours, confidence float64) (rate, lo, hi float64) {
	if !(hours > 0) {
		return nan, nan, nan
	}
	lo, hi = Garwood(k, confidence)
	if k < 0 {
		return nan, lo, hi
	}
	return float64(k) / hours, lo / hours, hi / hours
}

// PoissonUpper returns the one-sided upper confidence limit of a Poisson mean
// of which k events were counted; for k = 0 it is -ln(1-confidence). NaN where
// [Garwood] is.
func PoissonUpper(k int, confidence float64) float64 {
	if k < 0 || !isConfidence(confidence) {
		return nan
	}
	return poissonUpper(k, 1-confidence)
}

// poissonUpper is the mean at which k or fewer events have probability a.
func poissonUpper(k int, a float64) float64 {
	if k == 0 {
		return -math.Log(a)
	}
	tail := func(m float64) float64 { _, q := gammaTails(float64(k)+1, m); return -q }
	hi := float64(k) + 1
	for tail(hi) < -a {
		hi *= 2
	}
	return solve(0, hi, -a, tail)
}

// chiSquareQuantile is the p quantile of a chi-square distribution with f
// degrees of freedom.
func chiSquareQuantile(p, f float64) float64 {
	cdf := func(x float64) float64 { p, _ := gammaTails(f/2, x/2); return p }
	hi := f + 1
	for cdf(hi) < p {
		hi *= 2
	}
	return solve(0, hi, p, cdf)
}

// SDFactors returns the two factors between which a measured standard
// deviation of n windows has to be multiplied to cover the true one with the
// given confidence, by normal theory (NIST/SEMATECH e-Handbook 7.2.3). It is
// indicative only. NaN where n < 2 or confidence is not in (0, 1).
func SDFactors(n int, confidence float64) (lo, hi float64) {
	if n < 2 || !isConfidence(confidence) {
		return nan, nan
	}
	a, f := (1-confidence)/2, float64(n-1)
	return math.Sqrt(f / chiSquareQuantile(1-a, f)), math.Sqrt(f / chiSquareQuantile(a, f))
}
