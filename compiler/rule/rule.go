package rule

import (
	"strings"
	"sync"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/spec"
)

// Rule decides one requirement.
type Rule struct {
	ID string // a row of package spec
	// Check returns what the series breaks. It is nil where the language
	// itself leaves no way to break the requirement, or where reading a value
	// decides it.
	Check func(*Context) diag.List
	// How says, for the plan, in what way the requirement is met.
	How string
	// Why is what goes wrong in a result where the requirement is broken.
	Why string
	// Bad and Good are fragments that break and keep it. Each replaces blocks
	// or arguments of a complete example; see Example.
	Bad, Good string
	// last tells that Check looks at what the other rules have found.
	last bool
}

// check makes a rule whose check collects into a list.
func check(id, how, why, bad, good string, f func(*Context, *list)) Rule {
	return Rule{ID: id, How: how, Why: why, Bad: bad, Good: good, Check: func(c *Context) diag.List {
		l := list{id: id}
		f(c, &l)
		return l.diags
	}}
}

// lastCheck makes a rule that looks at what the other ones have found.
func lastCheck(id, how, why, bad, good string, f func(*Context, *list)) Rule {
	r := check(id, how, why, bad, good, f)
	r.last = true
	return r
}

// Rules returns every rule in the order of the methodology. The caller must
// not change them.
func Rules() []Rule { return rules() }

var rules = sync.OnceValue(func() []Rule {
	var all []Rule
	for _, section := range [][]Rule{
		applicability, topology, detectorRules, traffic, injection, clocks,
		signals, baselines, quiets, single, latency, threshold, falseDetection, masking, confinement,
	} {
		all = append(all, section...)
	}
	return all
})

// Result is what the rules say of a series.
type Result struct {
	Diagnostics diag.List
	Deviations  []plan.Deviation
	Reductions  []plan.Reduction
	Outcomes    []plan.RuleOutcome
}

// Apply runs every rule. Where outcomes are wanted, they list all requirements
// that are decided before a run, in the order of the table.
func Apply(c *Context, outcomes bool) Result {
	r := Result{Deviations: []plan.Deviation{}, Reductions: []plan.Reduction{}}
	for _, last := range []bool{false, true} {
		for _, rule := range Rules() {
			if rule.Check != nil && rule.last == last {
				r.Diagnostics.Extend(rule.Check(c))
			}
		}
	}
	r.Diagnostics.Extend(c.unusedReasons())
	r.Deviations = append(r.Deviations, c.deviations...)
	for _, d := range c.reductions {
		r.Reductions = append(r.Reductions, d.Reduction)
	}
	if !outcomes {
		return r
	}
	how := map[string]string{}
	for _, rule := range Rules() {
		how[rule.ID] = rule.How
	}
	for _, q := range spec.Requirements() {
		if q.Before() {
			r.Outcomes = append(r.Outcomes, c.outcome(q, how[q.ID]))
		}
	}
	return r
}

// sets tells whether a reduction sets a requirement aside: the one that
// listed it, and with fewer trials that of a full series.
func (d reduction) sets(id string) bool {
	return d.rule == id || id == "FD-1.2-7" && d.rule == "FD-5.1-8"
}

func (c *Context) outcome(q spec.Requirement, how string) plan.RuleOutcome {
	o := plan.RuleOutcome{ID: q.ID, Status: "met", Note: how}
	for _, d := range c.deviations {
		if d.Rule == q.ID {
			o.Status, o.Note = "deviation", d.Because
			return o
		}
	}
	for _, d := range c.reductions {
		if d.sets(q.ID) {
			o.Status, o.Note = "reduced", d.Planned+" instead of "+d.Required
			return o
		}
	}
	for _, a := range c.Declaration.Attestations {
		if sameID(a.Subject, q.ID) {
			o.Status, o.Note = "attested", a.By+": "+a.Statement
			return o
		}
	}
	if q.At(spec.Run) {
		o.Status = "run"
	}
	return o
}

// sameID compares a label with an id: a label has no dots, so "fd_4_3_4" and
// "FD-4-3-4" both stand for FD-4.3-4.
func sameID(label, id string) bool {
	plain := strings.NewReplacer(".", "", "-", "", "_", "")
	return strings.EqualFold(plain.Replace(label), plain.Replace(id))
}
