package measure_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
)

// onFirst changes the first record of T for which pick is true.
func onFirst[T any](pick func(*T) bool, change func(*T)) func(*synthetic.Case) {
	return func(c *synthetic.Case) {
		done := false
		synthetic.Each(c, func(v *T) {
			if !done && pick(v) {
				change(v)
				done = true
			}
		})
		if !done {
			panic("no record to change")
		}
	}
}

func any1[T any](*T) bool { return true }

func keptTrial(t *journal.TrialRecord) bool {
	return t.Purpose == journal.PurposeTrials && t.Kept && t.Detected
}

func dropFirst(kind string) func(*synthetic.Case) {
	return func(c *synthetic.Case) {
		done := false
		c.Drop(func(r synthetic.Record) bool {
			if done || r.Kind != kind {
				return false
			}
			done = true
			return true
		})
	}
}

// Each edit breaks one requirement, and only the rules named may show.
func TestViolations(t *testing.T) {
	for _, x := range []struct {
		name  string
		edit  func(*synthetic.Case)
		rules []string // exactly these
		says  string
	}{
		{"one trial too few", dropTrial(2, true), []string{"FD-5.1-7"}, "19 of 20 trials were run"},
		{"a discarded trial was not repeated", dropTrial(0, true), []string{"FD-3.4-8"}, "19 of 20 trials were kept"},
		{"one trial too many", func(c *synthetic.Case) {
			synthetic.Each(c, func(r *journal.TrialRecord) {
				if r.Combination == 0 && !r.Kept {
					r.Verification.Injected = r.Verification.Before + r.Verification.N/20
					r.Verification.Achieved = r.Magnitude
					r.Kept, r.Discard = true, ""
				}
			})
		}, []string{"FD-5.1-7"}, "20 are planned"},
		{"kept beyond ten percent", onFirst(keptTrial, func(r *journal.TrialRecord) {
			r.Verification.Injected += 100
			r.Verification.Achieved = exact.Frac(r.Verification.Injected-r.Verification.Before, r.Verification.N)
		}), []string{"FD-3.4-7"}, "more than ten percent"},
		{"discarded within ten percent", onFirst(keptTrial, func(r *journal.TrialRecord) { r.Kept, r.Discard = false, "magnitude" }),
			[]string{"FD-3.4-7", "FD-3.4-8"}, "within ten percent"},
		{"kept with a cause to discard", onFirst(keptTrial, func(r *journal.TrialRecord) { r.Discard = "load_violation" }),
			[]string{"FD-3.4-8"}, "cause to discard"},
		{"achieved is not what the sums give", onFirst(keptTrial, func(r *journal.TrialRecord) {
			r.Verification.Achieved = r.Magnitude
			r.Verification.Injected++
			r.Verification.Achieved = r.Magnitude
		}), []string{"FD-3.4-6"}, "its own sums"},
		{"other verification", onFirst(keptTrial, func(r *journal.TrialRecord) { r.Verification.Method = "observed" }), []string{"FD-3.4-6"}, "observed"},
		{"latency is not event minus onset", onFirst(keptTrial, func(r *journal.TrialRecord) { r.Latency-- }), []string{"FD-3.5-1"}, "minus"},
		{"detected without an event", onFirst(keptTrial, func(r *journal.TrialRecord) { r.Event = nil }), []string{"FD-5.1-5"}, "not on record"},
		{"event before the first changed response", onFirst(keptTrial, func(r *journal.TrialRecord) { r.FirstAffected = r.Event.At + 1 }),
			[]string{"FD-5.1-4"}, "precedes"},
		{"event after the timeout", onFirst(keptTrial, func(r *journal.TrialRecord) {
			r.Latency = 23 * exact.Minute
			r.Event.At = r.Onset + int64(r.Latency)
		}), []string{"FD-5.1-4", "FD-5.1-11"}, "timeout"},
		{"load not held", onFirst(keptTrial, func(r *journal.TrialRecord) { r.Requests += r.Requests/100 + 2 }), []string{"FD-3.3-1"}, "offered load"},
		{"not announced", dropFirst(journal.KindApply), []string{"FD-5.1-3"}, "announced"},
		{"no removal", dropRemoval, []string{"FD-4.3-1", "FD-5.1-7"}, "removal is not on record"},
		{"no quiet period", dropQuietBeforeTrial, []string{"FD-4.3-2"}, "not preceded"},
		{"quiet too short", onFirst(any1[journal.QuietRecord], func(r *journal.QuietRecord) { r.To = r.From + 1 }), []string{"FD-4.3-2"}, "shorter"},
		{"quiet not reached", onFirst(any1[journal.QuietRecord], func(r *journal.QuietRecord) { r.Reached = false }), []string{"FD-4.3-3"}, "standard deviation"},
		{"alert state kept", onFirst(any1[journal.QuietRecord], func(r *journal.QuietRecord) { r.Reached, r.State.Firing = false, 1 }), []string{"FD-4.3-4"}, "alert state"},
		{"baseline too short", onFirst(any1[journal.BaselineRecord], func(r *journal.BaselineRecord) { r.To = r.From + int64(599*exact.Second) }),
			[]string{"FD-4.2-2"}, "ten aggregation windows of 1m"},
		{"baseline below 300 s", onFirst(any1[journal.BaselineRecord], func(r *journal.BaselineRecord) { r.To, r.Requests = r.From+int64(299*exact.Second), 2990 }),
			[]string{"FD-4.2-2", "FD-4.2-3"}, "300 s"},
		{"nine windows", onFirst(any1[journal.BaselineRecord], func(r *journal.BaselineRecord) {
			for i := range r.Indicators {
				if r.Indicators[i].Indicator == "words" { // no search rests on it
					r.Indicators[i].Windows[3] = journal.WindowSum{}
				}
			}
		}), []string{"FD-4.2-2"}, "9 windows"},
		{"no baseline", dropFirst(journal.KindBaseline), []string{"FD-4.2-1"}, "no Baseline Interval"},
		{"one false detection observation is missing", dropFirst(journal.KindFalseDetection), []string{"FD-5.4-3", "FD-5.4-6", "FD-5.4-7"}, "is withheld"},
		{"observed in part by a detector that could not speak", onFirst(any1[journal.FalseDetectionRecord], func(r *journal.FalseDetectionRecord) { r.Blind = 1 }), []string{"FD-5.4-4"}, "were applied for"},
		{"observed too briefly", onFirst(any1[journal.FalseDetectionRecord], func(r *journal.FalseDetectionRecord) { r.To-- }), []string{"FD-5.4-4"}, "were applied for"},
		{"search decided on too few", onFirst(any1[journal.SearchStep], func(r *journal.SearchStep) { r.Trials-- }), []string{"FD-5.3-6"}, "does not count the trials"},
		{"search took coverage for what it is not", onFirst(any1[journal.SearchStep], func(r *journal.SearchStep) { r.Met = !r.Met }), []string{"FD-5.3-7"}, "coverage"},
		{"search stopped early", stopSearchEarly, []string{"FD-5.3-8"}, "resolution"},
		{"search without its end", dropLastStep, []string{"FD-5.3-8"}, "did not come"},
		{"masking trial missing", dropMasking, []string{"FD-5.5-5"}, "19 of 20"},
		{"run ended incomplete", onFirst(any1[journal.Close], func(r *journal.Close) { r.Status, r.Reason = "incomplete", "the disk was full" }), []string{"FD-1.2-7"}, "the disk was full"},
	} {
		c := synthetic.New(synthetic.Options{Loads: []int64{10}})
		x.edit(c)
		r := compute(t, c)
		var got []string
		var all strings.Builder
		for _, v := range r.Conformance.Violations {
			if len(got) == 0 || got[len(got)-1] != v.Rule {
				got = append(got, v.Rule)
			}
			all.WriteString(v.Detail + "\n")
		}
		if strings.Join(got, " ") != strings.Join(x.rules, " ") || !strings.Contains(all.String(), x.says) {
			t.Errorf("%s: got %v, want %v with %q\n%s", x.name, got, x.rules, x.says, all.String())
		}
	}
}

// dropTrial removes one trial of a combination with its announcement.
func dropTrial(combination int, kept bool) func(*synthetic.Case) {
	return func(c *synthetic.Case) {
		drop(c, true, func(r *journal.TrialRecord) bool { return r.Combination == combination && r.Kept == kept })
	}
}

// dropRemoval removes what says how a trial ended, and leaves its announcement.
func dropRemoval(c *synthetic.Case) {
	drop(c, false, func(r *journal.TrialRecord) bool { return r.Combination == 2 })
}

func dropMasking(c *synthetic.Case) {
	drop(c, true, func(r *journal.TrialRecord) bool { return r.Purpose == journal.PurposeMasking && r.Kept })
}

func drop(c *synthetic.Case, announcement bool, pick func(*journal.TrialRecord) bool) {
	var name string
	synthetic.Each(c, func(r *journal.TrialRecord) {
		// The last one where its announcement goes too, so that no attempt is
		// missing between two others.
		if (name == "" || announcement) && pick(r) {
			name = r.Trial
		}
	})
	if name == "" {
		panic("no trial to drop")
	}
	c.Drop(func(r synthetic.Record) bool {
		switch d := r.Data.(type) {
		case *journal.ApplyRecord:
			return announcement && d.Trial == name
		case *journal.TrialRecord:
			return d.Trial == name
		}
		return false
	})
}

func dropQuietBeforeTrial(c *synthetic.Case) {
	seen := 0
	c.Drop(func(r synthetic.Record) bool {
		if r.Kind != journal.KindQuiet {
			return false
		}
		seen++
		return seen == 4
	})
}

func stopSearchEarly(c *synthetic.Case) {
	steps := 0
	c.Drop(func(r synthetic.Record) bool {
		s, ok := r.Data.(*journal.SearchStep)
		if !ok || s.Search != 0 {
			return false
		}
		steps++
		if steps == 3 {
			s.Status = measure.SearchFound
		}
		return steps > 3
	})
}

func dropLastStep(c *synthetic.Case) {
	c.Drop(func(r synthetic.Record) bool {
		s, ok := r.Data.(*journal.SearchStep)
		return ok && s.Search == 0 && s.Status != ""
	})
}

// What the plan does not have is no violation but a journal that does not
// belong to it.
func TestRefusedJournals(t *testing.T) {
	for name, edit := range map[string]func(*synthetic.Case){
		"load":         onFirst(any1[journal.QuietRecord], func(r *journal.QuietRecord) { r.Load = 9 }),
		"combination":  onFirst(keptTrial, func(r *journal.TrialRecord) { r.Combination = 99 }),
		"magnitude":    onFirst(keptTrial, func(r *journal.TrialRecord) { r.Magnitude = exact.Frac(1, 3) }),
		"purpose":      onFirst(keptTrial, func(r *journal.TrialRecord) { r.Purpose = "fun" }),
		"order":        onFirst(keptTrial, func(r *journal.TrialRecord) { r.Removed = r.Onset - 1 }),
		"search":       onFirst(any1[journal.SearchStep], func(r *journal.SearchStep) { r.Search = 7 }),
		"search state": onFirst(any1[journal.SearchStep], func(r *journal.SearchStep) { r.Status = "lucky" }),
		"indicator":    onFirst(any1[journal.BaselineRecord], func(r *journal.BaselineRecord) { r.Indicators[0].Indicator = "mood" }),
		"segment":      onFirst(any1[journal.Segment], func(r *journal.Segment) { r.ID = 4 }),
		"commit":       onFirst(any1[journal.Commit], func(r *journal.Commit) { r.ID = 4 }),
		"no commit":    dropFirst(journal.KindCommit),
		"no segment":   dropFirst(journal.KindSegment),
		"blind":        onFirst(any1[journal.FalseDetectionRecord], func(r *journal.FalseDetectionRecord) { r.Blind = -1 }),
		"all blind":    onFirst(any1[journal.FalseDetectionRecord], func(r *journal.FalseDetectionRecord) { r.Blind = r.To - r.From + 1 }),
		"edges":        onFirst(any1[journal.FalseDetectionRecord], func(r *journal.FalseDetectionRecord) { r.Edges = r.Count + 1 }),
		"sham":         onFirst(of(journal.PurposeSham, false, true), func(r *journal.TrialRecord) { r.Magnitude = exact.Frac(1, 10) }),
		"profile":      onFirst(of(journal.PurposeSham, false, true), func(r *journal.TrialRecord) { r.Profile = "none" }),
		"class":        onFirst(any1[journal.FalseDetectionRecord], func(r *journal.FalseDetectionRecord) { r.Classes[0].Class = "mood" }),
		"class twice":  onFirst(any1[journal.FalseDetectionRecord], func(r *journal.FalseDetectionRecord) { r.Classes[0] = r.Classes[1] }),
		"removal":      onFirst(keptTrial, func(r *journal.TrialRecord) { r.Removed = r.RemovalAsked - 1 }),
		"kind":         func(c *synthetic.Case) { c.Records[3].Kind = "surprise" },
		"data":         func(c *synthetic.Case) { c.Records[1].Data = map[string]any{"load": "two"} },
	} {
		c := synthetic.New(synthetic.Options{Loads: []int64{10}})
		edit(c)
		b, err := c.Write(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		_, err = measure.Compute(c.Plan, bytes.NewReader(b))
		var ce *journal.ChainError
		if !errors.As(err, &ce) || ce.Line < 2 {
			t.Errorf("%s: got %v, want a line", name, err)
		}
	}
}
