package rule

import (
	"slices"
	"strings"
	"sync"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/spec"
)

// Rule decides one requirement before a run, or a part of it.
type Rule struct {
	spec.Rule
	// Check returns what the series breaks. It is nil where the shape of the
	// language decides, or the reading of a value.
	Check func(*Context) diag.List
	// Reuse is Check of a reuse block. A rule has one of the two at most.
	Reuse func(*ReuseContext) diag.List
	// last tells that Check looks at what the other rules have found.
	last bool
}

// Rules returns every rule that gives findings, in the order of the
// methodology. The caller must not change them.
func Rules() []Rule { return rules() }

var rules = sync.OnceValue(func() []Rule {
	var all []Rule
	for _, section := range [][]Rule{
		applicability, topology, detectorRules, traffic, injection, clocks,
		signals, baselines, quiets, latency, threshold, falseDetection, masking, confinement,
		reuseDenominators, reusePlanned, reuseConfirmed, reusePlaced, reuseControls, reusePairs,
	} {
		all = append(all, section...)
	}
	slices.SortStableFunc(all, func(a, b Rule) int { return spec.Order(a.ID) - spec.Order(b.ID) })
	return all
})

// Registered lists the rules on the rows that are decided when a scenario is
// read or compiled.
func Registered() []spec.Rule { return registered(true) }

// Early lists the rules on rows that are decided later, by what a scenario
// already shows: an argument that could only break the row, or a warning of
// what is to be expected.
func Early() []spec.Rule { return registered(false) }

func registered(before bool) []spec.Rule {
	var list []spec.Rule
	for _, r := range Rules() {
		if q, _ := spec.Lookup(r.ID); q.Before() == before {
			list = append(list, r.Rule)
		}
	}
	return list
}

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
	r.Diagnostics.Extend(c.attestations())
	r.Diagnostics.Extend(c.reasonsGiven())
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
	for _, q := range spec.FaultDetection() {
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
	for _, d := range c.reductions {
		if d.sets(q.ID) {
			o.Status, o.Note = "reduced", d.Planned+" instead of "+d.Required
			return o
		}
	}
	for _, d := range c.deviations {
		if d.Rule == q.ID {
			o.Status, o.Note = "deviation", d.Because
			return o
		}
	}
	if q.Attested() {
		if a := c.attestation(q.ID); a != nil {
			o.Status, o.Note = "attested", a.By+": "+a.Statement
			return o
		}
		if c.vouched(q.ID) {
			o.Status, o.Note = "unattested", "nobody vouches "+q.Attest
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
