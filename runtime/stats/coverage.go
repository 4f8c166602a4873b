package stats

import (
	"math"

	"github.com/fdbench/fdbench/lang/exact"
)

// ChanceCorrected returns the probability that a false detection alone falls
// into a trial, 1-exp(-rate*timeout), and the coverage k/n without it, after
// Abbott (1925): (k/n-chance)/(1-chance). The corrected value is negative where
// there were fewer detections than chance gives. NaN where k is not in [0, n],
// n is 0, or a rate or timeout is negative; corrected is NaN too where chance
// is certain.
func ChanceCorrected(k, n int, falsePerHour, timeoutSeconds float64) (chance, corrected float64) {
	if n < 1 || k < 0 || k > n || !(falsePerHour >= 0) || !(timeoutSeconds >= 0) {
		return nan, nan
	}
	expected := falsePerHour / 3600 * timeoutSeconds
	chance = -math.Expm1(-expected)
	if chance == 1 {
		return chance, nan
	}
	// (c-q)/(1-q) is 1-(1-c)/(1-q), and 1-q is known without cancellation.
	return chance, 1 - float64(n-k)/float64(n)/math.Exp(-expected)
}

// ZeroMiss returns the fewest trials that, all detected, put the one-sided
// lower confidence limit of coverage at or above target: the smallest n with
// target^n <= 1-confidence. It is 0 where no number does: target is not in
// (0, 1) or confidence not in (0, 1).
func ZeroMiss(target, confidence float64) int {
	if !(target > 0 && target < 1) || !isConfidence(confidence) {
		return 0
	}
	n := math.Log1p(-confidence) / math.Log(target)
	if n > 1<<53 {
		return 0
	}
	// A power that is equal to the limit in exact arithmetic suffices.
	return max(int(math.Ceil(n-1e-9)), 1)
}

// EffectiveWindows returns how many independent windows k windows are worth
// whose values follow a first-order autoregression with correlation rho: the
// limit for large k, k(1-rho)/(1+rho), and the exact value for a mean of k.
// NaN where k < 1 or rho is not in (-1, 1).
func EffectiveWindows(k int, rho float64) (asymptotic, mean float64) {
	if k < 1 || !(rho > -1 && rho < 1) {
		return nan, nan
	}
	n := float64(k)
	sum, power := 0.0, 1.0
	for j := 1; j < k; j++ {
		if power *= rho; power == 0 {
			break
		}
		sum += (1 - float64(j)/n) * power
	}
	return n * (1 - rho) / (1 + rho), n / (1 + 2*sum)
}

// QuietPass returns how probable it is that the mean of k independent windows
// lies within one standard deviation of the baseline mean while the indicator
// is still residual standard deviations away from it. NaN where k < 1.
func QuietPass(k int, residual float64) float64 {
	if k < 1 {
		return nan
	}
	root := math.Sqrt(float64(k))
	// Both tails are small numbers; their difference from the same side keeps
	// what 1 minus a number near 1 would lose.
	if residual < 0 {
		residual = -residual
	}
	return normal((1-residual)*root) - normal((-1-residual)*root)
}

// Responses returns how many requests a load in requests a second offers in a
// latency: the evidence that a detector could have seen before its signal.
func Responses(latency exact.Duration, load exact.Number) exact.Number {
	return latency.Seconds().Mul(load)
}
