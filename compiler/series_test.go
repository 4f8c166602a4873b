package compiler

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/exact"
)

// brief is what a list of diagnostics comes to: severity, rule and summary of
// each.
func brief(l diag.List) []string {
	var out []string
	for _, d := range l {
		out = append(out, fmt.Sprintf("%s %s %s", d.Severity, d.Rule, d.Summary))
	}
	return out
}

func wantBrief(t *testing.T, l diag.List, want ...string) {
	t.Helper()
	if got := brief(l); !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), listText(l))
	}
}

// What a series leaves out is on the plan's list, whether or not it asks to be
// reduced, and every requirement that is set aside says so and no other one.
func TestReductions(t *testing.T) {
	const (
		ask      = "  reduced { reason = \"a first look\" }\n"
		noSearch = "  remove \"threshold\" {}\n"
		narrow   = "  load {\n    points = \"1, 5, 21.5, 99 req/s\"\n  }\n"
		two      = "  load {\n    points         = \"5, 6 req/s\"\n    representative = \"5 req/s\"\n  }\n"
		unnamed  = "  load {\n    points = \"1, 5, 21.5, 100 req/s\"\n    remove \"representative\" {}\n  }\n"
		three    = "  load {\n    points         = \"1, 21.5, 100 req/s\"\n    representative = \"21.5 req/s\"\n  }\n"
		because  = "  load { because = { \"FD-3.3-5\" = \"the machine\" } }\n"
		few      = "  load { because = { \"FD-3.3-4\" = \"the machine\" } }\n"
		both     = "  load { because = { \"FD-3.3-4\" = \"the machine\", \"FD-3.3-5\" = \"the port\" } }\n"
	)
	tests := []struct {
		name, body          string
		reductions, reduced []string // reduced: requirements
		deviations          []string
		diags               []string
	}{
		{name: "full", body: ""},
		{"no search, asked for", noSearch + ask, []string{"search: none of a threshold search (5.3)"}, []string{"FD-1.2-7"}, nil, nil},
		{
			"narrow", narrow,
			[]string{"load_points: 1 to 99 req/s of two orders of magnitude"}, []string{"FD-3.3-5"}, nil,
			[]string{"warning FD-3.3-5 Narrow span of loads"},
		},
		{"narrow for a reason", narrow + because, nil, nil, []string{"FD-3.3-5: the machine"}, nil},
		{"narrow, asked for", narrow + ask, []string{"load_points: 1 to 99 req/s of two orders of magnitude"}, []string{"FD-3.3-5"}, nil, nil},
		{
			"none named", unnamed,
			[]string{"load_points: none named of a representative point"}, []string{"FD-3.3-6"}, nil,
			[]string{"warning FD-3.3-6 No representative load"},
		},
		{
			"two loads", two + ask + "  load {\n    remove \"representative\" {}\n  }\n",
			[]string{"load_points: 2 of 4", "load_points: 5 to 6 req/s of two orders of magnitude", "load_points: none named of a representative point"},
			[]string{"FD-3.3-4", "FD-3.3-5", "FD-3.3-6"}, nil, nil,
		},
		{
			"two loads for a reason", two + ask + both,
			[]string{"load_points: 2 of 4"}, []string{"FD-3.3-4"}, []string{"FD-3.3-4: the machine", "FD-3.3-5: the port"}, nil,
		},
		{
			"three loads", three,
			[]string{"load_points: 3 of 4"}, []string{"FD-3.3-4"}, nil,
			[]string{"warning FD-3.3-4 Too few load points"},
		},
		{
			"three loads for a reason, which stay a reduction", three + few,
			[]string{"load_points: 3 of 4"}, []string{"FD-3.3-4"}, []string{"FD-3.3-4: the machine"}, nil,
		},
		{"three loads, asked for", three + ask, []string{"load_points: 3 of 4"}, []string{"FD-3.3-4"}, nil, nil},
		{"masking only", "  masking { trials = 19 }\n" + ask, []string{"trials: 19 masking of 20"}, []string{"FD-5.5-5"}, nil, nil},
		{"trials only", "  trials { count = 19 }\n" + ask, []string{"trials: 19 of 20"}, []string{"FD-1.2-7", "FD-5.1-8"}, nil, nil},
		{"nothing", ask, nil, nil, nil, []string{"warning FD-1.2-8 Nothing is reduced"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, diags := planOf(t, example(t, "series \"example\" {\n"+test.body+"}"))
			wantBrief(t, diags, test.diags...)
			var reductions, reduced, deviations []string
			for _, r := range p.Declaration.Reductions {
				reductions = append(reductions, fmt.Sprintf("%s: %s of %s", r.What, r.Planned, r.Required))
			}
			for _, d := range p.Declaration.Deviations {
				deviations = append(deviations, d.Rule+": "+d.Because)
			}
			for _, o := range p.Rules {
				if o.Status == "reduced" {
					reduced = append(reduced, o.ID)
				}
			}
			if !slices.Equal(reductions, test.reductions) || !slices.Equal(reduced, test.reduced) || !slices.Equal(deviations, test.deviations) {
				t.Errorf("reductions %q of %q, deviations %q\nwant %q of %q, and %q", reductions, reduced, deviations, test.reductions, test.reduced, test.deviations)
			}
		})
	}
}

func TestReasonsForNothing(t *testing.T) {
	p, diags := planOf(t, example(t, `series "example" {
  load { because = { "FD-3.3-5" = "the machine", "FD-3.3-4" = "the port", "FD-3.3-6" = "the night" } }
  fault "refusals" { because = { "FD-4.2-7" = "the step" } }
  threshold "refusals" { because = { "FD-5.3-8" = "the grid" } }
}`))
	const unused = "warning LANG-unused-reason Reason for nothing"
	wantBrief(t, diags, unused, unused, unused, unused, unused)
	if len(p.Declaration.Deviations) > 0 {
		t.Errorf("deviations %v", p.Declaration.Deviations)
	}
	// With something to give a reason for, all of them are in the report.
	p, diags = planOf(t, example(t, `apparatus "simulated" "injector" { sampling = "bernoulli" }
series "example" {
  load {
    points  = "1, 5, 21.5, 99 req/s"
    because = { "FD-3.3-5" = "the machine" }
  }
  trials {
    timeout      = "50h"
    verification = "48h"
  }
  fault "refusals" {
    magnitudes = [0.01]
    because    = { "FD-4.2-7" = "the step" }
  }
  threshold "refusals" { because = { fd_5_3_8 = "the grid" } }
}`))
	want := []plan.Deviation{{Rule: "FD-3.3-5", Because: "the machine"}, {Rule: "FD-4.2-7", Because: "the step"}, {Rule: "FD-5.3-8", Because: "the grid"}}
	if !slices.Equal(p.Declaration.Deviations, want) || len(diags) > 0 {
		t.Errorf("deviations %v\n%s", p.Declaration.Deviations, listText(diags))
	}
}

// What a reason is, and what for, is decided in one way wherever one stands.
func TestReasons(t *testing.T) {
	const narrow = "series \"example\" {\n  load {\n    points  = \"1, 5, 21.5, 99 req/s\"\n    because = %s\n  }\n}"
	const empty, span = "error LANG-reason Reason without substance", "warning FD-3.3-5 Narrow span of loads"
	for text, want := range map[string][]string{
		`{ "FD-3.3-5" = "the machine" }`:  nil,
		`{ fd_3_3_5 = "the machine" }`:    nil,
		`{ "FD-3.3-5" = " " }`:            {span, empty},
		`{ "FD-3.3-5" = "." }`:            {span, empty},
		`{ "FD-3.3-5" = "todo" }`:         {span, empty},
		`{ "FD-3.3-5" = "TBD: the box" }`: {span, empty},
		`{ "FD-3.3-5" = 3 }`:              {"error LANG-type Wrong type"},
		`{}`:                              {span, "error LANG-reason No reason"},
		`["the machine"]`:                 {"error LANG-type Wrong type"},
		`"the machine"`:                   nil,
		`"todo"`:                          {span, "error LANG-reason Reason without substance"},
		`{ "FD-3.3-5" = "the machine", "fd_3_3_5" = "the port" }`: {"error LANG-reason Two reasons"},
		`{ "FD-3.3-5" = "the machine", "FD-3.3-6" = "the port" }`: {"warning LANG-unused-reason Reason for nothing"},
		`{ "FD-3.3-5" = "the machine", "FD-3.3-7" = "the port" }`: {"error LANG-reason Nothing that a reason sets aside"},
		`{ "FD-3.3-5" = "the machine", "FD-5.3-8" = "the port" }`: {"error LANG-reason Nothing that a reason sets aside"},
		`{ "FD-3.3-5" = "the machine", "machine" = "the port" }`:  {"error LANG-reason Unknown requirement"},
	} {
		t.Run(text, func(t *testing.T) {
			_, diags := compileMemory(example(t, fmt.Sprintf(narrow, text)), Options{})
			wantBrief(t, diags, want...)
		})
	}
	// One text for several things is taken for each, and a note says so.
	p, diags := planOf(t, example(t, "series \"example\" {\n  load {\n    points  = \"1, 5, 21.5, 99 req/s\"\n    because = \"the machine\"\n    remove \"representative\" {}\n  }\n}"))
	wantBrief(t, diags, "note LANG-reason One reason for several things")
	if want := []plan.Deviation{{Rule: "FD-3.3-5", Because: "the machine"}, {Rule: "FD-3.3-6", Because: "the machine"}}; !slices.Equal(p.Declaration.Deviations, want) {
		t.Errorf("deviations %v", p.Declaration.Deviations)
	}
	// A reason for one recommendation does not hide that another is set aside.
	_, diags = compileMemory(example(t, "series \"example\" {\n  load {\n    points  = \"1, 5, 21.5, 99 req/s\"\n    because = { \"FD-3.3-5\" = \"the machine\" }\n    remove \"representative\" {}\n  }\n}"), Options{})
	wantBrief(t, diags, "warning FD-3.3-6 No representative load")
	for text, want := range map[string]bool{"a first look": true, " ": false, ".": false, "todo": false, "n/a": false, "": false} {
		_, diags := compileMemory(example(t, fmt.Sprintf("series \"example\" {\n  trials { count = 19 }\n  reduced { reason = %q }\n}", text)), Options{})
		if want {
			wantBrief(t, diags)
		} else {
			wantBrief(t, diags, "error FD-1.2-9 Reason without substance")
		}
	}
}

// A value that cannot be used is one mistake: what follows from it is not
// looked at, and what does not follow is.
func TestOneBadSpan(t *testing.T) {
	for name, test := range map[string]struct {
		body string
		want []string
	}{
		"verification":               {`trials { verification = "0s" }`, []string{"error FD-3.4-6 Duration out of range"}},
		"timeout":                    {`trials { timeout = "0s" }`, []string{"error FD-5.1-9 Duration out of range"}},
		"baseline":                   {`baseline { interval = "0s" }`, []string{"error FD-4.2-2 Duration out of range"}},
		"baseline, and another":      {"baseline { interval = \"0s\" }\n  trials { timeout = \"19m\" }", []string{"error FD-4.2-2 Duration out of range", "error FD-5.1-10 Timeout too short"}},
		"verification, and another":  {"baseline { interval = \"9m\" }\n  trials { verification = \"0s\" }", []string{"error FD-4.2-2 Baseline Interval too short", "error FD-3.4-6 Duration out of range"}},
		"gate that cannot be passed": {"quiet {\n    at_least = \"1m\"\n    at_most  = \"239s\"\n  }", []string{"error FD-4.3-3 Quiet period cannot be reached"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, diags := compileFiles(t, example(t, "series \"example\" {\n  "+test.body+"\n}"))
			wantBrief(t, diags, test.want...)
		})
	}
}

// Of what can be said of one magnitude, the worst is said.
func TestOneMagnitudeOneDiagnostic(t *testing.T) {
	tests := []struct {
		name, magnitudes, trials string
		want                     []string
	}{
		{"refused", "[0.000001]", "", []string{"error FD-3.4-8 Too few attempts"}},
		{"fine and slow", "[0.001]", "timeout = \"100h\"\n    verification = \"100h\"", []string{"warning FD-4.2-7 Magnitude below one response"}},
		{"two of them", "[0.000001, 0.1, 0.000002]", "", []string{"error FD-3.4-8 Too few attempts", "error FD-3.4-8 Too few attempts"}},
		{"neither", "[0.1]", "", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, diags := compileFiles(t, example(t, fmt.Sprintf("series \"example\" {\n  fault \"refusals\" { magnitudes = %s }\n  trials {\n    %s\n  }\n}", test.magnitudes, test.trials)))
			wantBrief(t, diags, test.want...)
		})
	}
}

// Two rows with the same names could not be told apart.
func TestCombinationInTwoBlocks(t *testing.T) {
	const twice = "error LANG-range Combination given twice"
	for name, test := range map[string]struct {
		more string
		want []string
	}{
		"the same":        {`magnitudes = [0.2]` + "\n" + `profiles = ["step"]`, []string{twice}},
		"written as 0.20": {`magnitudes = [0.20, 0.3]` + "\n" + `profiles = ["ramp 2m", "step"]`, []string{twice}},
		"both":            {`magnitudes = [0.1, 0.2]` + "\n" + `profiles = ["step", "ramp 2m"]`, []string{twice, twice}},
		"other profile":   {`magnitudes = [0.1]` + "\n" + `profiles = ["ramp 2m"]`, nil},
		"other magnitude": {`magnitudes = [0.3]` + "\n" + `profiles = ["step"]`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, diags := compileFiles(t, example(t, "series \"example\" {\n  fault \"more\" {\n    class = fault_class.refusal\n"+test.more+"\n  }\n}"))
			wantBrief(t, diags, test.want...)
		})
	}
}

func TestPulsesAndTimeouts(t *testing.T) {
	const long = "warning FD-3.4-6 Pulse as long as the trials"
	for profile, want := range map[string][]string{
		"pulse 1199s":            nil,
		"pulse 20m":              {long},
		"pulse 10h":              {long},
		"intermittent 20m 1m":    {long},
		"intermittent 10m 1m":    nil,
		"pulse 10ms":             {"error FD-3.4-6 Pulse without a response"},
		"intermittent 1ms 10000": {"error FD-1.1-2 Value cannot be read"},
	} {
		for _, block := range []string{"fault \"refusals\" { profiles = [%q] }", "threshold \"refusals\" { profile = %q }"} {
			t.Run(block+profile, func(t *testing.T) {
				_, diags := compileFiles(t, example(t, "series \"example\" {\n  "+fmt.Sprintf(block, profile)+"\n}"))
				diags = slices.DeleteFunc(diags, func(d diag.Diagnostic) bool { return d.Rule == "FD-3.4-8" })
				wantBrief(t, diags, want...)
			})
		}
	}
}

func TestSearchWithoutAStep(t *testing.T) {
	const none = "warning FD-5.3-8 Search without a step"
	for name, test := range map[string]struct {
		body string
		want bool
	}{
		"from the floor":            {`lower = "floor"`, false},
		"upper at the resolution":   {"lower = \"floor\"\n    upper = 0.1\n    resolution = 0.1", true},
		"a little above it":         {"lower = \"floor\"\n    upper = 0.1\n    resolution = 0.0999", false},
		"literal, at it":            {"lower = 0.1\n    upper = 0.2\n    resolution = 0.1", false},
		"literal, a little too far": {"lower = 0.1\n    upper = 0.2\n    resolution = 0.1001", true},
	} {
		t.Run(name, func(t *testing.T) {
			_, diags := compileFiles(t, example(t, "series \"example\" {\n  threshold \"refusals\" {\n    "+test.body+"\n  }\n}"))
			if got := slices.Contains(brief(diags), none); got != test.want {
				t.Errorf("got %v:\n%s", got, listText(diags))
			}
		})
	}
}

// A detector that samples one response in ten sees one in ten of a window.
func TestSampledResponses(t *testing.T) {
	scenario := func(sampling, magnitude string) map[string][]byte {
		return example(t, fmt.Sprintf(`detector "threshold" "watch" {
  indicator "refusals" { sampling = %s }
}
series "example" {
  load {
    points         = "5, 10, 100, 500 req/s"
    representative = "5 req/s"
  }
  fault "refusals" { magnitudes = [%s] }
}`, sampling, magnitude))
	}
	// 5 req/s for 60 s are 300 responses, of which 30 are sampled.
	for _, test := range []struct {
		sampling, magnitude, step string
	}{{"1", "0.034", ""}, {"0.1", "0.034", ""}, {"0.1", "0.033", "sampled responses that the indicator moves in steps of 0.0333"}} {
		_, diags := compileFiles(t, scenario(test.sampling, test.magnitude))
		found := rules(diags, "FD-4.2-7")
		if (len(found) > 0) != (test.step != "") || !strings.Contains(listText(found), test.step) {
			t.Errorf("sampling %s, magnitude %s:\n%s", test.sampling, test.magnitude, listText(diags))
		}
	}
	all, _ := planOf(t, scenario("1", "0.1"))
	few, _ := planOf(t, scenario("0.1", "0.1"))
	a, b := all.Combinations.Trials[0], few.Combinations.Trials[0]
	floor := func(c plan.Combination) float64 { return exact.MustParse(c.Floor).Float64() }
	// Ten times as long for the same evidence, less what a tenth of the false
	// alarm budget saves.
	if r := floor(b) / floor(a); r < 6 || r > 10 {
		t.Errorf("the evidence floor is %s with all responses and %s with a tenth", a.Floor, b.Floor)
	}
	// The apparatus measures at the injection point, where nothing is sampled.
	if a.Discard != b.Discard {
		t.Errorf("discards %s and %s", a.Discard, b.Discard)
	}
}

// A literal lower bound is compared with what a sampled window varies by.
func TestExpectedFloorIsOfSampledResponses(t *testing.T) {
	for sampling, want := range map[string]bool{"1": false, "0.04": true} {
		// 2 sd at 1 req/s: 2*sqrt(0.02*0.98/60) = 0.036, and five times that.
		_, diags := compileFiles(t, example(t, fmt.Sprintf(`detector "threshold" "watch" {
  indicator "refusals" { sampling = %s }
}
series "example" {
  threshold "refusals" { lower = 0.04 }
}`, sampling)))
		if got := len(rules(diags, "FD-5.3-5")) > 0; got != want {
			t.Errorf("sampling %s: %v\n%s", sampling, got, listText(diags))
		}
	}
}

func TestMovingJudges(t *testing.T) {
	for _, test := range []struct {
		model, version, want string
	}{
		{"judge-large", "2026-03-01", ""},
		{"judge-large", "v-newest", "Moving version of a judge"},
		{"gpt-latest", "gpt-4:latest@x", "Moving version of a judge"},
		{"gpt-latest", "2026-03-01", "Moving name of a judge"},
		{"gpt-latest", "sha256:0123456789abcdef", ""},
		{"latex-judge", "maintained", ""},
	} {
		_, diags := compileFiles(t, example(t, fmt.Sprintf(`detector "threshold" "watch" {
  indicator "refusals" {
    judge {
      model   = %q
      version = %q
    }
  }
}`, test.model, test.version)))
		var want []string
		if test.want != "" {
			want = []string{"error FD-3.2-9 " + test.want}
		}
		wantBrief(t, diags, want...)
	}
}

// What changes no measurement changes neither the key nor the lock.
func TestKeyOfAScenario(t *testing.T) {
	base, _ := planOf(t, example(t, ""))
	for name, snippet := range map[string]string{
		"description":       `series "example" { description = "another text" }`,
		"its environment's": `environment "lab" { description = "in the cellar" }`,
		"timeout in time":   `series "example" {` + "\n" + `trials { timeout = "20 windows" }` + "\n}",
		"baseline":          `series "example" {` + "\n" + `baseline { interval = "30 windows" }` + "\n}",
		"unused variable":   "variable \"x\" {\n  type    = number\n  default = 1\n}",
	} {
		p, _ := planOf(t, example(t, snippet))
		if p.Digest == base.Digest {
			t.Errorf("%s: the plan is the same", name)
		}
		if plan.Key(p) != plan.Key(base) {
			t.Errorf("%s: the key is another one", name)
		}
	}
	files := example(t, "")
	files["example.fdb.hcl"] = append([]byte("# a comment\n\n"), files["example.fdb.hcl"]...)
	if p, _ := planOf(t, files); plan.Key(p) != plan.Key(base) {
		t.Error("the key depends on a comment")
	}
	for name, snippet := range map[string]string{
		"seed":    `series "example" { seed = "2" }`,
		"timeout": `series "example" {` + "\n" + `trials { timeout = "21 windows" }` + "\n}",
		"rate":    "serving \"simulated\" \"model\" {\n  behaviour { rate = 0.021 }\n}",
	} {
		if p, _ := planOf(t, example(t, snippet)); plan.Key(p) == plan.Key(base) {
			t.Errorf("%s: the key is the same", name)
		}
	}
}
