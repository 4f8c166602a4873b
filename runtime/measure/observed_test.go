package measure_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
)

func realCase(edit func(*synthetic.Case, *journal.FalseDetectionRecord)) *synthetic.Case {
	c := synthetic.New(synthetic.Options{Time: "real", Loads: []int64{10}, Reduced: true})
	synthetic.Each(c, func(r *journal.FalseDetectionRecord) {
		if edit != nil {
			edit(c, r)
		}
	})
	return c
}

// silence makes windows of an observation silent and the observation so much
// longer, but for short nanoseconds.
func silence(windows, short int64) func(*synthetic.Case, *journal.FalseDetectionRecord) {
	return func(c *synthetic.Case, r *journal.FalseDetectionRecord) {
		w := r.Answered.Width
		r.Answered.Silent = windows
		r.Blind = windows * w
		lengthen(c, r, windows*w-short)
	}
}

// lengthen moves the end of an observation and of its segment.
func lengthen(c *synthetic.Case, r *journal.FalseDetectionRecord, by int64) {
	r.To += by
	r.Answered.N = (r.To - r.From) / r.Answered.Width
	r.Requests, _ = c.Plan.Declaration.Load.Points[r.Load].Rate.Mul(exact.Duration(r.To - r.From).Seconds()).Int64()
	r.Traffic.Sent = r.Requests
	synthetic.Each(c, func(x *journal.Commit) { x.At = max(x.At, r.To) })
}

// TestSilenceDoesNotCount wants windows without an answer subtracted from the
// time that false detections were observed for, to the nanosecond.
func TestSilenceDoesNotCount(t *testing.T) {
	plain := compute(t, realCase(nil))
	for _, x := range []struct {
		name   string
		edit   func(*synthetic.Case, *journal.FalseDetectionRecord)
		silent float64 // windows
		want   []string
	}{
		{"none", nil, 0, nil},
		{"made up for", silence(7, 0), 7, nil},
		{"not made up for, by a nanosecond", silence(7, 1), 7, []string{"FD-5.4-4"}},
		{"not made up for", silence(7, 7*int64(exact.Minute)), 7, []string{"FD-5.4-4"}},
	} {
		c := realCase(x.edit)
		r := compute(t, c)
		row := r.FalseDetection[0]
		w := c.Plan.Declaration.Load.Points[0].Window.Seconds().Float64()
		if row.SilentS == nil || *row.SilentS != x.silent*w || *row.BlindS != x.silent*w {
			t.Errorf("%s: silent %v, blind %v", x.name, row.SilentS, row.BlindS)
		}
		if got := broken(t, c); !slices.Equal(got, x.want) {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
		if x.want == nil && row.PeriodS != plain.FalseDetection[0].PeriodS {
			t.Errorf("%s: a period of %v s, want %v s", x.name, row.PeriodS, plain.FalseDetection[0].PeriodS)
		}
	}
}

// TestObservedTraffic wants what an observation says of its requests in the
// result, and a journal that was written before observations said it to be read.
func TestObservedTraffic(t *testing.T) {
	c := realCase(func(_ *synthetic.Case, r *journal.FalseDetectionRecord) {
		r.Traffic.Dropped, r.Traffic.Unmatched, r.Traffic.LateMax = 5, 3, 77e6
		r.Traffic.Failures = []journal.Failure{{Outcome: "timeout", N: 2}, {Outcome: "refused", N: 4000}}
	})
	var sent int64
	synthetic.Each(c, func(r *journal.FalseDetectionRecord) { sent += r.Requests })
	r := compute(t, c)
	if len(r.Conformance.Violations) > 0 {
		t.Fatal(r.Conformance.Violations)
	}
	x := r.FalseDetection[0].Traffic
	if x == nil || x.Sent != sent || x.Offered != sent+5 || x.Dropped != 5 || x.Unmatched != 3 || *x.LateMaxS != 0.077 ||
		!slices.Equal(x.Failures, []measure.Tally{{What: "refused", N: 4000}, {What: "timeout", N: 2}}) {
		t.Errorf("%+v", x)
	}
	bare := realCase(func(_ *synthetic.Case, r *journal.FalseDetectionRecord) { r.Traffic, r.Answered = nil, nil })
	if got := broken(t, bare); !slices.Equal(got, []string{"FD-3.3-1", "FD-5.4-2"}) {
		t.Errorf("an observation that does not say how it went: %q", got)
	}
	bare.Plan.Estimators.Engine, bare.Open.Engine = "fdbench.live/1", "fdbench.live/1"
	plan.Seal(bare.Plan)
	bare.Open.PlanDigest = bare.Plan.Digest
	synthetic.Each(bare, func(r *journal.BaselineRecord) { r.Environment = plan.EnvironmentDigest(bare.Plan) })
	old := compute(t, bare)
	if f := old.FalseDetection[0]; len(old.Conformance.Violations) > 0 || f.Traffic != nil || f.SilentS != nil || f.BlindS == nil || *f.BlindS != 0 {
		t.Errorf("%+v, %v", f, old.Conformance.Violations)
	}
	virtual := compute(t, synthetic.New(synthetic.Options{Loads: []int64{10}, Reduced: true}))
	if f := virtual.FalseDetection[0]; f.Traffic != nil || f.SilentS != nil || f.BlindS != nil || virtual.Reception != nil {
		t.Errorf("%+v", f)
	}
}

// TestImpossibleObservations refuses what cannot be, and reports what does not
// fit.
func TestImpossibleObservations(t *testing.T) {
	for _, x := range []struct {
		name   string
		edit   func(*synthetic.Case, *journal.FalseDetectionRecord)
		refuse bool
		want   string
	}{
		{"silence that is not blind", func(_ *synthetic.Case, r *journal.FalseDetectionRecord) { r.Answered.Silent = 1 }, true, ""},
		{"blind time without a reason", func(_ *synthetic.Case, r *journal.FalseDetectionRecord) { r.Blind = 1 }, true, ""},
		{"more silent windows than there are", func(_ *synthetic.Case, r *journal.FalseDetectionRecord) {
			r.Answered.Silent, r.Answered.N = 2, 1
			r.Blind = 2 * r.Answered.Width
		}, true, ""},
		{"more windows than fit", func(_ *synthetic.Case, r *journal.FalseDetectionRecord) { r.Answered.N++ }, true, ""},
		{"no width", func(_ *synthetic.Case, r *journal.FalseDetectionRecord) { r.Answered.Width = 0 }, true, ""},
		{"a negative count", func(_ *synthetic.Case, r *journal.FalseDetectionRecord) {
			r.Answered.Silent = -1
			r.Blind = -r.Answered.Width
		}, true, ""},
		{"windows that were not counted", func(_ *synthetic.Case, r *journal.FalseDetectionRecord) { r.Answered.N-- }, false, "FD-5.4-2"},
		{"windows of another width", func(_ *synthetic.Case, r *journal.FalseDetectionRecord) {
			r.Answered.Width *= 2
			r.Answered.N = (r.To - r.From) / r.Answered.Width
		}, false, "FD-5.4-2"},
		{"other requests than were sent", func(_ *synthetic.Case, r *journal.FalseDetectionRecord) { r.Traffic.Sent-- }, false, "FD-3.3-1"},
	} {
		c := realCase(x.edit)
		text, err := c.Write(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		_, err = measure.Compute(c.Plan, bytes.NewReader(text))
		var chain *journal.ChainError
		if errors.As(err, &chain) != x.refuse {
			t.Errorf("%s: %v", x.name, err)
		} else if !x.refuse {
			if got := broken(t, c); !slices.Equal(got, []string{x.want}) {
				t.Errorf("%s: %q, want %q", x.name, got, x.want)
			}
		}
	}
}

// TestReception adds up what the segments could not take in of the detector.
func TestReception(t *testing.T) {
	c := realCase(nil)
	n := 0
	synthetic.Each(c, func(r *journal.Commit) {
		switch n++; n {
		case 1:
			r.Missed = &journal.Missed{Malformed: 2, Refused: 1, Gap: 3e9}
		case 3:
			r.Missed = &journal.Missed{Malformed: 1, Truncated: 40, Unresolved: 5, Unanswered: 6, Restarts: 7, Gap: 2e9}
		}
	})
	r := compute(t, c)
	gap := 3.0
	want := measure.Reception{Segments: 2, Malformed: 3, Refused: 1, Truncated: 40, Unresolved: 5, Unanswered: 6, Restarts: 7}
	got := *r.Reception
	if got.GapS == nil || *got.GapS != gap {
		t.Errorf("%v", got.GapS)
	}
	if got.GapS = nil; got != want {
		t.Errorf("%+v", got)
	}
	if len(r.Conformance.Violations) > 0 {
		t.Error(r.Conformance.Violations)
	}
	if none := compute(t, realCase(nil)).Reception; none == nil || *none != (measure.Reception{}) {
		t.Errorf("%+v", none)
	}
	synthetic.Each(c, func(r *journal.Commit) {
		if r.Missed != nil {
			r.Missed.Truncated = -1
		}
	})
	text, err := c.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var chain *journal.ChainError
	if _, err := measure.Compute(c.Plan, bytes.NewReader(text)); !errors.As(err, &chain) {
		t.Errorf("a negative count: %v", err)
	}
}
