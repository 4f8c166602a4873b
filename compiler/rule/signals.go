package rule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
	"github.com/fdbench/fdbench/lang/predicate"
	"github.com/fdbench/fdbench/lang/suggest"
	"github.com/hashicorp/hcl/v2"
)

// Section 4.1.
var signals = []Rule{
	row("FD-4.1-1", "the signal is part of the sealed plan, and there is one",
		bad("no signal", `series "example" {
  # no signal
  remove "signal" {}
}`).edge(),
		bad("a choice of signals", `signal "page" { types = ["alert", "log"] }`),
		good("a signal", `series "example" { signal = signal.page }`).edge()),
	row("FD-4.1-2", "the signal block names its type",
		bad("an unknown type", `signal "page" { type = "alerts" }`).edge(),
		bad("no type", `signal "page" {
  component   = detector.watch
  attribution = "signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'"
  remove "type" {}
}`),
		good("an alert", `signal "page" { type = "alert" }`).edge()),
	row("FD-4.1-3", "the signal's component is the detector of the series",
		bad("another detector", `detector "threshold" "other" {
  indicator "refusals" {
    method = indicator.refusal_rate
    window = "1m"
  }
  alert "RefusalsHigh" {
    indicator = indicator.refusal_rate
    above     = 0.08
  }
}
signal "page" { component = detector.other }`).edge(),
		bad("no component", `signal "page" {
  type        = "alert"
  attribution = "signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'"
  remove "component" {}
}`),
		good("the detector of the series", `detector "threshold" "other" {
  indicator "refusals" {
    method = indicator.refusal_rate
    window = "1m"
  }
  alert "RefusalsHigh" {
    indicator = indicator.refusal_rate
    above     = 0.08
  }
}
signal "page" { component = detector.watch }`).edge(),
	).check(func(c *Context, l *list) {
		if c.Knows(Detector, Signal) && c.Declaration.Signal.Component != c.Declaration.Detector.Name {
			l.err(at(c.Signal, "", "component"), "Signal of another detector",
				"Series %q tests detector.%s, and its signal is one of detector.%s. Name the same detector in both.", c.Series.Labels[0], c.Declaration.Detector.Name, c.Declaration.Signal.Component)
			return
		}
		twoVoices(c, l)
	}),
	row("FD-4.1-4", "the attribution names an alert of the detector, and can be false",
		bad("always true", `signal "page" { attribution = "true or signal.status == 'firing'" }`),
		bad("met by every signal", `signal "page" { attribution = "signal.labels.alertname == 'RefusalsHigh'  or signal.status == 'resolved'" }`),
		bad("always true, with two kinds of fault", `signal "page" { attribution = "true" }
series "example" {
  fault "ramped" {
    class      = fault_class.refusal
    magnitudes = [0.15]
    profiles   = ["ramp 2m"]
  }
}`),
		bad("an alert that does not exist", `signal "page" { attribution = "signal.labels.alertname == 'RefusalHigh' and signal.status == 'firing'" }`).edge(),
		bad("an alert on another indicator", twoAlerts("signal.status == 'firing'")).edge(),
		bad("no criterion", `signal "page" {
  type      = "alert"
  component = detector.watch
  remove "attribution" {}
}`),
		good("the alert of the fault's indicator", twoAlerts("signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'")).edge(),
		good("the alert, when it begins", `signal "page" { attribution = "signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'" }`).edge(),
	).check(attribution),
}

// twoAlerts is a detector that watches a second indicator, and a criterion.
func twoAlerts(attribution string) string {
	return `serving "simulated" "both" {
  behaviour {
    indicator = indicator.json_invalid_rate
    rate      = 0.01
  }
  behaviour {
    indicator = indicator.refusal_rate
    rate      = 0.02
  }
}
environment "lab" { serving = serving.both }
detector "threshold" "watch" {
  indicator "broken" {
    method = indicator.json_invalid_rate
    window = "1m"
  }
  alert "BrokenJSON" {
    indicator = indicator.json_invalid_rate
    above     = 0.2
  }
}
signal "page" { attribution = "` + attribution + `" }`
}

// attribution checks that the criterion can be met, can fail, and names alerts
// that the detector has (AMB-20).
func attribution(c *Context, l *list) {
	if c.Attribution == nil || !c.Knows(Signal) {
		return
	}
	place := at(c.Signal, "", "attribution")
	switch {
	case c.Attribution.ConstantTrue():
		l.err(place, "Attribution that is always true",
			"Every signal would count as a detection, false alarms too. Name the alert: signal.labels.alertname == %q and signal.status == \"firing\".", c.anAlert())
		return
	case c.Attribution.ConstantFalse():
		l.err(place, "Attribution that is never true", "No signal would ever count as a detection.")
		return
	}
	if !c.Knows(Detector) || c.Declaration.Signal.Component != c.Declaration.Detector.Name || len(c.alertNames()) == 0 {
		return
	}
	if c.unknownAlert(l, place) || c.otherIndicator(l, place) {
		return
	}
	c.tryAlerts(l, place)
}

func (c *Context) alertNames() []string {
	var names []string
	for _, a := range c.Declaration.Detector.Alerts {
		if !slices.Contains(names, a.Name) {
			names = append(names, a.Name)
		}
	}
	return names
}

func (c *Context) anAlert() string {
	if names := c.alertNames(); len(names) > 0 {
		return names[0]
	}
	return "NAME"
}

// unknownAlert refuses an alert name that the detector does not have.
func (c *Context) unknownAlert(l *list, place *hcl.Range) bool {
	names := c.alertNames()
	found := false
	for _, lit := range literalsOf(c.Attribution.Text()) {
		if slices.Contains(names, lit) {
			continue
		}
		found = true
		where := place
		if text, pos, ok := c.Signal.Attr("attribution").Literal(); ok {
			if i := strings.Index(text, lit); i >= 0 {
				r := pos(i, i+len(lit))
				where = &r
			}
		}
		detail := "detector.%s has no alert %q, so this can never be true. It has: %s."
		if n := suggest.Nearest(lit, names); n != "" {
			l.err(where, "Unknown alert", detail+" Did you mean %q?", c.Declaration.Detector.Name, lit, strings.Join(names, ", "), n)
			continue
		}
		l.err(where, "Unknown alert", detail, c.Declaration.Detector.Name, lit, strings.Join(names, ", "))
	}
	return found
}

// literalsOf lists the texts that signal.labels.alertname is compared with.
func literalsOf(text string) []string {
	tree, err := parser.Parse(text)
	if err != nil {
		return nil
	}
	v := &literals{}
	ast.Walk(&tree.Node, v)
	return v.found
}

type literals struct{ found []string }

// Visit implements ast.Visitor.
func (v *literals) Visit(n *ast.Node) {
	b, ok := (*n).(*ast.BinaryNode)
	if !ok {
		return
	}
	left, right := b.Left, b.Right
	switch b.Operator {
	case "==":
		if isAlertname(right) {
			left, right = right, left
		}
		if s, ok := right.(*ast.StringNode); ok && isAlertname(left) {
			v.found = append(v.found, s.Value)
		}
	case "in":
		if !isAlertname(left) {
			return
		}
		switch list := right.(type) {
		case *ast.ArrayNode:
			for _, item := range list.Nodes {
				if s, ok := item.(*ast.StringNode); ok {
					v.found = append(v.found, s.Value)
				}
			}
		case *ast.ConstantNode:
			if m, ok := list.Value.(map[string]struct{}); ok {
				for name := range m {
					v.found = append(v.found, name)
				}
				slices.Sort(v.found)
			}
		}
	}
}

func isAlertname(n ast.Node) bool {
	m, ok := n.(*ast.MemberNode)
	if !ok {
		return false
	}
	s, ok := m.Property.(*ast.StringNode)
	return ok && s.Value == "alertname"
}

// tryAlerts decides the criterion for what the detector can emit while each
// fault is applied. A criterion that everything meets is no criterion, and one
// that nothing can meet finds nothing; both are refused. What depends on values
// that only a run gives stays open.
func (c *Context) tryAlerts(l *list, place *hcl.Range) {
	emissions, faults := c.emissions(), c.appliedFaults()
	everything, ended := true, ""
	var never, open []string
	for _, f := range faults {
		firing, resolved := predicate.False, predicate.False
		for _, e := range emissions {
			for _, status := range []string{"firing", "resolved"} {
				e.signal.Status = status
				t := c.Attribution.Decide(e.signal, f, e.known)
				everything = everything && t == predicate.True
				best := &firing
				if status == "resolved" {
					best = &resolved
					if t == predicate.True {
						ended = e.signal.Labels["alertname"]
					}
				}
				if t == predicate.True || *best == predicate.False {
					*best = t
				}
			}
		}
		name := "fault_class." + f.Class
		if slices.ContainsFunc(faults, func(o predicate.Fault) bool { return o.Class == f.Class && o.Profile != f.Profile }) {
			name += fmt.Sprintf(" with the profile %q", f.Profile)
		}
		switch {
		case firing == predicate.False && resolved == predicate.False:
			never = append(never, name)
		case firing != predicate.True:
			open = append(open, name)
		}
	}
	detector := c.Declaration.Detector.Name
	switch {
	case len(faults) == 0:
	case everything:
		l.err(place, "Attribution that every signal meets",
			"All that detector.%s can emit meets the criterion, the end of each alert too, so every false alarm would count as a detection. Name the alert and its status: signal.labels.alertname == %q and signal.status == \"firing\".", detector, c.anAlert())
	case len(never) > 0:
		l.err(place, "Attribution that no signal can meet",
			"With %s applied, nothing that detector.%s can emit meets the criterion, so all trials would be undetected. Name an alert that it has: signal.labels.alertname == %q and signal.status == \"firing\".", oneOf(never), detector, c.anAlert())
	case len(open) > 0:
		l.warn(place, "Attribution that no alert meets",
			"With %s applied, no alert of detector.%s that begins meets the criterion by its name and its fixed labels. If it depends on a label or a value that only a run gives, that is as it should be; otherwise all trials will be undetected.", oneOf(open), detector)
	case ended != "":
		l.warn(place, "Attribution that counts an alert's end",
			"The criterion is also true of the notification that %s has ended, which would count as a detection. Add: and signal.status == \"firing\".", ended)
	}
}

func oneOf(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return fmt.Sprintf("%s (and %d more)", names[0], len(names)-1)
}

// appliedFaults are the faults that a trial of the series may apply, as far as
// the criterion tells them apart.
func (c *Context) appliedFaults() []predicate.Fault {
	var list []predicate.Fault
	add := func(class string, profile string) {
		k, ok := c.Classes[class]
		f := predicate.Fault{Class: class, Indicator: k.Indicator.Name, Profile: profile}
		if ok && !slices.Contains(list, f) && (len(list) == 0 || c.Attribution.UsesFault()) {
			list = append(list, f)
		}
	}
	for _, f := range c.Faults {
		for _, p := range f.Profiles {
			add(f.Class, p.Name)
		}
	}
	for _, t := range c.Thresholds {
		add(t.Class, t.Profile.Name)
	}
	return list
}

// emission is a signal that the detector can send, as far as it is known before
// a run. Only first notifications that data raised can be a detection.
type emission struct {
	signal predicate.Signal
	known  func(field string) bool
	// indicator is the one that the alert watches, "" where that is not known.
	indicator string
	alert     int // index among the detector's alerts
}

func (c *Context) emissions() []emission {
	d := c.Declaration.Detector
	component := "detector"
	if d.Prometheus != nil {
		component = "rules"
	}
	if d.Manager != nil {
		component = "alertmanager"
	}
	components := []string{component}
	if d.Live != nil && d.Prometheus != nil && d.Manager != nil {
		// The state of the rules is looked at, and Alertmanager notifies.
		components = []string{"rules", "alertmanager"}
	}
	foreign := d.Live != nil && d.Prometheus == nil // it names its components itself
	var out []emission
	alert := -1
	add := func(labels map[string]string, all bool, indicator string) {
		alert++
		for _, component := range components {
			out = append(out, emission{
				signal: predicate.Signal{Type: c.Declaration.Signal.Type, Component: component, Labels: labels},
				known: func(field string) bool {
					if name, ok := strings.CutPrefix(field, "signal.labels"); ok {
						_, there := labels[strings.TrimPrefix(name, ".")]
						return all || there
					}
					return field != "signal.value" && field != "signal.reason" && (!foreign || field != "signal.component")
				},
				indicator: indicator, alert: alert,
			})
		}
	}
	if c.RuleFile == nil && d.Live != nil {
		for _, a := range d.Alerts {
			add(map[string]string{"alertname": a.Name}, false, c.watches(a.Indicator, ""))
		}
		return out
	}
	if c.RuleFile == nil {
		for _, a := range d.Alerts {
			add(map[string]string{"alertname": a.Name, "indicator": a.Indicator}, true, c.watches(a.Indicator, ""))
		}
		return out
	}
	for _, a := range c.RuleFile.Alerts {
		labels := map[string]string{"alertname": a.Name}
		for k, v := range a.Labels {
			if !strings.Contains(v, "{{") { // a template is expanded in a run
				labels[k] = v
			}
		}
		add(labels, false, c.watches("", a.Expr))
	}
	return out
}
