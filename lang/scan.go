package lang

import (
	"fmt"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/fdbench/fdbench/lang/diag"
)

// Bounds on one expression. HCL's parser recurses, and Go ends a program whose
// stack is full, so a hostile file has to be stopped before it is parsed.
const (
	maxDepth     = 200
	maxOperators = 2000
)

// scanned is what one pass over the bytes of a file tells.
type scanned struct {
	invalid    int  // offset of the first byte that is not UTF-8, or -1
	hidden     bool // there are characters that an editor would not show
	suspicious bool // the nesting has to be looked at token by token
}

// scan looks at the raw bytes. It knows nothing of strings and comments, and
// so may call a harmless file suspicious, never the other way round.
func scan(src []byte) scanned {
	found := scanned{invalid: -1}
	depth, group, operators := 0, 0, 0
	for i := 0; i < len(src); {
		switch c := src[i]; c {
		case '{', '(', '[':
			depth++
			if c != '{' {
				group++
			}
			if depth > maxDepth {
				found.suspicious = true
			}
		case '}', ')', ']':
			depth = max(depth-1, 0)
			if c != '}' {
				group = max(group-1, 0)
			}
		case '?', '!', '-', '+', '*', '/', '%', '<', '>', '=', '&', '|', '.':
			operators++
			if operators > maxOperators {
				found.suspicious = true
			}
		case ',':
			operators = 0
		case '\n':
			if group == 0 {
				operators = 0
			}
		case '\t':
		default:
			if c >= utf8.RuneSelf {
				r, size := utf8.DecodeRune(src[i:])
				if r == utf8.RuneError && size == 1 {
					found.invalid = i
					return found
				}
				found.hidden = found.hidden || diag.Hidden(r)
				i += size
				continue
			}
			if c < 0x20 || c == 0x7f {
				found.hidden = true
			}
		}
		i++
	}
	return found
}

// nestingError looks at the tokens of a suspicious file.
func nestingError(f *File) (diag.Diagnostic, bool) {
	tokens, _ := hclsyntax.LexConfig(f.Bytes, f.Name, hcl.InitialPos)
	depth, group, operators := 0, 0, 0
	for i := range tokens {
		t := &tokens[i]
		switch t.Type {
		case hclsyntax.TokenOParen, hclsyntax.TokenOBrack:
			group++
			depth++
		case hclsyntax.TokenOBrace, hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			depth++
		case hclsyntax.TokenCParen, hclsyntax.TokenCBrack:
			group = max(group-1, 0)
			depth = max(depth-1, 0)
		case hclsyntax.TokenCBrace, hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc, hclsyntax.TokenTemplateSeqEnd:
			depth = max(depth-1, 0)
		case hclsyntax.TokenComma:
			operators = 0
		case hclsyntax.TokenNewline:
			if group == 0 {
				operators = 0
			}
		case hclsyntax.TokenIdent, hclsyntax.TokenNumberLit, hclsyntax.TokenQuotedLit, hclsyntax.TokenStringLit, hclsyntax.TokenComment:
		default:
			operators++
		}
		if depth > maxDepth || operators > maxOperators {
			return diag.Diagnostic{
				Severity: diag.Error, Rule: "LANG-too-deep", Summary: "Expression too deep",
				Detail:  fmt.Sprintf("Brackets may be nested %d deep, and one expression may have %d operators. Split it into locals.", maxDepth, maxOperators),
				Subject: t.Range.Ptr(),
			}, true
		}
	}
	return diag.Diagnostic{}, false
}

func encodingError(f *File, offset int) diag.Diagnostic {
	s := diag.NewSources()
	s.Add(f.Name, f.Bytes, nil)
	r := s.Range(f.Name, offset, offset+1)
	return diag.Diagnostic{
		Severity: diag.Error, Rule: "LANG-encoding", Summary: "Text is not UTF-8",
		Detail:  fmt.Sprintf("The byte 0x%02x here is no part of a UTF-8 character. Save the file as UTF-8.", f.Bytes[offset]),
		Subject: &r,
	}
}

// maxHidden bounds how many hidden characters of a file are reported.
const maxHidden = 20

// hiddenCharacters warns of characters that an editor does not show, one
// warning for each run of them.
func hiddenCharacters(f *File) diag.List {
	var diags diag.List
	s := diag.NewSources()
	s.Add(f.Name, f.Bytes, nil)
	for i := 0; i < len(f.Bytes) && len(diags) < maxHidden; {
		r, size := utf8.DecodeRune(f.Bytes[i:])
		if !diag.Hidden(r) {
			i += size
			continue
		}
		end := i
		for end < len(f.Bytes) {
			next, n := utf8.DecodeRune(f.Bytes[end:])
			if !diag.Hidden(next) {
				break
			}
			end += n
		}
		at := s.Range(f.Name, i, end)
		diags.Add(diag.Diagnostic{
			Severity: diag.Warning, Rule: "LANG-hidden-character", Summary: "Hidden character in the text",
			Detail:  fmt.Sprintf("The character U+%04X here is not shown by an editor, or changes the order in which text is shown. A reader sees something else than what is run. Remove it, or write it as \\u%04X inside of a string.", r, r),
			Subject: &at, Fix: hiddenFix(f, i, end),
		})
		i = end
	}
	return diags
}
