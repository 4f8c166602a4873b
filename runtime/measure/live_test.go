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

// broken lists the rules that a case breaks, each once.
func broken(t *testing.T, c *synthetic.Case) []string {
	t.Helper()
	var out []string
	for _, v := range compute(t, c).Conformance.Violations {
		if !slices.Contains(out, v.Rule) {
			out = append(out, v.Rule)
		}
	}
	return out
}

// split ends a segment behind its n-th trial, so that the quiet period after
// it stands in the next one, as in real time.
func split(c *synthetic.Case, n int) {
	at, phase := -1, journal.Segment{}
	for i, r := range c.Records {
		if s, ok := r.Data.(*journal.Segment); ok {
			phase = *s
		}
		if _, ok := r.Data.(*journal.TrialRecord); ok && phase.Phase == "trials" {
			if n--; n == 0 {
				at = i + 1
				break
			}
		}
	}
	trial := c.Records[at-1].Data.(*journal.TrialRecord)
	next := phase
	next.Name += ", and on"
	c.Records = slices.Insert(c.Records, at, synthetic.Record{Kind: journal.KindCommit, Data: &journal.Commit{At: trial.Removed}},
		synthetic.Record{Kind: journal.KindSegment, Data: &next})
	renumber(c)
}

func renumber(c *synthetic.Case) {
	id := 0
	for _, r := range c.Records {
		switch d := r.Data.(type) {
		case *journal.Segment:
			d.ID = id
		case *journal.Commit:
			d.ID = id
			id++
		}
	}
}

// TestQuietInTheNextSegment: in real time a segment is one trial, and the quiet
// period that follows begins the next one. In virtual time it has to be there.
func TestQuietInTheNextSegment(t *testing.T) {
	for time, want := range map[string][]string{"real": nil, "virtual": {"FD-5.1-6"}} {
		c := synthetic.New(synthetic.Options{Time: time, Loads: []int64{10}, Reduced: true})
		split(c, 3)
		if got := broken(t, c); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", time, got, want)
		}
	}
	// Nothing follows the last trial of the journal.
	c := synthetic.New(synthetic.Options{Time: "real", Loads: []int64{10}, Reduced: true})
	split(c, 3)
	at := slices.IndexFunc(c.Records, func(r synthetic.Record) bool {
		s, ok := r.Data.(*journal.Segment)
		return ok && s.Name[max(0, len(s.Name)-6):] == "and on"
	})
	c.Records = append(c.Records[:at], synthetic.Record{Kind: journal.KindClose, Data: &journal.Close{Status: "incomplete", Reason: "a test"}})
	if got := broken(t, c); !slices.Contains(got, "FD-5.1-6") {
		t.Errorf("%q", got)
	}
}

// TestResumed takes the entry of a resumed run where it belongs, and nowhere
// else.
func TestResumed(t *testing.T) {
	entry := synthetic.Record{Kind: journal.KindResume, Data: &journal.Resumed{Entries: 3, Trial: "x", Class: "refusal", Load: new(int), Applied: 5, Removed: 5}}
	behind := func(kind string) func(*synthetic.Case) {
		return func(c *synthetic.Case) {
			i := slices.IndexFunc(c.Records, func(r synthetic.Record) bool { return r.Kind == kind })
			c.Records = slices.Insert(c.Records, i+1, entry)
		}
	}
	for _, x := range []struct {
		name, time string
		edit       func(*synthetic.Case)
		fits       bool
	}{
		{"between two segments", "real", behind(journal.KindCommit), true},
		{"inside a segment", "real", behind(journal.KindBaseline), false},
		{"in virtual time", "virtual", behind(journal.KindCommit), false},
		{"a count that cannot be", "real", func(c *synthetic.Case) {
			c.Records = slices.Insert(c.Records, 0, synthetic.Record{Kind: journal.KindResume, Data: &journal.Resumed{Entries: -1}})
		}, false},
	} {
		c := synthetic.New(synthetic.Options{Time: x.time, Loads: []int64{10}, Reduced: true})
		x.edit(c)
		text, err := c.Write(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		r, err := measure.Compute(c.Plan, bytes.NewReader(text))
		var chain *journal.ChainError
		if x.fits != (err == nil) || !x.fits && !errors.As(err, &chain) {
			t.Errorf("%s: %v", x.name, err)
		} else if x.fits && len(r.Conformance.Violations) > 0 {
			t.Errorf("%s: %v", x.name, r.Conformance.Violations)
		}
	}
}

// TestGap holds a trial with missing responses to the limit of one in twenty.
func TestGap(t *testing.T) {
	for _, x := range []struct {
		name    string
		lost    func(n int64) int64
		discard bool
		want    []string
	}{
		{"kept with one in twenty missing", func(n int64) int64 { return n / 19 }, false, nil},
		{"kept with more", func(n int64) int64 { return n/19 + 1 }, false, []string{"FD-3.4-6"}},
	} {
		c := synthetic.New(synthetic.Options{Time: "real", Loads: []int64{10}, Reduced: true})
		onFirst(keptTrial, func(r *journal.TrialRecord) { r.Verification.Lost = x.lost(r.Verification.N) })(c)
		if got := broken(t, c); !slices.Equal(got, x.want) {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
	}
	for lost, want := range map[string][]string{"more": nil, "none": {"FD-3.4-6"}} {
		c := synthetic.New(synthetic.Options{Time: "real", Loads: []int64{10}, Reduced: true})
		onFirst(func(r *journal.TrialRecord) bool {
			return r.Purpose == journal.PurposeTrials && r.Discard == "magnitude"
		}, func(r *journal.TrialRecord) {
			r.Discard = "observation_gap"
			if lost == "more" {
				r.Verification.Lost = r.Verification.N
			}
		})(c)
		if got := broken(t, c); !slices.Equal(got, want) {
			t.Errorf("a gap with %s lost: %q, want %q", lost, got, want)
		}
	}
}

// TestBroken: a fault that did not last has no magnitude to verify, and its
// trial is not one to keep.
func TestBroken(t *testing.T) {
	for _, keep := range []bool{false, true} {
		c := synthetic.New(synthetic.Options{Time: "real", Loads: []int64{10}, Reduced: true})
		pick := func(r *journal.TrialRecord) bool { return r.Purpose == journal.PurposeTrials && r.Kept == keep }
		onFirst(pick, func(r *journal.TrialRecord) {
			r.Broken = "the fault was not renewed"
			if !keep {
				r.Discard, r.Verification = "apparatus_failure", journal.Verification{}
			}
		})(c)
		want := []string(nil)
		if keep {
			want = []string{"FD-3.4-6"}
		}
		if got := broken(t, c); !slices.Equal(got, want) {
			t.Errorf("kept %t: %q, want %q", keep, got, want)
		}
	}
}

// live makes a case whose shares follow from the twins of its baselines.
func live(edit func(*synthetic.Case)) *synthetic.Case {
	c := synthetic.New(synthetic.Options{Time: "real", Loads: []int64{10}, Reduced: true, NoMasking: true})
	d := &c.Plan.Declaration
	d.Serving.Kind, d.Serving.Endpoint = "openai", &plan.Endpoint{BaseURL: "http://127.0.0.1:8000"}
	d.Apparatus.Kind = "proxy"
	plan.Seal(c.Plan)
	c.Open.PlanDigest = c.Plan.Digest
	synthetic.Each(c, func(r *journal.Readback) { r.Population = plan.PopulationDigest(c.Plan) })
	per := map[string]exact.Number{}
	synthetic.Each(c, func(r *journal.BaselineRecord) {
		r.Environment = plan.EnvironmentDigest(c.Plan)
		for _, k := range d.FaultClasses {
			t := journal.Twin{Class: k.Name, Sum: 990, Before: 20, N: 1000}
			if k.Direction == "down" {
				t.Sum, t.Before = 1000, 40000
			}
			per[k.Name] = exact.Frac(t.N, t.Sum-t.Before)
			r.Twins = append(r.Twins, t)
		}
	})
	synthetic.Each(c, func(r *journal.ApplyRecord) { r.Fraction = r.Magnitude.Mul(per[r.Class]) })
	if edit != nil {
		edit(c)
	}
	return c
}

// TestSharesFollowFromTwins derives the share of every fault from the baseline
// again.
func TestSharesFollowFromTwins(t *testing.T) {
	for _, x := range []struct {
		name string
		edit func(*synthetic.Case)
		want []string
	}{
		{"as derived", nil, nil},
		{"another share", onFirst(any1[journal.ApplyRecord], func(r *journal.ApplyRecord) { r.Fraction = r.Fraction.Add(exact.MustParse("0.000001")) }), []string{"FD-5.1-3"}},
		{"one response more in the baseline", onFirst(any1[journal.BaselineRecord], func(r *journal.BaselineRecord) {
			for i := range r.Twins {
				r.Twins[i].N++
			}
		}), []string{"FD-5.1-3"}},
		{"no twins", onFirst(any1[journal.BaselineRecord], func(r *journal.BaselineRecord) { r.Twins = nil }), []string{"FD-5.1-3"}},
	} {
		if got := broken(t, live(x.edit)); !slices.Equal(got, x.want) {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
	}
}

// TestLeftApplied counts the time for which a fault acted that a killed run had
// left behind: the observation of false detections has to be as long.
func TestLeftApplied(t *testing.T) {
	load, other := 0, 7
	spare := int64(0)
	c := synthetic.New(synthetic.Options{Time: "real", Loads: []int64{10}, Reduced: true})
	r := compute(t, c)
	spare = int64((r.FalseDetection[0].PeriodS - r.FalseDetection[0].TimeUnderFaultS) * 1e9)
	longest := int64(c.Plan.LongestApplication(0))
	for _, x := range []struct {
		name  string
		entry journal.Resumed
		under int64 // of the fault
		short bool
	}{
		{"no fault", journal.Resumed{Entries: 3, Segment: "a", Applied: 1, Removed: 1 << 60}, 0, false},
		{"as long as was spare", journal.Resumed{Trial: "x", Class: "refusal", Load: &load, Applied: 10, Removed: 10 + spare}, spare, false},
		{"one nanosecond longer", journal.Resumed{Trial: "x", Class: "refusal", Load: &load, Applied: 10, Removed: 11 + spare}, spare + 1, true},
		{"no wall clock", journal.Resumed{Trial: "x", Class: "refusal", Load: &load}, longest, longest > spare},
		{"a wall clock that ran backwards", journal.Resumed{Trial: "x", Class: "refusal", Load: &load, Applied: 10, Removed: 9}, longest, longest > spare},
		{"no load", journal.Resumed{Trial: "x", Class: "refusal"}, longest, longest > spare},
	} {
		c := synthetic.New(synthetic.Options{Time: "real", Loads: []int64{10}, Reduced: true})
		at := slices.IndexFunc(c.Records, func(r synthetic.Record) bool { return r.Kind == journal.KindCommit })
		c.Records = slices.Insert(c.Records, at+1, synthetic.Record{Kind: journal.KindResume, Data: &x.entry})
		got := compute(t, c)
		if s := slices.ContainsFunc(got.Conformance.Violations, func(v measure.Violation) bool { return v.Rule == "FD-5.4-4" }); s != x.short {
			t.Errorf("%s: %v", x.name, got.Conformance.Violations)
		}
		one := got.Traffic.Resumptions
		if len(one) != 1 || one[0].Entries != x.entry.Entries || one[0].Segment != x.entry.Segment || (one[0].UnderFaultS == nil) != (x.entry.Trial == "") {
			t.Fatalf("%s: %+v", x.name, one)
		}
		if one[0].UnderFaultS != nil && *one[0].UnderFaultS != exact.Duration(x.under).Seconds().Float64() {
			t.Errorf("%s: %v s under fault", x.name, *one[0].UnderFaultS)
		}
	}
	c.Records = slices.Insert(c.Records, 0, synthetic.Record{Kind: journal.KindResume, Data: &journal.Resumed{Trial: "x", Load: &other}})
	text, err := c.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var chain *journal.ChainError
	if _, err := measure.Compute(c.Plan, bytes.NewReader(text)); !errors.As(err, &chain) {
		t.Errorf("a load that the plan does not have: %v", err)
	}
}

// TestPollPeriod adds the period at which a detector is asked to the offset of
// the clocks. Equality fails, as it does with clocks alone.
func TestPollPeriod(t *testing.T) {
	smallest := exact.Duration(1 << 62)
	c := synthetic.New(synthetic.Options{Time: "real", Loads: []int64{10}, Reduced: true})
	offset := exact.Duration(0)
	synthetic.Each(c, func(r *journal.TrialRecord) {
		if r.Kept && r.Detected && (r.Purpose == journal.PurposeTrials || r.Purpose == journal.PurposeSearch) {
			smallest = min(smallest, r.Latency)
		}
	})
	synthetic.Each(c, func(r *journal.ClockRecord) { offset = max(offset, exact.Duration(r.Bound)) })
	for _, x := range []struct {
		name, clocks, kind, listen string
		poll, interval, span       exact.Duration
		sum                        exact.Duration // 0: signals are delivered
	}{
		{name: "delivered", clocks: "same_host"},
		{name: "one host, one percent", clocks: "same_host", poll: smallest / 100, sum: smallest / 100},
		{name: "one host, one nanosecond below it", clocks: "same_host", poll: smallest/100 - 1, sum: smallest/100 - 1},
		{name: "two hosts, one percent", poll: smallest/100 - offset, sum: smallest / 100},
		{name: "two hosts, one nanosecond below it", poll: smallest/100 - offset - 1, sum: smallest/100 - 1},
		{name: "an apply call of one percent", clocks: "same_host", span: smallest / 100, sum: smallest / 100},
		{name: "an apply call, one nanosecond below it", clocks: "same_host", span: smallest/100 - 1, sum: smallest/100 - 1},
		{name: "offset, period and apply call, one percent", span: smallest/100 - offset - 2, poll: 2, sum: smallest / 100},
		{name: "a declared interval that no trial tells", clocks: "same_host", kind: "poll", interval: exact.Second, sum: exact.Second},
		{name: "a gap longer than the interval", clocks: "same_host", kind: "command", interval: exact.Second, poll: 3 * exact.Second, sum: 3 * exact.Second},
		{name: "rules that nobody is notified of", clocks: "same_host", kind: "prometheus", interval: exact.Second, sum: exact.Second},
		{name: "a receiver", clocks: "same_host", kind: "prometheus", listen: "127.0.0.1:1", interval: exact.Second},
	} {
		c := synthetic.New(synthetic.Options{Time: "real", Loads: []int64{10}, Reduced: true, Clocks: x.clocks})
		if x.kind != "" {
			c.Plan.Declaration.Detector.Kind = x.kind
			c.Plan.Declaration.Detector.Live = &plan.LiveDetector{Interval: x.interval, Listen: x.listen}
			plan.Seal(c.Plan)
			c.Open.PlanDigest = c.Plan.Digest
		}
		onFirst(keptTrial, func(r *journal.TrialRecord) { r.Poll, r.Span = int64(x.poll), int64(x.span) })(c)
		r := compute(t, c)
		if (r.Clocks.Span != nil) != (x.span > 0) || x.span > 0 && *r.Clocks.Span != x.span.Seconds().Float64() {
			t.Errorf("%s: an apply call of %v", x.name, r.Clocks.Span)
		}
		told := r.Clocks.Poll != nil
		if told != (max(x.poll, x.interval) > 0 && x.sum > 0) || told && *r.Clocks.Poll != max(x.poll, x.interval).Seconds().Float64() {
			t.Errorf("%s: a period of %v", x.name, r.Clocks.Poll)
		}
		held := x.sum == 0 || 100*x.sum < smallest
		if (r.Clocks.OnePercent == nil) != (x.sum == 0 && x.clocks == "same_host") || r.Clocks.OnePercent != nil && *r.Clocks.OnePercent != held {
			t.Errorf("%s: one percent %v, want %v", x.name, r.Clocks.OnePercent, held)
		}
		for _, l := range r.Latency {
			if held != (l.ErrorBoundS == nil) || !held && *l.ErrorBoundS != x.sum.Seconds().Float64() {
				t.Fatalf("%s: %s %s carries %v", x.name, l.Class, l.Magnitude, l.ErrorBoundS)
			}
		}
	}
}

// TestTraffic adds up what the trials of a load say of their requests.
func TestTraffic(t *testing.T) {
	c := live(func(c *synthetic.Case) {
		onFirst(keptTrial, func(r *journal.TrialRecord) {
			r.Steps = []journal.ClockStep{{At: 1, By: 60e6}, {At: 2, By: -90e6}}
			r.Verification.Lost = 2
			r.Traffic.Dropped, r.Traffic.Unmatched, r.Traffic.LateMax = 5, 3, 77e6
			r.Traffic.Failures = []journal.Failure{{Outcome: "stream_error", N: 4000}, {Outcome: "timeout", N: 2}}
		})(c)
		onFirst(func(r *journal.TrialRecord) bool { return !r.Kept && r.Purpose == journal.PurposeTrials }, func(r *journal.TrialRecord) {
			r.Broken, r.Discard, r.Verification = "the lease ran out", "apparatus_failure", journal.Verification{}
			r.Traffic.LateP99, r.Traffic.LateMax = 5e9, 6e9 // of a trial that is not kept
		})(c)
	})
	var sent, applications int64
	timeouts, trials, raw := int64(0), 0, 0
	synthetic.Each(c, func(r *journal.TrialRecord) {
		sent += r.Traffic.Sent
		trials++
		for _, f := range r.Traffic.Failures {
			if f.Outcome == "timeout" {
				timeouts += f.N
			}
		}
	})
	synthetic.Each(c, func(*journal.ApplyRecord) { applications++ })
	synthetic.Each(c, func(*journal.Commit) { raw++ })
	r := compute(t, c)
	if len(r.Conformance.Violations) > 0 {
		t.Fatal(r.Conformance.Violations)
	}
	x := r.Traffic.Loads[0]
	if x.Trials != trials || x.Sent != sent || x.Offered != sent+5 || x.Dropped != 5 || x.Unmatched != 3 || x.Lost != 2 || x.Steps != 2 || *x.StepS != 0.09 {
		t.Errorf("%+v", x)
	}
	if *x.LateP99S < 0.00018 || *x.LateP99S > 0.000181 || *x.LateMaxS != 0.077 || !*x.LateOK || *x.Rate < 9.9 || *x.Rate > 10.1 {
		t.Errorf("%v %v %v %v", *x.LateP99S, *x.LateMaxS, *x.LateOK, *x.Rate)
	}
	if want := []measure.Tally{{What: "stream_error", N: 4000}, {What: "timeout", N: timeouts}}; !slices.Equal(x.Failures, want) {
		t.Errorf("%v, want %v", x.Failures, want)
	}
	if want := []measure.Tally{{What: "the lease ran out", N: 1}}; !slices.Equal(x.Broken, want) {
		t.Errorf("%v, want %v", x.Broken, want)
	}
	if len(x.Twins) != 2 || x.Twins[0] != (measure.Twins{Class: "refusal", Responses: 1000, Mean: "0.02", Changed: "0.99"}) {
		t.Errorf("%+v", x.Twins)
	}
	for _, s := range x.Shares {
		applications -= int64(s.Applications)
		if s.Class == "refusal" && s.Magnitude == "0.2" && s.Share != exact.MustParse("0.2").Div(exact.MustParse("0.97")).Decimal(9) {
			t.Errorf("%+v", s)
		}
	}
	if applications != 0 {
		t.Errorf("%d applications have no share", applications)
	}
	if len(r.Traffic.Raw) != raw || r.Traffic.Rawless != 0 {
		t.Errorf("%d files of raw stamps, want %d; %d segments without", len(r.Traffic.Raw), raw, r.Traffic.Rawless)
	}
}
