package measure_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/readback"
)

// The boundaries that need more than one changed member; the others are
// examples of the rules.

func TestEventAtTheTimeout(t *testing.T) {
	var event detector.Signal
	// What comes after the timeout comes after the removal.
	for late, want := range map[int64][]string{0: nil, 1: {"FD-5.1-4", "FD-5.1-11"}} {
		c := synthetic.New(synthetic.Options{Loads: []int64{10}})
		synthetic.Each(c, func(r *journal.TrialRecord) {
			if keptTrial(r) && r.Class == "refusal" {
				event = *r.Event
			}
		})
		onFirst(undetectedTrial, func(r *journal.TrialRecord) {
			e := event
			r.Latency = 20*exact.Minute + exact.Duration(late)
			e.At = r.Onset + int64(r.Latency)
			e.EmittedAt, e.StartsAt = e.At, e.At
			r.Detected, r.Event = true, &e
		})(c)
		if ids, all := rules(compute(t, c)); !slices.Equal(ids, want) {
			t.Errorf("a signal %d ns after the timeout: %s", late, all)
		}
	}
}

// The fault stays until its Detection Event, so none comes after the removal
// (AMB-07).
func TestEventAtTheRemoval(t *testing.T) {
	for late, want := range map[int64][]string{0: nil, 1: {"FD-5.1-4"}} {
		c := synthetic.New(synthetic.Options{Loads: []int64{10}})
		onFirst(keptTrial, func(r *journal.TrialRecord) {
			e := r.Event
			e.At = r.RemovalAsked + late
			e.EmittedAt, e.StartsAt, r.Latency = e.At, e.At, exact.Duration(e.At-r.Onset)
		})(c)
		if ids, all := rules(compute(t, c)); !slices.Equal(ids, want) {
			t.Errorf("an event %d ns after the removal: %s", late, all)
		}
	}
}

// On one clock the stamps of the emitter lie between the first changed response
// and the reception, and those of the alert between onset and reception
// (AMB-12). On two they are not comparable, and a running host's are read in
// whole seconds by some.
func TestStampsOfTheEmitter(t *testing.T) {
	second := int64(exact.Second)
	virtual, oneHost, twoHosts := synthetic.Options{Loads: []int64{10}}, synthetic.Options{Loads: []int64{10}, Time: "real", Clocks: "same_host"},
		synthetic.Options{Loads: []int64{10}, Time: "real"}
	for _, x := range []struct {
		name   string
		o      synthetic.Options
		change func(*journal.TrialRecord)
		broken bool
	}{
		{"emitted at the first changed response", virtual, func(r *journal.TrialRecord) { r.Event.EmittedAt = r.FirstAffected }, false},
		{"emitted a nanosecond earlier", virtual, func(r *journal.TrialRecord) { r.Event.EmittedAt = r.FirstAffected - 1 }, true},
		{"emitted a nanosecond after its reception", virtual, func(r *journal.TrialRecord) { r.Event.EmittedAt = r.Event.At + 1 }, true},
		{"an alert since the onset", virtual, func(r *journal.TrialRecord) { r.Event.StartsAt = r.Onset }, false},
		{"an alert since before the onset", virtual, func(r *journal.TrialRecord) { r.Event.StartsAt = r.Onset - 1 }, true},
		{"an alert that begins after its reception", virtual, func(r *journal.TrialRecord) { r.Event.StartsAt = r.Event.At + 1 }, true},
		{"one host, a second early", oneHost, func(r *journal.TrialRecord) { r.Event.EmittedAt = r.FirstAffected - second }, false},
		{"one host, more than a second early", oneHost, func(r *journal.TrialRecord) { r.Event.EmittedAt = r.FirstAffected - second - 1 }, true},
		{"one host, more than a second late", oneHost, func(r *journal.TrialRecord) { r.Event.EmittedAt = r.Event.At + second + 1 }, true},
		{"one host, whose clock was set", oneHost, func(r *journal.TrialRecord) {
			r.Event.EmittedAt, r.Steps = r.Onset-10*second, []journal.ClockStep{{At: r.Onset, By: 10 * second}}
		}, false},
		{"two hosts", twoHosts, func(r *journal.TrialRecord) { r.Event.EmittedAt = r.Onset - 10*second }, false},
	} {
		c := synthetic.New(x.o)
		onFirst(keptTrial, x.change)(c)
		ids, all := rules(compute(t, c))
		if x.broken != slices.Equal(ids, []string{"FD-5.1-4"}) || !x.broken && len(ids) > 0 {
			t.Errorf("%s: %s", x.name, all)
		}
	}
}

// A magnitude rests on all responses that the load gives in its window.
func TestResponsesOfTheWindow(t *testing.T) {
	for _, x := range []struct {
		n, lost int64 // of 3000
		time    string
		broken  bool
	}{{2970, 0, "", false}, {2969, 0, "", true}, {3030, 0, "", false}, {3031, 0, "", true}, {20, 0, "", true}, {2880, 120, "real", false},
		{2850, 0, "real", false}, {2849, 0, "real", true}} {
		c := synthetic.New(synthetic.Options{Loads: []int64{10}, Time: x.time})
		onFirst(keptTrial, func(r *journal.TrialRecord) {
			v := &r.Verification
			v.N, v.ObservedN, v.Lost = x.n, x.n, x.lost
			v.Injected = v.Before + x.n/20
			v.Achieved = exact.Frac(x.n/20, x.n)
		})(c)
		ids, all := rules(compute(t, c))
		if x.broken != slices.Equal(ids, []string{"FD-3.4-6"}) || !x.broken && len(ids) > 0 {
			t.Errorf("%d responses and %d lost (%s): %s", x.n, x.lost, x.time, all)
		}
	}
}

// A detector is not in alert for longer than it is observed.
func TestTimeInAlert(t *testing.T) {
	for over, fits := range map[int64]bool{0: true, 1: false} {
		c := synthetic.New(synthetic.Options{Loads: []int64{10}})
		onFirst(any1[journal.FalseDetectionRecord], func(r *journal.FalseDetectionRecord) { r.Active = r.To - r.From + over })(c)
		b, err := c.Write(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := measure.Compute(c.Plan, bytes.NewReader(b)); (err == nil) != fits {
			t.Errorf("in alert %d ns longer than observed: %v", over, err)
		}
	}
}

// The plan of a model is simulated whatever its journal says, and the plan of a
// running deployment has no virtual time.
func TestTimeIsThePlans(t *testing.T) {
	for _, x := range []struct {
		time, claim string
		change      func(*plan.Plan)
		status      string
		ids         []string
	}{
		{"", "virtual", nil, measure.StatusSimulated, nil},
		{"", "real", nil, measure.StatusSimulated, []string{"FD-1.1-3"}},
		{"real", "real", nil, measure.StatusConformant, nil},
		{"real", "virtual", nil, measure.StatusSimulated, []string{"FD-1.1-3", "FD-3.5-6", "FD-7-1"}},
		{"real", "real", func(p *plan.Plan) { p.Declaration.Serving.Kind = "recorded" }, measure.StatusSimulated, []string{"FD-1.1-3", "FD-3.5-6", "FD-7-1"}},
		{"real", "real", func(p *plan.Plan) { p.Declaration.Apparatus.Kind = "simulated" }, measure.StatusSimulated, []string{"FD-1.1-3", "FD-3.5-6", "FD-7-1"}},
		{"real", "real", func(p *plan.Plan) { p.Estimators.Engine = "fdbench.virtual/2" }, measure.StatusSimulated, []string{"FD-1.1-3", "FD-3.5-6", "FD-4.1-5", "FD-7-1"}},
	} {
		c := synthetic.New(synthetic.Options{Loads: []int64{10}, Time: x.time})
		if x.change != nil {
			x.change(c.Plan)
			plan.Seal(c.Plan)
			c.Open.PlanDigest = c.Plan.Digest
			reading, err := readback.Expected(c.Plan)
			if err != nil {
				t.Fatal(err)
			}
			synthetic.Each(c, func(r *journal.Readback) {
				r.Detector, r.Serving, r.Population = reading.Detector, reading.Serving, reading.Population
			})
			synthetic.Each(c, func(r *journal.BaselineRecord) { r.Environment = plan.EnvironmentDigest(c.Plan) })
		}
		c.Open.Time = x.claim
		r := compute(t, c)
		ids, all := rules(r)
		if r.Conformance.Status != x.status || !slices.Equal(ids, x.ids) {
			t.Errorf("%q claimed %s: %s, want %s and %v\n%s", x.time, x.claim, r.Conformance.Status, x.status, x.ids, all)
		}
	}
}

// Masking below two standard deviations stands beside the standard deviation,
// and a withheld threshold is given away by nothing.
func TestMaskingCarriesItsBaseline(t *testing.T) {
	r := compute(t, synthetic.New(synthetic.Options{Loads: []int64{10}}))
	m := r.Masking[0]
	for _, x := range r.Coverage {
		if x.Class == m.Class && (m.BaselineSD == nil || *m.BaselineSD != *x.BaselineSD || m.Below2SD) {
			t.Errorf("%+v beside a coverage with the sd %s", m, *x.BaselineSD)
		}
	}
	c := synthetic.New(synthetic.Options{Loads: []int64{10}})
	synthetic.Each(c, func(r *journal.BaselineRecord) {
		for i := range r.Indicators {
			if b := &r.Indicators[i]; b.Indicator == "refusal_rate" && b.Point == "observation" {
				for j := range b.Windows {
					b.Windows[j] = journal.WindowSum{int64(j%2) * 300, 600} // sd 0.26
				}
			}
		}
	})
	if m := compute(t, c).Masking[0]; !m.Below2SD || m.BaselineSD == nil {
		t.Errorf("a magnitude of 0.2 at an sd of 0.26: %+v", m)
	}
}

func TestWithheldThresholdHasNoSteps(t *testing.T) {
	c := synthetic.New(synthetic.Options{Loads: []int64{10}})
	dropFirst(journal.KindFalseDetection)(c)
	r := compute(t, c)
	if x := r.Threshold[0]; x.Withheld == "" || x.UpperBound != nil || len(x.Trace) > 0 || len(r.Supplementary.Threshold) > 0 {
		t.Errorf("%+v, %+v", x, r.Supplementary.Threshold)
	}
	if b := measure.Encode(r); !bytes.Contains(b, []byte(`"trace": []`)) {
		t.Error("the list of steps is not empty in JSON")
	}
}

// The reason for which a series is reduced stands in its result.
func TestReasonOfAReducedSeries(t *testing.T) {
	for reduced, want := range map[bool]string{true: "screening", false: ""} {
		if r := compute(t, synthetic.New(synthetic.Options{Time: "real", Loads: []int64{10}, Reduced: reduced})); r.Conformance.ReducedReason != want {
			t.Errorf("reduced %t: the reason %q", reduced, r.Conformance.ReducedReason)
		}
	}
}

// Signals of a detected fault after its Detection Event are counted apart from
// those that are not the fault's.
func TestSignalsAfterTheEvent(t *testing.T) {
	c := synthetic.New(synthetic.Options{Loads: []int64{10}})
	onFirst(keptTrial, func(r *journal.TrialRecord) { r.After, r.Other = 5, 2 })(c)
	if s := compute(t, c).Supplementary.Signals[0]; s.After != 5 || s.NotAttributed != 2 {
		t.Errorf("%+v", s)
	}
}

func undetectedTrial(t *journal.TrialRecord) bool {
	return t.Purpose == journal.PurposeTrials && t.Kept && !t.Detected && t.Profile == "step" && t.Class == "refusal"
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
