package rule

import (
	"strconv"

	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// fixable is a diagnostic that may get its repair. A nil one takes none.
type fixable struct{ d *diag.Diagnostic }

// set replaces the value of an argument that is written out. A value that
// comes from a variable is left to the author, who knows what else uses it.
func (f *fixable) set(b *lang.Block, attr, text string) {
	if f == nil || b == nil {
		return
	}
	a := b.Attr(attr)
	if a == nil || !writtenOut(a) {
		return
	}
	f.d.Fix = &diag.Fix{Range: a.Expr.Range(), Text: text}
}

// remove takes the lines of an argument away, where nothing else stands on
// them.
func (f *fixable) remove(b *lang.Block, attr string) {
	if f == nil || b == nil {
		return
	}
	if a := b.Attr(attr); a != nil {
		if r, ok := a.Lines(); ok {
			f.d.Fix = &diag.Fix{Range: r}
		}
	}
}

// removeBlock takes the lines of a block away.
func (f *fixable) removeBlock(b *lang.Block) {
	if f == nil || b == nil {
		return
	}
	if r, ok := b.Lines(); ok {
		f.d.Fix = &diag.Fix{Range: r}
	}
}

func writtenOut(a *lang.Attr) bool {
	if _, _, ok := a.Literal(); ok {
		return true
	}
	switch e := a.Expr.(type) {
	case *hclsyntax.LiteralValueExpr:
		return true
	case *hclsyntax.UnaryOpExpr:
		_, ok := e.Val.(*hclsyntax.LiteralValueExpr)
		return ok
	}
	return false
}

func quote(s string) string { return strconv.Quote(s) }
