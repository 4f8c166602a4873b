package promrules

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

// fileOf makes a rule file: "record NAME" or "alert NAME" to expression, a line
// of the file for each name and each expression.
func fileOf(rules ...string) string {
	var b strings.Builder
	b.WriteString("groups:\n- name: g\n  rules:\n")
	for i := 0; i < len(rules); i += 2 {
		kind, name, _ := strings.Cut(rules[i], " ")
		fmt.Fprintf(&b, "  - %s: %s\n    expr: %q\n", kind, name, rules[i+1])
	}
	return b.String()
}

func reviewConfig(change func(*Config)) Config {
	c := Config{
		FileName: "alerts.yml", Counters: []Counter{{Name: "llm_refusals_total"}},
		ScrapeInterval: 15 * exact.Second, EvaluationInterval: 15 * exact.Second,
		Job: "vllm", Labels: map[string]string{"model_name": "m"},
	}
	if change != nil {
		change(&c)
	}
	return c
}

func reviewOf(t *testing.T, rules string, change func(*Config)) *Review {
	t.Helper()
	f, errs := Parse("alerts.yml", []byte(rules))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	r, err := f.Review(reviewConfig(change), []bool{true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Each expression is judged and then run: what the judgement says must come
// out, with labels within the bound.
func TestOutcomes(t *testing.T) {
	const (
		refusals = "llm_refusals_total"
		ratio    = "rate(llm_refusals_total[5m]) / rate(llm_responses_total[5m])"
		sums     = "sum(rate(llm_refusals_total[5m])) / sum(rate(llm_responses_total[5m]))"
	)
	records := []string{"record r", sums, "record a", "sum by (job) (rate(llm_refusals_total[5m]))",
		"record b", "sum by (job) (rate(llm_responses_total[5m]))", "record self", "self + 1", "record loop", "loop or " + ratio}
	for _, tc := range []struct {
		expr string
		want Outcome
		why  string
	}{
		{ratio + " > 0.1", Open, ""},
		{ratio + " > 1.5", Never, `before ">" is between 0 and 1, and what stands after it is 1.5`},
		{"1.5 < " + sums, Never, "1.5"},
		{sums + " >= 1.01", Never, ""},
		{sums + " < 0", Never, ""},
		{sums + " >= 0", Always, ""},
		{sums + " > -1", Always, ""},
		{"r > 5", Never, ""},
		{"r <= 1", Always, ""},
		{"loop > 2", Open, ""},
		{"a / b > 1", Open, ""},
		{"100 * r > 5", Open, ""},
		{"100 * (" + ratio + ") > 101", Never, "between 0 and 100"},
		{"1 - r > 1", Never, ""},
		{"(1 - r) / -2 <= 0", Always, "between -0.5 and 0"},
		{"r > bool 0.9", Always, "gives a value at every evaluation"},
		{"max_over_time(r[10m:]) > 1", Never, ""},
		{"-r > 0", Never, ""},
		{"avg(" + ratio + ") != 2", Always, ""},
		{"rate(llm_refusals_total[5m]) > 1.5", Open, ""},
		{"rate(llm_refusals_total[5m]) / rate(llm_responses_total[10m]) > 1.5", Open, ""},
		{"rate(llm_refusals_total[5m]) / increase(llm_responses_total[5m]) > 1.5", Open, ""},
		{"rate(llm_refusals_total[5m]) / rate(llm_responses_total[5m] offset 5m) > 1.5", Open, ""},
		{sums + " / (sum(rate(llm_responses_total[5m])) > 0) > 2", Open, ""},
		{"sum(rate(llm_refusals_total[5m])) / (sum(rate(llm_responses_total[5m])) > 0) > 2", Never, ""},
		{"rate(llm_responses_total[5m]) / rate(llm_refusals_total[5m]) > 1.5", Open, ""},
		{"absent(llm_responses_total)", Never, "is always there"},
		{"absent(llm_responses_total{job=\"vllm\"})", Never, ""},
		{"absent(llm_responses_total{job=\"llm\"})", Always, "nothing gives"},
		{"absent_over_time(llm_responses_total[5m])", Never, ""},
		{"absent(nothing)", Always, ""},
		{"absent(r)", Never, ""},
		{"absent(r > 0.5)", Open, ""},
		{"nothing > 0", Never, "finds no sample"},
		{"nothing > 0 or r > 0.5", Open, ""},
		{"r >= 0 unless nothing", Always, ""},
		{"r > 0.1 unless r >= 0", Never, "after unless"},
		{"r >= 0 and nothing", Never, ""},
		{"r >= 0 and r <= 1", Always, ""},
		{"r >= 0 and on() up == 1", Always, ""},
		{"self", Open, ""},
		{"vector(1)", Always, ""},
		{"1", Always, ""},
		{"vector(0) > 0", Never, ""},
		{"vector(1) > 0", Always, ""},
		{"hour() >= 0", Open, ""},
		{"up == 0", Never, ""},
		{"up == 1", Always, ""},
		{"up{job=\"llm\"} == 1", Never, ""},
		{refusals, Always, ""},
		{"rate(llm_refusals_total[15s]) > 0", Never, "needs two samples, and with a scrape every 15s"},
		{"rate(llm_refusals_total[20s]) >= 0", Open, ""},
		{"rate(llm_refusals_total[5m]) / sum(rate(llm_responses_total[5m])) > 0.001", Never, `before "/" meets one after it: the labels are {instance, job, model_name} and {}`},
		{"rate(llm_refusals_total[5m]) / ignoring(job, instance, model_name) group_left sum(rate(llm_responses_total[5m])) > 1.5", Never, "between 0 and 1"},
		{"sum by (job) (rate(llm_refusals_total[5m])) / on(job) sum by (job) (rate(llm_responses_total[5m])) >= 0", Always, ""},
		{"sum by (job) (rate(llm_refusals_total[5m])) / sum by (instance) (rate(llm_responses_total[5m])) >= 0", Never, "{job} and {instance}"},
		{"topk(1, r) >= 0", Open, ""},
		{"topk(0, r)", Open, ""},
		{"count_values(\"v\", up)", Always, ""},
		{"label_replace(r, \"x\", \"y\", \"\", \"\") >= 0", Open, ""},
		{"label_replace(r, \"x\", \"y\", \"\", \"\") > 1", Never, ""},
		{"sum by (x) (label_replace(up, \"x\", \"y\", \"\", \"\"))", Open, ""},
		{"histogram_quantile(0.9, rate(llm_refusals_total[5m]))", Open, ""},
		{"ALERTS{alertname=\"Other\"}", Never, ""},
		{"ALERTS{alertname=\"A\"}", Open, ""},
		{"ALERTS{alertname=\"A\"} or r > 0.5", Open, ""},
		{"a{job=\"elsewhere\"}", Open, ""},
		{"absent(a{job=\"elsewhere\"})", Open, ""},
		{"scalar(r) + vector(1)", Always, ""},
		{"r / 0 > 1", Open, ""},
		{"llm_refusals_total % 2 == 5", Open, ""},
		{"{job=\"vllm\"}", Open, ""},
		{"absent(llm_responses_total offset -10m)", Open, ""},
		{"absent(r offset -10m)", Open, ""},
		{"llm_responses_total offset 1m", Always, ""},
		{"max_over_time(up[1m:1m]) == 1", Open, ""},
		{"max_over_time(up[2m:1m]) == 1", Always, ""},
		{"{job=\"elsewhere\"}", Open, ""},
		{"llm_refusals_total{job=\"elsewhere\"}", Never, ""},
		{"{__name__=~\"vllm:.*\"}", Never, ""},
	} {
		t.Run(tc.expr, func(t *testing.T) {
			rules := fileOf(append(records, "alert A", tc.expr)...)
			r := reviewOf(t, rules, nil)
			got := r.Rules[len(r.Rules)-1]
			if got.Outcome != tc.want || !strings.Contains(got.Why, tc.why) || (got.Why == "") != (tc.want == Open) {
				t.Errorf("outcome %d, %q; want %d, %q", got.Outcome, got.Why, tc.want, tc.why)
			}
			if strings.Contains(tc.expr, "{job=\"vllm\"}") && strings.HasPrefix(tc.expr, "{") {
				return // several series with the same labels cannot become one alert
			}
			bounded := map[string]bool{"alertname": true}
			for _, name := range got.Labels {
				bounded[name] = true
			}
			for _, every := range []int{1, 7, 0} {
				b := newBench(t, rules, func(c *Config) { *c = reviewConfig(nil); c.Rules = []byte(rules) })
				b.every = every
				b.until(60 * second)
				for at := 70 * second; at <= 1200*second; at += 75 * second {
					b.until(at)
					alerts := b.Alerts()
					if tc.want == Never && len(alerts) > 0 || tc.want == Always && len(alerts) == 0 && at > 300*second {
						t.Fatalf("judged %d, and one in %d at %ds: %+v", tc.want, every, at/second, alerts)
					}
					for _, a := range alerts {
						for name := range a.Labels {
							if !bounded[name] {
								t.Fatalf("label %q is not within %v", name, got.Labels)
							}
						}
					}
				}
			}
		})
	}
}

// With failing scrapes less is certain.
func TestOutcomesWithMissedScrapes(t *testing.T) {
	missed := func(c *Config) {
		c.MissedScrapes = exact.Frac(1, 10)
	}
	for expr, want := range map[string]Outcome{
		"absent(llm_responses_total)": Open, "up == 0": Open, "up > 1": Never, "absent(up)": Never,
		"rate(llm_refusals_total[5m]) / rate(llm_responses_total[5m]) > 1": Never,
	} {
		if got := reviewOf(t, fileOf("alert A", expr), missed).Rules[0].Outcome; got != want {
			t.Errorf("%s: %d, want %d", expr, got, want)
		}
	}
}

// A counter whose scores are not shares bounds nothing.
func TestMeansAreNotShares(t *testing.T) {
	f, _ := Parse("alerts.yml", []byte(fileOf("alert A", "rate(llm_refusals_total[5m]) / rate(llm_responses_total[5m]) > 400")))
	r, err := f.Review(reviewConfig(nil), []bool{false})
	if err != nil || r.Rules[0].Outcome != Open {
		t.Errorf("%v, %+v", err, r)
	}
}

func TestEmptySelectors(t *testing.T) {
	const has = `{instance="deployment:9090", job="vllm", model_name="m"}`
	for expr, want := range map[string][]EmptySelector{
		`rate(llm_refusals_total{job="vllm", model_name=~"m|n", instance!=""}[5m])`: nil,
		`rate(llm_refusals_total{job="llm"}[5m])`: {{
			Text: `llm_refusals_total{job="llm"}`, Name: "llm_refusals_total", Line: 5, Column: 17, Has: has, Asked: map[string]string{"job": "llm"},
		}},
		`rate(llm_refusals_total{model_name=~"x|y",job="vllm"}[5m] offset 5m)`: {{
			Text: `llm_refusals_total{job="vllm",model_name=~"x|y"}`, Name: "llm_refusals_total", Line: 5, Column: 17, Has: has, Asked: map[string]string{"model_name": "x"},
		}},
		`llm_refusals_total{pod!=""}`: {{
			Text: `llm_refusals_total{pod!=""}`, Name: "llm_refusals_total", Line: 5, Column: 12, Has: has,
		}},
		`r{pod="a"} + r`: {{Text: `r{pod="a"}`, Name: "r", Line: 5, Column: 12, Has: `{instance, job, model_name, team="a"}`}},
		`r{team="a"}`:    nil,
		`r{team="b"}`:    {{Text: `r{team="b"}`, Name: "r", Line: 5, Column: 12, Has: `{instance, job, model_name, team="a"}`}},
		`up{job="vllm"}`: nil,
		`up{model_name="m"}`: {{
			Text: `up{model_name="m"}`, Name: "up", Line: 5, Column: 12, Has: `{instance="deployment:9090", job="vllm"}`, Asked: map[string]string{"model_name": "m"},
		}},
		`scrape_nonsense`: {{Text: "scrape_nonsense", Name: "scrape_nonsense", Line: 5, Column: 12, Unknown: true}},
		`1 + node_load1`:  {{Text: "node_load1", Name: "node_load1", Line: 5, Column: 16, Unknown: true}},
		`{__name__=~"vllm:.*"}`: {{
			Text: `{__name__=~"vllm:.*"}`, Line: 5, Column: 12, Unknown: true,
		}},
		`ALERTS{alertname="A", alertstate="firing"}`: nil,
		`ALERTS{alertname="B"}`: {{
			Text: `ALERTS{alertname="B"}`, Name: "ALERTS", Line: 5, Column: 12,
			Has: `{alertname="A", alertstate}`,
		}},
	} {
		// YAML escapes would hide the column.
		rules := "groups:\n- name: g\n  rules:\n  - alert: A\n    expr: '" + expr + "'\n" +
			"  - record: r\n    expr: rate(llm_refusals_total[5m])\n    labels: {team: a}\n"
		got := reviewOf(t, rules, nil).Rules[0].Empty
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", expr, got, want)
		}
	}
}

// The query in a template is read as well, and stands in the rule's line.
func TestEmptySelectorInTemplate(t *testing.T) {
	r := reviewOf(t, `groups:
- name: g
  rules:
  - alert: A
    expr: up == 0
    labels: {x: '{{ query "nothing" }}'}
    annotations: {y: '{{ query "something" }}'}
`, nil)
	if e := r.Rules[0].Empty; len(e) != 1 || e[0].Name != "nothing" || e[0].Line != 4 || e[0].Column != 0 {
		t.Errorf("%+v", e)
	}
}

func TestGroupings(t *testing.T) {
	for expr, want := range map[string]string{
		"sum by (job, model_name) (rate(llm_refusals_total[5m]))":          "",
		"sum by (pod, job) (rate(llm_refusals_total[5m]))":                 "pod of {instance, job, model_name} in 5",
		"sum without (pod) (rate(llm_refusals_total[5m]))":                 "",
		"sum by (job) (sum by (pod) (llm_refusals_total))":                 "job of {} in 5 pod of {instance, job, model_name} in 5",
		"sum by (pod) (nothing)":                                           "",
		"sum by (x) (label_replace(up, \"x\", \"$1\", \"job\", \"(.*)\"))": "",
		"max by (le) (rate(up[5m]) * on(job) group_left(le) up)":           "",
		"sum by (pod) (vector(1))":                                         "",
		"sum by (__name__) (up)":                                           "",
		"count by (v) (count_values(\"v\", up))":                           "",
		"sum by (pod) (up unless up)":                                      "pod of {instance, job} in 5",
		"sum by (model_name) (up or llm_refusals_total)":                   "",
		"sum by (alertname, severity) (ALERTS)":                            "severity of {alertname, alertstate} in 5",
		"sum by (pod) (absent(up{pod=\"x\", job=\"vllm\"} or up))":         "",
	} {
		var got []string
		for _, g := range reviewOf(t, fileOf("alert A", expr), nil).Rules[0].Groupings {
			got = append(got, fmt.Sprintf("%s of %s in %d", g.Label, g.Has, g.Line))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s:\n got %q\nwant %q", expr, s, want)
		}
	}
}

func TestNeeds(t *testing.T) {
	r := reviewOf(t, fileOf(
		"record base", "rate(llm_refusals_total[5m])",
		"record ratio", "base / rate(llm_responses_total[5m])",
		"record foreign", "rate(http_requests_total[5m])",
		"alert Page", "ratio > 0.1",
		"alert Foreign", "foreign > 5",
		"alert Chain", "ALERTS{alertname=\"Page\"} == 1",
	), nil)
	for name, want := range map[string]string{
		"Page": "base ratio Page", "Foreign": "foreign Foreign", "Chain": "base ratio Page Chain", "": "",
	} {
		needed := r.Needs(func(i int) bool { return []string{"Page", "Foreign", "Chain"}[i] == name })
		var got []string
		for i, rule := range r.Rules {
			if needed[i] {
				got = append(got, rule.Name)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s needs %q, want %q", name, s, want)
		}
	}
}

func TestReviewRefusesBadLabels(t *testing.T) {
	f, _ := Parse("alerts.yml", []byte(fileOf("alert A", "up == 0")))
	for _, labels := range []map[string]string{{"": "x"}, {"__name__": "x"}, {"a": "\xff"}} {
		if _, err := f.Review(reviewConfig(func(c *Config) { c.Labels = labels }), nil); err == nil {
			t.Errorf("labels %q were accepted", labels)
		}
	}
}

// Rules that read each other many times over take no more time for it.
func TestDeepReviews(t *testing.T) {
	rules := []string{"record r0", "rate(llm_refusals_total[5m]) / rate(llm_responses_total[5m])"}
	for i := range 60 {
		rules = append(rules, fmt.Sprintf("record r%d", i+1), fmt.Sprintf("(r%d + r%d) / 2", i, i))
	}
	r := reviewOf(t, fileOf(append(rules, "alert A", "r60 > 1")...), nil)
	if got := r.Rules[len(r.Rules)-1]; got.Outcome != Never || !strings.Contains(got.Why, "between 0 and 1") {
		t.Errorf("%d, %q", got.Outcome, got.Why)
	}
	long := "up" + strings.Repeat(" + up", 2000) + " > 2000"
	if got := reviewOf(t, fileOf("alert A", long), nil).Rules[0]; got.Outcome != Always {
		t.Errorf("%d, %q", got.Outcome, got.Why)
	}
}
