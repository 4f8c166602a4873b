package format

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// blankLines drops blank lines at the beginning of a file, where brackets open
// and close, and all but one of several in a row. Lines inside of texts and
// comments of several lines are left alone.
func blankLines(src []byte, name string) []byte {
	tokens, diags := hclsyntax.LexConfig(src, name, hcl.InitialPos)
	if diags.HasErrors() {
		return src
	}
	lines := bytes.SplitAfter(src, []byte("\n"))
	marks := make([]mark, len(lines)+1)
	for _, t := range tokens {
		first, last := t.Range.Start.Line-1, t.Range.End.Line-1
		switch t.Type {
		case hclsyntax.TokenComment, hclsyntax.TokenQuotedLit, hclsyntax.TokenStringLit:
			if bytes.HasSuffix(t.Bytes, []byte("\n")) {
				last--
			}
			// A blank line of a heredoc is a text token of its own.
			if t.Type == hclsyntax.TokenStringLit {
				marks[first].inside = true
			}
			for i := first; i < last; i++ {
				marks[i+1].inside = true
			}
		case hclsyntax.TokenNewline, hclsyntax.TokenEOF:
			continue
		}
		if t.Type != hclsyntax.TokenComment {
			if marks[first].first == 0 {
				marks[first].first = t.Type
			}
			marks[last].last = t.Type
		} else if marks[first].first == 0 {
			marks[first].first = hclsyntax.TokenComment
		}
	}
	out := make([]byte, 0, len(src))
	opened := true // the beginning of the file counts as an opening bracket
	pending := []byte(nil)
	for i, line := range lines {
		if len(bytes.TrimSpace(line)) == 0 && !marks[i].inside {
			if !opened && pending == nil && len(line) > 0 {
				pending = []byte("\n")
			}
			continue
		}
		if pending != nil && !closes(marks[i].first) {
			out = append(out, pending...)
		}
		pending = nil
		out = append(out, line...)
		opened = opens(marks[i].last)
	}
	return out
}

// mark is what is known of a line: its first and last token, and whether it
// goes on with something that began on an earlier line.
type mark struct {
	first, last hclsyntax.TokenType
	inside      bool
}

func opens(t hclsyntax.TokenType) bool {
	return t == hclsyntax.TokenOBrace || t == hclsyntax.TokenOBrack || t == hclsyntax.TokenOParen
}

func closes(t hclsyntax.TokenType) bool {
	return t == hclsyntax.TokenCBrace || t == hclsyntax.TokenCBrack || t == hclsyntax.TokenCParen
}
