package measure_test

import (
	"slices"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
)

// A series is complete that did all that its plan asks for, and everything that
// it asks for counts.
func TestComplete(t *testing.T) {
	observed := func(over int64) func(*synthetic.Case) {
		return func(c *synthetic.Case) {
			var span int64
			synthetic.Each(c, func(r *journal.FalseDetectionRecord) { span = r.To - r.From })
			c.Plan.Declaration.FalseDetection.AtLeast = exact.Duration(span + over)
			plan.Seal(c.Plan)
			c.Open.PlanDigest = c.Plan.Digest
		}
	}
	for _, x := range []struct {
		name     string
		change   func(*synthetic.Case)
		complete bool
	}{
		{"all of it", func(*synthetic.Case) {}, true},
		{"an observation exactly as long as declared", observed(0), true},
		{"an observation a nanosecond shorter than declared", observed(1), false},
		{"an observation a nanosecond shorter than the time under fault",
			onFirst(any1[journal.FalseDetectionRecord], func(r *journal.FalseDetectionRecord) { r.To-- }), false},
		{"no observation", dropFirst(journal.KindFalseDetection), false},
		{"nineteen trials of twenty", dropTrial(2, true), false},
		{"nine sham trials of ten", func(c *synthetic.Case) {
			n := 0
			c.Drop(func(r synthetic.Record) bool {
				t, ok := r.Data.(*journal.TrialRecord)
				if !ok || t.Purpose != journal.PurposeSham {
					return false
				}
				n++
				return n == 10
			})
		}, false},
		{"a search without its end", dropLastStep, false},
		{"a load without a Baseline Interval", dropFirst(journal.KindBaseline), false},
	} {
		c := synthetic.New(synthetic.Options{Loads: []int64{10}})
		x.change(c)
		if r := compute(t, c); r.Conformance.Complete != x.complete {
			t.Errorf("%s: complete %t, %v", x.name, r.Conformance.Complete, r.Conformance.Violations)
		}
	}
}

// Two trials have a between, in which the clocks have to be compared, and one
// has none.
func TestClocksBetweenTwoTrials(t *testing.T) {
	for trials, want := range map[int]bool{1: false, 2: true, 3: true} {
		c := synthetic.New(synthetic.Options{Time: "real", Clocks: "probed", Loads: []int64{10}})
		kept := map[string]bool{}
		synthetic.Each(c, func(r *journal.TrialRecord) {
			if len(kept) < trials {
				kept[r.Trial] = true
			}
		})
		c.Drop(func(r synthetic.Record) bool {
			switch d := r.Data.(type) {
			case *journal.TrialRecord:
				return !kept[d.Trial]
			case *journal.ApplyRecord:
				return !kept[d.Trial]
			case *journal.ClockRecord:
				return d.Moment == "between"
			}
			return r.Kind == journal.KindSearchStep
		})
		missing := slices.ContainsFunc(compute(t, c).Conformance.Violations, func(v measure.Violation) bool {
			return v.Rule == "FD-3.5-2" && v.Detail == "10 req/s: the offset of the clocks was not measured between the trials"
		})
		if missing != want {
			t.Errorf("%d trials and no measurement between them: missing %t", trials, missing)
		}
	}
}
