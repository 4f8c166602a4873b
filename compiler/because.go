package compiler

import (
	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// because reads the reasons of a block. Whether they are reasons, and what
// for, the rules decide, which know what is set aside.
func (d *decoder) because() rule.Reasons {
	const name = "because"
	out := rule.Reasons{Block: d.b}
	v, set := d.raw(name)
	switch {
	case !set:
		return out
	case v.Type() == cty.String:
		out.Bare, out.Text = true, v.AsString()
		return out
	case !v.Type().IsObjectType() && !v.Type().IsMapType():
		d.wrongType(name, v, "an object that gives each recommendation its reason")
		return out
	}
	// In the order of the text, and each as often as it is written: a value
	// alone would keep the last of two.
	if object, ok := d.b.Attr(name).Expr.(*hclsyntax.ObjectConsExpr); ok {
		for _, item := range object.Items {
			k, kOK := d.c.value(item.KeyExpr)
			r, rOK := d.c.value(item.ValueExpr)
			if !kOK || !rOK || k.Type() != cty.String {
				continue // it has been reported with the whole
			}
			d.reason(&out, k.AsString(), r, item.KeyExpr.Range(), item.ValueExpr.Range())
		}
		return out
	}
	for it := v.ElementIterator(); it.Next(); {
		k, r := it.Element()
		d.reason(&out, k.AsString(), r, d.at(name), d.at(name))
	}
	return out
}

func (d *decoder) reason(to *rule.Reasons, key string, v cty.Value, keyAt, textAt hcl.Range) {
	if v.IsNull() || v.Type() != cty.String {
		d.c.errorAt(textAt, "LANG-type", "Wrong type", "The reason for \""+key+"\" has to be a text in quotes.")
		d.fail("because")
		return
	}
	to.Rows = append(to.Rows, rule.Reason{For: key, Text: v.AsString(), ForPlace: keyAt, TextPlace: textAt})
}
