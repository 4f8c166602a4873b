package stats

import (
	"math/bits"

	"github.com/fdbench/fdbench/lang/exact"
)

// TimeUnderFault sums the spans from apply to confirmed removal at one load:
// kept, discarded, aborted, search and masking applications alike (FD-5.4-4).
// It is false where the sum does not fit or a span is negative.
func TimeUnderFault(spans []exact.Duration) (exact.Duration, bool) {
	var sum exact.Duration
	for _, s := range spans {
		if s < 0 || sum+s < sum {
			return 0, false
		}
		sum += s
	}
	return sum, true
}

// FalseDetectionPeriod returns how long the false detection observation at a
// load must last: the declared minimum, or the time under fault at that load
// where that is longer (FD-5.4-4).
func FalseDetectionPeriod(declared, underFault exact.Duration) exact.Duration {
	return max(declared, underFault)
}

// LoadBudget is what bounds the time that a series takes at one load point.
type LoadBudget struct {
	Baseline       exact.Duration // Baseline Interval
	Settle         exact.Duration // from the change of load to the baseline
	Timeout        exact.Duration // of one trial
	Quiet          exact.Duration // at most, after each application
	FalseDetection exact.Duration // declared minimum of the observation
	Applications   int64          // of trials: combinations times attempts of each
	Search         int64          // applications in all threshold searches
	Masking        int64          // masking applications
	MaskingSpan    exact.Duration // how long one of them stays applied
}

// Budget is time by phase.
type Budget struct {
	Baseline, Settle, Trials, Search, Masking, FalseDetection, Total exact.Duration
}

// WorstCase returns the longest that the load point can take: every
// application runs into its timeout and every quiet period into its limit, and
// the false detection observation lasts as long as all of that time under
// fault. It is false where a sum does not fit into 292 years.
func (l LoadBudget) WorstCase() (Budget, bool) {
	fits := true
	b := Budget{Baseline: l.Baseline, Settle: l.Settle}
	b.Trials = mulDuration(addDuration(l.Timeout, l.Quiet, &fits), l.Applications, &fits)
	b.Search = mulDuration(addDuration(l.Timeout, l.Quiet, &fits), l.Search, &fits)
	b.Masking = mulDuration(addDuration(l.MaskingSpan, l.Quiet, &fits), l.Masking, &fits)
	fault := mulDuration(l.Timeout, l.Applications, &fits)
	fault = addDuration(fault, mulDuration(l.Timeout, l.Search, &fits), &fits)
	fault = addDuration(fault, mulDuration(l.MaskingSpan, l.Masking, &fits), &fits)
	b.FalseDetection = FalseDetectionPeriod(l.FalseDetection, fault)
	b.Total = b.sum(&fits)
	return b, fits
}

// Add returns the phase-wise sum of two budgets, and false where a sum does
// not fit.
func (b Budget) Add(c Budget) (Budget, bool) {
	fits := true
	sum := Budget{
		Baseline:       addDuration(b.Baseline, c.Baseline, &fits),
		Settle:         addDuration(b.Settle, c.Settle, &fits),
		Trials:         addDuration(b.Trials, c.Trials, &fits),
		Search:         addDuration(b.Search, c.Search, &fits),
		Masking:        addDuration(b.Masking, c.Masking, &fits),
		FalseDetection: addDuration(b.FalseDetection, c.FalseDetection, &fits),
		Total:          addDuration(b.Total, c.Total, &fits),
	}
	return sum, fits
}

func (b Budget) sum(fits *bool) exact.Duration {
	var total exact.Duration
	for _, d := range []exact.Duration{b.Baseline, b.Settle, b.Trials, b.Search, b.Masking, b.FalseDetection} {
		total = addDuration(total, d, fits)
	}
	return total
}

func addDuration(a, b exact.Duration, fits *bool) exact.Duration {
	if a < 0 || b < 0 || a+b < a {
		*fits = false
		return 0
	}
	return a + b
}

func mulDuration(d exact.Duration, n int64, fits *bool) exact.Duration {
	if d < 0 || n < 0 {
		*fits = false
		return 0
	}
	hi, lo := bits.Mul64(uint64(d), uint64(n))
	if hi != 0 || lo > 1<<63-1 {
		*fits = false
		return 0
	}
	return exact.Duration(lo)
}
