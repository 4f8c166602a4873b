package compiler

import (
	"slices"
	"strconv"

	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/schema"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// fix gives the last diagnostic its repair.
func (c *compilation) fix(r hcl.Range, text string) {
	c.diags[len(c.diags)-1].Fix = &diag.Fix{Range: r, Text: text}
}

// fixName repairs a name in a reference, where the range is that of the name
// alone and something is near.
func (c *compilation) fixName(r hcl.Range, name, near string) {
	if near != "" && hclsyntax.ValidIdentifier(near) && r.End.Byte-r.Start.Byte == len(name) {
		c.fix(r, near)
	}
}

// bareWord puts quotes around a word of an enumeration. Its diagnostic, that
// there is nothing of this name, is the last one.
func (d *decoder) bareWord(a *lang.Attr) {
	t, ok := a.Expr.(*hclsyntax.ScopeTraversalExpr)
	if !ok || len(t.Traversal) != 1 || a.Schema == nil || a.Schema.Type != schema.String {
		return
	}
	word := t.Traversal.RootName()
	last := &d.c.diags[len(d.c.diags)-1]
	if slices.Contains(a.Schema.Enum, word) && last.Subject != nil && last.Subject.Start == t.SrcRange.Start {
		last.Fix = &diag.Fix{Range: t.SrcRange, Text: strconv.Quote(word)}
	}
}
