package compiler

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/quantity"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// readFault decodes a fault block.
func (s *series) readFault(b *lang.Block) {
	d := s.c.decode(b)
	f := rule.Fault{Block: b, Label: b.Labels[0], Because: d.because()}
	sym := d.ref("class")
	var class *faultClass
	if sym != nil {
		class = s.useClass(d, sym)
		f.Class = sym.name
	}
	f.Magnitudes, f.Places = s.magnitudes(d, class)
	f.Profiles = s.profiles(d)
	if d.bad {
		s.d.bad = true
		s.unknown(rule.Matrix)
	}
	s.ctx.Faults = append(s.ctx.Faults, f)
}

// refuseRepeated refuses a combination that an earlier fault block has already:
// its rows would have the same names.
func (s *series) refuseRepeated() {
	if len(s.ctx.Faults) < 2 {
		return
	}
	type cell struct{ class, magnitude, profile string }
	first := map[cell]int{}
	for i, f := range s.ctx.Faults {
		for j, m := range f.Magnitudes {
			reported := false
			for _, p := range f.Profiles {
				key := cell{f.Class, m.String(), p.Name}
				at, there := first[key]
				if !there {
					first[key] = i
				} else if at != i && !reported {
					reported = true
					s.c.errorAt(f.Places[j], "LANG-range", "Combination given twice",
						fmt.Sprintf("fault_class.%s at %s with the profile %q is in the fault block at line %d already. Keep one.", f.Class, m, p.Name, s.ctx.Faults[at].Block.DefRange.Start.Line))
					s.d.bad = true
					s.unknown(rule.Matrix)
				}
			}
		}
	}
}

// relative finds a magnitude that is not an absolute change.
var relative = regexp.MustCompile(`^\s*[-+]?[0-9.]+\s*(%|x|sd|σ|sigma)\s*$`)

// magnitudes reads a list of numbers or a sweep. Text is only read as a sweep,
// never as one magnitude: "50%" and "2x" are relative, and a magnitude is an
// absolute change (FD-4.2-6).
func (s *series) magnitudes(d *decoder, class *faultClass) ([]exact.Number, []hcl.Range) {
	v, set := d.raw("magnitudes")
	if !set {
		return nil, nil
	}
	const rule = "FD-4.2-6"
	refuse := func(summary, detail string) {
		s.c.errorAt(d.at("magnitudes"), rule, summary, detail)
		d.fail("magnitudes")
	}
	var list []exact.Number
	var places []hcl.Range
	t := v.Type()
	switch {
	case t == cty.Number:
		refuse("List expected", "Write a list, such as [0.05, 0.1], even for one magnitude.")
		return nil, nil
	case t == cty.String:
		text := v.AsString()
		if relative.MatchString(text) {
			refuse("Relative magnitude", fmt.Sprintf("%q is relative. A magnitude is an absolute change of the indicator from its baseline mean, in the indicator's unit: write [0.05] for five more responses in a hundred.", text))
			return nil, nil
		}
		dim := quantity.Scalar
		if class != nil && class.ok && class.indicator.plan.Unit != "1" {
			dim = quantity.Count
		}
		var ok bool
		list, ok = parsed(d, "magnitudes", "a list of numbers or a sweep of "+string(dim), func(t string) ([]exact.Number, *quantity.Error) {
			return sweep(t, dim)
		})
		if !ok {
			return nil, nil
		}
		if class != nil && class.ok {
			s.checkUnit(d, text, class.indicator.plan.Unit)
		}
		for range list {
			places = append(places, d.at("magnitudes"))
		}
	case t.IsTupleType() || t.IsListType() || t.IsSetType():
		for i, item := range v.AsValueSlice() {
			at := d.itemAt("magnitudes", i)
			if item.IsNull() || item.Type() != cty.Number {
				detail := fmt.Sprintf("A magnitude is a number, and this is %s.", typeName(item.Type()))
				if item.Type() == cty.String && !item.IsNull() {
					detail = fmt.Sprintf("%q is not a magnitude. It is an absolute change of the indicator from its baseline mean, in the indicator's unit, written as a number: 0.05 for five more responses in a hundred.", item.AsString())
				}
				s.c.errorAt(at, rule, "Magnitude is not absolute", detail)
				d.fail("magnitudes")
				continue
			}
			if n, ok := d.finite("magnitudes", item, at); ok {
				list, places = append(list, n), append(places, at)
			}
		}
	default:
		d.wrongType("magnitudes", v, "a list of numbers or a sweep")
		return nil, nil
	}
	if len(list) == 0 && d.usable("magnitudes") {
		d.refuse("magnitudes", "No magnitude", "Name at least one magnitude.")
	}
	for i, n := range list {
		if slices.ContainsFunc(list[:i], func(m exact.Number) bool { return m.Cmp(n) == 0 }) {
			s.c.errorAt(places[i], "LANG-range", "Magnitude given twice", fmt.Sprintf("%s is there twice. Keep one.", n))
			d.fail("magnitudes")
		}
	}
	return list, places
}

// sweep reads a sweep of a dimension. A plain list of numbers is also one of
// counts.
func sweep(text string, dim quantity.Dimension) ([]exact.Number, *quantity.Error) {
	list, err := quantity.ParseSweep(text, dim)
	if err != nil && dim == quantity.Count {
		if plain, e := quantity.ParseSweep(text, quantity.Scalar); e == nil {
			return plain, nil
		}
	}
	return list, err
}

var wordIn = regexp.MustCompile(`[a-z]{3,}`)

// checkUnit refuses a sweep in another unit than the indicator's.
func (s *series) checkUnit(d *decoder, text, unit string) {
	for _, w := range wordIn.FindAllString(text, -1) {
		switch w {
		case "log", "linear", "steps", "step", unit, unit + "s":
		default:
			if w+"s" != unit {
				s.c.errorAt(d.at("magnitudes"), "FD-4.2-6", "Wrong unit", fmt.Sprintf("The magnitudes are in %q, and the indicator is in %q.", w, unit))
				d.fail("magnitudes")
				return
			}
		}
	}
}

// profiles reads a list of shapes and references to profile blocks.
func (s *series) profiles(d *decoder) []plan.Profile {
	v, set := d.raw("profiles")
	if !set {
		return nil
	}
	if t := v.Type(); !t.IsTupleType() && !t.IsListType() && !t.IsSetType() {
		d.wrongType("profiles", v, "a list of shapes, such as [\"step\", \"ramp 2m\"]")
		return nil
	}
	var list []plan.Profile
	for i, item := range v.AsValueSlice() {
		p, ok := s.profileOf(d, "profiles", i, item)
		if !ok {
			continue
		}
		if slices.ContainsFunc(list, func(q plan.Profile) bool { return q.Name == p.Name }) {
			s.c.errorAt(d.itemAt("profiles", i), "LANG-range", "Profile given twice", fmt.Sprintf("%q is there twice. Keep one.", p.Name))
			d.fail("profiles")
			continue
		}
		list = append(list, p)
	}
	if len(list) == 0 && d.usable("profiles") {
		d.refuse("profiles", "No profile", "Name at least one profile, such as \"step\".")
	}
	return list
}

// profileOf reads one shape or reference. i is its place in a list, or -1.
func (s *series) profileOf(d *decoder, name string, i int, v cty.Value) (plan.Profile, bool) {
	place := d.at(name)
	if i >= 0 {
		place = d.itemAt(name, i)
	}
	switch {
	case v.IsNull():
	case v.Type().Equals(refType):
		sym := v.EncapsulatedValue().(*symbol)
		if sym.kind != "profile" {
			s.c.errorAt(place, "LANG-reference", "Wrong kind of reference", fmt.Sprintf("This has to be a profile, and %s is %s.", sym, article(sym.kind)))
			d.fail(name)
			return plan.Profile{}, false
		}
		p, ok := s.c.profile(sym)
		if !ok {
			d.fail(name)
		}
		return p, ok
	case v.Type() == cty.String:
		p, err := quantity.ParseProfile(v.AsString())
		if err == nil {
			return planProfile(p), true
		}
		if i >= 0 {
			place = s.inItem(d, name, i, err)
		} else if _, pos, ok := d.b.Attr(name).Literal(); ok {
			place = pos(err.Offset, err.End)
		}
		s.c.errorAt(place, d.rule(name, "LANG-quantity"), "Value cannot be read", sentence(err.Message)+" "+sentence(err.Remedy))
		d.fail(name)
		return plan.Profile{}, false
	}
	s.c.errorAt(place, d.rule(name, "LANG-type"), "Wrong type", fmt.Sprintf("A profile is a shape in quotes, such as \"ramp 2m\", or a reference to a profile block; this is %s.", typeName(v.Type())))
	d.fail(name)
	return plan.Profile{}, false
}

func itemExpr(a *lang.Attr, i int) hclsyntax.Expression {
	if t, ok := a.Expr.(*hclsyntax.TupleConsExpr); ok && i < len(t.Exprs) {
		return t.Exprs[i]
	}
	return nil
}

// readThreshold decodes a threshold block.
func (s *series) readThreshold(b *lang.Block) {
	d := s.c.decode(b)
	t := rule.Threshold{Block: b, Label: b.Labels[0], Because: d.because()}
	if sym := d.ref("class"); sym != nil {
		s.useClass(d, sym)
		t.Class = sym.name
	}
	if v, set := d.raw("profile"); set {
		t.Profile, _ = s.profileOf(d, "profile", -1, v)
	}
	t.Target, t.TargetText = s.target(d)
	if n := d.number("resolution"); n != nil {
		t.Resolution = *n
	}
	if n := d.number("upper"); n != nil {
		t.Upper = *n
	}
	if v, set := d.raw("lower"); set {
		switch {
		case v.Type() == cty.String && v.AsString() == "floor":
			t.Floor = true
		case v.Type() == cty.String:
			d.refuse("lower", "Unknown word", fmt.Sprintf("The lower bound is a number, or \"floor\" for two standard deviations of the baseline; %q is neither.", v.AsString()))
		default:
			if n := d.number("lower"); n != nil {
				t.Lower = *n
			}
		}
	}
	if d.bad {
		s.d.bad = true
		s.unknown(rule.Matrix)
		return
	}
	s.ctx.Thresholds = append(s.ctx.Thresholds, t)
}

// target reads a coverage: "18/20", "90%" or 0.9.
func (s *series) target(d *decoder) (exact.Number, string) {
	v, set := d.raw("target")
	if !set {
		return exact.Number{}, ""
	}
	var n exact.Number
	text := ""
	if v.Type() == cty.Number {
		p := d.number("target")
		if p == nil {
			return exact.Number{}, ""
		}
		n, text = *p, p.String()
	} else {
		var ok bool
		if n, ok = parsed(d, "target", `a ratio such as "18/20" or "90%"`, quantity.ParseRatio); !ok {
			return exact.Number{}, ""
		}
		text = v.AsString()
	}
	if n.Sign() <= 0 || n.Cmp(exact.Int(1)) > 0 {
		d.refuse("target", "Target out of range", fmt.Sprintf("A target coverage is above 0 and at most 1; this is %s.", n))
	}
	return n, text
}
