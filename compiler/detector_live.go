package compiler

import (
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector/webhook/payload"
)

// liveDetector reads a detector that runs by itself.
func (c *compilation) liveDetector(d *decoder, v *detector) {
	l := &plan.LiveDetector{Command: []string{}, KeyEnv: d.variable("key_env")}
	v.plan.Live = l
	switch v.plan.Kind {
	case "prometheus":
		l.URL, l.Interval = d.target("url"), d.longer("interval")
		p := &plan.Prometheus{
			ScrapeInterval: d.longer("scrape_interval"), EvaluationInterval: d.longer("evaluation_interval"),
			Total: d.text("total"), Labels: map[string]string{},
		}
		l.Cycle = p.EvaluationInterval
		c.ruleFile(d, v, p)
		if v.rules != nil {
			l.Cycle = cycleOf(v)
		}
		if d.b.One("receiver") == nil && d.b.One("alertmanager") != nil {
			d.c.errorAt(d.b.One("alertmanager").DefRange, "LANG-live", "Notifications without a receiver",
				"Alertmanager notifies a receiver of the harness, which this detector does not have. Add receiver { listen = \"127.0.0.1:9105\" }, or leave the alertmanager block out where the state of the rules themselves is the signal.")
			d.bad = true
		}
	case "poll":
		l.URL, l.Interval = d.target("url"), d.longer("interval")
	case "command":
		l.Command = d.program("command")
	}
	if b := d.b.One("receiver"); b != nil {
		c.receiver(d, l, b)
	}
	if v.plan.Kind == "prometheus" {
		return
	}
	l.Configuration, l.Cycle = d.target("configuration_url"), d.longer("cycle")
	for _, b := range d.b.All("alert") {
		c.declaredAlert(d, v, b)
	}
	if b := d.b.One("mapping"); b != nil {
		c.mapping(d, l, b)
	}
}

// cycleOf is the longest interval at which a rule file is evaluated.
func cycleOf(v *detector) exact.Duration {
	cycle := exact.Duration(0)
	for _, g := range v.rules.Groups {
		every := g.Interval
		if every == 0 {
			every = v.plan.Prometheus.EvaluationInterval
		}
		cycle = max(cycle, every)
	}
	return cycle
}

func (c *compilation) receiver(parent *decoder, l *plan.LiveDetector, b *lang.Block) {
	d := c.decode(b)
	defer func() { parent.bad = parent.bad || d.bad }()
	l.TokenEnv = d.variable("token_env")
	l.Listen, l.Path = d.listen("listen", l.TokenEnv != "" || !d.usable("token_env")), d.text("path")
	if d.usable("path") && (!strings.HasPrefix(l.Path, "/") || strings.ContainsAny(l.Path, " ?#{}\\") || strings.Contains(l.Path, "//")) {
		d.refuse("path", "Not a path", fmt.Sprintf("%q is no path of a receiver. It begins with one slash and has no query: \"/alerts\".", l.Path))
	}
}

// declaredAlert reads an alert that the detector has, with its threshold.
func (c *compilation) declaredAlert(parent *decoder, v *detector, b *lang.Block) {
	d, a := c.alert(v, b)
	defer func() { parent.bad = parent.bad || d.bad }()
	for _, name := range []string{"above", "at_least", "below"} {
		if d.given(name) {
			a.Comparator, a.Threshold = name, d.number(name)
		}
	}
	if d.given("rule") {
		if a.Expr = d.text("rule"); d.usable("rule") && strings.TrimSpace(a.Expr) == "" {
			d.refuse("rule", "Empty rule", "Write the rule with its threshold, as the detector has it.")
		}
	}
	a.For, a.KeepFiring = d.span("for"), d.span("keep_firing_for")
	v.plan.Alerts = append(v.plan.Alerts, a)
}

// mapping reads where a foreign payload holds the fields of a signal.
func (c *compilation) mapping(parent *decoder, l *plan.LiveDetector, b *lang.Block) {
	d := c.decode(b)
	defer func() { parent.bad = parent.bad || d.bad }()
	m := &plan.Mapping{
		Alerts: d.text("alerts"), Status: d.text("status"), Labels: d.text("labels"), StartsAt: d.text("starts_at"),
		Value: d.text("value"), Repeat: d.text("repeat"), NoData: d.text("no_data"), Names: d.params("names"),
	}
	l.Mapping = m
	if d.bad {
		return
	}
	for _, e := range payload.CheckMapping(*m) {
		attr, label, inner := strings.Cut(e.Field, ".")
		place, what := d.at(attr), ""
		if inner {
			what = label + ": "
		} else if d.given(attr) {
			if _, pos, ok := b.Attr(attr).Literal(); ok {
				place = pos(e.Where.Offset, e.Where.End)
			}
		}
		d.c.errorAt(place, "LANG-predicate", "Expression that cannot be used", what+sentence(e.Where.Message)+" "+sentence(e.Where.Remedy))
		d.fail(attr)
	}
	if !d.bad && m.Labels == "" && m.Names["alertname"] == "" {
		d.c.errorAt(b.DefRange, "LANG-live", "Alerts without a name", "Neither labels nor names says what an alert is called. Write names = { alertname = \"alert.title\" } with the place where the payload holds it.")
		d.bad = true
	}
}
