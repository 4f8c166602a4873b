package report_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/execute"
	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/report"
	"github.com/fdbench/fdbench/runtime/report/omission"
	"github.com/fdbench/fdbench/runtime/verify"
)

// Whatever a series is made of, a report can be made of a run of it.
func TestEveryKindOfSeriesIsReported(t *testing.T) {
	for name, o := range map[string]synthetic.Options{
		"a lower bound":                  {Lower: "0.05"},
		"a lower bound below the floor":  {Lower: "0.001"},
		"an upper bound that is too low": {Upper: "0.06"},
		"an upper bound below the floor": {Upper: "0.005"},
		"a class that lowers":            {Down: true, Upper: "-30"},
		"a baseline without variation":   {Silent: true},
		"observed magnitudes":            {Verify: "observed"},
		"searches alone":                 {NoTrials: true, NoMasking: true},
		"no masking":                     {NoMasking: true, Time: "real"},
		"one host at one point":          {Clocks: "same_host", Position: "same", Time: "real"},
		"few trials":                     {Trials: 3, Time: "real"},
	} {
		o.Loads, o.Reduced = []int64{10}, true
		r := compute(t, synthetic.New(o))
		if _, err := report.Build(r); err != nil {
			t.Errorf("%s: %v\nviolations: %v", name, err, r.Conformance.Violations)
		}
	}
}

// A run that was cut short anywhere is reported as far as it came: what is
// missing is explained by its end.
func TestARunCutShortAnywhereIsReported(t *testing.T) {
	for _, time := range []string{"virtual", "real"} {
		whole := synthetic.New(synthetic.Options{Loads: []int64{10, 100}, Trials: 3, Reduced: true, Time: time})
		n := len(whole.Records)
		for cut := 0; cut < n; cut += 1 + n/40 {
			c := *whole
			c.Records = whole.Records[:cut]
			p, err := report.Build(compute(t, &c))
			if err != nil {
				t.Fatalf("%s, cut behind %d of %d entries: %v", time, cut, n, err)
			}
			p.Markdown()
		}
	}
}

// A series that lacks a whole part, and whose journal nevertheless ends as
// complete, lists the violations that explain it.
func TestARunWithoutAPartIsReported(t *testing.T) {
	for _, kind := range []string{journal.KindBaseline, journal.KindQuiet, journal.KindFalseDetection, journal.KindSearchStep, journal.KindClock, journal.KindReadback} {
		c := synthetic.New(synthetic.Options{Loads: []int64{10}, Trials: 3, Reduced: true, Time: "real"})
		c.Drop(func(r synthetic.Record) bool { return r.Kind == kind })
		r := compute(t, c)
		if _, err := report.Build(r); err != nil {
			t.Errorf("without %s: %v\nviolations: %v", kind, err, r.Conformance.Violations)
		}
	}
	for _, purpose := range []string{journal.PurposeTrials, journal.PurposeMasking, journal.PurposeSearch} {
		c := synthetic.New(synthetic.Options{Loads: []int64{10}, Trials: 3, Reduced: true, Time: "real"})
		c.Drop(func(r synthetic.Record) bool {
			x, ok := r.Data.(*journal.TrialRecord)
			return ok && x.Purpose == purpose
		})
		applied := map[string]bool{}
		synthetic.Each(c, func(x *journal.TrialRecord) { applied[x.Trial] = true })
		c.Drop(func(r synthetic.Record) bool {
			x, ok := r.Data.(*journal.ApplyRecord)
			return ok && !applied[x.Trial]
		})
		r := compute(t, c)
		if _, err := report.Build(r); err != nil {
			t.Errorf("without trials of %s: %v\nviolations: %v", purpose, err, r.Conformance.Violations)
		}
	}
}

// Where no report can be made, none is written and nothing else is touched.
func TestNothingIsWrittenWithoutAReport(t *testing.T) {
	dir := t.TempDir()
	c := synthetic.New(synthetic.Options{Loads: []int64{10}, Trials: 3}) // fewer than its plan says it may have
	if _, err := c.Write(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, execute.PlanFile), plan.Encode(c.Plan), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, execute.ResultFile), []byte("an earlier result"), 0o666); err != nil {
		t.Fatal(err)
	}
	before := files(t, dir)
	var omitted *omission.Error
	if _, err := execute.Finish(dir, c.Plan); !errors.As(err, &omitted) || !slices.Equal(omitted.Rules(), []string{"FD-1.2-9"}) {
		t.Fatalf("the run is finished with %v", err)
	}
	if diff := cmp.Diff(before, files(t, dir)); diff != "" {
		t.Error(diff)
	}
	problems, err := verify.Verify(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(problems, func(p verify.Problem) bool {
		return p.File == verify.ReportFile && strings.Contains(p.Detail, "FD-1.2-9")
	}) {
		t.Errorf("verify does not say that no report can be made: %v", problems)
	}
}

func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]string{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		m[e.Name()] = string(b)
	}
	return m
}
