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
	entry := synthetic.Record{Kind: journal.KindResume, Data: &journal.Resumed{Entries: 3, Trial: "x", Class: "refusal"}}
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
