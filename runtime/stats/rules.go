package stats

import (
	"math"

	"github.com/fdbench/fdbench/lang/exact"
)

var (
	two     = exact.Int(2)
	four    = exact.Int(4)
	ten     = exact.Int(10)
	hundred = exact.Int(100)
)

// KeepMagnitude tells whether a trial's achieved magnitude is within ten
// percent of the intended one, 10|a-i| <= |i|; a trial that is off by exactly
// ten percent is kept (FD-3.4-7). Both are in the indicator's unit. A sham
// trial (intended 0) has no magnitude to verify and must not be asked.
func KeepMagnitude(intended, achieved exact.Number) bool {
	return ten.Mul(achieved.Sub(intended).Abs()).Cmp(intended.Abs()) <= 0
}

// BelowTwoSD tells whether |magnitude| is smaller than twice the standard
// deviation whose square is variance: m*m < 4*variance, so that a magnitude of
// exactly two standard deviations is not below (FD-4.2-7).
func BelowTwoSD(magnitude, variance exact.Number) bool {
	return magnitude.Mul(magnitude).Cmp(four.Mul(variance)) < 0
}

// minBaseline is the absolute floor of a Baseline Interval (FD-4.2-3).
const minBaseline = 300 * exact.Second

// MinBaseline returns the shortest Baseline Interval for an aggregation window
// w: the larger of 10w and 300 s (FD-4.2-2, FD-4.2-3).
func MinBaseline(w exact.Duration) exact.Duration { return max(times(w, 10), minBaseline) }

// MinTimeout returns the shortest timeout for an aggregation window w: 20w
// (FD-5.1-10).
func MinTimeout(w exact.Duration) exact.Duration { return times(w, 20) }

// times is w*n for n > 0, stopping at the largest Duration: a window of
// centuries must not wrap round to a short minimum.
func times(w exact.Duration, n int64) exact.Duration {
	if w > math.MaxInt64/exact.Duration(n) {
		return math.MaxInt64
	}
	return w * exact.Duration(n)
}

// LoadSpan returns the largest load over the smallest, and false unless there
// is at least one load and all are positive.
func LoadSpan(loads []exact.Number) (exact.Number, bool) {
	if len(loads) == 0 {
		return exact.Number{}, false
	}
	lo, hi := loads[0], loads[0]
	for _, l := range loads[1:] {
		if l.Cmp(lo) < 0 {
			lo = l
		}
		if l.Cmp(hi) > 0 {
			hi = l
		}
	}
	if lo.Sign() <= 0 {
		return exact.Number{}, false
	}
	return hi.Div(lo), true
}

// SpansTwoDecades tells whether the largest load is at least one hundred times
// the smallest. It is false where [LoadSpan] is.
func SpansTwoDecades(loads []exact.Number) bool {
	span, ok := LoadSpan(loads)
	return ok && span.Cmp(hundred) >= 0
}

// LoadHeld tells whether n requests are a load in requests a second over a span
// of a trial (FD-3.3-1): within the tolerance, a share of the load, or one
// request where arrivals are evenly spaced; within four standard deviations,
// (n-m)^2 <= 16m, where they are Poisson of mean m. The tolerances are this
// project's own (AMB-24): the methodology asks for a constant load and gives
// none.
func LoadHeld(n int64, load exact.Number, span exact.Duration, tolerance exact.Number, poisson bool) bool {
	mean := load.Mul(span.Seconds())
	off := exact.Int(n).Sub(mean).Abs()
	if poisson {
		return off.Mul(off).Cmp(exact.Int(16).Mul(mean)) <= 0
	}
	return off.Cmp(exact.Int(1)) <= 0 || off.Cmp(mean.Mul(tolerance)) <= 0
}

// Granularity returns the smallest step of a rate indicator over a window w at
// a load in requests a second: one response among w*load. It is false unless
// both are positive.
func Granularity(w exact.Duration, load exact.Number) (exact.Number, bool) {
	if w <= 0 || load.Sign() <= 0 {
		return exact.Number{}, false
	}
	return exact.Int(1).Div(load.Mul(w.Seconds())), true
}

// InjectionFraction returns the share of responses to change so that a rate
// moves from p0 by d: d/(1-p0) upward, |d|/p0 downward. It is false where no
// share in (0, 1] does it: d is 0, p0 is no rate, or d is out of reach.
func InjectionFraction(p0, d exact.Number) (exact.Number, bool) {
	room := exact.Int(1).Sub(p0)
	if p0.Sign() < 0 || room.Sign() < 0 || d.Sign() == 0 {
		return exact.Number{}, false
	}
	if d.Sign() < 0 {
		room = p0
	}
	if d.Abs().Cmp(room) > 0 {
		return exact.Number{}, false
	}
	return d.Abs().Div(room), true
}

// Masking returns 1 - op/fip, the part of a fault's magnitude that does not
// reach the Observation Point in one trial (FD-5.5-6). It is negative where
// the path amplifies the fault, and is never clamped. Both magnitudes are
// changes from the own baseline mean of their point. A fip of zero is a
// programmer's error and panics: [KeepMagnitude] has discarded such a trial.
func Masking(fip, op exact.Number) exact.Number {
	return exact.Int(1).Sub(op.Div(fip))
}

// GapTooWide tells whether more than one in twenty of a trial's requests is
// missing at one of the two points: what is left may not be what was sent. The
// limit is this project's own (AMB-10).
func GapTooWide(lost, seen int64) bool { return 20*lost > lost+seen }
