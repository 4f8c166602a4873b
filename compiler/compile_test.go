package compiler

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/exact"
)

// example returns the files of the complete example with a snippet worked in.
func example(t testing.TB, snippet string) map[string][]byte {
	t.Helper()
	files, err := rule.Example(snippet)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// planOf compiles files that have one series and no errors.
func planOf(t testing.TB, files map[string][]byte) (*plan.Plan, diag.List) {
	t.Helper()
	r, diags := compileFiles(t, files)
	if diags.HasErrors() || len(r.Plans) != 1 {
		t.Fatalf("no plan:\n%s", listText(diags))
	}
	return r.Plans[0], diags
}

func rules(l diag.List, id string) diag.List {
	var out diag.List
	for _, d := range l {
		if d.Rule == id {
			out = append(out, d)
		}
	}
	return out
}

func TestPlanOfTheExample(t *testing.T) {
	p, _ := planOf(t, example(t, ""))
	if n := len(p.Combinations.Trials); n != 8 {
		t.Errorf("%d combinations, want 4 loads x 2 magnitudes", n)
	}
	if n := len(p.Combinations.Searches); n != 4 {
		t.Errorf("%d searches, want 4", n)
	}
	first := p.Combinations.Trials[0]
	// Two percent of the responses refuse without a fault, so a shift of 0.1
	// needs 0.1/0.98 of them.
	if first.Fraction.Cmp(exact.Frac(5, 49)) != 0 || first.Timeout != 20*exact.Minute || first.Verification != 10*exact.Minute {
		t.Errorf("the first combination is %+v", first)
	}
	var kinds []string
	for _, ph := range p.Phases {
		kinds = append(kinds, fmt.Sprintf("%s %d", ph.Kind, ph.Load))
	}
	want := "baseline 0, baseline 1, baseline 2, baseline 3, sham 0, trials 0, search 0, masking 0, false_detection 0, sham 1"
	if got := strings.Join(kinds, ", "); !strings.HasPrefix(got, want) {
		t.Errorf("phases %s", got)
	}
	if s := p.Combinations.Searches[0]; s.Steps != 4 || s.PerUnit.Cmp(exact.Frac(50, 49)) != 0 {
		t.Errorf("the first search is %+v", s)
	}
	if got := p.Declaration.Load.Points[2]; got.Rate.String() != "21.5" || !got.Representative || got.Window != exact.Minute {
		t.Errorf("the third load is %+v", got)
	}
	if _, err := plan.Decode(plan.Encode(p)); err != nil {
		t.Error(err)
	}
}

// The same scenario has the same bytes wherever and however it is compiled.
func TestPlanIsDeterministic(t *testing.T) {
	files := example(t, `series "example" {
  fault "more" {
    class      = fault_class.refusal
    magnitudes = "0.05..0.3 in 6 linear steps"
    profiles   = ["ramp 2m", "pulse 15m", "intermittent 10m 1m", "drift 1h"]
  }
  attest "fd_3_4_4" {
    by        = "the operator"
    statement = "the injector has no route to the detector"
  }
}
variable "unused" {
  type    = map(number)
  default = { b = 0.1, a = 1e-3 }
}`)
	p, _ := planOf(t, files)
	want := plan.Encode(p)

	crlf := map[string][]byte{}
	for name, b := range files {
		crlf[name] = bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))
	}
	check := func(name string, files map[string][]byte) {
		t.Helper()
		p, _ := planOf(t, files)
		if got := plan.Encode(p); !bytes.Equal(got, want) {
			t.Errorf("%s: other bytes", name)
		}
	}
	check("CRLF", crlf)
	t.Setenv("TZ", "Asia/Kathmandu")
	t.Setenv("LC_ALL", "tr_TR.UTF-8")
	check("another locale", files)
	for _, n := range []int{1, 2, 4} {
		old := runtime.GOMAXPROCS(n)
		check(fmt.Sprintf("%d processors", n), files)
		runtime.GOMAXPROCS(old)
	}

	dir := t.TempDir()
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, path := range []string{".", dir, "example.fdb.hcl"} {
		r, diags := CompilePath(path, Options{Env: []string{"FDBENCH_VAR_other=1", "HOME=/x"}})
		if diags.HasErrors() {
			t.Fatal(listText(diags))
		}
		if !bytes.Equal(plan.Encode(r.Plans[0]), want) {
			t.Errorf("from path %s: other bytes", path)
		}
	}
}

// A boundary of the methodology falls on the side that its sentence names.
func TestBoundaries(t *testing.T) {
	tests := []struct {
		name, snippet, rule string
		broken              bool
	}{
		{"trials 20", `series "example" {
  trials { count = 20 }
}`, "FD-5.1-8", false},
		{"trials 19", `series "example" {
  trials { count = 19 }
}`, "FD-5.1-8", true},
		{"timeout 20 windows", `series "example" {
  trials { timeout = "20 windows" }
}`, "FD-5.1-10", false},
		{"timeout a nanosecond less", `series "example" {
  trials { timeout = "1199.999999999s" }
}`, "FD-5.1-10", true},
		{"baseline 10 windows", `series "example" {
  baseline { interval = "10 windows" }
}`, "FD-4.2-2", false},
		{"baseline below", `series "example" {
  baseline { interval = "9.99 windows" }
}`, "FD-4.2-2", true},
		{"baseline 300 s", `detector "threshold" "watch" {
  indicator "refusals" { window = "30s" }
}
series "example" {
  baseline { interval = "300s" }
}`, "FD-4.2-3", false},
		{"baseline 299.9 s", `detector "threshold" "watch" {
  indicator "refusals" { window = "10s" }
}
series "example" {
  baseline { interval = "299.9s" }
}`, "FD-4.2-3", true},
		{"loads 100 apart", `series "example" {
  load {
    points         = "0.7, 5, 21.5, 70 req/s"
    representative = "5 req/s"
  }
}`, "FD-3.3-5", false},
		{"loads 99 apart", `series "example" {
  load {
    points         = "1, 5, 21.5, 99 req/s"
    representative = "5 req/s"
  }
}`, "FD-3.3-5", true},
		{"four loads", `series "example" {
  load {
    points         = "1, 2, 21.5, 100 req/s"
    representative = "2 req/s"
  }
}`, "FD-3.3-4", false},
		{"three loads", `series "example" {
  load {
    points         = "1, 21.5, 100 req/s"
    representative = "1 req/s"
  }
}`, "FD-3.3-4", true},
		{"masking 20", `series "example" {
  masking { trials = 20 }
}`, "FD-5.5-5", false},
		{"masking 19", `series "example" {
  masking { trials = 19 }
}`, "FD-5.5-5", true},
		{"masking at one point", `environment "lab" { observe_at = "engine" }`, "FD-5.5-8", true},
		{"masking between two", `environment "lab" { observe_at = "guardrail" }`, "FD-5.5-8", false},
		{"quiet of a window", `series "example" {
  quiet { at_least = "1m" }
}`, "FD-4.3-3", false},
		{"quiet below a window", `series "example" {
  quiet { at_least = "59.999s" }
}`, "FD-4.3-3", true},
		{"gate of four windows", `series "example" {
  quiet {
    at_least = "2m"
    at_most  = "4m"
  }
}`, "FD-4.3-3", false},
		{"gate of less", `series "example" {
  quiet {
    at_least = "2m"
    at_most  = "239s"
  }
}`, "FD-4.3-3", true},
		{"verification as long as a trial", `series "example" {
  trials { verification = "20m" }
}`, "FD-3.4-6", false},
		{"verification longer", `series "example" {
  trials { verification = "1201s" }
}`, "FD-3.4-6", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, diags := compileFiles(t, example(t, test.snippet))
			if got := len(rules(diags, test.rule)) > 0; got != test.broken {
				t.Errorf("%s broken: %v, want %v\n%s", test.rule, got, test.broken, listText(diags))
			}
		})
	}
}

// A window of requests lasts longest at the lowest load, and the minima follow.
func TestWindowsOfRequests(t *testing.T) {
	snippet := func(baseline, timeout string) string {
		return fmt.Sprintf(`detector "threshold" "watch" {
  indicator "refusals" { window = "200 requests" }
}
series "example" {
  load {
    points         = "0.5, 5, 20, 50 req/s"
    representative = "5 req/s"
  }
  baseline { interval = %q }
  quiet {
    at_least = "10m"
    at_most  = "3h"
  }
  trials { timeout = %q }
}`, baseline, timeout)
	}
	p, _ := planOf(t, example(t, snippet("4000s", "20 windows")))
	points := p.Declaration.Load.Points
	// AMB-01: 200 requests at 0.5 req/s are 400 s.
	if w := points[0]; w.Window != 400*exact.Second || w.Baseline != 4000*exact.Second || w.Timeout != 8000*exact.Second {
		t.Errorf("at 0.5 req/s: %+v", w)
	}
	if w := points[3]; w.Window != 4*exact.Second || w.Timeout != 80*exact.Second {
		t.Errorf("at 50 req/s: %+v", w)
	}
}

func TestWindowsOfRequestsKeepTheMinimum(t *testing.T) {
	_, diags := compileFiles(t, example(t, `detector "threshold" "watch" {
  indicator "refusals" { window = "200 requests" }
}`))
	if d := rules(diags, "FD-4.2-2"); len(d) != 1 || !strings.Contains(d[0].Detail, "At 1 req/s the largest aggregation window is 3m20s, so the Baseline Interval lasts at least 33m20s") {
		t.Errorf("baseline of 30m against a window of 200 s:\n%s", listText(diags))
	}
}

func TestReducedSeries(t *testing.T) {
	p, diags := planOf(t, example(t, `series "example" {
  load {
    points         = "10, 20 req/s"
    representative = "10 req/s"
  }
  trials { count = 5 }
  masking { trials = 5 }
  reduced { reason = "on every change" }
}`))
	if len(diags) > 0 {
		t.Errorf("a reduced series that says so:\n%s", listText(diags))
	}
	want := []plan.Reduction{
		{What: "load_points", Required: "4", Planned: "2"},
		{What: "load_points", Required: "two orders of magnitude", Planned: "10 to 20 req/s"},
		{What: "trials", Required: "20", Planned: "5"}, {What: "trials", Required: "20", Planned: "5 masking"},
	}
	if fmt.Sprint(p.Declaration.Reductions) != fmt.Sprint(want) || p.Declaration.ReducedReason != "on every change" {
		t.Errorf("reductions %v", p.Declaration.Reductions)
	}
	for _, o := range p.Rules {
		if o.ID == "FD-5.1-8" && (o.Status != "reduced" || o.Note != "5 instead of 20") {
			t.Errorf("FD-5.1-8: %+v", o)
		}
	}
}

func TestDeviations(t *testing.T) {
	p, diags := planOf(t, example(t, `series "example" {
  load {
    points         = "1, 5, 10, 20 req/s"
    representative = "5 req/s"
    because        = { "FD-3.3-5" = "the test machine does no more" }
  }
}`))
	if len(rules(diags, "FD-3.3-5")) > 0 {
		t.Errorf("a warning in spite of the reason:\n%s", listText(diags))
	}
	if d := p.Declaration.Deviations; len(d) != 1 || d[0] != (plan.Deviation{Rule: "FD-3.3-5", Because: "the test machine does no more"}) {
		t.Errorf("deviations %v", d)
	}
}

func TestMagnitudes(t *testing.T) {
	tests := []struct{ name, snippet, want string }{
		{"out of reach", `series "example" {
  fault "refusals" { magnitudes = [0.99] }
}`, "shifts indicator.refusal_rate by 0.98, which is the largest magnitude here"},
		{"wrong sign", `series "example" {
  fault "refusals" { magnitudes = [-0.1] }
}`, "shifts indicator.refusal_rate up: write 0.1"},
		{"zero", `series "example" {
  fault "refusals" { magnitudes = [0] }
}`, "sham trials"},
		{"upper bound", `series "example" {
  threshold "refusals" { upper = 0.981 }
}`, "0.98, which is the largest"},
		{"bounds", `series "example" {
  threshold "refusals" { lower = 0.3 }
}`, "0.3 is not a smaller change than 0.3"},
		{"too many", `series "example" { max_combinations = 7 }`, "expands to 8 combinations"},
		{"masking", `series "example" {
  masking { magnitude = 2 }
}`, "0.98, which is the largest"},
		{"no such load", `series "example" {
  load { representative = "20 req/s" }
}`, "20 req/s is not among the load points, which are 1, 4.64, 21.5, 100 req/s"},
		{"unwatched behaviour", `indicator "other" {
  kind      = "rate"
  predicate = "response.words < 3"
}
fault_class "refusal" { indicator = indicator.other }`, "does not say how it behaves without a fault"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, diags := compileFiles(t, example(t, test.snippet))
			if n := diags.Count(diag.Error); n != 1 || !strings.Contains(listText(diags), test.want) {
				t.Errorf("%d errors:\n%s", n, listText(diags))
			}
			if len(r.Plans) != 1 || r.Plans[0] != nil {
				t.Errorf("a series with errors has the plan %v", r.Plans)
			}
		})
	}
}

// A class that lowers a rate has negative magnitudes and bounds.
func TestDownwardClass(t *testing.T) {
	p, _ := planOf(t, example(t, `fault_class "refusal" { direction = "down" }
serving "simulated" "model" {
  behaviour { rate = 0.4 }
}
detector "threshold" "watch" {
  alert "RefusalsHigh" { above = 0.6 }
}
series "example" {
  fault "refusals" { magnitudes = [-0.1, -0.4] }
  threshold "refusals" {
    lower = -0.05
    upper = -0.3
  }
}`))
	c := p.Combinations
	if c.Trials[0].Fraction.Cmp(exact.Frac(1, 4)) != 0 || c.Trials[1].Fraction.Cmp(exact.Int(1)) != 0 {
		t.Errorf("fractions %s and %s", c.Trials[0].Fraction, c.Trials[1].Fraction)
	}
	s := c.Searches[0]
	if s.Largest.String() != "-0.4" || s.Upper.Mul(s.PerUnit).Cmp(exact.Frac(3, 4)) != 0 || s.Steps != 4 {
		t.Errorf("search %+v", s)
	}
	if m := p.Declaration.Masking.Targets; len(m) != 1 || m[0].Magnitude.String() != "-0.4" {
		t.Errorf("masking %v", m)
	}
}

func TestMeanIndicator(t *testing.T) {
	p, diags := planOf(t, example(t, `serving "simulated" "model" {
  behaviour {
    remove "rate" {}
    distribution = "normal 180 words, 20"
  }
}
indicator "refusal_rate" {
  remove "scorer" {}
  kind   = "mean"
  unit   = "words"
  scorer = "verbosity/1"
}
fault_class "refusal" {
  transform = "verbose/1"
  scale     = 2
}
detector "threshold" "watch" {
  alert "RefusalsHigh" { above = 200 }
}
series "example" {
  fault "refusals" { magnitudes = "20, 40 words" }
  threshold "refusals" {
    upper      = 60
    resolution = 5
  }
}`))
	c := p.Combinations.Trials[0]
	if c.Fraction.Cmp(exact.Frac(20, 180)) != 0 || c.Floor != "" || c.Discard == "" {
		t.Errorf("%+v\n%s", c, listText(diags))
	}
}

func TestNamesOfTheLibrary(t *testing.T) {
	files := map[string][]byte{"a.fdb.hcl": bytes.ReplaceAll(example(t, "")["example.fdb.hcl"], []byte("unused"), nil)}
	text := string(files["a.fdb.hcl"])
	// Without the example's own blocks of these names the library's are used.
	for _, block := range []string{"indicator \"refusal_rate\"", "fault_class \"refusal\""} {
		i := strings.Index(text, block)
		j := i + strings.Index(text[i:], "\n}\n") + 3
		text = text[:i] + text[j:]
	}
	p, _ := planOf(t, map[string][]byte{"a.fdb.hcl": []byte(text)})
	if p.Declaration.Indicators[0].Scorer != "refusal/1" || p.Declaration.FaultClasses[0].Transform != "refuse/1" {
		t.Errorf("%+v", p.Declaration.Indicators)
	}
	// The scenario's own block wins, for the library's classes too.
	p, _ = planOf(t, map[string][]byte{"a.fdb.hcl": []byte(text + `
indicator "refusal_rate" {
  kind      = "rate"
  predicate = "response.words < 3"
}`)})
	if p.Declaration.Indicators[0].Predicate != "response.words < 3" || p.Declaration.FaultClasses[0].Indicator != "refusal_rate" {
		t.Errorf("%+v", p.Declaration.Indicators)
	}
}

func TestOneSeriesOfSeveral(t *testing.T) {
	files := example(t, "")
	text := string(files["example.fdb.hcl"])
	second := strings.Replace(text[strings.Index(text, "series \"example\""):], "example", "second", 1)
	files["second.fdb.hcl"] = []byte(strings.Replace(second, "count   = 20", "count   = 2", 1))
	dir := t.TempDir()
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, diags := CompilePath(dir, Options{})
	if len(r.Plans) != 2 || r.Plans[0] == nil || r.Plans[1] != nil || !diags.HasErrors() {
		t.Errorf("plans %v\n%s", r.Plans, listText(diags))
	}
	r, diags = CompilePath(dir, Options{Series: "example"})
	if len(r.Plans) != 1 || diags.HasErrors() {
		t.Errorf("plans %v\n%s", r.Plans, listText(diags))
	}
	_, diags = CompilePath(dir, Options{Series: "exampel"})
	if len(diags) != 1 || !strings.Contains(diags[0].Detail, `Did you mean "example"?`) {
		t.Errorf("an unknown series:\n%s", listText(diags))
	}
}

// An error inside an embedded language points at the very character.
func TestPlacesInsideStrings(t *testing.T) {
	tests := []struct{ snippet, want string }{
		{`signal "page" { attribution = "signal.labels.alertname == 'RefusalsHigh' and signal.stats == 'firing'" }`, "stats"},
		{`signal "page" { attribution = "signal.labels.alertname == 'RefusalHigh' and signal.status == 'firing'" }`, "RefusalHigh"},
		{`series "example" {
  quiet { at_least = "5 parsecs" }
}`, "parsecs"},
		{`series "example" {
  load { points = ["1 req/s", "21.5 req/s", "10 req/fortnight"] }
}`, "req/fortnight"},
		{`series "example" {
  fault "refusals" { profiles = ["step", "rampe 2m"] }
}`, "rampe"},
	}
	for _, test := range tests {
		r, diags := compileFiles(t, example(t, test.snippet))
		if diags.Count(diag.Error) != 1 {
			t.Errorf("%s:\n%s", test.want, listText(diags))
			continue
		}
		for _, d := range diags {
			if d.Severity == diag.Error {
				src := r.Document.Sources().Bytes(d.Subject.Filename)
				if got := string(src[d.Subject.Start.Byte:d.Subject.End.Byte]); got != test.want {
					t.Errorf("points at %q, want %q: %s", got, test.want, d.Detail)
				}
			}
		}
	}
}

func TestDocumentWithShapeErrorsIsNotCompiled(t *testing.T) {
	r, diags := compileFiles(t, map[string][]byte{"a.fdb.hcl": []byte("fdbench { language = 1 }\nserie \"x\" {}\n")})
	if !diags.HasErrors() || r.Plans != nil || r.Document == nil {
		t.Errorf("%v\n%s", r, listText(diags))
	}
	if diags := Lint(filepath.Join(t.TempDir(), "absent")); len(diags) != 1 {
		t.Errorf("an absent path:\n%s", listText(diags))
	}
}

func TestCompileInMemory(t *testing.T) {
	doc, diags := lang.Parse([]lang.Source{{Name: "x.fdb.hcl", Bytes: example(t, "")["example.fdb.hcl"]}})
	if diags.HasErrors() {
		t.Fatal(listText(diags))
	}
	r, diags := Compile(doc, Options{})
	if diags.HasErrors() || len(r.Plans) != 1 {
		t.Errorf("%s", listText(diags))
	}
	r, diags = Compile(doc, Options{Check: true})
	if diags.HasErrors() || r.Plans != nil {
		t.Errorf("a check gave %v\n%s", r.Plans, listText(diags))
	}
}

// Many series are compiled on all processors, with the same result in the same
// order, diagnostics included.
func TestManySeries(t *testing.T) {
	dir, _ := manyBlocks(t, 240)
	broken := `
series "broken" {
  environment = environment.lab_1
  population  = population.support_1
  detector    = detector.watch_2
  signal      = signal.page_1

  load {
    points = "1 req/s"
  }

  baseline {
    interval = "1m"
  }

  quiet {
    at_least = "5m"
    at_most  = "1h"
  }

  trials {
    count   = 2
    timeout = "30m"
  }

  fault "short" {
    class      = fault_class.refusal
    magnitudes = [0.1]
    profiles   = ["step"]
  }

  false_detection {
    at_least = "2h"
  }
}
`
	if err := os.WriteFile(filepath.Join(dir, "broken.fdb.hcl"), []byte(broken), 0o644); err != nil {
		t.Fatal(err)
	}
	var first string
	for _, n := range []int{1, 2, 4} {
		old := runtime.GOMAXPROCS(n)
		r, diags := CompilePath(dir, Options{})
		runtime.GOMAXPROCS(old)
		if len(r.Plans) != 21 {
			t.Fatalf("%d plans", len(r.Plans))
		}
		var b strings.Builder
		for _, p := range r.Plans {
			if p == nil {
				b.WriteString("none\n")
				continue
			}
			b.WriteString(p.Series + " " + p.Digest + "\n")
		}
		b.WriteString(listText(diags))
		if first == "" {
			first = b.String()
		}
		if b.String() != first {
			t.Errorf("with %d processors:\n%s\nwith one:\n%s", n, b.String(), first)
		}
	}
	if strings.Count(first, "none\n") != 1 || !strings.Contains(first, "FD-5.1-8") {
		t.Errorf("%s", first)
	}
}

// A signal that is changed after the first trial is refused with the old and
// the new value; a comment that is changed is not.
func TestLockOfAChangedScenario(t *testing.T) {
	files := example(t, "")
	p, _ := planOf(t, files)
	lock := &plan.Lock{}
	if gen, err := lock.Begin(p, false); gen != 1 || err != nil {
		t.Fatal(gen, err)
	}
	commented := map[string][]byte{"example.fdb.hcl": append([]byte("# a remark\n"), files["example.fdb.hcl"]...)}
	q, _ := planOf(t, commented)
	if q.Digest == p.Digest {
		t.Error("the plan does not tell its inputs apart")
	}
	if gen, diffs := lock.Check(q); gen != 1 || len(diffs) > 0 {
		t.Errorf("a comment changed %v", diffs)
	}
	q, _ = planOf(t, example(t, `signal "page" { attribution = "signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing' and not signal.repeat" }`))
	_, diffs := lock.Check(q)
	if len(diffs) != 1 || diffs[0].Path != "declaration.signal.attribution" || !strings.Contains(diffs[0].New, "repeat") || strings.Contains(diffs[0].Old, "repeat") {
		t.Errorf("a changed signal: %v", diffs)
	}
	q, _ = planOf(t, example(t, `series "example" {
  trials { count = 21 }
}`))
	if _, diffs := lock.Check(q); len(diffs) < 2 {
		t.Errorf("another count of trials: %v", diffs)
	}
}
