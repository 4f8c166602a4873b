package promrules

import (
	"testing"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/alertmanager"
)

// TestSettingsAreThoseLoaded changes what the groups run with, one value at a
// time, after a while of use.
func TestSettingsAreThoseLoaded(t *testing.T) {
	const rules = `groups:
- name: g
  rules:
  - record: refusals:rate1m
    expr: rate(llm_refusals_total[1m])
    labels: {team: llm}
  - alert: High
    expr: refusals:rate1m > 0.1
    for: 30s
    labels: {severity: page}
`
	fresh := func() *Detector {
		return newBench(t, rules, func(c *Config) { m := alertmanager.Default(); c.Alertmanager = &m }).Detector
	}
	read := func(d *Detector) string {
		var s detector.Settings
		d.Settings(&s)
		return string(s.Bytes())
	}
	want := read(fresh())
	used := newBench(t, rules, func(c *Config) { m := alertmanager.Default(); c.Alertmanager = &m })
	used.gap, used.every = second/10, 1
	used.until(600 * second)
	if used.State() == (detector.State{}) {
		t.Error("the alert never fired")
	}
	if got := read(used.Detector); got != want {
		t.Errorf("state is taken for configuration: %s", detector.Difference([]byte(want), []byte(got)))
	}
	for name, change := range map[string]func(*Detector){
		"interval":          func(d *Detector) { d.groups[0].interval++ },
		"offset":            func(d *Detector) { d.groups[0].offset++ },
		"limit":             func(d *Detector) { d.groups[0].limit++ },
		"recording rule":    func(d *Detector) { d.groups[0].rules[0].record.expr = "vector(1)" },
		"recorded labels":   func(d *Detector) { d.groups[0].rules[0].record.labels = labels.EmptyLabels() },
		"expression":        func(d *Detector) { d.groups[0].rules[1].alert.expr = "refusals:rate1m > 0.2" },
		"hold":              func(d *Detector) { d.groups[0].rules[1].alert.hold++ },
		"keep":              func(d *Detector) { d.groups[0].rules[1].alert.keep++ },
		"label of an alert": func(d *Detector) { d.groups[0].rules[1].alert.templates[0].text = "none" },
		"a rule less":       func(d *Detector) { d.groups[0].rules = d.groups[0].rules[:1] },
		"scrape interval":   func(d *Detector) { d.target.interval++ },
		"counter resets":    func(d *Detector) { d.target.reset++ },
		"the manager":       func(d *Detector) { d.manager = nil },
	} {
		d := fresh()
		change(d)
		if read(d) == want {
			t.Errorf("a changed %s does not show", name)
		}
	}
}
