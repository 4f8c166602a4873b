package compiler

import (
	"fmt"
	"github.com/fdbench/fdbench/lang/suggest"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/predicate"
	"github.com/fdbench/fdbench/lang/quantity"
	"github.com/fdbench/fdbench/stdlib/text"
)

// indicator is a decoded indicator block.
type indicator struct {
	ok       bool
	block    *lang.Block
	plan     plan.Indicator
	planning *exact.Number // planning_baseline
}

func (c *compilation) indicator(s *symbol) *indicator {
	if i, ok := c.indicators[s]; ok {
		return i
	}
	i := &indicator{block: s.block}
	c.indicators[s] = i
	d := c.decode(s.block)
	i.plan = plan.Indicator{Name: s.name, Kind: d.text("kind"), Unit: d.text("unit"), Params: d.params("params")}
	d.text("description")
	i.planning = d.number("planning_baseline")
	if i.plan.Kind == "rate" {
		i.planning = d.share("planning_baseline", true)
		if d.usable("unit") && i.plan.Unit != "1" {
			d.refuse("unit", "Unit of a rate", fmt.Sprintf("A rate is a share and has the unit \"1\", not %q. Leave the unit out.", i.plan.Unit))
		}
	}
	switch {
	case d.given("scorer"):
		i.plan.Scorer = d.text("scorer")
		if d.usable("scorer") {
			c.checkScorer(d, i)
		}
	case d.given("predicate"):
		i.plan.Predicate, _ = predicateText(d, "predicate", predicate.CompileResponse)
		if d.usable("predicate", "kind") && i.plan.Kind != "rate" {
			d.refuse("predicate", "Predicate of a mean", "A predicate scores a response 0 or 1, so the indicator is a rate: write kind = \"rate\".")
		}
		if len(i.plan.Params) > 0 {
			d.refuse("params", "Settings without a scorer", "Only a scorer has settings. A predicate is written out in full.")
		}
	}
	i.ok = !d.bad
	return i
}

// predicateText compiles an expr text of a block and returns its canonical
// form.
func predicateText[T interface{ Text() string }](d *decoder, name string, compile func(string) (T, *quantity.Error)) (string, T) {
	p, ok := parsed(d, name, "a condition in quotes", compile)
	if !ok {
		var zero T
		return "", zero
	}
	return p.Text(), p
}

func (c *compilation) checkScorer(d *decoder, i *indicator) {
	s, found := text.LookupScorer(i.plan.Scorer)
	if !found {
		var ids []string
		for _, s := range text.Scorers() {
			ids = append(ids, s.ID)
		}
		d.refuse("scorer", "Unknown scorer", unknownOf("scorer", i.plan.Scorer, ids))
		return
	}
	if d.usable("kind") && s.Kind != i.plan.Kind {
		d.refuse("scorer", "Scorer of another kind", fmt.Sprintf("%s computes a %s, and the indicator says kind = %q. Change one of them.", s.ID, s.Kind, i.plan.Kind))
	}
	if d.usable("params") {
		if _, err := s.New(i.plan.Params); err != nil {
			d.refuse("params", "Wrong setting of a scorer", sentence(err.Error()))
		}
	}
}

func unknownOf(what, name string, all []string) string {
	detail := fmt.Sprintf("There is no %s %q.", what, name)
	if n := suggest.Nearest(name, all); n != "" {
		return detail + fmt.Sprintf(" Did you mean %q?", n)
	}
	return detail + fmt.Sprintf(" There are: %s.", strings.Join(all, ", "))
}

// faultClass is a decoded fault_class block.
type faultClass struct {
	ok        bool
	block     *lang.Block
	indicator *indicator
	plan      plan.FaultClass
	hasScale  bool
}

func (c *compilation) faultClass(s *symbol) *faultClass {
	if f, ok := c.classes[s]; ok {
		return f
	}
	f := &faultClass{block: s.block}
	c.classes[s] = f
	d := c.decode(s.block)
	f.plan = plan.FaultClass{Name: s.name, Direction: d.text("direction"), Params: d.params("params"), Scale: exact.Int(1)}
	d.text("description")
	d.texts("seen_in")
	if i := d.ref("indicator"); i != nil {
		f.indicator = c.indicator(i)
		f.plan.Indicator = i.name
	}
	if n := d.positiveOrZero("scale"); n != nil {
		f.plan.Scale, f.hasScale = *n, true
		c.checkScale(d, f)
	}
	switch {
	case d.given("transform"):
		f.plan.Transform = d.text("transform")
		if d.usable("transform") {
			c.checkTransform(d, f)
		}
	case d.given("replace"):
		if f.plan.Replace = c.fileName(d, "replace"); f.plan.Replace != "" {
			c.rows(d, "replace", f.plan.Replace, "replacement")
		}
		if len(f.plan.Params) > 0 {
			d.refuse("params", "Settings without a transform", "Only a transform has settings.")
		}
	}
	f.ok = !d.bad && f.indicator != nil && f.indicator.ok
	return f
}

func (d *decoder) positiveOrZero(name string) *exact.Number {
	n := d.number(name)
	if n != nil && n.Sign() < 0 {
		d.refuse(name, "Number out of range", fmt.Sprintf("%q is at least 0; this is %s.", name, n))
		return nil
	}
	return n
}

// checkScale refuses a factor that shifts the mean the other way.
func (c *compilation) checkScale(d *decoder, f *faultClass) {
	if f.indicator == nil || !f.indicator.ok || !d.usable("direction") {
		return
	}
	if f.indicator.plan.Kind != "mean" {
		d.refuse("scale", "Scale of a rate", "Only the score of a mean indicator can be scaled. A response either counts in a rate or does not.")
		return
	}
	up := f.plan.Scale.Cmp(exact.Int(1))
	if up == 0 || (up > 0) != (f.plan.Direction == "up") {
		d.refuse("scale", "Scale against the direction",
			fmt.Sprintf("The class shifts the indicator %s, and a factor of %s does not: it has to be %s 1.", f.plan.Direction, f.plan.Scale, map[bool]string{true: "above", false: "below"}[f.plan.Direction == "up"]))
	}
}

func (c *compilation) checkTransform(d *decoder, f *faultClass) {
	t, found := text.LookupTransform(f.plan.Transform)
	if !found {
		var ids []string
		for _, t := range text.Transforms() {
			ids = append(ids, t.ID)
		}
		d.refuse("transform", "Unknown transform", unknownOf("transform", f.plan.Transform, ids))
		return
	}
	if d.usable("params") {
		if _, err := t.New(f.plan.Params); err != nil {
			d.refuse("params", "Wrong setting of a transform", sentence(err.Error()))
		}
	}
}

// profile reads a profile block.
func (c *compilation) profile(s *symbol) (plan.Profile, bool) {
	if p, ok := c.profiles[s]; ok {
		return p, p.Shape != ""
	}
	d := c.decode(s.block)
	d.text("description")
	q, ok := parsed(d, "shape", "a shape in quotes", quantity.ParseProfile)
	var p plan.Profile
	if ok {
		p = planProfile(q)
	}
	c.profiles[s] = p
	return p, ok
}

func planProfile(q quantity.Profile) plan.Profile {
	return plan.Profile{Name: q.String(), Shape: q.Shape, Ramp: q.Ramp, On: q.On, Off: q.Off}
}

// population is a decoded population block.
type population struct {
	ok    bool
	block *lang.Block
	plan  plan.Population
}

func (c *compilation) population(s *symbol) *population {
	if p, ok := c.populations[s]; ok {
		return p
	}
	p := &population{block: s.block}
	c.populations[s] = p
	d := c.decode(s.block)
	p.plan = plan.Population{Name: s.name, Salt: d.text("salt"), Provenance: d.text("provenance")}
	d.text("description")
	switch {
	case d.given("source"):
		p.plan.Source = c.fileName(d, "source")
		if d.given("size") {
			d.refuse("size", "Size of a source", "A source has as many prompts as it has lines. Leave the size out.")
		}
		if p.plan.Source != "" {
			if f := c.file(d, "source", p.plan.Source, "population"); f != nil {
				p.plan.Size = c.countPrompts(d, f)
				p.plan.Digest = f.sha256
			}
		}
	case d.given("generator"):
		p.plan.Generator = d.text("generator")
		p.plan.Size = int(d.count("size", 1))
		if d.usable("generator") && p.plan.Generator != "" {
			p.plan.Digest = plan.Digest("fdbench.population/1", []byte(p.plan.Generator), fmt.Append(nil, p.plan.Size))
		}
		if d.usable("generator") && !strings.Contains(p.plan.Generator, "/") {
			d.refuse("generator", "Generator without a version", fmt.Sprintf("Name the version too, so that the population stays the same: \"%s/1\".", p.plan.Generator))
		}
	}
	p.ok = !d.bad
	return p
}
