package prometheus

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/lang/suggest"
	"github.com/fdbench/fdbench/runtime/detector/promrules"
)

// wanted is a rule as the plan's copy of the rule file has it.
type wanted struct {
	kind       string // alerting, recording
	name, expr string
	hold, keep int64
	labels     map[string]string // nil where the plan does not tell
	interval   int64             // 0 where the plan does not tell
	group      string
}

// wanted are the rules of the plan: of its copy of the file, else of its alerts.
func (d *Detector) wanted() []wanted {
	var out []wanted
	p := d.plan.Prometheus
	if p != nil && p.Rules != "" {
		if file, errs := promrules.Parse(p.RulesFile, []byte(p.Rules)); len(errs) == 0 {
			interval := map[string]int64{}
			for _, g := range file.Groups {
				if interval[g.Name] = int64(g.Interval); g.Interval == 0 {
					interval[g.Name] = int64(p.EvaluationInterval)
				}
			}
			for _, a := range file.Alerts {
				out = append(out, wanted{"alerting", a.Name, a.Expr, int64(a.For), int64(a.KeepFiringFor), a.Labels, interval[a.Group], a.Group})
			}
			for _, r := range file.Records {
				out = append(out, wanted{"recording", r.Name, r.Expr, 0, 0, r.Labels, interval[r.Group], r.Group})
			}
			return out
		}
	}
	for _, a := range d.plan.Alerts {
		out = append(out, wanted{kind: "alerting", name: a.Name, expr: a.Expr, hold: int64(a.For), keep: int64(a.KeepFiring)})
	}
	return out
}

// rules holds the loaded rules against those of the plan (FD-3.2-8).
func (c *checker) rules(groups []ruleGroup) {
	var names []string
	for i := range groups {
		for j := range groups[i].Rules {
			names = append(names, groups[i].Rules[j].Name)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	told := map[string]bool{}
	taken := map[*rule]bool{}
	plan := c.d.wanted()
	for _, w := range plan {
		best, of := []string(nil), (*rule)(nil)
		for i := range groups {
			for j := range groups[i].Rules {
				if r := &groups[i].Rules[j]; r.Name == w.name && r.Type == w.kind && !taken[r] {
					if diff := w.differs(r, &groups[i]); of == nil || len(diff) < len(best) {
						best, of = diff, r
					}
				}
			}
		}
		taken[of] = true
		what := "alert"
		if w.kind == "recording" {
			what = "recording rule"
		}
		switch {
		case of == nil && told[w.name]:
		case of == nil:
			told[w.name] = true
			c.missing(what, w.name, names)
		case len(best) > 0:
			c.add("FD-3.2-8", fmt.Sprintf("The %s %s is not what the plan has: %s.", what, w.name, strings.Join(best, "; ")),
				"Bring the scenario's copy of the rule file up to date and plan anew, or load that file into the server.")
		case of.Health != "ok" && of.Health != "unknown":
			c.add("FD-3.1-5", fmt.Sprintf("The %s %s cannot be evaluated: %s.", what, w.name, of.LastError), "Correct the rule, or what it reads.")
		}
	}
	for i := range groups {
		for j := range groups[i].Rules {
			if r := &groups[i].Rules[j]; r.Type == "alerting" && !taken[r] {
				c.namesake(plan, &groups[i], r)
			}
		}
	}
}

// namesake tells of an alert that the plan does not have and whose signals would
// count as those of one that it has: the attribution cannot tell them apart.
func (c *checker) namesake(plan []wanted, g *ruleGroup, r *rule) {
	has := slices.ContainsFunc(plan, func(w wanted) bool { return w.kind == r.Type && w.name == r.Name && w.expr != "" })
	if !has || !c.d.follow.in(r.Name) || !c.d.counts(certain(r.Name, r.Labels)) {
		return
	}
	c.add("FD-3.2-8", fmt.Sprintf("The server has one alert %s more than the plan, in the group %s of %s: expr is %s. Its signals would count as those of the plan's.",
		r.Name, g.Name, g.File, quoted(canonical(r.Query))), "Take it out of the server for the series, rename it, or have the attribution ask for a label that tells the two apart.")
}

func (c *checker) missing(what, name string, names []string) {
	text := fmt.Sprintf("The server has no %s %s.", what, name)
	remedy := "Load the scenario's rule file (rule_files in Prometheus's configuration, -rule of vmalert) and reload the server."
	switch near := suggest.Nearest(name, names); {
	case len(names) == 0:
		text += " It has no rules at all."
	case near != "":
		remedy = fmt.Sprintf("Did you mean %q? Otherwise: %s", near, remedy)
	default:
		shown := names
		more := ""
		if len(shown) > 8 {
			shown, more = shown[:8], " and more"
		}
		text += " It has " + strings.Join(shown, ", ") + more + "."
	}
	c.add("FD-3.2-8", text, remedy)
}

// differs says in which points a loaded rule is another than the plan's.
func (w *wanted) differs(r *rule, g *ruleGroup) []string {
	var out []string
	say := func(what, loaded, planned string) {
		out = append(out, fmt.Sprintf("%s is %s, and in the plan %s", what, loaded, planned))
	}
	if w.expr != "" {
		if a, b := canonical(r.Query), canonical(w.expr); a != b {
			say("expr", quoted(a), quoted(b))
		}
	}
	if w.kind == "alerting" && (w.expr != "" || w.hold > 0) {
		if v := seconds(r.Duration); v != w.hold {
			say("for", words(v), words(w.hold))
		}
		if v := r.keep(); v != w.keep {
			say("keep_firing_for", words(v), words(w.keep))
		}
	}
	if w.labels != nil && !maps.Equal(w.labels, r.Labels) && len(w.labels)+len(r.Labels) > 0 {
		say("the labels are", labelWords(r.Labels), labelWords(w.labels))
		out[len(out)-1] = strings.Replace(out[len(out)-1], "are is", "are", 1)
	}
	if v := seconds(g.Interval); w.interval > 0 && v != w.interval {
		say("the evaluation interval", words(v), words(w.interval))
	}
	return out
}

func quoted(s string) string { return "`" + s + "`" }

func labelWords(labels map[string]string) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		out = append(out, fmt.Sprintf("%s=%q", k, labels[k]))
	}
	return "{" + strings.Join(out, ", ") + "}"
}

// followed are the alerts whose state is followed.
func (d *Detector) followed() []wanted {
	return slices.DeleteFunc(d.wanted(), func(w wanted) bool { return w.kind != "alerting" || !d.follow.in(w.name) })
}
