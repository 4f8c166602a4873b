package measure_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
)

// The boundaries that need more than one changed member; the others are
// examples of the rules.

func TestEventAtTheTimeout(t *testing.T) {
	for late, want := range map[int64][]string{0: nil, 1: {"FD-5.1-11"}} {
		c := synthetic.New(synthetic.Options{Loads: []int64{10}})
		onFirst(func(r *journal.TrialRecord) bool { return keptTrial(r) && r.Profile == "step" && r.Class == "refusal" }, func(r *journal.TrialRecord) {
			r.Latency = 20*exact.Minute + exact.Duration(late)
			r.Event.At = r.Onset + int64(r.Latency)
		})(c)
		if ids, all := rules(compute(t, c)); !slices.Equal(ids, want) {
			t.Errorf("a signal %d ns after the timeout: %s", late, all)
		}
	}
}

func TestEventAtTheFirstChangedResponse(t *testing.T) {
	for early, want := range map[int64][]string{0: nil, 1: {"FD-5.1-4"}} {
		c := synthetic.New(synthetic.Options{Loads: []int64{10}})
		onFirst(keptTrial, func(r *journal.TrialRecord) { r.FirstAffected = r.Event.At + early })(c)
		if ids, all := rules(compute(t, c)); !slices.Equal(ids, want) {
			t.Errorf("an event %d ns before the first changed response: %s", early, all)
		}
	}
}

// A magnitude of exactly two standard deviations is not below them.
func TestTwoStandardDeviations(t *testing.T) {
	// Deviations of 3, -3, 3, -3 and six times 0 around 10 have the variance 4,
	// so scaled to windows of 100 responses the sd is 0.02.
	sums := []int64{13, 7, 13, 7, 10, 10, 10, 10, 10, 10}
	for n, below := range map[int64]bool{80: false, 79: true} { // sd 1/40 and 2/79, and the magnitude is 0.05
		c := synthetic.New(synthetic.Options{Loads: []int64{10}})
		synthetic.Each(c, func(r *journal.BaselineRecord) {
			for i := range r.Indicators {
				if b := &r.Indicators[i]; b.Indicator == "refusal_rate" && b.Point == "observation" {
					for j := range b.Windows {
						b.Windows[j] = journal.WindowSum{sums[j], n}
					}
				}
			}
		})
		r := compute(t, c)
		for _, row := range r.Coverage {
			if row.Magnitude == "0.05" && row.Below2SD != below {
				t.Errorf("0.05 at an sd of %s: below two of them %v", *row.BaselineSD, row.Below2SD)
			}
		}
	}
}

// The bound has to be smaller than one percent of the smallest latency: equal
// is not (notes, part I).
func TestOnePercentOfTheSmallestLatency(t *testing.T) {
	for bound, ok := range map[exact.Duration]bool{200*exact.Millisecond - 1: true, 200 * exact.Millisecond: false} {
		c := synthetic.New(synthetic.Options{Time: "real", Clocks: "probed"})
		probe(bound)(c)
		r := compute(t, c)
		if r.Clocks.OnePercent == nil || *r.Clocks.OnePercent != ok || len(r.Conformance.Violations) > 0 {
			t.Errorf("%s: %+v, %v", bound, r.Clocks, r.Conformance.Violations)
		}
		for _, row := range r.Latency {
			if (row.ErrorBoundS == nil) != ok {
				t.Errorf("%s: error bound %v", bound, row.ErrorBoundS)
			}
		}
	}
}

// Eighteen of twenty meet a target of nine tenths, seventeen do not; and an
// interval equal to the resolution is not smaller than it.
func TestSearchBoundaries(t *testing.T) {
	for _, x := range []struct {
		detected int
		status   string
	}{{18, measure.SearchIncomplete}, {17, measure.SearchAboveBound}} {
		c := synthetic.New(synthetic.Options{Loads: []int64{10}, NoTrials: true})
		n := 0
		synthetic.Each(c, func(r *journal.TrialRecord) {
			if r.Purpose == journal.PurposeSearch && r.Evaluation == 0 && r.Kept {
				if n++; n > x.detected {
					r.Detected, r.Latency, r.Event = false, 0, nil
				}
			}
		})
		onFirst(any1[journal.SearchStep], func(r *journal.SearchStep) {
			r.Detected, r.Met = x.detected, x.detected >= 18
			if !r.Met {
				r.Upper, r.Status = nil, measure.SearchAboveBound
			}
		})(c)
		if x.detected < 18 {
			steps := 0
			c.Drop(func(r synthetic.Record) bool {
				if r.Kind == journal.KindSearchStep {
					steps++
				}
				return r.Kind == journal.KindSearchStep && steps > 1
			})
		}
		ids, all := rules(compute(t, c))
		for _, id := range ids {
			// Undetected trials that ended early, and trials of steps that
			// do not belong to the search any more, are what the edit left.
			if id != "FD-5.1-4" && (id != "FD-5.3-8" || x.detected == 18) {
				t.Errorf("%d of 20: %s", x.detected, all)
			}
		}
	}
	r := compute(t, synthetic.New(synthetic.Options{Loads: []int64{10}, NoTrials: true, Lower: "0.08"}))
	trace := r.Threshold[0].Trace
	lower, upper, widths := exact.MustParse("0.08"), exact.MustParse("0.4"), ""
	for _, s := range trace[2:] {
		if m := exact.MustParse(s.Magnitude); s.Met {
			upper = m
		} else {
			lower = m
		}
		widths += fmt.Sprint(upper.Sub(lower), " ")
	}
	if r.Threshold[0].Resolution != "0.02" || widths != "0.16 0.08 0.04 0.02 0.01 " {
		t.Errorf("widths %s for a resolution of %s", widths, r.Threshold[0].Resolution)
	}
}

// k = 0 gives no quantile, and one detected trial gives both.
func TestQuantilesOfFewDetections(t *testing.T) {
	for keep := range 3 {
		c := synthetic.New(synthetic.Options{Loads: []int64{10}})
		n := 0
		synthetic.Each(c, func(r *journal.TrialRecord) {
			if r.Combination == 0 && r.Kept && r.Detected {
				if n++; n > keep {
					r.Detected, r.Latency, r.Event = false, 0, nil
				}
			}
		})
		row := compute(t, c).Latency[0]
		if (row.MedianS == nil) != (keep == 0) || (row.P95S == nil) != (keep == 0) || row.Detected != keep || row.Undetected != 20-keep || row.Trials != 20 {
			t.Errorf("%d detected: %+v", keep, row)
		}
	}
}
