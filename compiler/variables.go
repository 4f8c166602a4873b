package compiler

import (
	"fmt"
	"github.com/fdbench/fdbench/lang/suggest"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// EnvPrefix is what the name of an environment variable begins with that sets
// a variable of a scenario. No other environment variable is ever read.
const EnvPrefix = "FDBENCH_VAR_"

// setting is a value given from outside, and where it was given.
type setting struct{ text, from string }

// settings merges the environment and the command line, which wins. A name
// that the scenario does not declare is an error on the command line and is
// left alone in the environment, which other scenarios share.
func (c *compilation) readSettings(o Options) {
	c.settings = map[string]setting{}
	for _, e := range o.Env {
		name, text, ok := strings.Cut(e, "=")
		if name, found := strings.CutPrefix(name, EnvPrefix); ok && found && c.variables[name] != nil {
			c.settings[name] = setting{text, "the environment variable " + EnvPrefix + name}
		}
	}
	for _, name := range sortedKeys(o.Variables) {
		if c.variables[name] == nil {
			detail := fmt.Sprintf("The command line sets %q, and the scenario has no variable of this name.", name)
			if n := suggest.Nearest(name, sortedKeys(c.variables)); n != "" {
				detail += fmt.Sprintf(" Did you mean %q?", n)
			}
			c.diags.Add(diag.Diagnostic{Severity: diag.Error, Rule: "LANG-variable", Summary: "Unknown variable", Detail: detail})
			continue
		}
		c.settings[name] = setting{o.Variables[name], "--var " + name}
	}
}

// variable computes an input: the given text, else the default, converted to
// the declared type and checked by the validations.
func (c *compilation) variable(name string) (cty.Value, bool) {
	b := c.variables[name]
	want, defaults, ok := c.typeOf(b)
	if !ok {
		return cty.NilVal, false
	}
	var v cty.Value
	var place hcl.Range
	if s, given := c.settings[name]; given {
		place = b.DefRange
		if v, ok = c.parseSetting(name, s, want, place); !ok {
			return cty.NilVal, false
		}
	} else if a := b.Attr("default"); a != nil {
		place = a.Expr.Range()
		if v, ok = c.value(a.Expr); !ok {
			return cty.NilVal, false
		}
	} else {
		c.errorAt(b.DefRange, "LANG-variable", "Variable without a value",
			fmt.Sprintf("%q has no default. Give it with --var %s=VALUE or in the environment as %s%s.", name, name, EnvPrefix, name))
		return cty.NilVal, false
	}
	if defaults != nil && !v.IsNull() {
		v = defaults.Apply(v)
	}
	got, err := convert.Convert(v, want)
	if err != nil {
		detail := fmt.Sprintf("The value of %q has to be %s: %s.", name, typeexpr.TypeString(want), err)
		if s, given := c.settings[name]; given {
			detail = fmt.Sprintf("The value that %s gives has to be %s: %s.", s.from, typeexpr.TypeString(want), err)
		}
		c.errorAt(place, "LANG-type", "Wrong type", detail)
		return cty.NilVal, false
	}
	if _, err := plainValue(got); err != nil {
		c.errorAt(place, "LANG-number", "Number out of range", fmt.Sprintf("The value of %q cannot be used: %s. A number lies between 1e-15 and 1e15, or is 0.", name, err))
		return cty.NilVal, false
	}
	return got, c.validate(name, b, got)
}

func (c *compilation) typeOf(b *lang.Block) (cty.Type, *typeexpr.Defaults, bool) {
	a := b.Attr("type")
	if a == nil {
		return cty.DynamicPseudoType, nil, true
	}
	t, defaults, diags := typeexpr.TypeConstraintWithDefaults(a.Expr)
	if diags.HasErrors() {
		c.errorAt(a.Expr.Range(), "LANG-type", "Unknown type",
			"A type is string, number, bool, any, list(T), set(T), map(T), tuple([T, ...]) or object({name = T, other = optional(T, default)}).")
		return cty.NilType, nil, false
	}
	return t, defaults, true
}

// parseSetting reads a text from outside: as it stands where the variable is a
// string, else as an expression without names.
func (c *compilation) parseSetting(name string, s setting, want cty.Type, place hcl.Range) (cty.Value, bool) {
	if want == cty.String {
		return cty.StringVal(s.text), true
	}
	e, diags := hclsyntax.ParseExpression([]byte(s.text), s.from, hcl.InitialPos)
	if !diags.HasErrors() {
		if v, diags := e.Value(nil); !diags.HasErrors() {
			return v, true
		}
	}
	if want == cty.DynamicPseudoType {
		return cty.StringVal(s.text), true
	}
	c.errorAt(place, "LANG-variable", "Value cannot be read",
		fmt.Sprintf("%s gives %q, which is not %s. Write it as in a scenario, for example 0.12, true or [1, 2].", s.from, s.text, typeexpr.TypeString(want)))
	return cty.NilVal, false
}

// validate checks the conditions of a variable. They may look at the variable
// itself only, which has its value by now.
func (c *compilation) validate(name string, b *lang.Block, v cty.Value) bool {
	ok := true
	ctx := c.base.NewChild()
	ctx.Variables = map[string]cty.Value{"var": cty.ObjectVal(map[string]cty.Value{name: v})}
	for _, rule := range b.All("validation") {
		cond, msg := rule.Attr("condition"), rule.Attr("error_message")
		if cond == nil || msg == nil {
			continue
		}
		if !c.onlyNames(cond, name) {
			ok = false
			continue
		}
		result, diags := cond.Expr.Value(ctx)
		if diags.HasErrors() {
			c.hclDiags(diags)
			ok = false
			continue
		}
		if result.IsNull() || result.Type() != cty.Bool {
			c.errorAt(cond.Expr.Range(), "LANG-type", "Wrong type", "A condition has to be true or false.")
			ok = false
			continue
		}
		if result.True() {
			continue
		}
		ok = false
		text, diags := msg.Expr.Value(ctx)
		message := "the value does not meet the condition"
		if !diags.HasErrors() && text.Type() == cty.String && !text.IsNull() {
			message = text.AsString()
		}
		place := b.DefRange
		from := "the default"
		if s, given := c.settings[name]; given {
			from = s.from
		} else if a := b.Attr("default"); a != nil {
			place = a.Expr.Range()
		}
		c.errorAt(place, "LANG-validation", "Variable is not valid",
			fmt.Sprintf("%s (value of %q from %s: %s)", sentence(message), name, from, show(v)))
	}
	return ok
}

func (c *compilation) onlyNames(a *lang.Attr, name string) bool {
	for _, t := range hclsyntax.Variables(a.Expr) {
		n, _, _ := step(t, 1)
		if t.RootName() != "var" || n != name {
			c.errorAt(t.SourceRange(), "LANG-unknown-name", "Unknown name",
				fmt.Sprintf("A validation may look at var.%s only.", name))
			return false
		}
	}
	return true
}

// show is a value on one line for a message.
func show(v cty.Value) string {
	b, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		return typeName(v.Type())
	}
	if len(b) > 60 {
		return string(b[:57]) + "..."
	}
	return string(b)
}

// canonicalValue is the text under which a plan keeps a variable: canonical
// JSON, numbers as the exact decimals that they become.
func canonicalValue(v cty.Value) (string, error) {
	tree, err := plainValue(v)
	if err != nil {
		return "", err
	}
	b, err := plan.Canonical(tree)
	return string(b), err
}

// plainValue is a value with its numbers as texts.
func plainValue(v cty.Value) (any, error) {
	return treeOf(v, func(n exact.Number) any { return n.String() })
}

// treeOf is a value as encoding/json takes it, with its numbers as number
// gives them.
func treeOf(v cty.Value, number func(exact.Number) any) (any, error) {
	switch t := v.Type(); {
	case v.IsNull():
		return nil, nil
	case t == cty.String:
		return v.AsString(), nil
	case t == cty.Bool:
		return v.True(), nil
	case t == cty.Number:
		n, ok := fromCty(v)
		if !ok {
			return nil, fmt.Errorf("a number in it is out of range")
		}
		return number(n), nil
	case t.IsTupleType() || t.IsListType() || t.IsSetType():
		list := []any{}
		for _, item := range v.AsValueSlice() {
			p, err := treeOf(item, number)
			if err != nil {
				return nil, err
			}
			list = append(list, p)
		}
		return list, nil
	case t.IsObjectType() || t.IsMapType():
		m := map[string]any{}
		for k, item := range v.AsValueMap() {
			p, err := treeOf(item, number)
			if err != nil {
				return nil, err
			}
			m[k] = p
		}
		return m, nil
	}
	return nil, fmt.Errorf("%s cannot be kept in a plan", typeName(v.Type()))
}
