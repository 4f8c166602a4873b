package readback_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/readback"
)

func number(s string) *exact.Number { n := exact.MustParse(s); return &n }

func base(kind string) *plan.Plan {
	p := &plan.Plan{}
	d := &p.Declaration
	d.Seed = "1"
	d.Indicators = []plan.Indicator{{Name: "refusal_rate", Kind: "rate", Scorer: "refusal/1"}, {Name: "words", Kind: "mean", Scorer: "words/1"}}
	d.Detector = plan.Detector{Name: "alerts", Kind: kind, Version: "1", Windows: "sliding", Evaluate: exact.Second,
		Indicators: []plan.DetectorIndicator{{Label: "refusal_rate", Indicator: "refusal_rate", Window: plan.Window{Duration: exact.Minute},
			Sampling: exact.MustParse("0.5"), Exports: "llm_refusals_total", JudgeModel: "judge", JudgeVersion: "7"}},
		Manager: &plan.Alertmanager{GroupBy: []string{"alertname"}, GroupWait: 30 * exact.Second, GroupInterval: 5 * exact.Minute,
			RepeatInterval: 4 * exact.Hour, Maintenance: 30 * exact.Second}}
	a := plan.Alert{Name: "High", Indicator: "refusal_rate", For: exact.Minute, KeepFiring: exact.Second}
	switch kind {
	case "threshold":
		a.Comparator, a.Threshold, a.MinResponses = "above", number("0.08"), 10
	case "ewma":
		a.Lambda, a.Limit, a.Center, a.SD, a.Sides = number("0.2"), number("2.7"), number("0.02"), number("0.01"), "both"
	case "cusum":
		a.Reference, a.Decision, a.Learn, a.Sides = number("0.5"), number("5"), 30, "up"
	case "walk":
		d.Detector.Kind = "cusum"
		a.Up, a.Down, a.Decision = 5, 1, number("20")
	case "prometheus_rules":
		d.Detector.Prometheus = &plan.Prometheus{RulesFile: "alerts.yml", ScrapeInterval: 15 * exact.Second, EvaluationInterval: 15 * exact.Second,
			Total: "llm_responses_total", Job: "llm", Instance: "a:1", Labels: map[string]string{"model": "m"}, ScrapeFailures: exact.MustParse("0.01"),
			CounterResets: exact.Hour,
			Rules:         "groups:\n- name: g\n  rules:\n  - alert: High\n    expr: rate(llm_refusals_total[1m]) > 0.1\n    for: 30s\n"}
	}
	d.Detector.Alerts = []plan.Alert{a}
	return p
}

func expected(t *testing.T, p *plan.Plan) readback.Reading {
	t.Helper()
	r, err := readback.Expected(p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestEverySettingShows changes every value of a declared detector, one at a
// time. What may stay without effect is listed, with its reason.
func TestEverySettingShows(t *testing.T) {
	silent := map[string]string{
		"Name": "a name decides nothing", "Version": "of the program, not of its configuration", "Adaptive": "a promise about state",
		"Kind":                          "tried below: each kind reads differently",
		"Indicators[0].Label":           "follows the alerts",
		"Indicators[0].Exports":         "prometheus_rules alone exports",
		"Alerts[0].Indicator":           "follows the label",
		"Alerts[0].Expr":                "prometheus_rules reads the rule file",
		"Prometheus.RulesFile":          "its name decides the phase alone",
		"Prometheus.MaxRange":           "derived from the rules",
		"Manager.Cleanup":               "a running Alertmanager alone has it",
		"Indicators[0].Indicator":       "tried in TestIndicator",
		"Indicators[0].Window.Requests": "a window of time has none",
		"Evaluate":                      "threshold alone evaluates at intervals",
		"Windows":                       "threshold alone has kinds of windows",
		"Alerts[0].Up":                  "decides which chart it is",
		"Alerts[0].Down":                "the walk alone has it",
		"Alerts[0].Reset":               "charts alone have it",
		"Alerts[0].MinResponses":        "threshold alone has it",
		"Alerts[0].Comparator":          "threshold alone has it",
		"Alerts[0].Learn":               "given a scale there is nothing to learn",
		"Alerts[0].Sides":               "charts of windows alone have it",
	}
	// Of these, a kind still has to show the ones that are its own.
	own := map[string][]string{
		"threshold":        {"Evaluate", "Windows", "Alerts[0].MinResponses", "Alerts[0].Comparator"},
		"ewma":             {"Alerts[0].Reset", "Alerts[0].Sides"},
		"cusum":            {"Alerts[0].Reset", "Alerts[0].Sides", "Alerts[0].Learn"},
		"walk":             {"Alerts[0].Up", "Alerts[0].Down", "Alerts[0].Reset"},
		"prometheus_rules": {"Indicators[0].Exports"},
	}
	for kind, mine := range own {
		want := expected(t, base(kind)).Detector
		leaves(reflect.ValueOf(&base(kind).Declaration.Detector).Elem(), "", func(path string, _ reflect.Value) {
			p := base(kind)
			changed := false
			leaves(reflect.ValueOf(&p.Declaration.Detector).Elem(), "", func(at string, v reflect.Value) {
				if at == path {
					changed = alter(at, v)
				}
			})
			if !changed {
				return
			}
			_, quiet := silent[path]
			for _, m := range mine {
				quiet = quiet && m != path
			}
			// A rule file's detector has what the file says, and the other
			// kinds have no rule file.
			quiet = quiet || kind == "prometheus_rules" && (strings.HasPrefix(path, "Alerts") || path == "Indicators[0].Window.Duration")
			r, err := readback.Expected(p)
			if err == nil && !quiet && r.Detector == want {
				t.Errorf("%s: %s changed and does not show", kind, path)
			}
		})
	}
	seen := map[string]string{}
	for kind := range own {
		r := expected(t, base(kind)).Detector
		if other, ok := seen[r]; ok {
			t.Errorf("%s reads as %s", kind, other)
		}
		seen[r] = kind
	}
}

// leaves visits every value below v that holds no further one.
func leaves(v reflect.Value, path string, visit func(string, reflect.Value)) {
	join := func(name string) string {
		if path == "" {
			return name
		}
		return path + "." + name
	}
	switch {
	case v.Type() == reflect.TypeFor[exact.Number]():
		visit(path, v)
	case v.Kind() == reflect.Pointer:
		if !v.IsNil() {
			leaves(v.Elem(), path, visit)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			leaves(v.Field(i), join(v.Type().Field(i).Name), visit)
		}
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			leaves(v.Index(i), fmt.Sprintf("%s[%d]", path, i), visit)
		}
	default:
		visit(path, v)
	}
}

// alter gives a value another one of its kind.
func alter(path string, v reflect.Value) bool {
	switch x := v.Addr().Interface().(type) {
	case *exact.Number:
		*x = x.Mul(exact.MustParse("0.9"))
		if strings.HasSuffix(path, "Decision") {
			*x = x.Sub(exact.Int(2))
		}
	case *exact.Duration:
		*x += exact.Second
	case *int64:
		*x++
	case *bool:
		*x = !*x
	case *map[string]string:
		(*x)["other"] = "value"
	case *string:
		switch *x {
		case "sliding":
			*x = "tumbling"
		case "above":
			*x = "at_least"
		case "both", "up":
			*x = "down"
		default:
			if strings.HasPrefix(*x, "groups:") {
				*x = strings.Replace(*x, "0.1", "0.2", 1)
			} else {
				*x += "x"
			}
		}
	default:
		return false
	}
	return true
}

func TestIndicator(t *testing.T) {
	want := expected(t, base("threshold"))
	for name, change := range map[string]func(*plan.Declaration){
		"another indicator": func(d *plan.Declaration) { d.Detector.Indicators[0].Indicator = "words" },
		"another method":    func(d *plan.Declaration) { d.Indicators[0].Scorer = "refusal/2" },
		"another judge":     func(d *plan.Declaration) { d.Detector.Indicators[0].JudgeVersion = "8" },
		"another sampling":  func(d *plan.Declaration) { d.Detector.Indicators[0].Sampling = exact.MustParse("0.25") },
	} {
		p := base("threshold")
		change(&p.Declaration)
		if got := expected(t, p); got.Detector == want.Detector || got.Serving != want.Serving || got.Population != want.Population {
			t.Errorf("%s: %+v, before %+v", name, got, want)
		}
	}
	p := base("threshold")
	p.Declaration.Detector.Kind = "oracle"
	if _, err := readback.Expected(p); err == nil {
		t.Error("a detector that nobody can make was read")
	}
}

func TestDeployment(t *testing.T) {
	rest := readback.Deployment{Declared: "sha256:1"}
	seen := map[string]bool{rest.Digest(): true}
	for _, d := range []readback.Deployment{
		{Declared: "sha256:2"}, {Declared: "sha256:1", Replaced: "responses"},
		{Declared: "sha256:1", Fault: readback.Fault{Class: "refusal", Fraction: exact.MustParse("0.1"), Profile: "step"}},
		{Declared: "sha256:1", Fault: readback.Fault{Class: "refusal", Fraction: exact.MustParse("0.2"), Profile: "step"}},
		{Declared: "sha256:1", Fault: readback.Fault{Class: "refusal", Fraction: exact.MustParse("0.1"), Profile: "ramp 1m"}},
	} {
		if seen[d.Digest()] {
			t.Errorf("%+v reads as another", d)
		}
		seen[d.Digest()] = true
	}
	if rest.Digest() != (readback.Deployment{Declared: "sha256:1"}).Digest() {
		t.Error("the same deployment reads differently")
	}
}
