package compiler

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/quantity"
	"github.com/fdbench/fdbench/lang/schema"
	"github.com/fdbench/fdbench/lang/suggest"
	"github.com/fdbench/fdbench/spec"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// decoder reads the arguments of one block. Every failure is reported once and
// leaves a mark; the value is then the zero value, and whoever needs it looks
// at the mark.
type decoder struct {
	c   *compilation
	b   *lang.Block
	bad bool
	// failed holds the names of the arguments that have no usable value.
	failed []string
	// item is the member of a list that is being read, for places.
	item *member
}

type member struct {
	name string
	i    int
}

func (c *compilation) decode(b *lang.Block) *decoder { return &decoder{c: c, b: b} }

// usable tells whether none of the named arguments failed.
func (d *decoder) usable(names ...string) bool {
	for _, n := range names {
		if slices.Contains(d.failed, n) {
			return false
		}
	}
	return true
}

func (d *decoder) fail(name string) {
	d.bad = true
	d.failed = append(d.failed, name)
}

// given tells whether the author wrote the argument.
func (d *decoder) given(name string) bool { return d.b.Attr(name) != nil }

// at is the place of an argument's value, or of the block where it is absent.
func (d *decoder) at(name string) hcl.Range {
	if m := d.item; m != nil && m.name == name {
		d.item = nil
		defer func() { d.item = m }()
		return d.itemAt(name, m.i)
	}
	if a := d.b.Attr(name); a != nil {
		return a.Expr.Range()
	}
	return d.b.DefRange
}

// rule is the id under which a wrong value of an argument is reported: that of
// the first requirement which the argument serves, else one of the language. A
// SHOULD refuses nothing, and so a value that is wrong in itself is not
// reported under one.
func (d *decoder) rule(name, otherwise string) string {
	return ruleOf(d.b.Schema.Attr(name), otherwise)
}

func ruleOf(a *schema.Attr, otherwise string) string {
	if a == nil || len(a.Requirements) == 0 {
		return otherwise
	}
	if q, ok := spec.Lookup(a.Requirements[0]); ok && q.Level == spec.Should {
		return otherwise
	}
	return a.Requirements[0]
}

// refuse reports a value that has the right type and is still wrong.
func (d *decoder) refuse(name, summary, detail string) {
	d.c.errorAt(d.at(name), d.rule(name, "LANG-range"), summary, detail)
	d.fail(name)
}

// raw returns the value of an argument or its default. set is false where
// there is neither, and where the value failed.
func (d *decoder) raw(name string) (v cty.Value, set bool) {
	a := d.b.Attr(name)
	if a == nil {
		as := d.b.Schema.Attr(name)
		if as == nil {
			panic("compiler: no argument " + name + " in the schema of " + d.b.Type)
		}
		if as.Required {
			d.fail(name) // reported when the document was loaded
			return cty.NilVal, false
		}
		return defaultOf(as)
	}
	v, ok := d.c.value(a.Expr)
	if !ok {
		d.bareWord(a)
		d.fail(name)
		return cty.NilVal, false
	}
	if v.IsNull() {
		d.c.errorAt(a.Expr.Range(), d.rule(name, "LANG-null"), "No value",
			fmt.Sprintf("%q is null here. Give it a value, or leave the line out.", name))
		d.fail(name)
		return cty.NilVal, false
	}
	if !v.IsWhollyKnown() {
		d.c.errorAt(a.Expr.Range(), "LANG-null", "No value", fmt.Sprintf("%q has no value that is known before a run.", name))
		d.fail(name)
		return cty.NilVal, false
	}
	return v, true
}

// wrongType reports a value of another type than the schema asks for.
func (d *decoder) wrongType(name string, v cty.Value, want string) {
	fix := ""
	detail := fmt.Sprintf("%q has to be %s, and this is %s.", name, want, typeName(v.Type()))
	if v.Type() == cty.String && v.IsKnown() && !v.IsNull() {
		if s := v.AsString(); strings.HasPrefix(want, "a number") || strings.HasPrefix(want, "true") {
			if _, err := exact.Parse(s); err == nil || s == "true" || s == "false" {
				detail += fmt.Sprintf(" Write %s without quotes.", s)
				fix = s
			} else if r, err := quantity.ParseRatio(s); err == nil && name == "sampling" {
				fix = r.Decimal(9)
				detail += fmt.Sprintf(" Write the share: %s.", fix)
			}
		}
	}
	d.c.errorAt(d.at(name), d.rule(name, "LANG-type"), "Wrong type", detail)
	if fix != "" {
		d.fix(name, fix)
	}
	d.fail(name)
}

// fix gives the last diagnostic its repair: another text for a value that is
// written out. One that comes from elsewhere is left to the author.
func (d *decoder) fix(name, text string) {
	a := d.b.Attr(name)
	if _, _, ok := a.Literal(); ok {
		d.c.diags[len(d.c.diags)-1].Fix = &diag.Fix{Range: a.Expr.Range(), Text: text}
	}
}

func typeName(t cty.Type) string {
	switch {
	case t == cty.String:
		return "a text"
	case t == cty.Number:
		return "a number"
	case t == cty.Bool:
		return "true or false"
	case t.IsTupleType() || t.IsListType() || t.IsSetType():
		return "a list"
	case t.IsObjectType() || t.IsMapType():
		return "an object"
	case t.Equals(refType):
		return "a reference to a block"
	}
	return t.FriendlyName()
}

// text reads a string; enumerations of the schema are checked.
func (d *decoder) text(name string) string {
	v, set := d.raw(name)
	if !set {
		return ""
	}
	if v.Type() != cty.String {
		d.wrongType(name, v, "a text in quotes")
		return ""
	}
	s := v.AsString()
	as := d.b.Schema.Attr(name)
	if len(as.Enum) > 0 && as.Type == schema.String && !slices.Contains(as.Enum, s) {
		detail := fmt.Sprintf("%q is none of the words that %q takes: %s.", s, name, quoted(as.Enum))
		if n := suggest.Nearest(s, as.Enum); n != "" {
			detail += fmt.Sprintf(" Did you mean %q?", n)
			defer func() { d.fix(name, strconv.Quote(n)) }()
		}
		if len(as.Requirements) > 0 && as.Requirements[0] == "FD-1.1-3" {
			detail += " Benchmarking is confined to a test environment."
		}
		d.refuse(name, "Unknown word", detail)
		return ""
	}
	return s
}

func quoted(words []string) string {
	q := make([]string, len(words))
	for i, w := range words {
		q[i] = fmt.Sprintf("%q", w)
	}
	return strings.Join(q, ", ")
}

// number reads an exact number; nil where the argument is absent.
func (d *decoder) number(name string) *exact.Number {
	v, set := d.raw(name)
	if !set {
		return nil
	}
	if v.Type() != cty.Number {
		d.wrongType(name, v, "a number")
		return nil
	}
	n, ok := d.finite(name, v, d.at(name))
	if !ok {
		return nil
	}
	return &n
}

func (d *decoder) finite(name string, v cty.Value, r hcl.Range) (exact.Number, bool) {
	n, ok := fromCty(v)
	if !ok {
		detail := "A number here lies between 1e-15 and 1e15, or is 0."
		if v.AsBigFloat().IsInf() {
			detail = "This is a division by zero, which has no value."
		}
		d.c.errorAt(r, "LANG-number", "Number out of range", detail)
		d.fail(name)
	}
	return n, ok
}

// share reads a number and checks that it lies in [0, 1], or in (0, 1] where
// zero is not allowed.
func (d *decoder) share(name string, zero bool) *exact.Number {
	n := d.number(name)
	if n == nil {
		return nil
	}
	if n.Sign() < 0 || n.Cmp(exact.Int(1)) > 0 || !zero && n.Sign() == 0 {
		from := "from 0"
		if !zero {
			from = "above 0"
		}
		d.refuse(name, "Share out of range", fmt.Sprintf("%q is a share, %s and at most 1; this is %s.", name, from, n))
		return nil
	}
	return n
}

// positive reads a number above 0.
func (d *decoder) positive(name string) *exact.Number {
	n := d.number(name)
	if n != nil && n.Sign() <= 0 {
		d.refuse(name, "Number out of range", fmt.Sprintf("%q has to be above 0; this is %s.", name, n))
		return nil
	}
	return n
}

// maxCount bounds every counter of a scenario; 2^31 would overflow somewhere.
const maxCount = 1_000_000_000

// count reads a whole number from low to maxCount.
func (d *decoder) count(name string, low int64) int64 {
	n := d.number(name)
	if n == nil {
		return 0
	}
	i, ok := n.Int64()
	if !n.IsInt() || !ok || i < low || i > maxCount {
		d.refuse(name, "Whole number expected", fmt.Sprintf("%q is a whole number from %d to %d; this is %s.", name, low, maxCount, n))
		return 0
	}
	return i
}

// flag reads a boolean.
func (d *decoder) flag(name string) bool {
	v, set := d.raw(name)
	if !set {
		return false
	}
	if v.Type() != cty.Bool {
		d.wrongType(name, v, "true or false")
		return false
	}
	return v.True()
}

// texts reads a list of strings.
func (d *decoder) texts(name string) []string {
	v, set := d.raw(name)
	if !set {
		return nil
	}
	t := v.Type()
	if !t.IsTupleType() && !t.IsListType() && !t.IsSetType() {
		d.wrongType(name, v, "a list of texts")
		return nil
	}
	list := make([]string, 0, v.LengthInt())
	for i, item := range v.AsValueSlice() {
		if item.IsNull() || item.Type() != cty.String {
			d.c.errorAt(d.itemAt(name, i), d.rule(name, "LANG-type"), "Wrong type", fmt.Sprintf("%q is a list of texts; the member at position %d is none.", name, i+1))
			d.fail(name)
			return nil
		}
		list = append(list, item.AsString())
	}
	return list
}

// itemAt is the place of a member of a list, or of the list where the members
// have no place of their own.
func (d *decoder) itemAt(name string, i int) hcl.Range {
	if a := d.b.Attr(name); a != nil {
		if t, ok := a.Expr.(*hclsyntax.TupleConsExpr); ok && i < len(t.Exprs) {
			return t.Exprs[i].Range()
		}
	}
	return d.at(name)
}

// params reads an object of strings, numbers and booleans as text.
func (d *decoder) params(name string) map[string]string {
	v, set := d.raw(name)
	m := map[string]string{}
	if !set {
		return m
	}
	if !v.Type().IsObjectType() && !v.Type().IsMapType() {
		d.wrongType(name, v, "an object")
		return m
	}
	for it := v.ElementIterator(); it.Next(); {
		k, item := it.Element()
		key := k.AsString()
		switch {
		case item.IsNull():
			d.refuse(name, "No value", fmt.Sprintf("%q is null.", key))
		case item.Type() == cty.String:
			m[key] = item.AsString()
		case item.Type() == cty.Bool:
			m[key] = fmt.Sprint(item.True())
		case item.Type() == cty.Number:
			if n, ok := d.finite(name, item, d.at(name)); ok {
				m[key] = n.String()
			}
		default:
			d.refuse(name, "Wrong type", fmt.Sprintf("%q has to be a text, a number, or true or false.", key))
		}
	}
	return m
}

// ref reads a reference, nil where it is absent or failed.
func (d *decoder) ref(name string) *symbol {
	a := d.b.Attr(name)
	if a == nil {
		if d.b.Schema.Attr(name).Required {
			d.fail(name)
		}
		return nil
	}
	s := d.c.refOf(a)
	if s == nil {
		d.fail(name)
	}
	return s
}

// parsed reads a string in one of the embedded languages. An error inside it
// points at the very characters where the string is a literal.
func parsed[T any](d *decoder, name, want string, parse func(string) (T, *quantity.Error)) (T, bool) {
	var zero T
	v, set := d.raw(name)
	if !set {
		return zero, false
	}
	if v.Type() != cty.String {
		d.wrongType(name, v, want)
		return zero, false
	}
	return parsedText(d, name, want, v.AsString(), parse)
}

// memoKey names a text that an embedded language was read from without an
// error. A scenario says "5m" and its attribution many times, and a parser
// costs more than a map. What is wanted and the type of the result tell the
// grammars apart.
type memoKey struct {
	want string
	typ  reflect.Type
	text string
}

func parsedText[T any](d *decoder, name, want, s string, parse func(string) (T, *quantity.Error)) (T, bool) {
	key := memoKey{want, reflect.TypeFor[T](), s}
	if t, ok := d.c.memo[key]; ok {
		return t.(T), true
	}
	t, err := parse(s)
	if err != nil {
		r := d.at(name)
		if _, pos, ok := d.b.Attr(name).Literal(); ok {
			r = pos(err.Offset, err.End)
		}
		id, summary := d.quantityRule(name)
		d.c.errorAt(r, id, summary, sentence(err.Message)+" "+sentence(err.Remedy))
		if _, _, literal := d.b.Attr(name).Literal(); literal && err.Instead != "" {
			d.c.fix(r, err.Instead)
		}
		d.fail(name)
		var zero T
		return zero, false
	}
	d.c.memo[key] = t
	return t, true
}

// quantityRule is the id and the summary for a text that cannot be read: those
// of the requirement that the argument serves, else of its embedded language.
func (d *decoder) quantityRule(name string) (id, summary string) {
	const unreadable = "Value cannot be read"
	switch name {
	case "magnitudes":
		return "FD-4.2-6", unreadable
	case "attribution", "predicate", "condition":
		return "LANG-predicate", "Condition cannot be used"
	}
	return d.rule(name, "LANG-quantity"), unreadable
}

func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	// An id such as refusal/1 keeps its first letter.
	if first, _, _ := strings.Cut(s, " "); !strings.ContainsAny(first, "/_.:") {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	if !strings.ContainsAny(s[len(s)-1:], ".?!") {
		s += "."
	}
	return s
}

func (d *decoder) duration(name string) exact.Duration {
	v, _ := parsed(d, name, `a duration such as "90s"`, quantity.ParseDuration)
	return v
}

// longer reads a duration that has to be above 0.
func (d *decoder) longer(name string) exact.Duration {
	v := d.duration(name)
	if v <= 0 && d.usable(name) && (d.given(name) || d.b.Schema.Attr(name).Default != "") {
		d.refuse(name, "Duration out of range", fmt.Sprintf("%q has to be longer than 0s.", name))
	}
	return v
}

var defaults = sync.OnceValue(func() map[*schema.Attr]cty.Value {
	m := map[*schema.Attr]cty.Value{}
	var visit func(b *schema.Block)
	visit = func(b *schema.Block) {
		for _, a := range b.Attrs {
			if a.Default == "" {
				continue
			}
			e, diags := hclsyntax.ParseExpression([]byte(a.Default), "default", hcl.InitialPos)
			if diags.HasErrors() {
				panic("compiler: default of " + a.Name + ": " + diags.Error())
			}
			v, diags := e.Value(nil)
			if diags.HasErrors() {
				panic("compiler: default of " + a.Name + ": " + diags.Error())
			}
			m[a] = v
		}
		for _, k := range b.Kinds {
			visit(k)
		}
		for _, n := range b.Blocks {
			visit(n)
		}
	}
	visit(schema.Language())
	return m
})

// defaultOf returns the value of an absent argument, and false where absence
// has a meaning of its own.
func defaultOf(a *schema.Attr) (cty.Value, bool) {
	v, ok := defaults()[a]
	return v, ok
}
