package stats

import (
	"math/big"

	"github.com/fdbench/fdbench/lang/exact"
)

// SearchSteps returns how many bisections a binary search over [lower, upper]
// needs until its interval is smaller than resolution: the smallest k with
// (upper-lower)/2^k < resolution, strictly, so that an interval equal to the
// resolution is halved once more (FD-5.3-8). It is 0 where upper <= lower, and
// -1 where resolution is not positive, because no search would then end.
func SearchSteps(lower, upper, resolution exact.Number) int {
	if resolution.Sign() <= 0 {
		return -1
	}
	width := upper.Sub(lower)
	k := 0
	for ; width.Cmp(resolution) >= 0; k++ {
		width = width.Div(two)
	}
	return k
}

// SearchEffort is what a whole search over an interval takes.
type SearchEffort struct {
	Bisections  int
	Evaluations int          // Bisections and both bounds, which are tested too (FD-5.3-3, FD-5.3-4)
	Trials      int          // kept trials over all evaluations
	FinalWidth  exact.Number // upper - lower when the search stops
}

// SearchEffortOf returns what a search with trials at each magnitude takes. It
// is false where [SearchSteps] has no answer.
func SearchEffortOf(lower, upper, resolution exact.Number, trials int) (SearchEffort, bool) {
	k := SearchSteps(lower, upper, resolution)
	if k < 0 {
		return SearchEffort{}, false
	}
	halvings := new(big.Int).Lsh(big.NewInt(1), uint(k))
	width := upper.Sub(lower).Div(exact.FromRat(new(big.Rat).SetInt(halvings)))
	return SearchEffort{Bisections: k, Evaluations: k + 2, Trials: (k + 2) * trials, FinalWidth: width}, true
}

// MagnitudesMaySwap tells whether two trials of neighbouring magnitudes can be
// kept with their achieved magnitudes in the opposite order, because both may
// be off by ten percent: |m1-m2| < (|m1|+|m2|)/10.
func MagnitudesMaySwap(m1, m2 exact.Number) bool {
	return ten.Mul(m1.Sub(m2).Abs()).Cmp(m1.Abs().Add(m2.Abs())) < 0
}

// MeetsTarget tells whether detected of trials is a coverage of at least
// target: detected >= target*trials, in whole numbers (FD-5.3-3, FD-5.3-7). It
// is false without trials.
func MeetsTarget(detected, trials int, target exact.Number) bool {
	return trials > 0 && exact.Int(int64(detected)).Cmp(target.Mul(exact.Int(int64(trials)))) >= 0
}

// RequiredDetections returns the fewest detections among n trials that meet
// target. It is above n where target is above 1.
func RequiredDetections(target exact.Number, n int) int {
	k, ok := target.Mul(exact.Int(int64(n))).Ceil()
	if !ok {
		return n + 1
	}
	return int(max(k, 0))
}

// SearchOC returns the operating characteristic of one search point: how
// probable it is that n trials meet target where the true coverage is given.
// Advisory. NaN where n < 1 or coverage is not in [0, 1].
func SearchOC(target exact.Number, n int, coverage float64) float64 {
	if n < 1 || !isProbability(coverage) {
		return nan
	}
	return binomialSum(n, coverage, RequiredDetections(target, n), n)
}
