package measure_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
)

func of(purpose string, detected, kept bool) func(*journal.TrialRecord) bool {
	return func(t *journal.TrialRecord) bool {
		return t.Purpose == purpose && t.Detected == detected && t.Kept == kept
	}
}

func discardAs(cause string) func(*journal.TrialRecord) {
	return func(t *journal.TrialRecord) { t.Kept, t.Discard = false, cause }
}

// rules lists the rules that a result breaks, each once, and all sentences.
func rules(r *measure.Result) (ids []string, details string) {
	var all strings.Builder
	for _, v := range r.Conformance.Violations {
		if !slices.Contains(ids, v.Rule) {
			ids = append(ids, v.Rule)
		}
		all.WriteString(v.Rule + " " + v.Detail + "\n")
	}
	return ids, all.String()
}

// A journal whose chain holds, written by someone who wanted other figures:
// whatever the plan and the rest of the journal decide is decided again.
func TestTamperedJournals(t *testing.T) {
	caught, silent := of(journal.PurposeTrials, true, true), of(journal.PurposeTrials, false, true)
	other := func(s *detector.Signal) { s.Labels = map[string]string{"alertname": "Other"} }
	for _, x := range []struct {
		name string
		edit func(*synthetic.Case)
		rule string // one of them
		says string
	}{
		{"event of another alert", onFirst(caught, func(r *journal.TrialRecord) { other(r.Event) }), "FD-5.1-4", "does not give"},
		{"event of another class", onFirst(caught, func(r *journal.TrialRecord) { r.Event.Labels["alertname"] = "AnswersShort" }), "FD-5.1-4", "does not give"},
		{"event of another type", onFirst(caught, func(r *journal.TrialRecord) { r.Event.Type = "log" }), "FD-5.1-4", "does not give"},
		{"end of an alert", onFirst(caught, func(r *journal.TrialRecord) { r.Event.Status = "resolved" }), "FD-5.1-4", "does not give"},
		{"repetition", onFirst(caught, func(r *journal.TrialRecord) { r.Event.Repeat = true }), "FD-5.1-4", "repetition"},
		{"missing data", onFirst(caught, func(r *journal.TrialRecord) { r.Event.NoData = true }), "FD-5.1-4", "repetition"},
		{"event of a search trial", onFirst(of(journal.PurposeSearch, true, true), func(r *journal.TrialRecord) { other(r.Event) }), "FD-5.1-4", "does not give"},
		{"event of a masking trial", onFirst(of(journal.PurposeMasking, true, true), func(r *journal.TrialRecord) { other(r.Event) }), "FD-5.1-4", "does not give"},
		{"detection struck out", onFirst(caught, func(r *journal.TrialRecord) { r.Detected, r.Latency = false, 0 }), "FD-5.1-5", "counts as undetected"},
		{"detection erased", onFirst(caught, func(r *journal.TrialRecord) { r.Detected, r.Latency, r.Event = false, 0, nil }), "FD-5.1-4", "until its timeout"},
		{"other fault than announced", onFirst(any1[journal.ApplyRecord], func(r *journal.ApplyRecord) { r.Magnitude = exact.Frac(1, 7) }), "FD-5.1-3", "not the one"},
		{"announced before a sham trial", shamAfterApply, "FD-4.3-1", "removal is not on record"},
		{"attempt replaced", onFirst(caught, func(r *journal.TrialRecord) { r.Attempt = 7 }), "FD-5.1-7", "does not follow"},

		{"invented cause", onFirst(silent, discardAs("operator_error")), "FD-5.1-11", `"operator_error"`},
		{"no cause", onFirst(silent, discardAs("")), "FD-5.1-11", `""`},
		{"failure that cannot be", onFirst(silent, discardAs("harness_failure")), "FD-5.1-11", "virtual time"},
		{"apparatus failure that cannot be", onFirst(silent, discardAs("apparatus_failure")), "FD-5.1-11", "virtual time"},
		{"load was held", onFirst(silent, discardAs("load_violation")), "FD-3.3-1", "have been held"},
		{"responses to verify", onFirst(silent, discardAs("observation_gap")), "FD-3.4-6", "it has them"},
		{"quiet was reached", onFirst(silent, discardAs("quiet_not_reached")), "FD-4.3-2", "did reach"},
		{"sham magnitude", onFirst(of(journal.PurposeSham, false, true), discardAs("magnitude")), "FD-3.4-7", "without a fault"},

		{"count struck out", onFirst(any1[journal.FalseDetectionRecord], func(r *journal.FalseDetectionRecord) {
			r.Count, r.Edges = 0, 0
			for i := range r.Classes {
				r.Classes[i].Count, r.Classes[i].Edges = 0, 0
			}
		}), "FD-5.4-2", "count of false detections"},
		{"event struck out", onFirst(any1[journal.FalseDetectionRecord], func(r *journal.FalseDetectionRecord) { r.Events = r.Events[1:] }), "FD-5.4-2", "count of false detections"},
		{"edge made a repetition", onFirst(any1[journal.FalseDetectionRecord], func(r *journal.FalseDetectionRecord) { r.Events[0].Repeat = true }), "FD-5.4-2", "count of false detections"},
		{"event of no fault", onFirst(any1[journal.FalseDetectionRecord], func(r *journal.FalseDetectionRecord) { other(&r.Events[0]) }), "FD-5.4-2", "to no fault"},
		{"event at another time", onFirst(any1[journal.FalseDetectionRecord], func(r *journal.FalseDetectionRecord) { r.Events[0].At = r.To + 1 }), "FD-5.4-2", "outside"},
		{"other class", onFirst(any1[journal.FalseDetectionRecord], func(r *journal.FalseDetectionRecord) {
			for i := range r.Classes {
				r.Classes[i].Count, r.Classes[i].Edges = r.Count-r.Classes[i].Count, r.Edges-r.Classes[i].Edges
			}
			r.Classes[0].Count++
			r.Count++
		}), "FD-5.4-2", "of a class"},
		{"class left out", onFirst(any1[journal.FalseDetectionRecord], func(r *journal.FalseDetectionRecord) { r.Classes = r.Classes[1:] }), "FD-5.4-2", "of a class"},

		{"search ended below the floor", lastStep(func(r *journal.SearchStep) { r.Status = measure.SearchBelowFloor }), "FD-5.3-5", "floor"},
		{"search ended above its bound", lastStep(func(r *journal.SearchStep) { r.Status = measure.SearchAboveBound }), "FD-5.3-3", "upper bound"},
		{"search given up", lastStep(func(r *journal.SearchStep) { r.Status = measure.SearchIncomplete }), "FD-5.3-6", "given up"},
		{"search not ended", lastStep(func(r *journal.SearchStep) { r.Status = "" }), "FD-5.3-8", "went on"},
		{"lower bound of choice", step("lower", func(r *journal.SearchStep) { r.Magnitude = exact.Frac(1, 10) }), "FD-5.3-4", "floor"},
		{"upper bound of choice", step("upper", func(r *journal.SearchStep) { r.Magnitude = exact.Frac(1, 2) }), "FD-5.3-3", "upper bound"},
		{"midpoint of choice", step("midpoint", func(r *journal.SearchStep) { r.Magnitude = r.Magnitude.Add(exact.Frac(1, 1000)) }), "FD-5.3-7", "midpoint"},
		{"role of choice", step("upper", func(r *journal.SearchStep) { r.Role = "lower" }), "FD-5.3-3", "upper bound"},
		{"bounds of choice", step("midpoint", func(r *journal.SearchStep) { r.Upper = r.Lower }), "FD-5.3-7", "bounds"},
		{"number of choice", step("lower", func(r *journal.SearchStep) { r.Evaluation = 4 }), "FD-5.3-6", "number"},
		{"detections of a step", step("midpoint", func(r *journal.SearchStep) { r.Detected = 20 - r.Detected/2 }), "FD-5.3-6", "count the trials"},
		{"trials of another step", onFirst(of(journal.PurposeSearch, true, true), func(r *journal.TrialRecord) { r.Evaluation = 1 }), "FD-5.3-6", "another step"},
		{"trials of another magnitude", searchTrialsAt(exact.Frac(1, 5)), "FD-5.3-3", "upper bound"},

		{"other windows", onFirst(any1[journal.BaselineRecord], func(r *journal.BaselineRecord) { r.Indicators[0].Width *= 2 }), "FD-4.2-2", "aggregates over 1m"},
		{"window left out", onFirst(any1[journal.BaselineRecord], func(r *journal.BaselineRecord) {
			w := &r.Indicators[2].Windows
			*w = append(slices.Clone(*w)[:9], journal.WindowSum{1200, 10}, journal.WindowSum{1200, 10})
		}), "FD-4.2-2", "whole Baseline Interval"},
		{"clock bound", func(c *synthetic.Case) {
			c.Records = slices.Insert(c.Records, 0, synthetic.Record{Kind: journal.KindClock, Data: &journal.ClockRecord{Offset: -5, Delay: 4, Bound: 6, Method: "four stamps", Moment: "before"}})
		}, "FD-3.5-2", "smaller"},
	} {
		c := synthetic.New(synthetic.Options{Loads: []int64{10}})
		x.edit(c)
		ids, all := rules(compute(t, c))
		if !slices.Contains(ids, x.rule) || !strings.Contains(all, x.says) {
			t.Errorf("%s: want %s with %q, got\n%s", x.name, x.rule, x.says, all)
		}
	}
}

// shamAfterApply announces a fault, and tells of a trial without one.
func shamAfterApply(c *synthetic.Case) {
	for i, r := range c.Records {
		if d, ok := r.Data.(*journal.TrialRecord); ok && d.Purpose == journal.PurposeSham {
			c.Records = slices.Insert(c.Records, i, synthetic.Record{Kind: journal.KindApply,
				Data: &journal.ApplyRecord{Trial: d.Trial, Class: d.Class, Magnitude: exact.Frac(1, 5), At: d.Requested}})
			return
		}
	}
	panic("no sham trial")
}

func step(role string, change func(*journal.SearchStep)) func(*synthetic.Case) {
	return onFirst(func(r *journal.SearchStep) bool { return r.Role == role }, change)
}

func lastStep(change func(*journal.SearchStep)) func(*synthetic.Case) {
	return onFirst(func(r *journal.SearchStep) bool { return r.Status == measure.SearchFound }, change)
}

// searchTrialsAt moves the trials of the first step to another magnitude.
func searchTrialsAt(m exact.Number) func(*synthetic.Case) {
	return func(c *synthetic.Case) {
		synthetic.Each(c, func(r *journal.TrialRecord) {
			if r.Purpose == journal.PurposeSearch && r.Evaluation == 0 {
				r.Magnitude = m
			}
		})
	}
}

// A search whose course is not that of the plan gives no magnitude.
func TestBrokenSearchHasNoMagnitude(t *testing.T) {
	for name, edit := range map[string]func(*synthetic.Case){
		"status":   lastStep(func(r *journal.SearchStep) { r.Status = measure.SearchBelowFloor }),
		"midpoint": step("midpoint", func(r *journal.SearchStep) { r.Magnitude = r.Magnitude.Add(exact.Frac(1, 1000)) }),
		"coverage": step("midpoint", func(r *journal.SearchStep) { r.Met = !r.Met }),
	} {
		c := synthetic.New(synthetic.Options{Loads: []int64{10}})
		edit(c)
		r := compute(t, c)
		if row := r.Threshold[0]; row.Status != measure.SearchIncomplete || row.UpperBound != nil || len(r.Supplementary.Threshold) > 0 {
			t.Errorf("%s: %+v", name, row)
		}
	}
}

// Each way in which a search can end, with the roles of its first steps. The
// generator's chance is 6 times the magnitude.
func TestSearchOutcomes(t *testing.T) {
	for _, x := range []struct {
		name   string
		o      synthetic.Options
		status string
		roles  string
		tested bool // the last step
	}{
		{"from the floor", synthetic.Options{}, measure.SearchFound, "upper lower midpoint", true},
		{"upper bound too low", synthetic.Options{Upper: "0.1"}, measure.SearchAboveBound, "upper", true},
		{"declared lower bound meets the target", synthetic.Options{Lower: "0.3"}, measure.SearchFound, "upper lower lower midpoint", true},
		{"declared lower bound misses the target", synthetic.Options{Lower: "0.05"}, measure.SearchFound, "upper lower midpoint", true},
		{"declared lower bound below two deviations", synthetic.Options{Lower: "0.001"}, measure.SearchBelowFloor, "upper lower", false},
		{"declared lower bound above the upper", synthetic.Options{Lower: "0.5"}, measure.SearchBelowFloor, "upper lower", false},
		{"downward, the floor meets the target", synthetic.Options{Down: true, Upper: "-4"}, measure.SearchBelowFloor, "upper lower", true},
		{"downward, and a declared lower bound too", synthetic.Options{Down: true, Upper: "-4", Lower: "-3"}, measure.SearchBelowFloor, "upper lower lower", true},
		{"downward, below two deviations", synthetic.Options{Down: true, Upper: "-4", Lower: "-0.01"}, measure.SearchBelowFloor, "upper lower", false},
		{"baseline that did not vary", synthetic.Options{Silent: true}, measure.SearchFound, "upper lower midpoint", true},
	} {
		x.o.Loads, x.o.NoTrials = []int64{10}, true
		r := compute(t, synthetic.New(x.o))
		row := r.Threshold[0]
		var got []string
		for _, s := range row.Trace {
			got = append(got, s.Role)
		}
		last := row.Trace[len(row.Trace)-1]
		if len(r.Conformance.Violations) > 0 || row.Status != x.status || !strings.HasPrefix(strings.Join(got, " "), x.roles) || (last.Trials > 0) != x.tested {
			t.Errorf("%s: %s by %v, last %+v, violations %v", x.name, row.Status, got, last, r.Conformance.Violations)
		}
		if (row.UpperBound != nil) != (x.status == measure.SearchFound) || row.BaselineSD == nil || row.Target != "18/20" {
			t.Errorf("%s: %+v", x.name, row)
		}
		if row.UpperBound != nil {
			if n := exact.MustParse(*row.UpperBound).Float64(); n < 0.08 || n > 0.2 {
				t.Errorf("%s: threshold %s", x.name, *row.UpperBound)
			}
		}
		if x.o.Silent && row.Trace[1].Magnitude != "0" {
			t.Errorf("%s: lower bound at %s, want 0", x.name, row.Trace[1].Magnitude)
		}
	}
}

// A trial of magnitude 0 is no time under fault, whatever it was run for.
func TestMagnitudeZeroIsNotUnderFault(t *testing.T) {
	c := synthetic.New(synthetic.Options{Loads: []int64{10}, NoTrials: true, NoMasking: true, Silent: true})
	var want int64
	zeros := 0
	synthetic.Each(c, func(r *journal.TrialRecord) {
		if r.Magnitude.Sign() != 0 {
			want += r.Removed - r.Requested
		} else if r.Purpose == journal.PurposeSearch {
			zeros++
		}
	})
	r := compute(t, c)
	if got := r.FalseDetection[0].TimeUnderFaultS; zeros == 0 || got != float64(want)/1e9 || len(r.Conformance.Violations) > 0 {
		t.Errorf("%d search trials at 0; time under fault %v, want %v; %v", zeros, got, float64(want)/1e9, r.Conformance.Violations)
	}
}

// Chance is a matter of the class: an alert that the attribution gives to the
// one says nothing about the coverage of the other.
func TestChanceIsCountedByClass(t *testing.T) {
	c := synthetic.New(synthetic.Options{Loads: []int64{10}})
	synthetic.Each(c, func(r *journal.FalseDetectionRecord) {
		for i := range r.Events {
			r.Events[i].Labels, r.Events[i].Repeat = map[string]string{"alertname": "RefusalsHigh"}, false
		}
		r.Edges = r.Count
		r.Classes = []journal.ClassCount{{Class: "refusal", Count: r.Count, Edges: r.Count}, {Class: "verbosity_down"}}
	})
	r := compute(t, c)
	if len(r.Conformance.Violations) > 0 {
		t.Fatal(r.Conformance.Violations)
	}
	for _, row := range r.Supplementary.Coverage {
		if row.Chance == nil || (*row.Chance > 0) != (row.Row.Class == "refusal") {
			t.Errorf("%+v: chance %v", row.Row, row.Chance)
		}
		if row.Row.Class == "verbosity_down" {
			for _, cov := range r.Coverage {
				if cov.Class == "verbosity_down" && *row.Corrected != float64(cov.Detected())/float64(cov.Trials()) {
					t.Errorf("corrected coverage %v of %d/%d without false detections", *row.Corrected, cov.Detected(), cov.Trials())
				}
			}
		}
	}
	by := r.Supplementary.FalseClass
	if len(by) != 2 || by[0].Class != "refusal" || by[0].Count != r.FalseDetection[0].Count || by[1].Count != 0 || *by[1].PerHour != 0 {
		t.Errorf("by class %+v, in all %+v", by, r.FalseDetection[0])
	}
}

// Where not every emission is spelled out, the counts have to be at least
// those that are.
func TestManyFalseDetections(t *testing.T) {
	fill := func(count int) func(*journal.FalseDetectionRecord) {
		return func(r *journal.FalseDetectionRecord) {
			for len(r.Events) < journal.MaxEvents {
				r.Events = append(r.Events, r.Events[0])
			}
			for i := range r.Events {
				r.Events[i].Labels, r.Events[i].Repeat = map[string]string{"alertname": "RefusalsHigh"}, false
			}
			r.Count, r.Edges = count, count
			r.Classes = []journal.ClassCount{{Class: "refusal", Count: count, Edges: count}, {Class: "verbosity_down"}}
		}
	}
	for count, good := range map[int]bool{journal.MaxEvents - 1: false, journal.MaxEvents: true, 5 * journal.MaxEvents: true} {
		c := synthetic.New(synthetic.Options{Loads: []int64{10}})
		onFirst(any1[journal.FalseDetectionRecord], fill(count))(c)
		r := compute(t, c)
		if ids, all := rules(r); (len(ids) == 0) != good {
			t.Errorf("%d counted, %d spelled out: %s", count, journal.MaxEvents, all)
		}
		if got := r.FalseDetection[0].Count; got != max(count, journal.MaxEvents) {
			t.Errorf("%d counted, %d spelled out: the result has %d", count, journal.MaxEvents, got)
		}
	}
}

// Only the detector can keep a gate shut for FD-4.3-4.
func TestWhatKeptTheGateShut(t *testing.T) {
	for _, x := range []struct {
		waited []string
		firing int
		want   string
	}{
		{[]string{"detector"}, 1, "FD-4.3-4"},
		{[]string{"refusal_rate"}, 0, "FD-4.3-3"},
		{[]string{"refusal_rate", "detector"}, 1, "FD-4.3-3"},
	} {
		c := synthetic.New(synthetic.Options{Loads: []int64{10}})
		onFirst(any1[journal.QuietRecord], func(r *journal.QuietRecord) { r.Reached, r.Waited, r.State.Firing = false, x.waited, x.firing })(c)
		if ids, all := rules(compute(t, c)); len(ids) != 1 || ids[0] != x.want {
			t.Errorf("%v, %d firing: want %s, got\n%s", x.waited, x.firing, x.want, all)
		}
	}
}

// A series that stopped says once what it did not come to.
func TestStoppedSeriesSaysSoOnce(t *testing.T) {
	c := synthetic.New(synthetic.Options{})
	second := 0
	for i, r := range c.Records {
		if s, ok := r.Data.(*journal.Segment); ok && s.Phase == "trials" {
			if second++; second == 2 {
				c.Records = append(c.Records[:i:i], synthetic.Record{Kind: journal.KindClose,
					Data: &journal.Close{Status: "incomplete", Reason: "FD-4.3-4: the detector did not clear its alert state"}})
				break
			}
		}
	}
	r := compute(t, c)
	if r.Conformance.Complete || len(r.Coverage) != 10 {
		t.Errorf("complete %v with %d rows of coverage", r.Conformance.Complete, len(r.Coverage))
	}
	_, all := rules(r)
	want := "FD-1.2-7 the run ended incomplete: FD-4.3-4: the detector did not clear its alert state\n" +
		"FD-1.2-7 the series stopped before it came to 1 of 2 sets of sham trials, 9 of 10 combinations, 2 of 2 threshold searches, 2 of 2 masking measurements, 1 of 2 observations of false detections\n" +
		"FD-5.4-3 10 req/s: no observation of false detections is on record\n" +
		"FD-5.4-6 10 req/s: Detection Latency is withheld: no False Detection Rate of this load accompanies it\n"
	if all != want {
		t.Errorf("got\n%swant\n%s", all, want)
	}

	c = synthetic.New(synthetic.Options{})
	c.Records = nil
	if r := compute(t, c); len(r.Conformance.Violations) != 2 {
		t.Errorf("nothing was run: %v", r.Conformance.Violations)
	}
}

// An attribution that does not look at the alert's name leaves it to the
// detector's declaration which alerts there are.
func TestAlertThatTheDetectorDoesNotHave(t *testing.T) {
	c := synthetic.New(synthetic.Options{Loads: []int64{10}})
	c.Plan.Declaration.Signal.Attribution = `signal.status == "firing" and signal.labels.indicator == fault.indicator`
	plan.Seal(c.Plan)
	c.Open.PlanDigest = c.Plan.Digest
	indicators := map[string]string{"RefusalsHigh": "refusal_rate", "AnswersShort": "words"}
	synthetic.Each(c, func(r *journal.TrialRecord) {
		if r.Event != nil {
			r.Event.Labels["indicator"] = indicators[r.Event.Labels["alertname"]]
		}
	})
	synthetic.Each(c, func(r *journal.FalseDetectionRecord) {
		for _, s := range r.Events {
			s.Labels["indicator"] = indicators[s.Labels["alertname"]]
		}
	})
	if ids, all := rules(compute(t, c)); len(ids) > 0 {
		t.Fatal(all)
	}
	onFirst(of(journal.PurposeTrials, true, true), func(r *journal.TrialRecord) { r.Event.Labels["alertname"] = "Other" })(c)
	onFirst(any1[journal.FalseDetectionRecord], func(r *journal.FalseDetectionRecord) { r.Events[0].Labels["alertname"] = "Other" })(c)
	if ids, all := rules(compute(t, c)); !slices.Equal(ids, []string{"FD-5.1-4", "FD-5.4-2"}) {
		t.Error(all)
	}
}

func TestAttributionThatCannotBeRead(t *testing.T) {
	c := synthetic.New(synthetic.Options{Loads: []int64{10}, NoTrials: true})
	b, err := c.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c.Plan.Declaration.Signal.Attribution = "signal.mood == 'bad'"
	digest := c.Plan.Digest
	plan.Seal(c.Plan)
	_, err = measure.Compute(c.Plan, bytes.NewReader(bytes.ReplaceAll(b, []byte(digest), []byte(c.Plan.Digest))))
	var ae *measure.AttributionError
	if !errors.As(err, &ae) || !strings.Contains(ae.Error(), "mood") {
		t.Errorf("got %v", err)
	}
}
