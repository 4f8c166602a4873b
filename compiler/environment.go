package compiler

import (
	"cmp"
	"fmt"
	"github.com/fdbench/fdbench/lang/suggest"
	"math"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/quantity"
)

// serving is a decoded serving block.
type serving struct {
	ok         bool
	block      *lang.Block
	plan       plan.Serving
	indicators map[string]*indicator // of the behaviours, by name
	behaviours map[string]*lang.Block
}

func (c *compilation) serving(s *symbol) *serving {
	if v, ok := c.servings[s]; ok {
		return v
	}
	v := &serving{block: s.block, indicators: map[string]*indicator{}, behaviours: map[string]*lang.Block{}}
	c.servings[s] = v
	d := c.decode(s.block)
	v.plan = plan.Serving{Name: s.name, Kind: s.block.Labels[0], Model: d.text("model"), Configuration: "{}", Behaviours: []plan.Behaviour{}}
	if raw, set := d.raw("configuration"); set {
		if !raw.Type().IsObjectType() && !raw.Type().IsMapType() {
			d.wrongType("configuration", raw, "an object")
		} else if text, err := canonicalValue(raw); err != nil {
			d.refuse("configuration", "Value out of range", sentence(err.Error()))
		} else {
			v.plan.Configuration = text
		}
	}
	v.plan.Latency = c.distribution(d, "latency", "s")
	switch v.plan.Kind {
	case "recorded":
		v.plan.Responses = c.fileName(d, "responses")
		if v.plan.Responses != "" {
			if rows := c.rows(d, "responses", v.plan.Responses, "responses"); rows != nil {
				v.plan.Rows = len(rows.rows)
			}
		}
	case "simulated":
		for _, b := range s.block.All("behaviour") {
			c.behaviour(d, v, b)
		}
	case "openai":
		c.endpoint(d, v)
	}
	v.ok = !d.bad
	return v
}

func (c *compilation) behaviour(parent *decoder, v *serving, b *lang.Block) {
	d := c.decode(b)
	defer func() { parent.bad = parent.bad || d.bad }()
	s := d.ref("indicator")
	if s == nil {
		return
	}
	i := c.indicator(s)
	if !i.ok {
		d.bad = true
		return
	}
	if first := v.behaviours[s.name]; first != nil {
		d.refuse("indicator", "Behaviour given twice", fmt.Sprintf("indicator.%s already has a behaviour in this deployment, at line %d. Keep one.", s.name, first.DefRange.Start.Line))
		return
	}
	v.behaviours[s.name], v.indicators[s.name] = b, i
	p := plan.Behaviour{Indicator: s.name}
	switch {
	case d.given("rate"):
		p.Rate = d.share("rate", true)
		if d.usable("rate") && i.plan.Kind != "rate" {
			d.refuse("rate", "Rate of a mean", fmt.Sprintf("indicator.%s is a mean in %s: give its distribution instead, such as \"normal 180 %s, 20\".", s.name, i.plan.Unit, i.plan.Unit))
		}
	case d.given("distribution"):
		if i.plan.Kind != "mean" {
			d.refuse("distribution", "Distribution of a rate", fmt.Sprintf("indicator.%s is a rate: every response scores 0 or 1. Give the share that scores 1: rate = 0.02.", s.name))
			return
		}
		dist := c.distribution(d, "distribution", i.plan.Unit)
		p.Distribution = &dist
	}
	v.plan.Behaviours = append(v.plan.Behaviours, p)
}

// distribution reads a law whose parameters are in the given unit. A law in
// another unit is refused.
func (c *compilation) distribution(d *decoder, name, unit string) plan.Distribution {
	q, ok := parsed(d, name, `a distribution such as "lognormal 1.2s, 0.5"`, quantity.ParseDistribution)
	if !ok {
		return plan.Distribution{}
	}
	if q.Unit != unit {
		d.refuse(name, "Wrong unit", fmt.Sprintf("%q is in %q here, and %q is wanted.", name, q.Unit, unit))
		return plan.Distribution{}
	}
	p := plan.Distribution{Kind: q.Kind, A: q.A, B: q.B}
	if mean, ok := meanOf(p); !ok || mean.Cmp(exact.Int(maxCount)) > 0 {
		d.refuse(name, "Distribution out of range", "The mean of this distribution is beyond 1000000000.")
	}
	return p
}

// meanOf is the mean of a law: exact for all but the lognormal, whose mean
// exp(mu+sigma^2/2) is rounded to 9 decimals.
func meanOf(p plan.Distribution) (exact.Number, bool) {
	switch p.Kind {
	case "uniform":
		return p.A.Add(p.B).Div(exact.Int(2)), true
	case "lognormal":
		s := p.B.Float64()
		mean, ok := exact.FromFloat(p.A.Float64() * math.Exp(s*s/2))
		if !ok {
			return exact.Number{}, false
		}
		return mean.Round(9), true
	}
	return p.A, true // constant, normal, exponential
}

// varianceOf is the variance of a law, for forecasts only.
func varianceOf(p plan.Distribution) float64 {
	a, b := p.A.Float64(), p.B.Float64()
	switch p.Kind {
	case "uniform":
		return (b - a) * (b - a) / 12
	case "exponential":
		return a * a
	case "normal":
		return b * b
	case "lognormal":
		m := a * math.Exp(b*b/2)
		return math.Expm1(b*b) * m * m
	}
	return 0
}

type apparatus struct {
	ok    bool
	block *lang.Block
	plan  plan.Apparatus
}

func (c *compilation) apparatus(s *symbol) *apparatus {
	if a, ok := c.apparatuses[s]; ok {
		return a
	}
	a := &apparatus{block: s.block}
	c.apparatuses[s] = a
	d := c.decode(s.block)
	a.plan = plan.Apparatus{Name: s.name, Kind: s.block.Labels[0]}
	switch a.plan.Kind {
	case "http":
		c.httpApparatus(d, a)
	case "command":
		c.commandApparatus(d, a)
	default:
		a.plan.Sampling, a.plan.Block, a.plan.Verify = d.text("sampling"), int(d.count("block", 0)), d.text("verify")
		if a.plan.Kind == "proxy" {
			c.proxyApparatus(d, a)
		}
	}
	a.ok = !d.bad
	return a
}

type environment struct {
	ok        bool
	block     *lang.Block
	plan      plan.Environment
	serving   *serving
	apparatus *apparatus
}

func (c *compilation) environment(s *symbol) *environment {
	if e, ok := c.environments[s]; ok {
		return e
	}
	e := &environment{block: s.block}
	c.environments[s] = e
	d := c.decode(s.block)
	p := plan.Environment{
		Name: s.name, Kind: d.text("kind"), SUTBoundary: d.text("sut_boundary"),
		Description: d.text("description"), Organisation: d.text("organisation"),
		Path: d.texts("path"), InjectAt: d.text("inject_at"), ObserveAt: d.text("observe_at"),
		Guardrails: []plan.Guardrail{},
	}
	if v := d.ref("serving"); v != nil {
		e.serving = c.serving(v)
	}
	if a := d.ref("apparatus"); a != nil {
		e.apparatus = c.apparatus(a)
	}
	inject, observe := c.position(d, &p)
	for _, b := range s.block.All("guardrail") {
		c.guardrail(d, &p, b, inject, observe)
	}
	slices.SortStableFunc(p.Guardrails, func(a, b plan.Guardrail) int {
		return cmp.Compare(slices.Index(p.Path, a.Place), slices.Index(p.Path, b.Place))
	})
	if b := s.block.One("caching"); b != nil {
		n := c.decode(b)
		p.Caching, p.CachingProof = n.text("approach"), n.text("proof")
		d.bad = d.bad || n.bad
	}
	if b := s.block.One("clocks"); b != nil {
		n := c.decode(b)
		p.Clocks, p.Responder = n.text("arrangement"), n.hostPort("responder")
		if n.given("responder") && n.usable("arrangement") && p.Clocks != "probed" {
			n.refuse("responder", "Responder without probes", fmt.Sprintf("Nothing is probed with arrangement = %q. Write arrangement = \"probed\", or leave the responder out.", p.Clocks))
		}
		d.bad = d.bad || n.bad
	}
	e.plan = p
	e.ok = !d.bad && e.serving != nil && e.serving.ok && e.apparatus != nil && e.apparatus.ok
	return e
}

// position works out where the injection point lies relative to the
// observation point (FD-3.1-6), and returns their places in the path.
func (c *compilation) position(d *decoder, p *plan.Environment) (inject, observe int) {
	if !d.usable("path") {
		return -1, -1
	}
	if len(p.Path) == 0 {
		d.refuse("path", "Empty path", "The path names at least one place that a response passes, such as [\"engine\", \"gateway\"].")
		return -1, -1
	}
	for i, place := range p.Path {
		if slices.Contains(p.Path[:i], place) {
			d.c.errorAt(d.itemAt("path", i), "FD-3.1-6", "Place named twice", fmt.Sprintf("A response passes %q once. Give the places different names.", place))
			d.fail("path")
		}
	}
	inject, observe = c.place(d, p, "inject_at", p.InjectAt), c.place(d, p, "observe_at", p.ObserveAt)
	switch {
	case inject < 0 || observe < 0:
	case inject == observe:
		p.Position = "same"
	case inject < observe:
		p.Position = "fip_upstream"
	default:
		p.Position = "fip_downstream"
	}
	return inject, observe
}

func (c *compilation) place(d *decoder, p *plan.Environment, name, place string) int {
	if !d.usable(name) {
		return -1
	}
	i := slices.Index(p.Path, place)
	if i < 0 {
		detail := fmt.Sprintf("%q is not a place of the path, which has: %s.", place, strings.Join(p.Path, ", "))
		if n := suggest.Nearest(place, p.Path); n != "" {
			detail += fmt.Sprintf(" Did you mean %q?", n)
		}
		c.errorAt(d.at(name), "FD-3.1-6", "Place outside of the path", detail)
		d.fail(name)
	}
	return i
}

func (c *compilation) guardrail(parent *decoder, p *plan.Environment, b *lang.Block, inject, observe int) {
	d := c.decode(b)
	defer func() { parent.bad = parent.bad || d.bad }()
	g := plan.Guardrail{Place: b.Labels[0]}
	if m := d.share("masks", true); m != nil {
		g.Masks = *m
	}
	if s := d.ref("class"); s != nil {
		g.Class = s.name
		d.bad = d.bad || !c.faultClass(s).ok
	}
	if inject < 0 || observe < 0 {
		return
	}
	at := slices.Index(p.Path, g.Place)
	if at < 0 {
		detail := fmt.Sprintf("A guardrail is named after the place where it stands, and %q is not a place of the path: %s.", g.Place, strings.Join(p.Path, ", "))
		c.errorAt(b.LabelRanges[0], "FD-3.1-6", "Place outside of the path", detail)
		d.bad = true
		return
	}
	g.Acts = at > inject && at <= observe
	p.Guardrails = append(p.Guardrails, g)
}
