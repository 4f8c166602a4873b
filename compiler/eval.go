package compiler

import (
	"fmt"
	"github.com/fdbench/fdbench/lang/suggest"
	"reflect"
	"strings"

	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/schema"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

var symbolGoType = reflect.TypeFor[symbol]()

// node is a named value that is computed at most once: a variable, a local, or
// an argument of a block.
type node struct {
	done, ok bool
	value    cty.Value
}

// value evaluates an expression. It is false where it has no value; the reason
// has then been reported, here or where the value that failed comes from.
func (c *compilation) value(e hclsyntax.Expression) (cty.Value, bool) {
	// Nearly every argument is a literal and needs no context.
	switch e := e.(type) {
	case *hclsyntax.LiteralValueExpr:
		return e.Val, true
	case *hclsyntax.TemplateExpr:
		if len(e.Parts) == 0 {
			return cty.StringVal(""), true
		}
		if len(e.Parts) == 1 {
			if l, ok := e.Parts[0].(*hclsyntax.LiteralValueExpr); ok && l.Val.Type() == cty.String {
				return l.Val, true
			}
		}
	}
	ctx, ok := c.context(e)
	if !ok {
		return cty.NilVal, false
	}
	v, diags := e.Value(ctx)
	if diags.HasErrors() {
		c.hclDiags(diags)
		return cty.NilVal, false
	}
	return v, true
}

// context holds what one expression names and nothing else, so that its size
// depends on the expression and not on the scenario.
func (c *compilation) context(e hclsyntax.Expression) (*hcl.EvalContext, bool) {
	ok := true
	found := map[string]map[string]cty.Value{}
	fields := map[string]map[string]map[string]cty.Value{}
	put := func(root, name string, v cty.Value) {
		if found[root] == nil {
			found[root] = map[string]cty.Value{}
		}
		found[root][name] = v
	}
	for _, t := range hclsyntax.Variables(e) {
		root := t.RootName()
		if !c.knownRoot(t, root) {
			ok = false
			continue
		}
		name, rng, named := step(t, 1)
		if !named {
			if root != "var" && root != "local" {
				c.errorAt(t.SourceRange(), "LANG-reference", "Incomplete reference",
					fmt.Sprintf("Write the name of the %s too: %s.NAME.", root, root))
				ok = false
				continue
			}
			for _, name := range c.names(root) {
				v, good := c.named(root, name)
				ok = ok && good
				put(root, name, v)
			}
			continue
		}
		switch root {
		case "var", "local":
			if !c.defined(root, name) {
				c.unknownName(rng, root, name)
				ok = false
				continue
			}
			v, good := c.named(root, name)
			ok = ok && good
			put(root, name, v)
		default:
			s := c.lookup(root, name)
			if s == nil {
				c.unknownName(rng, root, name)
				ok = false
				continue
			}
			field, rng, deeper := step(t, 2)
			if !deeper {
				put(root, name, cty.CapsuleVal(refType, s))
				continue
			}
			v, good := c.field(s, field, rng)
			ok = ok && good
			if !good {
				continue
			}
			if fields[root] == nil {
				fields[root] = map[string]map[string]cty.Value{}
			}
			if fields[root][name] == nil {
				fields[root][name] = map[string]cty.Value{}
			}
			fields[root][name][field] = v
		}
	}
	if !ok {
		return nil, false
	}
	for root, byName := range fields {
		for name, values := range byName {
			put(root, name, cty.ObjectVal(values))
		}
	}
	vars := make(map[string]cty.Value, len(found))
	for root, values := range found {
		vars[root] = cty.ObjectVal(values)
	}
	ctx := c.base.NewChild()
	ctx.Variables = vars
	return ctx, true
}

// step returns the name at position i of a traversal: a.name or a["name"].
func step(t hcl.Traversal, i int) (string, hcl.Range, bool) {
	if i >= len(t) {
		return "", hcl.Range{}, false
	}
	switch s := t[i].(type) {
	case hcl.TraverseAttr:
		r := s.SrcRange
		// The range of HCL includes the dot.
		if r.End.Byte-r.Start.Byte == len(s.Name)+1 {
			r.Start.Byte++
			r.Start.Column++
		}
		return s.Name, r, true
	case hcl.TraverseIndex:
		if s.Key.Type() == cty.String && s.Key.IsKnown() && !s.Key.IsNull() {
			return s.Key.AsString(), s.SrcRange, true
		}
	}
	return "", hcl.Range{}, false
}

func (c *compilation) knownRoot(t hcl.Traversal, root string) bool {
	for _, r := range roots {
		if r == root {
			return true
		}
	}
	detail := fmt.Sprintf("There is nothing of the name %q. An expression may name var.NAME, local.NAME, and blocks such as detector.NAME.", root)
	if s := suggest.Nearest(root, roots); s != "" {
		detail += fmt.Sprintf(" Did you mean %q?", s)
	} else if len(t) == 1 {
		detail += fmt.Sprintf(" A text is written in quotes: %q.", root)
	}
	c.errorAt(t[0].SourceRange(), "LANG-unknown-name", "Unknown name", detail)
	if s := suggest.Only(root, roots); s != "" && len(t) > 1 {
		c.fix(t[0].SourceRange(), s)
	}
	return false
}

func (c *compilation) unknownName(r hcl.Range, root, name string) {
	names := c.names(root)
	what := root
	switch root {
	case "var":
		what = "variable"
	case "local":
		what = "local value"
	}
	detail := fmt.Sprintf("There is no %s of the name %q.", what, name)
	switch s := suggest.Nearest(name, names); {
	case s != "":
		detail += fmt.Sprintf(" Did you mean %s.%s?", root, s)
	case len(names) == 0:
		detail += fmt.Sprintf(" The scenario has no %s block yet.", strings.ReplaceAll(what, "local value", "locals"))
	case len(names) <= 12:
		detail += fmt.Sprintf(" There are: %s.", strings.Join(names, ", "))
	}
	c.errorAt(r, "LANG-unknown-reference", "Unknown reference", detail)
	c.fixName(r, name, suggest.Only(name, names))
}

func (c *compilation) defined(root, name string) bool {
	if root == "var" {
		return c.variables[name] != nil
	}
	return c.locals[name] != nil
}

// named returns the value of a variable or a local, computed once.
func (c *compilation) named(root, name string) (cty.Value, bool) {
	return c.once(root+"."+name, func() (cty.Value, bool) {
		if root == "var" {
			return c.variable(name)
		}
		return c.value(c.locals[name].Expr)
	})
}

// field returns the value of an argument of a block.
func (c *compilation) field(s *symbol, field string, r hcl.Range) (cty.Value, bool) {
	sch := s.block.Schema
	if sch == nil {
		return cty.NilVal, false
	}
	as := sch.Attr(field)
	if as == nil {
		detail := fmt.Sprintf("%s has no argument %q.", s, field)
		if n := suggest.Nearest(field, sch.AttrNames()); n != "" {
			detail += fmt.Sprintf(" Did you mean %q?", n)
		}
		c.errorAt(r, "LANG-unknown-reference", "Unknown reference", detail)
		c.fixName(r, field, suggest.Only(field, sch.AttrNames()))
		return cty.NilVal, false
	}
	a := s.block.Attr(field)
	if a == nil {
		v, ok := defaultOf(as)
		if !ok {
			c.errorAt(r, "LANG-null", "No value", fmt.Sprintf("%s does not set %q, and it has no default.", s, field))
		}
		return v, ok
	}
	return c.once(s.String()+"."+field, func() (cty.Value, bool) {
		if as.Type == schema.Ref {
			if target := c.refOf(a); target != nil {
				return cty.CapsuleVal(refType, target), true
			}
			return cty.NilVal, false
		}
		return c.value(a.Expr)
	})
}

// once computes a named value at its first use. A value that needs itself is a
// cycle, reported once with the whole path.
func (c *compilation) once(key string, compute func() (cty.Value, bool)) (cty.Value, bool) {
	n := c.nodes[key]
	if n == nil {
		n = &node{}
		c.nodes[key] = n
		c.stack = append(c.stack, key)
		n.value, n.ok = compute()
		c.stack = c.stack[:len(c.stack)-1]
		n.done = true
	} else if !n.done {
		c.cycle(key)
		return cty.NilVal, false
	}
	return n.value, n.ok
}

func (c *compilation) cycle(key string) {
	for i, k := range c.stack {
		if k != key {
			continue
		}
		path := strings.Join(append(append([]string{}, c.stack[i:]...), key), " → ")
		r := c.placeOf(key)
		c.errorAt(r, "LANG-cycle", "Values that need each other",
			fmt.Sprintf("No value can be computed here, because each needs the next: %s. Give one of them a value of its own.", path))
		return
	}
}

// placeOf is where a named value is defined.
func (c *compilation) placeOf(key string) hcl.Range {
	root, rest, _ := strings.Cut(key, ".")
	switch root {
	case "var":
		return c.variables[rest].DefRange
	case "local":
		return c.locals[rest].NameRange
	}
	name, field, _ := strings.Cut(rest, ".")
	return c.lookup(root, name).block.Attr(field).NameRange
}

// refOf resolves an argument that has to name a block.
func (c *compilation) refOf(a *lang.Attr) *symbol {
	r := a.Expr.Range()
	want := a.Schema.Refs
	if t, ok := a.Expr.(*hclsyntax.ScopeTraversalExpr); ok && len(t.Traversal) == 2 {
		root := t.Traversal.RootName()
		for _, w := range want {
			if w != root {
				continue
			}
			name, rng, _ := step(t.Traversal, 1)
			s := c.lookup(root, name)
			if s == nil {
				c.unknownName(rng, root, name)
			}
			return s
		}
	}
	v, ok := c.value(a.Expr)
	if !ok {
		return nil
	}
	example := want[0] + ".NAME"
	if v.Type().Equals(refType) && v.IsKnown() && !v.IsNull() {
		s := v.EncapsulatedValue().(*symbol)
		for _, w := range want {
			if w == s.kind {
				return s
			}
		}
		id, why := "LANG-reference", ""
		if a.Name == "component" && (s.kind == "apparatus" || s.kind == "serving") {
			id, why = "FD-3.1-5", " What applies a fault, or answers, does not detect it: its signal would measure itself."
		}
		c.errorAt(r, id, "Wrong kind of reference",
			fmt.Sprintf("%q has to name %s, and %s is %s.%s Write %s.", a.Name, article(want[0]), s, article(s.kind), why, example))
		return nil
	}
	if v.Type() == cty.String && v.IsKnown() && !v.IsNull() {
		text := v.AsString()
		write := example
		if c.lookup(want[0], text) != nil {
			write = want[0] + "." + text
		} else if kind, name, ok := strings.Cut(text, "."); ok && kind == want[0] && c.lookup(kind, name) != nil {
			write = text
		}
		c.errorAt(r, "LANG-reference", "Text in place of a reference",
			fmt.Sprintf("%q names a block, which is written without quotes: %s.", a.Name, write))
		if _, _, literal := a.Literal(); literal && write != example {
			c.fix(r, write)
		}
		return nil
	}
	if t := v.Type(); t.IsTupleType() || t.IsListType() || t.IsSetType() {
		c.errorAt(r, ruleOf(a.Schema, "LANG-reference"), "One reference expected",
			fmt.Sprintf("%q names one %s and no list: write %s.", a.Name, want[0], example))
		return nil
	}
	c.errorAt(r, "LANG-reference", "Reference expected",
		fmt.Sprintf("%q has to name %s: write %s.", a.Name, article(want[0]), example))
	return nil
}

func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}
