package compiler

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/gate"
	"github.com/fdbench/fdbench/lang/suggest"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// gateBlock is a decoded gate block.
type gateBlock struct {
	ok, busy bool
	sym      *symbol
	on       *symbol         // nil: it only serves others
	free     *gate.Condition // with its limit not bound
	bound    *gate.Condition // nil where the limit is missing
	limit    *exact.Number
	atLeast  []plan.Minimum
	from     string // of the standard library, ""
	used     bool
}

// limitName is the parameter that a condition may have.
const limitName = "limit"

// gate decodes a gate, with what it takes from another one.
func (c *compilation) gate(s *symbol) *gateBlock {
	if g, ok := c.gateBlocks[s]; ok {
		if g.busy {
			c.errorAt(s.block.DefRange, "LANG-cycle", "Values that need each other", fmt.Sprintf("The gate %q takes its condition from a gate that takes it from this one. Give one of them a condition of its own.", s.name))
		}
		return g
	}
	g := &gateBlock{sym: s, busy: true}
	c.gateBlocks[s] = g
	defer func() { g.busy = false }()
	d := c.decode(s.block)
	d.text("description")
	if strings.TrimSpace(s.name) == "" {
		c.errorAt(s.block.LabelRanges[0], "LANG-invalid-name", "Gate without a name", "The report lists gates by their names. Write what the gate asks for.")
		d.bad = true
	}
	if d.given("on") {
		g.on = d.ref("on")
	}
	g.limit = d.number(limitName)
	g.atLeast = d.minimums("at_least")
	switch {
	case d.given("use"):
		g.take(c, d)
	case d.given("condition"):
		g.free, _ = parsed(d, "condition", "a condition in quotes", func(text string) (*gate.Condition, *gate.Error) {
			return gate.CompileLibrary(text, limitName)
		})
	}
	if g.free != nil && !d.bad {
		g.bind(c, d)
	}
	g.ok = !d.bad && g.free != nil
	return g
}

// take takes the condition and the least counts from another gate. A gate that
// bears the name of one of the library and uses that name means the library's:
// it cannot mean itself.
func (g *gateBlock) take(c *compilation, d *decoder) {
	other := d.ref("use")
	if other == nil {
		return
	}
	if other == g.sym {
		lib, _ := library()
		if other = lib["gate"][g.sym.name]; other == nil {
			c.errorAt(d.at("use"), "LANG-cycle", "Gate that uses itself", fmt.Sprintf("The gate %q takes its condition from itself, and the standard library has none of that name. Write condition = \"...\", or use another gate.", g.sym.name))
			d.fail("use")
			return
		}
	}
	o := c.gate(other)
	if o.used = true; !o.ok {
		d.fail("use")
		return
	}
	g.free, g.from = o.free, o.from
	if other.lib {
		g.from = other.String()
	}
	if g.limit == nil {
		g.limit = o.limit
	}
	for _, m := range o.atLeast {
		if !slices.ContainsFunc(g.atLeast, func(own plan.Minimum) bool { return own.Metric == m.Metric }) {
			g.atLeast = append(g.atLeast, m)
		}
	}
	slices.SortFunc(g.atLeast, func(a, b plan.Minimum) int { return cmp.Compare(a.Metric, b.Metric) })
}

// bind gives the condition its limit.
func (g *gateBlock) bind(c *compilation, d *decoder) {
	free := slices.Contains(g.free.Params(), limitName)
	switch {
	case !free && d.given(limitName):
		d.refuse(limitName, "Limit that nothing is held against", "The condition does not name limit. Take the line out.")
	case !free:
		g.bound = g.free
	case g.limit != nil:
		bound, err := g.free.Bind(limitName, *g.limit)
		if err != nil {
			d.refuse(limitName, "Limit that cannot be used", sentence(err.Error()))
			return
		}
		g.bound = bound
	case g.on != nil:
		at := d.at("use")
		if d.given("condition") {
			at = d.at("condition")
		}
		c.errorAt(at, "LANG-missing-argument", "Missing required argument", fmt.Sprintf("The condition is %s, and no limit is given. Write limit = ....", g.free.Text()))
		d.bad = true
	}
}

// minimums reads the least values of counts.
func (d *decoder) minimums(name string) []plan.Minimum {
	list := []plan.Minimum{}
	v, set := d.raw(name)
	if !set {
		return list
	}
	if !v.Type().IsObjectType() && !v.Type().IsMapType() {
		d.wrongType(name, v, "an object of counts such as { pairs_used = 20 }")
		return list
	}
	places := map[string]hcl.Range{}
	if a := d.b.Attr(name); a != nil {
		if o, ok := a.Expr.(*hclsyntax.ObjectConsExpr); ok {
			for _, item := range o.Items {
				k, good := d.c.value(item.KeyExpr)
				if !good || k.Type() != cty.String {
					continue
				}
				if _, twice := places[k.AsString()]; twice {
					d.c.errorAt(item.KeyExpr.Range(), "LANG-duplicate-argument", "Count given twice", fmt.Sprintf("%q is there twice. Keep one.", k.AsString()))
					d.fail(name)
				}
				places[k.AsString()] = item.KeyExpr.Range()
			}
		}
	}
	for _, key := range sortedKeys(v.AsValueMap()) {
		at, written := places[key]
		if !written {
			at = d.at(name)
		}
		if m, ok := d.minimum(at, key, v.AsValueMap()[key]); ok {
			list = append(list, m)
		} else {
			d.fail(name)
		}
	}
	return list
}

func (d *decoder) minimum(at hcl.Range, key string, v cty.Value) (plan.Minimum, bool) {
	var counts []string
	for _, m := range gate.Metrics() {
		if m.Kind == gate.Count {
			counts = append(counts, m.Name)
		}
	}
	if !slices.Contains(counts, key) {
		detail := fmt.Sprintf("There is no count %q.", key)
		if n := suggest.Nearest(key, counts); n != "" {
			detail += fmt.Sprintf(" Did you mean %q?", n)
		} else if slices.ContainsFunc(gate.Metrics(), func(m gate.Metric) bool { return m.Name == key }) {
			detail = fmt.Sprintf("%s is no count, and a least value of it belongs into the condition.", key)
		} else {
			detail += " Counts are those such as pairs_used, negative_control_count and total_blocks."
		}
		d.c.errorAt(at, "LANG-gate", "Unknown count", detail)
		d.c.fixName(at, key, suggest.Only(key, counts))
		return plan.Minimum{}, false
	}
	if v.IsNull() || v.Type() != cty.Number {
		d.c.errorAt(at, "LANG-type", "Wrong type", fmt.Sprintf("%q has to be a whole number.", key))
		return plan.Minimum{}, false
	}
	n, ok := fromCty(v)
	i, whole := n.Int64()
	if !ok || !whole || !n.IsInt() || i < 1 || i > maxCount {
		d.c.errorAt(at, "LANG-range", "Whole number expected", fmt.Sprintf("%q is a whole number from 1 to %d.", key, maxCount))
		return plan.Minimum{}, false
	}
	return plan.Minimum{Metric: key, N: i}, true
}

// idleGates refuses a gate that looks at nothing and serves no other one.
func (c *compilation) idleGates() {
	for _, b := range c.doc.All("gate") {
		s := c.own["gate"][b.Name()]
		if s == nil || s.block != b {
			continue
		}
		if g := c.gate(s); g.ok && g.on == nil && !g.used {
			c.errorAt(b.DefRange, "LANG-missing-argument", "Missing required argument", "A gate block needs the argument \"on\", the reuse block whose result it looks at, unless another gate uses its condition. Write on = reuse.NAME.")
		}
	}
}

// gates collects the gates on the block, in the order of the scenario.
func (r *reuse) gates() {
	c := r.c
	for _, b := range c.doc.All("gate") {
		s := c.own["gate"][b.Name()]
		if s == nil || s.block != b {
			continue
		}
		g := c.gate(s)
		if g.on == nil || g.on.block != r.block {
			continue
		}
		if !g.ok || g.bound == nil {
			r.d.bad = true
			continue
		}
		r.ctx.Gates = append(r.ctx.Gates, rule.ReuseGate{Block: b, Condition: g.bound, Place: placeIn(b)})
		r.fits(g)
		r.plan.Gates = append(r.plan.Gates, plan.Gate{Name: s.name, Condition: g.bound.Text(), AtLeast: g.atLeast, From: g.from})
	}
}

// fits refuses a gate on figures that the block cannot have, where no
// requirement is about that.
func (r *reuse) fits(g *gateBlock) {
	s, place := r.summary, placeIn(g.sym.block)
	check := func(u gate.Use, at hcl.Range) {
		name := u.Metric.Name
		switch {
		case u.Metric.Source == gate.Logged && len(r.plan.Declaration.Evidence) == 0 && r.ctx.Knows(rule.Evidence):
			r.c.errorAt(at, "LANG-gate", "Figure without a log", fmt.Sprintf("%s is %s, and reuse.%s reads no log. Write evidence \"vllm\" { log = \"...\" } in it.", name, u.Metric.Doc, r.block.Name()))
		case u.Rows == "" && strings.HasPrefix(name, "negative_control") && s != nil && s.Controls == 0:
			r.c.errorAt(at, "LANG-gate", "Figure without a control", fmt.Sprintf("%s is %s, and no item of the manifest is a negative control. Such a gate has no data. Add controls, or take the gate out.", name, u.Metric.Doc))
		}
	}
	for _, u := range g.bound.Uses() {
		check(u, *place(u))
	}
	if s == nil {
		return
	}
	most := map[string]int64{"negative_control_count": s.Controls, "negative_control_pairs": s.Controls, "hit_pairs": s.Items - s.Controls, "hit_measured_pairs": s.Items - s.Controls, "blended_pairs": s.Items - s.Controls}
	for _, name := range []string{"request_count", "pairs_total", "pairs_used", "backend_measured_requests", "warm_vs_cold_pairs"} {
		most[name] = s.Items
	}
	at := g.sym.block.DefRange
	for _, name := range []string{"use", "at_least"} {
		if a := g.sym.block.Attr(name); a != nil {
			at = a.Expr.Range()
		}
	}
	for _, m := range g.atLeast {
		limit, known := most[m.Metric]
		// Where there is no control at all, that has been said of the figure.
		if !known || m.N <= limit || s.Controls == 0 && strings.HasPrefix(m.Metric, "negative") {
			continue
		}
		r.c.errorAt(at, "LANG-gate", "Count that cannot be reached", fmt.Sprintf("%s has to be at least %d, and the manifest can give %d. The gate would never have data: add items, or write at_least = { %s = %d } where so few are enough.", m.Metric, m.N, limit, m.Metric, max(limit, 1)))
	}
}

// placeIn finds where a figure stands in the condition of a gate: the first
// mention of its name, the condition as a whole where it cannot be told, and
// the reference to another gate where the condition is that one's.
func placeIn(b *lang.Block) func(gate.Use) *hcl.Range {
	return func(u gate.Use) *hcl.Range {
		a := b.Attr("condition")
		if a == nil {
			if use := b.Attr("use"); use != nil {
				return use.Expr.Range().Ptr()
			}
			return b.DefRange.Ptr()
		}
		text, pos, ok := a.Literal()
		if !ok {
			return a.Expr.Range().Ptr()
		}
		word := regexp.MustCompile(`\b` + regexp.QuoteMeta(u.Metric.Name) + `\b`)
		for _, m := range word.FindAllStringIndex(text, -1) {
			if field := m[0] > 0 && text[m[0]-1] == '.'; field == (u.Rows != "") {
				r := pos(m[0], m[1])
				return &r
			}
		}
		return a.Expr.Range().Ptr()
	}
}
