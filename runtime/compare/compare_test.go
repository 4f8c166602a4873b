package compare_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/compare"
	"github.com/fdbench/fdbench/runtime/compare/comparetest"
	"github.com/fdbench/fdbench/runtime/folder"
	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/readback"
	"github.com/fdbench/fdbench/runtime/stats"
)

var small = synthetic.Options{Loads: []int64{10, 20}}

// stated is small with its reductions stated, so that a report may be made of
// it alone.
var stated = synthetic.Options{Loads: []int64{10, 20}, Reduced: true}

// unchanged is the plan and the journal of small, which most tests begin with.
var unchanged = sync.OnceValues(func() (p, j []byte) {
	dir, err := os.MkdirTemp("", "compare")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	c := synthetic.New(small)
	if j, err = c.Write(dir); err != nil {
		panic(err)
	}
	return plan.Encode(c.Plan), j
})

// first writes the unchanged run.
func first(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	p, j := unchanged()
	write(t, filepath.Join(dir, folder.PlanFile), p)
	write(t, filepath.Join(dir, folder.JournalFile), j)
	return dir
}

// written writes a run whose plan and journal a test may change first.
func written(t testing.TB, o synthetic.Options, change func(*synthetic.Case)) string {
	t.Helper()
	dir := t.TempDir()
	c := synthetic.New(o)
	if change != nil {
		change(c)
	}
	if _, err := c.Write(dir); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, folder.PlanFile), plan.Encode(c.Plan))
	return dir
}

// declare changes a plan, and seals it and the journal that belongs to it again.
func declare(change func(*plan.Plan)) func(*synthetic.Case) {
	return func(c *synthetic.Case) {
		change(c.Plan)
		plan.Seal(c.Plan)
		c.Open.PlanDigest = c.Plan.Digest
		c.Open.Generation = 2
		c.Open.Earlier = []journal.Generation{{Generation: 1, Changed: []journal.Change{{Path: "declaration", Old: "as it was", New: "as it is"}}}}
		reading, err := readback.Expected(c.Plan)
		if err != nil {
			panic(err)
		}
		synthetic.Each(c, func(r *journal.Readback) {
			r.Detector, r.Serving, r.Population = reading.Detector, reading.Serving, reading.Population
		})
		synthetic.Each(c, func(r *journal.BaselineRecord) { r.Environment = plan.EnvironmentDigest(c.Plan) })
	}
}

func write(t testing.TB, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
}

func load(t testing.TB, path string) compare.Input {
	t.Helper()
	in, err := compare.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func bare(t testing.TB, in compare.Input) compare.Input {
	t.Helper()
	path := filepath.Join(t.TempDir(), "result.json")
	write(t, path, measure.Encode(in.Result))
	return load(t, path)
}

func threshold(v string) func(*synthetic.Case) {
	return declare(func(p *plan.Plan) {
		n := exact.MustParse(v)
		p.Declaration.Detector.Alerts[0].Threshold = &n
	})
}

func TestRepetition(t *testing.T) {
	a := load(t, first(t))
	c := compare.Compare(a, a, "")
	if !c.Comparable || !c.Repetition || !c.SameRun || !c.A.Verified {
		t.Fatalf("comparable %t, repetition %t, same run %t, verified %t: %v", c.Comparable, c.Repetition, c.SameRun, c.A.Verified, c.Refusals)
	}
	if len(c.Latency) != len(a.Result.Latency) || len(c.Coverage) == 0 || len(c.Threshold) != 2 || len(c.FalseDetection) != 2 || len(c.Masking) != 2 {
		t.Errorf("%d latencies, %d coverages, %d thresholds, %d rates, %d maskings", len(c.Latency), len(c.Coverage), len(c.Threshold), len(c.FalseDetection), len(c.Masking))
	}
	for _, r := range c.Latency {
		if r.A == nil || r.B == nil || r.A.Magnitude != r.Row.Magnitude || r.B.Load != r.Row.Load {
			t.Errorf("the row %v is of %v and %v", r.Row, r.A, r.B)
		}
	}
	if len(c.Conditions) > 0 || len(c.Redefined) > 0 || c.Supplementary.Tests != nil {
		t.Errorf("a run beside itself has conditions %v, redefined classes %v, tests %v", c.Conditions, c.Redefined, c.Supplementary.Tests)
	}
	other := load(t, written(t, small, func(c *synthetic.Case) {
		synthetic.Each(c, func(r *journal.QuietRecord) { r.Waited = []string{"detector"} })
	}))
	if c := compare.Compare(a, other, ""); !c.Comparable || !c.Repetition || c.SameRun {
		t.Errorf("another journal of the plan: comparable %t, repetition %t, same run %t: %v", c.Comparable, c.Repetition, c.SameRun, c.Refusals)
	}
}

func TestComparisonIsDeterministicAndKeepsToItsSchema(t *testing.T) {
	b, err := os.ReadFile("../../spec/comparison.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("comparison", doc); err != nil {
		t.Fatal(err)
	}
	schema := compiler.MustCompile("comparison")
	one, other := first(t), written(t, small, threshold("0.09"))
	for name, study := range map[string]string{"refused": "", "study": compare.DetectorConfiguration, "nothing to study": compare.OfferedLoad} {
		text := compare.Encode(compare.Compare(load(t, one), load(t, other), study))
		if !bytes.Equal(text, compare.Encode(compare.Compare(load(t, one), load(t, other), study))) {
			t.Errorf("%s: equal inputs give different bytes", name)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if schema.Validate(map[string]any{"format": compare.Format}) == nil {
		t.Error("a comparison without its members is valid")
	}
}

func TestChangedThresholdIsNamedWithItsValues(t *testing.T) {
	a, b := load(t, first(t)), load(t, written(t, small, threshold("0.09")))
	c := compare.Compare(a, b, "")
	if c.Comparable || len(c.Latency)+len(c.Coverage)+len(c.Baseline)+len(c.FalseDetection) > 0 {
		t.Fatalf("comparable %t, with rows", c.Comparable)
	}
	if len(c.Refusals) != 2 || c.Refusals[0].Rule != "FD-1.2-4" || c.Refusals[1].Rule != "FD-3.2-3" {
		t.Fatalf("refused under %+v", c.Refusals)
	}
	d := c.Refusals[0].Differences
	if len(d) != 1 || d[0].Path != "detector.alerts[RefusalsHigh].threshold" || *d[0].A != "0.07" || *d[0].B != "0.09" {
		t.Errorf("the differences are %+v", d)
	}
	if !strings.Contains(c.Refusals[1].Summary, "threshold") {
		t.Errorf("it does not say how the detector changed: %s", c.Refusals[1].Summary)
	}
}

func TestStudy(t *testing.T) {
	a, b := load(t, first(t)), load(t, written(t, small, func(c *synthetic.Case) {
		threshold("0.09")(c)
		// Slower by half a minute, so that there is a shift to estimate.
		synthetic.Each(c, func(r *journal.TrialRecord) {
			if r.Detected && r.Purpose == journal.PurposeTrials {
				r.Latency += 30 * exact.Second
				r.Event.At += int64(30 * exact.Second)
				r.Event.EmittedAt = r.Event.At
			}
		})
	}))
	b.Result.Conformance.Violations = nil // the instants of the changed journal do not fit, which is not what is tested
	b.Result.Conformance.Complete = true
	c := compare.Compare(a, b, compare.DetectorConfiguration)
	if !c.Comparable || !strings.Contains(c.Heading, "change in the detector configuration") {
		t.Fatalf("%s: %+v", c.Heading, c.Refusals)
	}
	tests := c.Supplementary.Tests
	if tests == nil || len(tests.Coverage) != len(c.Coverage) || len(tests.FalseDetection) != 2 || len(tests.Latency) == 0 || tests.NoLatency != "" {
		t.Fatalf("the tests are %+v", tests)
	}
	if tests.Count != len(tests.Coverage)+len(tests.Latency)+len(tests.FalseDetection) {
		t.Errorf("%d p-values are adjusted together", tests.Count)
	}
	var p, holm []float64
	for _, x := range tests.Coverage {
		r := c.Coverage[slices.IndexFunc(c.Coverage, func(r compare.CoverageRow) bool { return r.Row == x.Row })]
		if want := stats.FisherExact(r.A.Detected(), r.A.Trials()-r.A.Detected(), r.B.Detected(), r.B.Trials()-r.B.Detected()); x.P != want {
			t.Errorf("%v: p %v, want %v", x.Row, x.P, want)
		}
		p, holm = append(p, x.P), append(holm, x.Adjusted)
	}
	for _, x := range tests.Latency {
		if x.NA != len(a.Latencies[x.Row]) || x.NB != len(b.Latencies[x.Row]) {
			t.Errorf("%v: %d and %d latencies", x.Row, x.NA, x.NB)
		}
		if math.Abs(x.ShiftS-30) > 1e-9 || !x.Exact {
			t.Errorf("%v: a shift of %v s, exact %t, and B is 30 s slower", x.Row, x.ShiftS, x.Exact)
		}
		p, holm = append(p, x.P), append(holm, x.Adjusted)
	}
	for _, x := range tests.FalseDetection {
		if want := stats.PoissonRatio(x.EdgesA, x.PeriodAS, x.EdgesB, x.PeriodBS); x.P != want {
			t.Errorf("%s: p %v, want %v", x.Load, x.P, want)
		}
		p, holm = append(p, x.P), append(holm, x.Adjusted)
	}
	if want := stats.Holm(p); !slices.Equal(holm, want) {
		t.Errorf("adjusted to %v, want %v", holm, want)
	}
	for _, verdict := range []string{"better", "worse", "faster", "slower", "significant", "improve", "winner"} {
		if bytes.Contains(compare.Encode(c), []byte(verdict)) {
			t.Errorf("a study says %q", verdict)
		}
	}
}

func TestBareResultsAreSaidToBe(t *testing.T) {
	a, b := load(t, written(t, stated, nil)), load(t, written(t, stated, threshold("0.09")))
	for _, x := range []struct {
		a, b compare.Input
		says string
	}{
		{bare(t, a), b, "in the place of"}, {a, bare(t, b), "in the place of"}, {bare(t, a), bare(t, b), "both runs"},
	} {
		c := compare.Compare(x.a, x.b, compare.DetectorConfiguration)
		if !c.Comparable || c.FromPlans || c.A.Verified && c.B.Verified {
			t.Fatalf("comparable %t, from plans %t: %v", c.Comparable, c.FromPlans, c.Refusals)
		}
		tests := c.Supplementary.Tests
		if len(tests.Latency) > 0 || !strings.Contains(tests.NoLatency, x.says) || len(tests.Coverage) == 0 {
			t.Errorf("%d latency tests: %q", len(tests.Latency), tests.NoLatency)
		}
		if !strings.Contains(strings.Join(c.Remarks, " "), "was not verified") {
			t.Errorf("the remarks are %q", c.Remarks)
		}
	}
}

func TestLoadsNeverShareARow(t *testing.T) {
	a := load(t, first(t))
	b := load(t, written(t, synthetic.Options{Loads: []int64{10, 50}}, nil))
	if c := compare.Compare(a, b, ""); c.Comparable {
		t.Fatal("results at different loads are compared")
	}
	c := compare.Compare(a, b, compare.OfferedLoad)
	if !c.Comparable || !c.TwoLists || c.Supplementary.Tests != nil {
		t.Fatalf("comparable %t, two lists %t, tests %v: %v", c.Comparable, c.TwoLists, c.Supplementary.Tests, c.Refusals)
	}
	if len(c.Latency) != len(a.Result.Latency)+len(b.Result.Latency) || len(c.FalseDetection) != 4 {
		t.Errorf("%d latencies, %d rates", len(c.Latency), len(c.FalseDetection))
	}
	for i, r := range c.Latency {
		if (r.A == nil) == (r.B == nil) || (r.A != nil) != (i < len(a.Result.Latency)) {
			t.Errorf("row %d, %v, has A %v and B %v", i, r.Row, r.A, r.B)
		}
	}
}

func TestRowsOfOneAlone(t *testing.T) {
	a := load(t, first(t))
	b := load(t, first(t))
	b.Result.Coverage[0].Magnitude, b.Result.Latency[0].Magnitude = "0.1", "0.1"
	b.Result.Threshold[0].Target = "19/20"
	b.Result.Footer.JournalSHA256 = "sha256:another"
	c := compare.Compare(a, b, "")
	if !c.Comparable {
		t.Fatalf("%+v", c.Refusals)
	}
	var only []string
	for _, r := range c.Coverage {
		switch {
		case r.B == nil:
			only = append(only, "A "+r.Row.Magnitude)
		case r.A == nil:
			only = append(only, "B "+r.Row.Magnitude)
		}
	}
	if !slices.Equal(only, []string{"A 0.05", "B 0.1"}) {
		t.Errorf("rows of one alone: %v", only)
	}
	alone := 0
	for _, r := range c.Threshold {
		if r.A == nil || r.B == nil {
			alone++
		}
	}
	if alone != 2 || len(c.Threshold) != 3 {
		t.Errorf("%d of %d thresholds stand alone: another target is another row", alone, len(c.Threshold))
	}
}

func TestRedefinedClassIsNotMatched(t *testing.T) {
	a := load(t, first(t))
	b := load(t, written(t, small, declare(func(p *plan.Plan) { p.Declaration.FaultClasses[0].Transform = "refuse/2" })))
	c := compare.Compare(a, b, "")
	if !c.Comparable || !slices.Equal(c.Redefined, []string{"refusal"}) {
		t.Fatalf("comparable %t, redefined %v: %v", c.Comparable, c.Redefined, c.Refusals)
	}
	for _, r := range c.Coverage {
		if matched := r.A != nil && r.B != nil; matched == (r.Row.Class == "refusal") {
			t.Errorf("%v: matched %t", r.Row, matched)
		}
	}
	if len(c.Conditions) == 0 || c.Conditions[0].Path != "fault_classes[refusal].transform" {
		t.Errorf("the conditions are %+v", c.Conditions)
	}
}

func TestConditionsOutsideOfTheKeys(t *testing.T) {
	a := load(t, written(t, stated, nil))
	for name, x := range map[string]struct {
		change func(*plan.Plan)
		path   string
		result bool // shows in the result too
	}{
		"sampling of the apparatus": {func(p *plan.Plan) { p.Declaration.Apparatus.Sampling = "bernoulli" }, "apparatus.sampling", true},
		"attempts":                  {func(p *plan.Plan) { p.Declaration.Trials.Attempts = 40 }, "trials.attempts", false},
		"estimator":                 {func(p *plan.Plan) { p.Estimators.Confidence = exact.MustParse("0.9") }, "estimators.confidence", false},
	} {
		b := load(t, written(t, stated, declare(x.change)))
		has := func(c *compare.Comparison) bool {
			return slices.ContainsFunc(c.Conditions, func(d compare.Difference) bool { return d.Path == x.path })
		}
		if c := compare.Compare(a, b, ""); !c.FromPlans || !has(c) || len(c.Conditions) != 1 {
			t.Errorf("%s: the conditions are %+v (%v)", name, c.Conditions, c.Refusals)
		}
		if c := compare.Compare(a, bare(t, b), ""); c.FromPlans || has(c) != x.result {
			t.Errorf("%s: of a bare result the conditions are %+v", name, c.Conditions)
		}
	}
}

func TestWhatIsNeverCompared(t *testing.T) {
	good := load(t, first(t))
	for name, x := range map[string]struct {
		change func(*measure.Result)
		rule   string
		reason string
	}{
		"exploratory":   {func(r *measure.Result) { r.Exploratory = true }, "", compare.ReasonExploratory},
		"incomplete":    {func(r *measure.Result) { r.Conformance.Complete = false }, "", compare.ReasonIncomplete},
		"nonconformant": {func(r *measure.Result) { r.Conformance.Status = measure.StatusNonconform }, "", compare.ReasonNonconformant},
		"a violation": {func(r *measure.Result) {
			r.Conformance.Violations = []measure.Violation{{Rule: "FD-4.3-4", Effect: "marks the series", Detail: "x"}}
		}, "", compare.ReasonNonconformant},
		"another methodology": {func(r *measure.Result) { r.Conformance.Methodology = "kv-reuse" }, "", compare.ReasonMethodology},
		"reduced": {func(r *measure.Result) {
			r.Conformance.Reductions = []measure.Reduction{{What: "trials", Required: "20", Planned: "6"}}
		}, "FD-1.2-10", compare.ReasonReduced},
		"real time": {func(r *measure.Result) {
			r.Conformance.Time, r.Conformance.Status = "real", measure.StatusConformant
		}, "FD-1.2-6", compare.ReasonTime},
		"simulated, and conformant": {func(r *measure.Result) { r.Conformance.Status = measure.StatusConformant }, "FD-1.2-10", compare.ReasonStatus},
		"another environment":       {func(r *measure.Result) { r.Topology.Environment = "elsewhere" }, "FD-1.2-6", compare.ReasonEnvironment},
		"no keys":                   {func(r *measure.Result) { r.Comparability.OfferedLoad = measure.Key{} }, "FD-1.2-3", compare.ReasonKeyMissing},
	} {
		b := good
		b.Result = clone(t, good.Result)
		b.Result.Footer.JournalSHA256 = "sha256:another"
		x.change(b.Result)
		for _, c := range []*compare.Comparison{compare.Compare(good, b, ""), compare.Compare(b, good, "")} {
			if c.Comparable || len(c.Refusals) != 1 || c.Refusals[0].Rule != x.rule || c.Refusals[0].Reason != x.reason {
				t.Errorf("%s: %+v", name, c.Refusals)
				continue
			}
			if r := c.Refusals[0]; r.Summary == "" || r.Why == "" || r.Remedy == "" {
				t.Errorf("%s: the refusal does not say what, why and what to do: %+v", name, r)
			}
		}
	}
	// A discarded trial was repeated, and a withheld value is not there.
	b := good
	b.Result = clone(t, good.Result)
	b.Result.Footer.JournalSHA256 = "sha256:another"
	b.Result.Conformance.Violations = []measure.Violation{{Rule: "FD-3.4-7", Effect: "discards the trial", Detail: "x"}}
	if c := compare.Compare(good, b, ""); !c.Comparable {
		t.Errorf("a repeated trial: %+v", c.Refusals)
	}
}

// Of a bare result no figure is shown that no report may be made of.
func TestBareResultsAreHeldAgainstTheReport(t *testing.T) {
	in := load(t, written(t, stated, nil))
	for name, x := range map[string]struct {
		change func(*measure.Result)
		rules  []string
	}{
		"as it is":                    {func(*measure.Result) {}, nil},
		"no False Detection Rate":     {func(r *measure.Result) { r.FalseDetection = []measure.FalseDetection{} }, []string{"FD-5.4-6", "FD-5.4-7"}},
		"a time without a detection":  {func(r *measure.Result) { imputed(&r.Latency[0], r) }, []string{"FD-5.1-17"}},
		"other counts in latency":     {func(r *measure.Result) { r.Latency[0].Detected--; r.Latency[0].Undetected++ }, []string{"FD-5.2-1"}},
		"a magnitude below the floor": {func(r *measure.Result) { r.Threshold[0].Status = measure.SearchBelowFloor }, []string{"FD-5.3-14"}},
		"ten trials, not stated":      {func(r *measure.Result) { r.Latency[0].Required = 10 }, []string{"FD-1.2-9"}},
		"simulated, and conformant":   {func(r *measure.Result) { r.Conformance.Status = measure.StatusConformant }, []string{"FD-1.2-10"}},
	} {
		r := clone(t, in.Result)
		x.change(r)
		r.Footer.JournalSHA256 = "sha256:" + strings.Repeat("0", 64)
		b := bare(t, compare.Input{Result: r})
		for _, c := range []*compare.Comparison{compare.Compare(in, b, ""), compare.Compare(b, in, "")} {
			said := ""
			for _, f := range c.Refusals {
				said += f.Reason + " " + f.Rule + " " + f.Summary + "\n"
			}
			if c.Comparable != (x.rules == nil) || len(c.Latency) > 0 != c.Comparable {
				t.Errorf("%s: comparable %t, %d latencies: %s", name, c.Comparable, len(c.Latency), said)
			}
			for _, id := range x.rules {
				if !strings.Contains(said, compare.ReasonUnreportable) || !strings.Contains(said, id) {
					t.Errorf("%s: the refusals do not name %s: %s", name, id, said)
				}
			}
		}
	}
}

// imputed gives a row that detected nothing a median at its timeout.
func imputed(l *measure.Latency, r *measure.Result) {
	l.Undetected, l.Detected, l.P95IsMax = l.Trials, 0, false
	l.MedianS, l.P95S, l.MeanS = &l.TimeoutS, nil, nil
	for i, x := range r.Coverage {
		if x.Class == l.Class && x.Profile == l.Profile && x.Magnitude == l.Magnitude && x.Load == l.Load {
			r.Coverage[i] = measure.NewCoverage(measure.RowKey{Class: x.Class, Profile: x.Profile, Magnitude: x.Magnitude, Load: x.Load}, 0, l.Trials)
			r.Coverage[i].Below2SD, r.Coverage[i].BaselineSD = x.Below2SD, x.BaselineSD
		}
	}
}

// The digest of a journal is a claim of a bare result. Where the figures are
// others, one of the two is not of that journal.
func TestOneJournalAndTwoResults(t *testing.T) {
	in := load(t, written(t, stated, nil))
	same := compare.Compare(bare(t, in), in, "")
	if remarks := strings.Join(same.Remarks, " "); !same.Comparable || !strings.Contains(remarks, "is a claim") || strings.Contains(remarks, "one and the same") {
		t.Errorf("an unchanged copy: %v, %q", same.Refusals, same.Remarks)
	}
	r := clone(t, in.Result)
	*r.Latency[0].MedianS += 0.5
	edited := bare(t, compare.Input{Result: r})
	for _, c := range []*compare.Comparison{compare.Compare(edited, in, ""), compare.Compare(edited, bare(t, in), "")} {
		if c.Comparable || len(c.Refusals) != 1 || c.Refusals[0].Reason != compare.ReasonContradiction || len(c.Remarks) > 0 {
			t.Errorf("an edited copy: %+v %q", c.Refusals, c.Remarks)
		}
	}
}

func clone(t testing.TB, r *measure.Result) *measure.Result {
	t.Helper()
	c, err := measure.Decode(measure.Encode(r))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestHeadingsNameTheKind(t *testing.T) {
	for _, x := range []struct {
		o    synthetic.Options
		want string
		not  string
	}{
		{synthetic.Options{Loads: []int64{10}}, "two simulated series", "Neither is a result under the methodology"},
		{synthetic.Options{Loads: []int64{10}, Trials: 4, Reduced: true}, "two simulated, reduced series", "Neither is a result under the methodology"},
		{synthetic.Options{Loads: []int64{10}, Trials: 4, Reduced: true, Time: "real"}, "two reduced series", "Neither is a result under the methodology"},
		{synthetic.Options{Loads: []int64{10}, Time: "real"}, "two results under the methodology", "All five keys"},
	} {
		r, err := comparetest.Result(x.o)
		if err != nil {
			t.Fatal(err)
		}
		c := compare.Compare(compare.Input{Name: "A", Result: r}, compare.Input{Name: "B", Result: r}, "")
		if !c.Comparable || c.Heading != "Comparison of "+x.want || !strings.Contains(c.Statement, x.not) {
			t.Errorf("%+v: %s. %s (%v)", x.o, c.Heading, c.Statement, c.Refusals)
		}
	}
}

func BenchmarkCompare(b *testing.B) {
	x, y := load(b, written(b, synthetic.Options{}, nil)), load(b, written(b, synthetic.Options{}, threshold("0.09")))
	for b.Loop() {
		if c := compare.Compare(x, y, compare.DetectorConfiguration); !c.Comparable {
			b.Fatal(c.Refusals)
		}
	}
}

func TestEncodedComparisonHasEmptyListsAndNoNull(t *testing.T) {
	a := load(t, first(t))
	var doc map[string]any
	if err := json.Unmarshal(compare.Encode(compare.Compare(a, a, compare.OfferedLoad)), &doc); err != nil {
		t.Fatal(err)
	}
	for name, v := range doc {
		if v == nil {
			t.Errorf("the member %s is null", name)
		}
	}
}
