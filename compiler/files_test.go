package compiler

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/dataset"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/stats"
)

// recorded gives the example a recorded deployment.
func recorded(t testing.TB, snippet string, responses []byte) map[string][]byte {
	files := example(t, `serving "recorded" "model" { responses = "responses.jsonl" }
`+snippet)
	// The simulated deployment of the example has the same name.
	text := string(files["example.fdb.hcl"])
	i := strings.Index(text, "serving \"simulated\" \"model\"")
	j := i + strings.Index(text[i:], "\n}\n") + 3
	files["example.fdb.hcl"] = []byte(text[:i] + text[j:])
	files["responses.jsonl"] = responses
	return files
}

// answers makes n answers, of which every tenth declines.
func answers(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		text := fmt.Sprintf("To reset the meter, hold the button for %d seconds and release it when the light turns green.", i%7+2)
		if i%10 == 0 {
			text = "I'm sorry, but I can't help with that."
		}
		fmt.Fprintf(&b, "{\"id\": \"q%d\", \"prompt\": \"How do I reset the meter?\", \"response\": %q}\n", i, text)
	}
	return b.Bytes()
}

func TestRecordedDeployment(t *testing.T) {
	files := recorded(t, "", answers(50))
	r, diags := compileFiles(t, files)
	if diags.HasErrors() {
		t.Fatal(listText(diags))
	}
	p, data := r.Plans[0], r.Data["example"]
	if p.Declaration.Serving.Rows != 50 || data == nil || len(data.Rows) != 50 {
		t.Fatalf("%+v", p.Declaration.Serving)
	}
	if m := dataset.Mean(data.Of("refusal_rate")); m.String() != "0.1" {
		t.Errorf("baseline %s, want 0.1", m)
	}
	// All 45 others refuse when affected, so the largest shift is 0.9.
	if c := p.Combinations.Trials[0]; c.Fraction.Cmp(exact.Frac(1, 9)) != 0 {
		t.Errorf("fraction %s, want 1/9", c.Fraction)
	}
	if data.Of("nothing") != nil || data.Twin("refusal", "nothing") != nil || data.Twin("nothing", "refusal_rate") != nil {
		t.Error("unknown names have scores")
	}
	var roles []string
	for _, f := range p.Inputs.Files {
		roles = append(roles, f.Name+" "+f.Role)
	}
	if got := strings.Join(roles, ", "); got != "example.fdb.hcl scenario, responses.jsonl responses" {
		t.Errorf("inputs: %s", got)
	}

	// CRLF in the responses changes nothing.
	files["responses.jsonl"] = bytes.ReplaceAll(files["responses.jsonl"], []byte("\n"), []byte("\r\n"))
	q, _ := planOf(t, files)
	if q.Digest != p.Digest {
		t.Error("CRLF in the responses changes the plan")
	}

	// A run that starts from the plan file builds the same data.
	dir := t.TempDir()
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	again, err := dataset.Load(p, dir)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(again.Scores, again.Twins) != fmt.Sprint(data.Scores, data.Twins) {
		t.Error("other scores from the plan")
	}
	if err := os.WriteFile(filepath.Join(dir, "responses.jsonl"), answers(51), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := dataset.Load(p, dir); err == nil || !strings.Contains(err.Error(), "changed after the plan was made") {
		t.Errorf("changed responses: %v", err)
	}
}

func TestReplacementFile(t *testing.T) {
	class := `fault_class "refusal" {
  remove "transform" {}
  replace = "strict.jsonl"
}
series "example" {
  fault "refusals" { magnitudes = [0.1] }
  threshold "refusals" { upper = 0.4 }
}`
	strict := func(n int) []byte {
		var b bytes.Buffer
		for i := range n {
			text := "Hold the button until the light turns green."
			if i%2 == 0 {
				text = "I'm sorry, but I can't help with that."
			}
			fmt.Fprintf(&b, "{\"id\": \"q%d\", \"response\": %q}\n", i, text)
		}
		return b.Bytes()
	}
	files := recorded(t, class, answers(50))
	files["strict.jsonl"] = strict(50)
	p, _ := planOf(t, files)
	// A half refuses in the other file and a tenth in this one: 0.4 in all.
	if c := p.Combinations.Trials[0]; c.Fraction.Cmp(exact.Frac(1, 4)) != 0 {
		t.Errorf("fraction %s, want 0.25", c.Fraction)
	}
	files["strict.jsonl"] = strict(49)
	_, diags := compileFiles(t, files)
	if diags.Count(diag.Error) != 1 || !strings.Contains(listText(diags), `Response without a counterpart: responses.jsonl, line 50: strict.jsonl has no response for id "q49" nor for the same prompt.`) {
		t.Errorf("a missing answer:\n%s", listText(diags))
	}
	files["strict.jsonl"] = strict(20)
	_, diags = compileFiles(t, files)
	if text := listText(diags); diags.Count(diag.Error) != 1 || !strings.Contains(text, "responses.jsonl has 30 responses without a counterpart") || !strings.Contains(text, "and 20 more") {
		t.Errorf("many missing answers:\n%s", text)
	}
	delete(files, "strict.jsonl")
	_, diags = compileFiles(t, files)
	if diags.Count(diag.Error) != 1 || !strings.Contains(listText(diags), "There is no strict.jsonl in the scenario's folder") {
		t.Errorf("a missing file:\n%s", listText(diags))
	}
	files["strickt.jsonl"] = strict(50)
	_, diags = compileFiles(t, files)
	if diags.Count(diag.Error) != 1 || !strings.Contains(listText(diags), `There is no strict.jsonl in the scenario's folder. Did you mean "strickt.jsonl"?`) {
		t.Errorf("a file of nearly the name:\n%s", listText(diags))
	}
}

// TestSharedFileIsReportedOnce reads one bad file as responses and as
// population.
func TestSharedFileIsReportedOnce(t *testing.T) {
	for _, content := range []string{"", "not json\n" + string(answers(3))} {
		files := recorded(t, `population "support" {
  remove "generator" {}
  source = "responses.jsonl"
}`, []byte(content))
		_, diags := compileFiles(t, files)
		if diags.Count(diag.Error) != 1 || !strings.Contains(listText(diags), "LANG-responses") {
			t.Errorf("%q:\n%s", content, listText(diags))
		}
	}
}

func TestBadResponseFiles(t *testing.T) {
	good := string(answers(3))
	many := strings.Repeat("{\n", 15)
	tests := []struct {
		name, responses string
		want            []string
		errors          int
	}{
		{"empty", "", []string{"responses.jsonl is empty"}, 1},
		{"blank lines", "\n\n", []string{"responses.jsonl is empty"}, 1},
		{"a bad line", good + "{\"response\": 5}\n", []string{"responses.jsonl, line 4:"}, 1},
		{"two bad lines", "not json\n" + good + "{}\n", []string{"responses.jsonl has 2 bad lines", "\n  line 1:", "\n  line 5:"}, 1},
		{"many bad lines", many, []string{"responses.jsonl has 15 bad lines", "line 10:", "and 5 more"}, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, diags := compileFiles(t, recorded(t, "", []byte(test.responses)))
			if n := diags.Count(diag.Error); n != test.errors {
				t.Errorf("%d errors, want %d", n, test.errors)
			}
			for _, w := range test.want {
				if !strings.Contains(listText(diags), w) {
					t.Errorf("no mention of %q in:\n%s", w, listText(diags))
				}
			}
		})
	}
}

func TestFilesStayInside(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.jsonl")
	if err := os.WriteFile(outside, answers(3), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ path, want string }{
		"absolute":  {outside, "relative to the scenario's folder"},
		"parent":    {"../secret.jsonl", "files of its own folder only"},
		"hidden":    {"a/../../secret.jsonl", "files of its own folder only"},
		"backslash": {`a\\b.jsonl`, "with slashes"},
		"drive":     {"c:/x.jsonl", "relative to the scenario's folder"},
		"link":      {"link.jsonl", "leads out of the scenario's folder"},
		"folder":    {"sub", "not a regular file"},
		"absent":    {"absent.jsonl", "There is no absent.jsonl"},
		"empty":     {"", "Name a file"},
	} {
		t.Run(name, func(t *testing.T) {
			files := recorded(t, fmt.Sprintf("serving \"recorded\" \"model\" { responses = \"%s\" }", test.path), answers(3))
			dir := t.TempDir()
			for name, b := range files {
				if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(outside, filepath.Join(dir, "link.jsonl")); err != nil {
				t.Skip(err)
			}
			if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
				t.Fatal(err)
			}
			_, diags := CompilePath(dir, Options{})
			if diags.Count(diag.Error) != 1 || !strings.Contains(listText(diags), test.want) {
				t.Errorf("want %q:\n%s", test.want, listText(diags))
			}
		})
	}
}

const rulesDetector = `detector "prometheus_rules" "rules" {
  rules = "alerts.yml"
  indicator "refusals" {
    method  = indicator.refusal_rate
    window  = "5m"
    exports = "llm_refusals_total"
  }
  alertmanager {
    group_wait     = "10s"
    group_interval = "1m"
  }
}
signal "page" { component = detector.rules }
series "example" {
  detector = detector.rules
  baseline { interval = "150m" }
  quiet {
    at_least = "15m"
    at_most  = "4h"
  }
  trials { timeout = "100m" }
}`

func TestRuleFile(t *testing.T) {
	p, diags := planOf(t, example(t, rulesDetector))
	if len(diags) > 0 {
		t.Errorf("%s", listText(diags))
	}
	d := p.Declaration.Detector
	if len(d.Alerts) != 1 || d.Alerts[0].Name != "RefusalsHigh" || d.Alerts[0].For != exact.Minute || d.Alerts[0].Expr == "" {
		t.Errorf("alerts %+v", d.Alerts)
	}
	if d.Prometheus.MaxRange != 5*exact.Minute || d.Prometheus.ScrapeInterval != 15*exact.Second || d.Manager.GroupInterval != exact.Minute {
		t.Errorf("%+v %+v", d.Prometheus, d.Manager)
	}
	if p.Combinations.Trials[0].Verification != 50*exact.Minute {
		t.Errorf("verification %s, want ten windows", p.Combinations.Trials[0].Verification)
	}
	if p.Inputs.Files[0].Role != "rules" {
		t.Errorf("inputs %+v", p.Inputs.Files)
	}
}

func TestBrokenRuleFiles(t *testing.T) {
	tests := []struct{ name, rules, where, want string }{
		{"no YAML", "groups:\n  - name: [\n", "alerts.yml", "."},
		{"bad PromQL", "groups:\n  - name: a\n    rules:\n      - alert: RefusalsHigh\n        expr: rate(llm_refusals_total[5m] > 0\n", "alerts.yml:5", "."},
		{"unknown field", "groups:\n  - name: a\n    rules:\n      - alert: RefusalsHigh\n        exp: vector(1) > 0\n", "alerts.yml:5", "exp"},
		{"no alert", "groups: []\n", "example.fdb.hcl", "no alerting rule"},
		{"other alert", "groups:\n  - name: a\n    rules:\n      - alert: RefusalHigh\n        expr: rate(llm_refusals_total[5m]) > 0.1\n", "example.fdb.hcl", `Did you mean "RefusalHigh"?`},
		{"other counter", "groups:\n  - name: a\n    rules:\n      - alert: RefusalsHigh\n        expr: rate(llm_refusal_total[5m]) > 0.1\n", "example.fdb.hcl", `read llm_refusal_total, which no indicator`},
		{"longer window", "groups:\n  - name: a\n    rules:\n      - record: x\n        expr: rate(llm_refusals_total[30m])\n      - alert: RefusalsHigh\n        expr: avg_over_time(x[30m]) > 0.1\n", "example.fdb.hcl", `look back 1h`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := example(t, rulesDetector)
			files["alerts.yml"] = []byte(test.rules)
			_, diags := compileFiles(t, files)
			if n := diags.Count(diag.Error); n != 1 {
				t.Fatalf("%d errors:\n%s", n, listText(diags))
			}
			for _, d := range diags {
				if d.Severity == diag.Error && (!strings.HasPrefix(d.Subject.String(), test.where) || !strings.Contains(d.Detail, test.want)) {
					t.Errorf("want %q at %s:\n%s", test.want, test.where, listText(diags))
				}
			}
		})
	}
}

func TestAttribution(t *testing.T) {
	const (
		every = "error: Attribution that every signal meets"
		none  = "error: Attribution that no signal can meet"
		open  = "warning: Attribution that no alert meets"
		ended = "warning: Attribution that counts an alert's end"
	)
	second := `
detector "threshold" "watch" {
  alert "RefusalsVeryHigh" {
    indicator = indicator.refusal_rate
    above     = 0.5
  }
}`
	profiles := `
series "example" {
  fault "refusals" { profiles = ["step", "ramp 2m"] }
}`
	template := `groups:
  - name: a
    rules:
      - alert: RefusalsHigh
        expr: rate(llm_refusals_total[5m]) > 0.1
        labels: {severity: page, team: "{{ $labels.job }}"}
`
	tests := []struct{ name, attribution, more, rules, want string }{
		{"exact", "signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'", "", "", ""},
		{"in a list", "signal.labels.alertname in ['RefusalsHigh', 'Other'] and signal.status == 'firing'", "", "", `error: Unknown alert`},
		{"by the fault", "signal.labels.alertname startsWith 'Refusals' and fault.class == 'refusal' and signal.status == 'firing'", "", "", ""},
		{"another class", "fault.class == 'other' and signal.status == 'firing'", "", "", none},
		{"always", "signal.status == 'firing' or signal.status != 'firing'", "", "", every},
		{"never", "false and signal.repeat", "", "", "error: Attribution that is never true"},

		{"any status", "signal.status != ''", "", "", every},
		{"any status by length", "len(signal.status) > 0", second, "", every},
		{"one of both", "signal.status in ['firing', 'resolved']", second, "", every},
		{"no repeat", "not signal.repeat", second, "", every},
		{"every alert's name", "signal.labels.alertname startsWith 'Refusals'", second, "", every},
		{"an absent label", "signal.labels.severity == '' and not signal.no_data", second, "", every},
		{"of one alert alone", "signal.labels.alertname == 'RefusalsHigh'", "", "", every},
		{"of one alert of two", "signal.labels.alertname == 'RefusalsHigh'", second, "", ended},
		{"all that begin", "signal.status == 'firing'", second, "", ""},

		{"two statuses at once", "signal.status == 'firing' and signal.status == 'resolved'", "", "", none},
		{"misspelt status", "signal.labels.alertname == 'RefusalsHigh' and signal.status == 'fireing'", "", "", none},
		{"no such beginning", "signal.labels.alertname startsWith 'Nope' and signal.status == 'firing'", second, "", none},
		{"no such pattern", "signal.labels.alertname matches '^Refusal$' and signal.status == 'firing'", second, "", none},
		{"impossible beside a value", "signal.labels.alertname startsWith 'Nope' and signal.value != '0'", "", "", none},
		{"the detector's name as component", "signal.component == 'watch' and signal.status == 'firing'", "", "", none},
		{"component", "signal.component == 'detector' and signal.status == 'firing'", "", "", ""},
		{"repeats only", "signal.repeat and signal.status == 'firing'", "", "", none},
		{"a value", "signal.value startsWith '0.1' and signal.status == 'firing'", "", "", open},
		{"the end only", "signal.status == 'resolved'", "", "", open},
		{"the profile of all", "fault.profile == 'step' and signal.status == 'firing'", "", "", ""},
		{"the profile of some", "fault.profile == 'step' and signal.status == 'firing'", profiles, "", none},

		{"a fixed label", "signal.labels.severity == 'page' and signal.status == 'firing'", rulesDetector, template, ""},
		{"another fixed label", "signal.labels.severity == 'ticket' and signal.status == 'firing'", rulesDetector, template, none},
		{"a label from a template", "signal.labels.team == 'x' and signal.status == 'firing'", rulesDetector, template, open},
		{"a label of the series", "'instance' in signal.labels and signal.status == 'firing'", rulesDetector, template, open},
		{"all of the file", "signal.labels.severity == 'page' and signal.type == 'alert'", rulesDetector, template, every},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := example(t, test.more+fmt.Sprintf("\nsignal \"page\" { attribution = %q }", test.attribution))
			if test.rules != "" {
				files["alerts.yml"] = []byte(test.rules)
			}
			_, diags := compileFiles(t, files)
			got := ""
			for _, d := range rules(diags, "FD-4.1-4") {
				got += d.Severity.String() + ": " + d.Summary
			}
			if got != test.want {
				t.Errorf("got %q, want %q:\n%s", got, test.want, listText(diags))
			}
			if test.want == "" && len(diags) > 0 && diags.HasErrors() {
				t.Errorf("errors:\n%s", listText(diags))
			}
		})
	}
}

func TestForecast(t *testing.T) {
	_, diags := compileFiles(t, example(t, `apparatus "simulated" "injector" {
  sampling = "bernoulli"
  verify   = "observed"
}
series "example" {
  trials { verification = "100s" }
}`))
	short := rules(diags, "FD-3.4-8")
	if len(short) == 0 || short[0].Severity != diag.Error {
		t.Fatalf("no refusal:\n%s", listText(diags))
	}
	// AMB-06: 100 responses at p0 = 0.02, d = 0.10 are discarded with
	// probability 0.645, so 20 trials take 57 attempts.
	for _, want := range []string{"At 1 req/s a trial of magnitude 0.1 is verified over 100 responses", "65 percent", "57 attempts", "or allow 57 attempts"} {
		if !strings.Contains(short[0].Detail, want) {
			t.Errorf("the message does not say %q:\n%s", want, short[0].Detail)
		}
	}
	// What it advises is enough.
	m := moments{rate: true, baseline: 0.02, largest: 0.98}
	a := plan.Apparatus{Sampling: "bernoulli", Verify: "observed"}
	need, ok := leastFor(100, func(n int) bool { return enough(20, 30, m.discard(a, n, 0.1)) })
	if !ok || !enough(20, 30, stats.DiscardBernoulli(need, 0.02, 0.1)) || !strings.Contains(short[0].Detail, fmt.Sprintf("(%d responses)", need)) {
		t.Errorf("%d responses, %v:\n%s", need, ok, short[0].Detail)
	}

	p, _ := planOf(t, example(t, ""))
	c := p.Combinations.Trials[0]
	if c.Discard == "" || c.Discard == "0" || c.Floor == "" {
		t.Errorf("forecast %q, floor %q", c.Discard, c.Floor)
	}
	_, diags = compileFiles(t, example(t, `serving "simulated" "model" {
  behaviour { rate = 0.3 }
}
series "example" {
  fault "refusals" { magnitudes = [0.02] }
  trials {
    timeout      = "20m"
    verification = "20m"
    attempts     = 200
  }
}`))
	if found := rules(diags, "FD-5.1-10"); len(found) == 0 || found[0].Severity != diag.Warning {
		t.Errorf("no warning of a timeout below the evidence floor:\n%s", listText(diags))
	}
}

// The worked example of the methodology notes: 4 loads, 3 classes, 1 magnitude
// and 20 trials at W = 60 s take 650,400 s at worst.
func TestBudget(t *testing.T) {
	p, _ := planOf(t, example(t, `series "example" {
  baseline { interval = "600s" }
  quiet {
    at_least = "300s"
    at_most  = "300s"
  }
  trials { attempts = 20 }
  fault "refusals" { magnitudes = [0.1, 0.15, 0.2] }
  remove "threshold" {}
  reduced { reason = "a first look" }
  remove "masking" {}
  sham { trials = 0 }
  false_detection { at_least = "1h" }
}`))
	b := p.Budget
	// The notes leave out the first quiet period of each load.
	if want := (650_400 + 4*300) * exact.Second; b.Worst != want {
		t.Errorf("worst %s, want %s", b.Worst, want)
	}
	if !(b.Best < b.Expected && b.Expected < b.Worst) {
		t.Errorf("best %s, expected %s, worst %s", b.Best, b.Expected, b.Worst)
	}
	if b.Trials != 240 || b.MaxTrials != 240 || len(b.LoadBudget) != 4 {
		t.Errorf("%+v", b)
	}
	_, diags := compileFiles(t, example(t, `detector "threshold" "watch" {
  indicator "refusals" { window = "1000d" }
}
series "example" {
  baseline { interval = "3650d" }
  quiet {
    at_least = "3650d"
    at_most  = "3650d"
  }
  trials { timeout = "20 windows" }
}`))
	if !diags.HasErrors() {
		t.Error("a series of millennia was planned")
	}
}
