package rule

import (
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/gate"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/spec"
	"github.com/hashicorp/hcl/v2"
)

// The parts of a reuse block that may be unknown, as those of a series.
const (
	Manifest    = "manifest"
	Planner     = "planner"
	LiveArms    = "live"
	Evidence    = "evidence"
	Calibration = "calibration"
)

// ReuseContext is a reuse block as far as it could be worked out.
type ReuseContext struct {
	Declaration *plan.ReuseDeclaration
	Block       *lang.Block
	Live        *lang.Block // nil: offline
	// Manifest is what the manifest holds, nil where it could not be read.
	Manifest *manifest.Summary
	Gates    []ReuseGate
	Because  Reasons
	// Mismatch lists in what the protocol of the noise floor differs from that
	// of the live block.
	Mismatch []string

	Unknown map[string]bool

	departures
}

// ReuseGate is a gate on the block.
type ReuseGate struct {
	Block     *lang.Block
	Condition *gate.Condition
	// Place is where a figure stands in the condition, or the gate's reference
	// to another one.
	Place func(gate.Use) *hcl.Range
}

// Knows tells whether all of the named parts are known.
func (c *ReuseContext) Knows(parts ...string) bool {
	for _, p := range parts {
		if c.Unknown[p] {
			return false
		}
	}
	return true
}

// planned tells whether a planner looks at the items.
func (c *ReuseContext) planned() bool {
	return c.Declaration.Planner != nil || c.Declaration.Plans != nil
}

// at is the place of an argument of the block, or of the manifest's where the
// name is "manifest" and it is made from documents.
func (c *ReuseContext) at(attr string) *hcl.Range {
	if attr == "manifest" && c.Block.Attr(attr) == nil {
		return at(c.Block, "documents", "source")
	}
	return at(c.Block, "", attr)
}

// ReuseResult is what the rules say of a reuse block.
type ReuseResult struct {
	Diagnostics diag.List
	Deviations  []plan.Deviation
	Outcomes    []plan.RuleOutcome // of the rows that are decided before a run
}

// ApplyReuse runs every rule on a reuse block. Where outcomes are wanted, they
// are in the order of the table.
func ApplyReuse(c *ReuseContext, outcomes bool) ReuseResult {
	r := ReuseResult{Deviations: []plan.Deviation{}}
	how := map[string]string{}
	for _, rule := range Rules() {
		if how[rule.ID] == "" {
			how[rule.ID] = rule.How
		}
		if rule.Reuse != nil {
			r.Diagnostics.Extend(rule.Reuse(c))
		}
	}
	l := list{id: "LANG-reason"}
	c.look(&l, c.Because, c.Knows(Manifest, Planner, LiveArms))
	r.Diagnostics.Extend(l.diags)
	r.Deviations = append(r.Deviations, c.deviations...)
	if !outcomes {
		return r
	}
	for _, q := range spec.KVReuse() {
		if !q.Before() {
			continue
		}
		o := plan.RuleOutcome{ID: q.ID, Status: "met", Note: how[q.ID]}
		if q.At(spec.Run) {
			o.Status = "run"
		}
		for _, d := range r.Deviations {
			if d.Rule == q.ID {
				o.Status, o.Note = "deviation", d.Because
			}
		}
		r.Outcomes = append(r.Outcomes, o)
	}
	return r
}

// eachFigure calls f for every figure that a gate names, once a gate, with its
// place.
func (c *ReuseContext) eachFigure(f func(u gate.Use, place *hcl.Range)) {
	for _, g := range c.Gates {
		for _, u := range g.Condition.Uses() {
			f(u, g.Place(u))
		}
	}
}

// meaning says what a figure is.
func meaning(u gate.Use) string {
	name := u.Metric.Name
	if u.Rows != "" {
		name = "." + name
	}
	return name + " is " + u.Metric.Doc
}

func first(at manifest.Controls) string {
	more := ""
	if at.N > 1 {
		more = fmt.Sprintf(", and %d more", at.N-1)
	}
	return fmt.Sprintf("item %q (line %d%s)", at.Item, at.Line, more)
}
