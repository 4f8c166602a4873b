package stats

import (
	"cmp"
	"math"
	"slices"
)

// Ranks is a distribution-free confidence interval of a quantile, as ranks of
// the sorted data that count from 1 (Hahn and Meeker, 1991). A rank of 0 means
// that the data give no limit on that side.
type Ranks struct {
	Lower, Upper int
	Coverage     float64 // exact probability that the interval holds the quantile; ties only raise it
}

// QuantileRanks returns the ranks for the num/den quantile of n values: with
// B ~ Bin(n, num/den) the largest l with P(B <= l-1) <= a/2 and the smallest u
// with P(B >= u) <= a/2, a = 1-confidence. Without data, and where num/den is
// not in (0, 1) or confidence not in (0, 1), both ranks are 0 and Coverage is
// NaN.
func QuantileRanks(n int, num, den int64, confidence float64) Ranks {
	if n < 1 || !isFraction(num, den) || num == 0 || num == den || !isConfidence(confidence) {
		return Ranks{Coverage: nan}
	}
	p := float64(num) / float64(den)
	// Sums that are equal to a/2 in exact arithmetic must not fall to one side
	// by rounding.
	limit := (1 - confidence) / 2 * (1 + 1e-12)
	var r Ranks
	// P(B <= r-1) grows with r, and its increments below the limit are few.
	for sum := 0.0; r.Lower < n; r.Lower++ {
		if sum += binomialPoint(n, p, r.Lower); sum > limit {
			break
		}
	}
	upper := n + 1
	for sum := 0.0; upper > 1; upper-- {
		if sum += binomialPoint(n, p, upper-1); sum > limit {
			break
		}
	}
	if upper <= n {
		r.Upper = upper
	}
	r.Coverage = binomialSum(n, p, r.Lower, upper-1)
	return r
}

// MedianRanks is [QuantileRanks] for the median.
func MedianRanks(n int, confidence float64) Ranks { return QuantileRanks(n, 1, 2, confidence) }

// P95Ranks is [QuantileRanks] for the 95th percentile. At a confidence of 0.95
// it has no upper limit below 72 values.
func P95Ranks(n int, confidence float64) Ranks { return QuantileRanks(n, 19, 20, confidence) }

// Interval is what a rank interval is in the data. A side without a limit has
// no value and is printed as such, never as the largest value seen.
type Interval[T any] struct {
	Lower, Upper       T
	HasLower, HasUpper bool
	Ranks              Ranks
}

// Of applies ranks to data, in any order. Ranks beyond the data count as no
// limit.
func Of[T cmp.Ordered](data []T, r Ranks) Interval[T] { return OfFunc(data, r, cmp.Compare[T]) }

// OfFunc is [Of] for data with its own order, such as fractions by
// exact.Number.Cmp.
func OfFunc[T any](data []T, r Ranks, compare func(T, T) int) Interval[T] {
	iv := Interval[T]{Ranks: r}
	sorted := slices.SortedFunc(slices.Values(data), compare)
	if r.Lower >= 1 && r.Lower <= len(sorted) {
		iv.Lower, iv.HasLower = sorted[r.Lower-1], true
	}
	if r.Upper >= 1 && r.Upper <= len(sorted) {
		iv.Upper, iv.HasUpper = sorted[r.Upper-1], true
	}
	return iv
}

// MedianCI returns the confidence interval of the median of data.
func MedianCI[T cmp.Ordered](data []T, confidence float64) Interval[T] {
	return Of(data, MedianRanks(len(data), confidence))
}

// P95CI returns the confidence interval of the 95th percentile of data.
func P95CI[T cmp.Ordered](data []T, confidence float64) Interval[T] {
	return Of(data, P95Ranks(len(data), confidence))
}

// MaxCovers returns how probable it is that the largest of n values is at
// least the true q quantile: 1 - q^n (Wilks, 1941). NaN where n < 0 or q is
// not in [0, 1].
func MaxCovers(n int, q float64) float64 {
	if n < 0 || !isProbability(q) {
		return nan
	}
	return 1 - math.Pow(q, float64(n))
}
