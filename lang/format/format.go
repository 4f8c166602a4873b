package format

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
)

// maxPasses bounds how often the passes are run until nothing changes any
// more. Two are enough for all but templates inside of templates.
const maxPasses = 20

// Format returns the canonical layout of a file. Where the file has a syntax
// error it returns nil and the diagnostics; name is used in them only.
func Format(src []byte, name string) ([]byte, diag.List) {
	f, diags := lang.ParseSyntax(lang.Source{Name: name, Bytes: src})
	if diags.HasErrors() {
		return nil, diags
	}
	original := f.Bytes
	out := original
	for range maxPasses {
		next := layout(out, name)
		if bytes.Equal(next, out) {
			break
		}
		out = next
	}
	if d, ok := faithful(original, out, name); !ok {
		return nil, diag.List{d}
	}
	return out, nil
}

func layout(src []byte, name string) []byte {
	f, diags := lang.ParseSyntax(lang.Source{Name: name, Bytes: src})
	if diags.HasErrors() {
		return src
	}
	src = apply(src, edits(f))
	src = hclwrite.Format(src)
	src = blankLines(src, name)
	src = bytes.TrimRight(src, " \t\r\n")
	if len(src) == 0 {
		return src
	}
	return append(src, '\n')
}

// edit replaces the bytes from one offset to another.
type edit struct {
	from, to int
	text     string
}

// apply makes edits that do not overlap; of two that do, the outer is made and
// the inner waits for the next pass.
func apply(src []byte, list []edit) []byte {
	if len(list) == 0 {
		return src
	}
	slices.SortFunc(list, func(a, b edit) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return b.to - a.to
	})
	out := make([]byte, 0, len(src))
	at := 0
	for _, e := range list {
		if e.from < at {
			continue
		}
		out = append(out, src[at:e.from]...)
		out = append(out, e.text...)
		at = e.to
	}
	return append(out, src[at:]...)
}

// edits collects what the syntax tree and the comments ask for.
func edits(f *lang.File) []edit {
	var list []edit
	var comments []hcl.Range
	tokens, _ := hclsyntax.LexConfig(f.Bytes, f.Name, hcl.InitialPos)
	for _, t := range tokens {
		if t.Type != hclsyntax.TokenComment {
			continue
		}
		comments = append(comments, t.Range)
		from := t.Range.Start.Byte
		if bytes.HasPrefix(t.Bytes, []byte("//")) {
			list = append(list, edit{from, from + 2, "#"})
		}
		if !bytes.HasPrefix(t.Bytes, []byte("/*")) {
			line := bytes.TrimSuffix(t.Bytes, []byte("\n"))
			text := bytes.TrimRight(line, " \t\r")
			if len(text) < len(line) {
				list = append(list, edit{from + len(text), from + len(line), ""})
			}
		}
	}
	e := editor{f: f, comments: comments}
	e.body(f.Body())
	return append(list, e.list...)
}

type editor struct {
	f        *lang.File
	comments []hcl.Range
	list     []edit
}

func (e *editor) body(b *hclsyntax.Body) {
	for _, a := range b.Attributes {
		e.value(a.Expr)
	}
	for _, c := range b.Blocks {
		for i, r := range c.LabelRanges {
			if e.f.Bytes[r.Start.Byte] != '"' {
				e.list = append(e.list, edit{r.Start.Byte, r.End.Byte, strconv.Quote(c.Labels[i])})
			}
		}
		e.body(c.Body)
	}
}

// value unwraps "${x}" where a value stands by itself. Inside of an operation
// it would need parentheses, and as the key of an object it means another
// thing.
func (e *editor) value(x hclsyntax.Expression) {
	switch x := x.(type) {
	case *hclsyntax.TemplateWrapExpr:
		e.unwrap(x)
		e.value(x.Wrapped)
	case *hclsyntax.ParenthesesExpr:
		e.value(x.Expression)
	case *hclsyntax.TupleConsExpr:
		for _, item := range x.Exprs {
			e.value(item)
		}
	case *hclsyntax.ObjectConsExpr:
		for _, item := range x.Items {
			e.value(item.ValueExpr)
		}
	case *hclsyntax.FunctionCallExpr:
		for i, arg := range x.Args {
			if x.ExpandFinal && i == len(x.Args)-1 {
				break
			}
			e.value(arg)
		}
	}
}

func (e *editor) unwrap(x *hclsyntax.TemplateWrapExpr) {
	outer, inner := x.SrcRange, x.Wrapped.Range()
	src := e.f.Bytes
	if inner.Start.Byte < outer.Start.Byte || inner.End.Byte > outer.End.Byte || src[outer.Start.Byte] != '"' {
		return
	}
	text := src[inner.Start.Byte:inner.End.Byte]
	if bytes.IndexByte(src[outer.Start.Byte:outer.End.Byte], '\n') >= 0 {
		return
	}
	// Between the quotes there may be nothing but the marks of the template;
	// parentheses and comments would be lost.
	before := string(bytes.ReplaceAll(src[outer.Start.Byte:inner.Start.Byte], []byte(" "), nil))
	after := string(bytes.ReplaceAll(src[inner.End.Byte:outer.End.Byte], []byte(" "), nil))
	if (before != `"${` && before != `"${~`) || (after != `}"` && after != `~}"`) {
		return
	}
	for _, c := range e.comments {
		if c.Start.Byte >= outer.Start.Byte && c.End.Byte <= outer.End.Byte {
			return
		}
	}
	e.list = append(e.list, edit{outer.Start.Byte, outer.End.Byte, string(text)})
}
