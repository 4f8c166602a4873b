package report_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/internal/synthetic"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report"
)

func textOf(t *testing.T, p *report.Report) string {
	t.Helper()
	var b strings.Builder
	if err := p.Text(&b, report.TextOptions{Width: 200}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Whatever tells two detectors apart stands in the report (FD-3.2-8, FD-6-2).
func TestDetectorIsSpelledOut(t *testing.T) {
	n := func(s string) *exact.Number { v := exact.MustParse(s); return &v }
	c := synthetic.New(synthetic.Options{Loads: []int64{10}, Reduced: true})
	r := compute(t, c)
	d := r.Detector
	d.Evaluate, d.Windows = 5*exact.Second, "sliding"
	d.Alerts = []plan.Alert{
		{Name: "High", Indicator: "refusal_rate", Comparator: "above", Threshold: n("0.1"), MinResponses: 30, For: exact.Minute, KeepFiring: 2 * exact.Minute},
		{Name: "Sum", Indicator: "refusal_rate", Decision: n("60"), Reference: n("0.5"), Up: 9, Down: 1, Learn: 40, Sides: "both", Center: n("0.02"), SD: n("0.01"), Reset: true},
		{Name: "Sum again", Indicator: "refusal_rate", Decision: n("60")},
		{Name: "File", Expr: "rate > 1", For: exact.Minute, KeepFiring: 3 * exact.Minute},
	}
	d.Prometheus = &plan.Prometheus{RulesFile: "rules.yaml", Rules: "groups:\n  - name: one\n", ScrapeInterval: 15 * exact.Second, EvaluationInterval: 30 * exact.Second,
		ScrapeFailures: exact.MustParse("0.01"), CounterResets: exact.Minute, Total: "answers_total", Job: "llm", Instance: "i1", Labels: map[string]string{"b": "2", "a": "1"}}
	d.Manager = &plan.Alertmanager{GroupBy: []string{"alertname", "load"}, GroupWait: 30 * exact.Second, SendResolved: true, Maintenance: exact.Minute}
	// The key that results are compared by has to follow.
	value, err := plan.Canonical(map[string]any{"detector": d, "indicators": r.Indicators, "signal": r.Signal})
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(value)
	r.Detector, r.Comparability.DetectorConfiguration = d, measure.Key{Value: value, SHA256: "sha256:" + hex.EncodeToString(sum[:])}
	md := string(build(t, r).Markdown())
	for _, want := range []string{
		"evaluated: every 5s", "windows: sliding",
		"alert High: refusal_rate above 0.1, min_responses 30, for 1m, keep_firing_for 2m",
		"alert Sum: refusal_rate, reference 0.5, decision 60, center 0.02, sd 0.01, up 9, down 1, learn 40, sides both, reset_on_alarm true",
		"alert Sum again: refusal_rate, decision 60, reset_on_alarm false",
		"for 1m, keep_firing_for 3m",
		"rules: rules.yaml, scraped every 15s, evaluated every 30s, total answers_total, job llm, instance i1, labels a=1 b=2, scrape_failures 0.01, counter_resets 1m",
		"~~~yaml\ngroups:\n  - name: one\n~~~\n",
		"group_by [alertname, load], group_wait 30s", "send_resolved true, maintenance 1m",
	} {
		if !strings.Contains(strings.ReplaceAll(md, "\\_", "_"), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
}

// The author's reason for a reduced series, the standard deviation beside a
// masking below two of them, and signals after the Detection Event are printed.
func TestWhatHasToStandBeside(t *testing.T) {
	c := synthetic.New(synthetic.Options{Loads: []int64{10}, Reduced: true})
	synthetic.Each(c, func(r *journal.BaselineRecord) {
		for i := range r.Indicators {
			if b := &r.Indicators[i]; b.Indicator == "refusal_rate" && b.Point == "observation" {
				for j := range b.Windows {
					b.Windows[j] = journal.WindowSum{int64(j%2) * 300, 600}
				}
			}
		}
	})
	synthetic.Each(c, func(r *journal.TrialRecord) { r.After = 1 })
	trials := 0
	synthetic.Each(c, func(*journal.TrialRecord) { trials++ })
	r := compute(t, c)
	p := build(t, r)
	md, text := string(p.Markdown()), textOf(t, p)
	for _, x := range []struct{ where, in, want string }{
		{"report.md", md, "reason, in the author's words: screening"},
		{"text", text, "  reason   screening"},
		{"report.md", md, "(below 2 sd)"},
		{"text", text, "below 2 sd of the baseline (sd "},
		{"masking.csv", string(p.CSV()["masking.csv"]), ",true," + *r.Masking[0].BaselineSD},
		{"latency.csv", string(p.CSV()["latency.csv"]), "reason: screening"},
		{"report.md", md, "| load | before a changed response | after the timeout | after the Detection Event | not the fault's |"},
	} {
		if !strings.Contains(x.in, x.want) {
			t.Errorf("%s lacks %q", x.where, x.want)
		}
	}
	if got := r.Supplementary.Signals[0].After; got != trials {
		t.Errorf("%d signals after the event, want %d", got, trials)
	}
}

// One indicator has one unit in every table.
func TestUnitsAreTheSameInEveryTable(t *testing.T) {
	c := synthetic.New(synthetic.Options{Loads: []int64{10}, Reduced: true})
	c.Plan.Declaration.Indicators[0].Unit = "1"
	plan.Seal(c.Plan)
	c.Open.PlanDigest = c.Plan.Digest
	csv := build(t, compute(t, c)).CSV()
	for _, name := range []string{"baseline.csv", "latency.csv", "masking.csv"} {
		if !strings.Contains(string(csv[name]), ",share,") || strings.Contains(string(csv[name]), "refusal_rate,1,") {
			t.Errorf("%s has another unit:\n%s", name, csv[name])
		}
	}
}
