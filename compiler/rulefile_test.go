package compiler

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/exact"
)

// ruleText makes a rule file of alerts and records, two lines for each.
func ruleText(rules ...string) string {
	var b strings.Builder
	b.WriteString("groups:\n  - name: a\n    rules:\n")
	for i := 0; i < len(rules); i += 2 {
		fmt.Fprintf(&b, "      - %s\n        expr: %s\n", rules[i], rules[i+1])
	}
	return b.String()
}

const soundAlert = "sum(rate(llm_refusals_total[5m])) / sum(rate(llm_responses_total[5m])) > 0.1"

// What a rule file reads is held against what the detector exports. Each line
// of want is "severity rule place: text", and there are no other diagnostics.
func TestRuleFileAgainstExports(t *testing.T) {
	const page = "alert: RefusalsHigh"
	tests := []struct {
		name, detector, rules string
		want                  []string
	}{
		{"sound", "", ruleText(page, soundAlert), nil},
		{"default labels", "", ruleText(page, `rate(llm_refusals_total{job="llm", instance="deployment:9090"}[5m]) > 0.1`), nil},
		{"other job", "", ruleText(page, `rate(llm_refusals_total{job="vllm"}[5m]) > 0.1`), []string{
			`error FD-3.2-4 rules: select llm_refusals_total{job="vllm"}, and no sample can match it (line 5 of alerts.yml, the alert RefusalsHigh): the samples of llm_refusals_total have {instance="deployment:9090", job="llm"}. If your deployment has these labels, write job = "vllm" in the detector block`,
		}},
		{"job given", `job = "vllm"`, ruleText(page, `rate(llm_refusals_total{job="vllm"}[5m]) > 0.1`), nil},
		{"label", "", ruleText(page, `rate(llm_refusals_total{model_name="m", job=~"v.*"}[5m]) > 0.1`), []string{
			`error FD-3.2-4 rules: write labels = { model_name = "m" } in the detector block`,
		}},
		{"label given", `labels = { model_name = "m" }`, ruleText(page, `rate(llm_refusals_total{model_name="m"}[5m]) > 0.1 and on() llm_responses_total{model_name=~"m|n"} > 0`), nil},
		{"other value", `labels = { model_name = "n" }`, ruleText(page, `rate(llm_refusals_total{model_name="m"}[5m]) > 0.1`), []string{
			`error FD-3.2-4 rules: model_name="n"}. If your`,
		}},
		{"twice the same", "", ruleText(page, `rate(llm_refusals_total{a="b"}[5m]) > 0.1 or rate(llm_refusals_total{a="b"}[1m]) > 0.5`), []string{
			`error FD-3.2-4 rules: labels = { a = "b" }`,
		}},
		{"one mistake in two selectors", "", ruleText(page, `rate(llm_refusals_total{job="v"}[5m]) / rate(llm_responses_total{job="v"}[5m]) > 0.5`), []string{
			`error FD-3.2-4 rules: have {instance="deployment:9090", job="llm"}. The same is true of llm_responses_total{job="v"} in line 5. If your deployment has these labels, write job = "v"`,
		}},
		{"through a record", "", ruleText("record: x", `rate(llm_refusals_total{a="b"}[5m])`, page, "x > 0.1"), []string{
			`error FD-3.2-4 rules: (line 5 of alerts.yml, the recording rule x)`,
		}},
		{"label of a record", "", ruleText("record: x", `sum by (job) (rate(llm_refusals_total[5m]))`, page, `x{instance="a"} > 0.1`), []string{
			`error FD-3.2-4 rules: select x{instance="a"}, and no sample can match it (line 7 of alerts.yml, the alert RefusalsHigh): the samples of x have {job}. The arguments job, instance and labels`,
		}},
		{"unneeded", "", ruleText(page, soundAlert, "alert: Other", `rate(llm_refusals_total{job="vllm"}[5m]) > 0.1`), []string{
			`warning FD-3.2-4 rules: evaluated over nothing: Other (line 7: llm_refusals_total{job="vllm"}). The signal does not depend on them.`,
		}},
		{"foreign", "", ruleText(page, soundAlert,
			"alert: Slow", "histogram_quantile(0.95, sum by (le) (rate(http_request_duration_seconds_bucket[1d]))) > 2",
			"record: queue", "avg_over_time(queue_length[5m])",
			"alert: Queue", "queue > 10"), []string{
			`warning FD-3.2-4 rules: evaluated over nothing: Slow (line 7: http_request_duration_seconds_bucket), queue (line 9: queue_length).`,
		}},
		{"needed", "", ruleText(page, "rate(requests_refused_by_policy[5m]) > 0.1"), []string{
			`error FD-3.2-4 rules: read requests_refused_by_policy, which no indicator of the detector exports and no rule records, so it would be empty (line 5 of alerts.yml, the alert RefusalsHigh). There are: llm_responses_total, llm_refusals_total. If you compute this counter from responses, add an indicator block with exports = "requests_refused_by_policy" and the method that counts it. Otherwise take the rule out of this copy`,
		}},
		{"needed by a record", "", ruleText("record: x", "rate(queue_length[5m])", page, "x > 0.1"), []string{
			`error FD-3.2-4 rules: read queue_length, which no indicator of the detector exports and no rule records, so it would be empty (line 5 of alerts.yml, the recording rule x)`,
		}},
		{"typo of a counter", "", ruleText(page, "rate(llm_refusal_total[5m]) > 0.1"), []string{
			`error FD-3.2-4 exports: Did you mean exports = "llm_refusal_total"?`,
		}},
		{"typo in the rules", "", ruleText(page, "rate(llm_refusal_total[5m]) > 0.1 and on() rate(llm_refusals_total[5m]) > 0"), []string{
			`error FD-3.2-4 rules: Did you mean llm_refusals_total?`,
		}},
		{"typo of the total", `total = "llm_response_total"`, ruleText(page, "rate(llm_refusals_total[5m]) / rate(llm_responses_total[5m]) > 0.1"), []string{
			`error FD-3.2-4 total: Did you mean total = "llm_responses_total"?`,
		}},
		{"typo of a record", "", ruleText("record: llm:refusal_ratio:rate5m", soundAlert, page, "llm:refusals_ratio:rate5m > 0.1"), []string{
			`error FD-3.2-4 rules: There are: llm_responses_total, llm_refusals_total, llm:refusal_ratio:rate5m. Did you mean llm:refusal_ratio:rate5m, which line 4 records?`,
		}},
		{"no such pattern", "", ruleText(page, `'{__name__=~"vllm:.*"} > 1'`), []string{
			`error FD-3.2-4 rules: read {__name__=~"vllm:.*"}, and no series has such a name`,
		}},
		{"grouping", "", ruleText(page, "sum by (model_name) (rate(llm_refusals_total[5m])) / sum by (model_name) (rate(llm_responses_total[5m])) > 0.1"), []string{
			`note FD-3.2-4 rules: RefusalsHigh groups by model_name (line 5 of alerts.yml), and no sample there has that label: they have {instance, job}. So they are not kept apart by it. If your counters have it, add labels = { model_name = "..." }`,
		}},
		{"grouping elsewhere", "", ruleText(page, soundAlert, "alert: B", "sum by (pod) (rate(llm_refusals_total[5m])) > 0.1"), nil},
		{"too high", "", ruleText(page, strings.Replace(soundAlert, "0.1", "1.5", 1)), []string{
			`warning FD-3.2-4 rules: RefusalsHigh (line 4 of alerts.yml) never fires, whatever fault is applied: what stands before ">" is between 0 and 1, and what stands after it is 1.5.`,
		}},
		{"too high elsewhere", "", ruleText(page, soundAlert, "alert: B", strings.Replace(soundAlert, "0.1", "1.5", 1)), nil},
		{"labels apart", "", ruleText(page, "rate(llm_refusals_total[5m]) / sum(rate(llm_responses_total[5m])) > 0.1"), []string{
			`warning FD-3.2-4 rules: no sample before "/" meets one after it: the labels are {instance, job} and {}.`,
		}},
		{"absent", "", ruleText(page, "absent(llm_responses_total)"), []string{
			`warning FD-3.2-4 rules: never fires, whatever fault is applied: absent(llm_responses_total) is never true`,
			`warning FD-3.2-8 rules: compares with no number`,
		}},
		{"absent where scrapes fail", `scrape_failures = 0.1`, ruleText(page, "absent(llm_responses_total) > 0"), nil},
		{"watchdog", "", ruleText(page, soundAlert, "alert: Watchdog", "vector(1)"), []string{
			`warning FD-3.2-4 rules: Watchdog (line 6 of alerts.yml) fires whether or not a fault is applied: vector(1) is always there. The detector then never comes to rest, so no quiet period ends.`,
		}},
		{"absence of a foreign metric", "", ruleText(page, soundAlert, "alert: Gone", "absent(node_load1)"), []string{
			`warning FD-3.2-4 rules: Gone (line 7: node_load1)`,
			`warning FD-3.2-4 rules: Gone (line 6 of alerts.yml) fires whether or not a fault is applied`,
		}},
		{"window of a foreign alert", "", ruleText(page, soundAlert, "alert: Long", "rate(node_errors[7d]) > 1"), []string{
			`warning FD-3.2-4 rules: Long (line 7: node_errors)`,
		}},
		{"annotation", "", ruleText(page, soundAlert+"\n        annotations: {x: '{{ query \"node_load1\" }}'}"), nil},
		{"exporter", `scrape_interval = "100us"`, ruleText(page, soundAlert), []string{
			`error FD-3.2-4 detector: the scrape interval is 0.1ms`,
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := example(t, strings.Replace(rulesDetector, `rules = "alerts.yml"`, "rules = \"alerts.yml\"\n"+test.detector, 1))
			files["alerts.yml"] = []byte(test.rules)
			_, diags := compileFiles(t, files)
			places := map[string]string{"rules": `"alerts.yml"`, "exports": `"llm_refusals_total"`, "total": `"llm_response_total"`, "detector": `detector "prometheus_rules" "rules"`}
			left := diags
			for _, want := range test.want {
				head, text, _ := strings.Cut(want, ": ")
				f := strings.Fields(head)
				found := -1
				for i, d := range left {
					r := d.Subject
					src := string(files[r.Filename][r.Start.Byte:r.End.Byte])
					if d.Severity.String() == f[0] && d.Rule == f[1] && src == places[f[2]] && strings.Contains(d.Detail, text) {
						found = i
						break
					}
				}
				if found < 0 {
					t.Fatalf("not said: %s\n%s", want, listText(diags))
				}
				left = append(append(diag.List{}, left[:found]...), left[found+1:]...)
			}
			if len(left) > 0 {
				t.Errorf("said as well:\n%s", listText(left))
			}
		})
	}
}

// Which rules matter follows from the attribution.
func TestRulesThatTheSignalNeeds(t *testing.T) {
	text := ruleText("alert: RefusalsHigh", soundAlert, "alert: Other", "rate(foreign_total[5m]) > 1\n        labels: {severity: page}")
	for attribution, want := range map[string]diag.Severity{
		"signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'":                                         diag.Warning,
		"signal.labels.alertname startsWith 'Refusals' and signal.status == 'firing'":                                     diag.Warning,
		"signal.labels.alertname == 'Other' and signal.status == 'firing'":                                                diag.Error,
		"signal.labels.severity == 'page' and signal.status == 'firing'":                                                  diag.Error,
		"signal.labels.alertname == 'RefusalsHigh' and signal.labels.severity == 'page' and signal.status == 'firing'":    diag.Warning,
		"signal.labels.severity == 'ticket' and signal.status == 'firing'":                                                diag.Warning,
		"(signal.labels.alertname == 'RefusalsHigh' or signal.value == '0.2') and signal.status == 'firing'":              diag.Error,
		"signal.labels.alertname in ['RefusalsHigh', 'Other'] and fault.class == 'refusal' and signal.status == 'firing'": diag.Error,
		"signal.labels.alertname in ['RefusalsHigh', 'Other'] and fault.class == 'none' and signal.status == 'firing'":    diag.Warning,
	} {
		files := example(t, rulesDetector+fmt.Sprintf("\nsignal \"page\" { attribution = %q }", attribution))
		files["alerts.yml"] = []byte(text)
		_, diags := compileFiles(t, files)
		found := rules(diags, "FD-3.2-4")
		if len(found) != 1 || found[0].Severity != want {
			t.Errorf("%s: want one %s:\n%s", attribution, want, listText(diags))
		}
	}
}

func TestLabelsOfCounters(t *testing.T) {
	compile := func(labels string) (*Result, diag.List) {
		return compileFiles(t, example(t, strings.Replace(rulesDetector, `rules = "alerts.yml"`, "rules = \"alerts.yml\"\n"+labels, 1)))
	}
	p, diags := compile(`labels = { model_name = "m", replica = 3 }`)
	if diags.HasErrors() {
		t.Fatal(listText(diags))
	}
	got := p.Plans[0].Declaration.Detector.Prometheus
	if fmt.Sprint(got.Labels) != "map[model_name:m replica:3]" || got.Job != "llm" || got.Instance != "deployment:9090" {
		t.Errorf("%+v", got)
	}
	for labels, want := range map[string]string{
		`labels = { job = "vllm" }`:       `Write job = "vllm" beside "labels"`,
		`labels = { __name__ = "x" }`:     "is not a label of a counter",
		`labels = { le = "x" }`:           "is not a label of a counter",
		`labels = { "" = "x" }`:           "is not a name for a label",
		`labels = { model_name = "" }`:    "a label without a value is no label",
		`labels = { model_name = ["a"] }`: "has to be a text",
		`labels = "model_name"`:           "object",
	} {
		_, diags := compile(labels)
		if diags.Count(diag.Error) != 1 || !strings.Contains(listText(diags), want) {
			t.Errorf("%s: want %q:\n%s", labels, want, listText(diags))
		}
	}
}

func TestSamplingOfRules(t *testing.T) {
	files := example(t, strings.Replace(rulesDetector, `window  = "5m"`, "window  = \"5m\"\n    sampling = 0.25", 1))
	_, diags := compileFiles(t, files)
	found := rules(diags, "FD-3.2-6")
	if len(found) != 1 || found[0].Severity != diag.Note || !strings.Contains(found[0].Detail, "llm_refusals_total counts only the sampled share of the responses and llm_responses_total counts them all, so their ratio is 0.25 times the indicator") {
		t.Errorf("%s", listText(diags))
	}
}

// A Kubernetes manifest is named for what it is, once.
func TestManifest(t *testing.T) {
	files := example(t, rulesDetector)
	files["alerts.yml"] = []byte("apiVersion: monitoring.coreos.com/v1\nkind: PrometheusRule\nmetadata:\n  name: x\nspec:\n  groups: []\n")
	_, diags := compileFiles(t, files)
	if len(diags) != 1 || diags[0].Subject.Filename != "alerts.yml" || !strings.Contains(diags[0].Detail, `what stands under its "spec:", here from line 6 on`) {
		t.Errorf("%s", listText(diags))
	}
}

// An alert over nothing does not size the windows; one that sees something does.
func TestWindowOfRulesThatSee(t *testing.T) {
	files := example(t, rulesDetector)
	files["alerts.yml"] = []byte(ruleText("alert: RefusalsHigh", soundAlert, "alert: Long", "increase(llm_refusals_total[7d]) > 1000"))
	_, diags := compileFiles(t, files)
	if found := rules(diags, "FD-3.2-7"); len(found) != 1 || !strings.Contains(found[0].Detail, (7*exact.Day).String()) {
		t.Errorf("%s", listText(diags))
	}
}
