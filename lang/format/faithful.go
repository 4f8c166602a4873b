package format

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/fdbench/fdbench/lang/diag"
)

// faithful compares a file with its new layout: it has to parse, with the same
// comments and the same tokens but for line ends and the marks of templates
// and labels. It is the last line of defence against a bug of ours.
func faithful(before, after []byte, name string) (diag.Diagnostic, bool) {
	a, commentsA := significant(before, name)
	b, commentsB := significant(after, name)
	_, diags := hclsyntax.ParseConfig(after, name, hcl.InitialPos)
	if !diags.HasErrors() && len(commentsA) == len(commentsB) && bytes.Equal(a, b) {
		same := true
		for i := range commentsA {
			same = same && commentsA[i] == commentsB[i]
		}
		if same {
			return diag.Diagnostic{}, true
		}
	}
	return diag.Diagnostic{
		Severity: diag.Error, Rule: "LANG-format", Summary: "Layout would change the meaning",
		Detail:  "The formatter does not know how to lay this file out without changing what it says, so it is left as it is. This is a bug in fdbench: please report it with the file.",
		Subject: &hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos},
	}, false
}

// significant joins the tokens that layout must not change, and lists the
// texts of the comments.
func significant(src []byte, name string) (joined []byte, comments []string) {
	tokens, _ := hclsyntax.LexConfig(src, name, hcl.InitialPos)
	for _, t := range tokens {
		switch t.Type {
		case hclsyntax.TokenComment:
			text := bytes.TrimRight(t.Bytes, " \t\r\n")
			rest, slashes := bytes.CutPrefix(text, []byte("//"))
			if !slashes {
				rest = bytes.TrimPrefix(text, []byte("#"))
			}
			comments = append(comments, string(rest))
		case hclsyntax.TokenNewline, hclsyntax.TokenEOF, hclsyntax.TokenOQuote, hclsyntax.TokenCQuote, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateSeqEnd:
		case hclsyntax.TokenOHeredoc, hclsyntax.TokenCHeredoc:
			joined = append(append(joined, bytes.TrimSpace(t.Bytes)...), 0)
		default:
			joined = append(append(joined, t.Bytes...), 0)
		}
	}
	return joined, comments
}
