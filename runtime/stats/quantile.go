package stats

import (
	"math/bits"
	"slices"

	"github.com/fdbench/fdbench/lang/exact"
)

// EstimatorID names the quantile estimator of every reported median and 95th
// percentile, as it stands in plans and reports.
const EstimatorID = "hyndman-fan-2"

// Quantile returns the num/den quantile of whole numbers (nanoseconds) by the
// second estimator of Hyndman and Fan (1996), which is SAS's default: with
// n*num/den = j + g, the mean of the j-th and the next order statistic where g
// is 0, else the (j+1)-th. The data may be in any order and is not changed. It
// is false for empty data and for num/den outside [0, 1]. FD-5.1-12, FD-5.1-13.
func Quantile[T ~int64](data []T, num, den int64) (exact.Number, bool) {
	lo, hi, ok := hf2(len(data), num, den)
	if !ok {
		return exact.Number{}, false
	}
	sorted := slices.Clone(data)
	slices.Sort(sorted)
	a, b := int64(sorted[lo]), int64(sorted[hi])
	if a == b {
		return exact.Int(a), true
	}
	return exact.Int(a).Add(exact.Int(b)).Div(two), true
}

// QuantileNumbers is [Quantile] for fractions (masking ratios, FD-5.5-6).
func QuantileNumbers(data []exact.Number, num, den int64) (exact.Number, bool) {
	lo, hi, ok := hf2(len(data), num, den)
	if !ok {
		return exact.Number{}, false
	}
	sorted := slices.SortedFunc(slices.Values(data), exact.Number.Cmp)
	if lo == hi {
		return sorted[lo], true
	}
	return sorted[lo].Add(sorted[hi]).Div(two), true
}

// hf2 returns the indices, from 0, of the two order statistics whose mean is
// the num/den quantile of n values.
func hf2(n int, num, den int64) (lo, hi int, ok bool) {
	if n < 1 || !isFraction(num, den) {
		return 0, 0, false
	}
	j, g := position(n, num, den)
	if g {
		return j, j, true
	}
	return max(j-1, 0), min(j, n-1), true
}

// position splits n*num/den into its whole part and whether a rest is left.
func position(n int, num, den int64) (j int, rest bool) {
	h, l := bits.Mul64(uint64(n), uint64(num))
	q, r := bits.Div64(h, l, uint64(den)) // h < den, because n < 2^63 and num <= den
	return int(q), r != 0
}

func isFraction(num, den int64) bool { return den > 0 && num >= 0 && num <= den }

// QuantileOfType returns the quantile by another estimator of Hyndman and Fan,
// to show what other tools print for the same data: 1 (inverse of the
// empirical distribution), 2 (this project's), 6 ((n+1)p, Weibull) or 7
// ((n-1)p+1, the default of NumPy, R and spreadsheets). It is false for other
// types and where [QuantileNumbers] is.
func QuantileOfType(data []exact.Number, typ int, num, den int64) (exact.Number, bool) {
	n := len(data)
	if n == 0 || !isFraction(num, den) {
		return exact.Number{}, false
	}
	sorted := slices.SortedFunc(slices.Values(data), exact.Number.Cmp)
	p, size := exact.Frac(num, den), exact.Int(int64(n))
	var h exact.Number // fractional rank, from 1
	switch typ {
	case 1:
		r, _ := size.Mul(p).Ceil()
		h = exact.Int(r)
	case 2:
		return QuantileNumbers(sorted, num, den)
	case 6:
		h = size.Add(exact.Int(1)).Mul(p)
	case 7:
		h = size.Sub(exact.Int(1)).Mul(p).Add(exact.Int(1))
	default:
		return exact.Number{}, false
	}
	j, _ := h.Int64()
	switch {
	case j < 1:
		return sorted[0], true
	case j >= int64(n):
		return sorted[n-1], true
	}
	step := sorted[j].Sub(sorted[j-1])
	return sorted[j-1].Add(step.Mul(h.Sub(exact.Int(j)))), true
}

// AllTrialsQuantile returns the time by which num/den of all trials were
// detected, undetected ones included: the order statistic of rank
// ceil(n*num/den) with the undetected ranked last, which is the Kaplan-Meier
// quantile under one common censoring time. It is false where that rank is not
// among the detected: the quantile is then only known to exceed the timeout,
// and no value stands in for it (FD-5.1-17). The rank counts from 1 and is 0
// where there are no trials or num/den is not in [0, 1]. Supplementary.
func AllTrialsQuantile[T ~int64](detected []T, undetected int, num, den int64) (value T, rank int, ok bool) {
	n := len(detected) + undetected
	if n < 1 || undetected < 0 || !isFraction(num, den) {
		return 0, 0, false
	}
	rank, rest := position(n, num, den)
	if rest {
		rank++
	}
	rank = max(rank, 1)
	if rank > len(detected) {
		return 0, rank, false
	}
	return slices.Sorted(slices.Values(detected))[rank-1], rank, true
}
