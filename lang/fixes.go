package lang

import (
	"bytes"
	"fmt"
	"regexp"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/quantity"
	"github.com/fdbench/fdbench/lang/schema"
)

// Lines whose author certainly meant something else, each with the part that
// is written otherwise as its first group.
var (
	singleQuoted   = regexp.MustCompile(`^\s*[\w-]+\s*=\s*('[^'"\\$%]*')\s*(?:(?:#|//).*)?$`)
	curlyQuoted    = regexp.MustCompile(`^\s*[\w-]+\s*=\s*([“”„«»][^“”„«»"\\$%]*[“”«»])\s*(?:(?:#|//).*)?$`)
	endsWithMark   = regexp.MustCompile(`^[^"#]*(;)\s*(?:(?:#|//).*)?$`)
	bareQuantity   = regexp.MustCompile(`^\s*[\w-]+\s*=\s*([0-9][0-9.]*[ \t]*[A-Za-z%][A-Za-z%/]*)\s*(?:(?:#|//).*)?$`)
	bareInBlock    = regexp.MustCompile(`^\s*[\w-]+(?:\s+"[^"]*")*\s*\{\s*[\w-]+\s*=\s*([0-9][0-9.]*[ \t]*[A-Za-z%][A-Za-z%/]*)\s*\}\s*(?:(?:#|//).*)?$`)
	quotedArgument = regexp.MustCompile(`^\s*("[A-Za-z][\w-]*")\s*=[^=]`)
	headerEquals   = regexp.MustCompile(`^\s*[\w-]+(?:\s+"[^"]*")*\s*(=\s*)\{`)
	colonArgument  = regexp.MustCompile(`^\s*[A-Za-z][\w-]*(\s*:\s*)[^:\s]`)
	twoEquals      = regexp.MustCompile(`^\s*[A-Za-z][\w-]*\s*(==)[^=]`)
)

// syntaxFix is the repair of a syntax error that has one certain repair, nil
// for the others.
func syntaxFix(f *File, d *diag.Diagnostic) *diag.Fix {
	if d.Subject == nil || d.Subject.Start.Byte > len(f.Bytes) {
		return nil
	}
	from, line := lineAt(f.Bytes, d.Subject.Start.Byte)
	replace := func(m []int, text string) *diag.Fix {
		if m == nil {
			return nil
		}
		return &diag.Fix{Range: rangeOf(f, from+m[2], from+m[3]), Text: text}
	}
	switch d.Rule {
	case "LANG-invalid-character":
		for _, re := range []*regexp.Regexp{singleQuoted, curlyQuoted} {
			if m := re.FindSubmatchIndex(line); m != nil {
				text := line[m[2]:m[3]]
				_, first := utf8.DecodeRune(text)
				_, last := utf8.DecodeLastRune(text)
				return replace(m, `"`+string(text[first:len(text)-last])+`"`)
			}
		}
		return replace(endsWithMark.FindSubmatchIndex(line), "")
	case "LANG-missing-newline", "LANG-missing-value", "LANG-single-line-block":
		m := bareQuantity.FindSubmatchIndex(line)
		if m == nil {
			m = bareInBlock.FindSubmatchIndex(line)
		}
		if m == nil {
			return nil
		}
		text := string(line[m[2]:m[3]])
		if _, err := quantity.ParseQuantity(text); err != nil {
			return nil
		}
		return replace(m, `"`+text+`"`)
	case "LANG-block-header":
		return replace(headerEquals.FindSubmatchIndex(line), "")
	case "LANG-comma":
		if at := d.Subject; at.End.Byte <= len(f.Bytes) && string(f.Bytes[at.Start.Byte:at.End.Byte]) == "," {
			return &diag.Fix{Range: *at}
		}
	case "LANG-quoted-name":
		m := quotedArgument.FindSubmatchIndex(line)
		if m == nil {
			return nil
		}
		return replace(m, string(line[m[2]+1:m[3]-1]))
	case "LANG-invalid-escape":
		if at := d.Subject; at.End.Byte <= len(f.Bytes) && at.End.Byte-at.Start.Byte >= 2 && f.Bytes[at.Start.Byte] == '\\' {
			return &diag.Fix{Range: *at, Text: `\` + string(f.Bytes[at.Start.Byte:at.End.Byte])}
		}
	case "LANG-syntax":
		if m := colonArgument.FindSubmatchIndex(line); m != nil {
			return replace(m, " = ")
		}
		return replace(twoEquals.FindSubmatchIndex(line), "=")
	}
	return nil
}

// lineAt is the line that holds an offset, without its line end, and where it
// begins.
func lineAt(src []byte, offset int) (from int, line []byte) {
	from = bytes.LastIndexByte(src[:offset], '\n') + 1
	if n := bytes.IndexByte(src[from:], '\n'); n >= 0 {
		return from, src[from : from+n]
	}
	return from, src[from:]
}

func rangeOf(f *File, from, to int) hcl.Range {
	s := diag.NewSources()
	s.Add(f.Name, f.Bytes, nil)
	return s.Range(f.Name, from, to)
}

// sameLineFix takes out an argument that is set again to the same text, on a
// line of its own.
func sameLineFix(f *File, at *hcl.Range) *diag.Fix {
	if at == nil || at.Start.Byte > len(f.Bytes) {
		return nil
	}
	from, line := lineAt(f.Bytes, at.Start.Byte)
	said := bytes.Join(bytes.Fields(line), []byte{' '})
	// Back to the beginning of the block, only over lines of arguments.
	for before := from; before > 0; {
		start, earlier := lineAt(f.Bytes, before-1)
		if bytes.ContainsAny(earlier, "{}[]()<#/") {
			return nil
		}
		if bytes.Equal(bytes.Join(bytes.Fields(earlier), []byte{' '}), said) {
			return &diag.Fix{Range: rangeOf(f, from, min(from+len(line)+1, len(f.Bytes)))}
		}
		before = start
	}
	return nil
}

// blockFix takes the equals sign out of an argument that is a block: quiet = {
// }. It is certain where the text is a block without it.
func blockFix(f *File, a *hclsyntax.Attribute, s *schema.Block) *diag.Fix {
	object, ok := a.Expr.(*hclsyntax.ObjectConsExpr)
	if !ok || len(s.Labels) > 0 {
		return nil
	}
	if bytes.ContainsAny(f.Bytes[a.EqualsRange.Start.Byte:object.SrcRange.Start.Byte], "/#\n(") {
		return nil // a comment would be lost
	}
	value := f.Bytes[object.SrcRange.Start.Byte:object.SrcRange.End.Byte]
	_, diags := hclsyntax.ParseConfig(fmt.Appendf(nil, "%s %s\n", a.Name, value), f.Name, hcl.InitialPos)
	if diags.HasErrors() {
		return nil
	}
	return &diag.Fix{Range: rangeOf(f, a.EqualsRange.Start.Byte, object.SrcRange.Start.Byte)}
}

// wordFix puts quotes around a bare word, which an argument that has to be
// written out can only mean as a text.
func wordFix(e hclsyntax.Expression) *diag.Fix {
	t, ok := e.(*hclsyntax.ScopeTraversalExpr)
	if !ok || len(t.Traversal) != 1 {
		return nil
	}
	return &diag.Fix{Range: t.SrcRange, Text: `"` + t.Traversal.RootName() + `"`}
}

// versionFix takes the quotes off a number.
func versionFix(f *File, e hclsyntax.Expression) *diag.Fix {
	text, _, ok := literal(e, f)
	if !ok {
		return nil
	}
	v, diags := hclsyntax.ParseExpression([]byte(text), f.Name, hcl.InitialPos)
	if lit, isLiteral := v.(*hclsyntax.LiteralValueExpr); diags.HasErrors() || !isLiteral || lit.Val.Type() != cty.Number {
		return nil
	}
	return &diag.Fix{Range: e.Range(), Text: text}
}

// hiddenFix writes a hidden character inside of quotes as an escape, which is
// the same text. Elsewhere it is not certain what was meant.
func hiddenFix(f *File, from, to int) *diag.Fix {
	tokens, _ := hclsyntax.LexConfig(f.Bytes, f.Name, hcl.InitialPos)
	for _, t := range tokens {
		if t.Type != hclsyntax.TokenQuotedLit || t.Range.Start.Byte > from || t.Range.End.Byte < to {
			continue
		}
		text := ""
		for _, r := range string(f.Bytes[from:to]) {
			if r > 0xffff {
				text += fmt.Sprintf(`\U%08X`, r)
			} else {
				text += fmt.Sprintf(`\u%04X`, r)
			}
		}
		return &diag.Fix{Range: rangeOf(f, from, to), Text: text}
	}
	return nil
}

// nameFix writes another name, nil where several are as near as the nearest.
func nameFix(at hcl.Range, only string) *diag.Fix {
	if only == "" {
		return nil
	}
	return &diag.Fix{Range: at, Text: only}
}
