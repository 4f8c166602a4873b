package lang

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/fdbench/fdbench/lang/diag"
)

// maxSyntaxErrors bounds how many are shown for one file: after a few, the
// parser reports the consequences of the first.
const maxSyntaxErrors = 10

// phrase is what is said instead of one of HCL's own summaries.
type phrase struct {
	rule, summary, detail string
}

// phrases rewords HCL's syntax errors. An empty detail keeps HCL's.
var phrases = map[string]phrase{
	"Invalid character":                               {"LANG-invalid-character", "Character not allowed here", ""},
	"Invalid character encoding":                      {"LANG-encoding", "Text is not UTF-8", "Save the file as UTF-8."},
	"Invalid multi-line string":                       {"LANG-unclosed-string", "String runs over its line", "A string in quotes ends on the line where it begins. Close the quotes, write \\n for a line end, or use <<EOT ... EOT for a text of several lines."},
	"Unterminated template string":                    {"LANG-unclosed-string", "String is not closed", "The closing quotes of this string, or the closing word of this text, are missing."},
	"Unterminated string literal":                     {"LANG-unclosed-string", "String is not closed", "The closing quotes of this string are missing."},
	"Invalid string literal":                          {"LANG-invalid-string", "String not allowed here", ""},
	"Invalid escape sequence":                         {"LANG-invalid-escape", "Unknown escape in string", "Inside of quotes a backslash begins \\n, \\r, \\t, \\\", \\\\, \\uXXXX or \\UXXXXXXXX. Write \\\\ for a backslash itself."},
	"Unclosed configuration block":                    {"LANG-unclosed-block", "Block is not closed", "The closing brace } of this block is missing. Where the braces look complete, one further down belongs to another block."},
	"Unclosed configuration body":                     {"LANG-unclosed-block", "Block is not closed", "The file ends before its last block is closed."},
	"Argument or block definition required":           {"LANG-syntax", "Argument or block expected", "Here belongs an argument (name = value) or a block (name { ... })."},
	"Argument definition required":                    {"LANG-single-line-block", "Too much in one line", "A block in one line holds one argument. Put each argument on a line of its own, and nested blocks on theirs."},
	"Invalid single-argument block definition":        {"LANG-single-line-block", "Too much in one line", "A block in one line holds one argument and closes there: quiet { at_least = \"10m\" }. Put each argument on a line of its own."},
	"Invalid argument name":                           {"LANG-quoted-name", "Argument name in quotes", "The name of an argument has no quotes: write name = value."},
	"Invalid block definition":                        {"LANG-block-header", "Block header is not complete", "A block is its type, its labels in quotes, and an opening brace on the same line, without an equals sign: series \"name\" {"},
	"Missing newline after block definition":          {"LANG-missing-newline", "Line end missing after block", "A block ends its line. Put what follows on the next one."},
	"Missing newline after argument":                  {"LANG-missing-newline", "Line end missing after argument", "An argument ends its line. Put what follows on the next one, or put a comma into the list that it belongs to."},
	"Unexpected comma after argument":                 {"LANG-comma", "Comma after an argument", "Arguments are separated by line ends, not by commas. Remove the comma."},
	"Missing expression":                              {"LANG-missing-value", "Value is missing", "The file ends where a value is expected. A bracket further up may not be closed."},
	"Invalid expression":                              {"LANG-missing-value", "Value expected here", "Here belongs a value: a number, a text in double quotes, a list in [ ], an object in { }, or a reference."},
	"Missing item separator":                          {"LANG-missing-comma", "Comma missing in list", "The items of a list are separated by commas."},
	"Missing attribute separator":                     {"LANG-missing-comma", "Comma missing in object", "The attributes of an object are separated by commas or line ends."},
	"Missing argument separator":                      {"LANG-missing-comma", "Comma missing in call", "The arguments of a function are separated by commas."},
	"Missing key/value separator":                     {"LANG-missing-equals", "Equals sign missing in object", "An object has name = value pairs. A name with dots or spaces is written in quotes."},
	"Missing attribute value":                         {"LANG-missing-equals", "Equals sign missing in object", "An object has name = value pairs."},
	"Unterminated tuple constructor expression":       {"LANG-unclosed-bracket", "List is not closed", "The closing bracket ] of this list is missing."},
	"Unterminated object constructor expression":      {"LANG-unclosed-bracket", "Object is not closed", "The closing brace } of this object is missing."},
	"Unterminated function call":                      {"LANG-unclosed-bracket", "Call is not closed", "The closing parenthesis of this call is missing."},
	"Unbalanced parentheses":                          {"LANG-unclosed-bracket", "Parenthesis is not closed", "The closing parenthesis is missing."},
	"Unclosed template interpolation sequence":        {"LANG-unclosed-bracket", "Template is not closed", "The closing brace of this ${...} is missing. Write $${ for the characters ${ themselves."},
	"Extra characters after interpolation expression": {"LANG-template", "Template holds too much", "Inside of ${...} stands one expression. Write $${ for the characters ${ themselves."},
	"Unsupported operator":                            {"LANG-operator", "Operator does not exist", ""},
	"Invalid number literal":                          {"LANG-invalid-number", "Not a number", "A number is written in digits, with a point for decimals: 0.05 or 1e-3."},
}

// syntaxErrors rewords what HCL said about one file. It tells whether the body
// is incomplete; an argument that was set twice leaves it whole.
func syntaxErrors(f *File, in hcl.Diagnostics) (diag.List, bool) {
	var out diag.List
	broken := false
	for _, d := range in {
		if d.Summary == "Attribute redefined" {
			out.Add(diag.Diagnostic{
				Severity: diag.Error, Rule: "LANG-duplicate-argument", Summary: "Argument set twice",
				Detail:  fmt.Sprintf("The argument %q was already set in this block. Keep the one that is meant.", textAt(f, d.Subject)),
				Subject: d.Subject, Fix: sameLineFix(f, d.Subject),
			})
			continue
		}
		broken = true
		p, known := phrases[d.Summary]
		if !known {
			p = phrase{rule: "LANG-syntax", summary: d.Summary}
		}
		if p.detail == "" {
			p.detail = d.Detail
		}
		at := d.Subject
		if at == nil {
			at = &hcl.Range{Filename: f.Name, Start: hcl.InitialPos, End: hcl.InitialPos}
		}
		out.Add(diag.Diagnostic{
			Severity: diag.Error, Rule: p.rule, Summary: p.summary, Detail: p.detail,
			Subject: at, Context: d.Context,
		})
	}
	// HCL's lexer speaks before its parser, and knows better at the same place.
	slices.SortStableFunc(out, func(a, b diag.Diagnostic) int { return a.Subject.Start.Byte - b.Subject.Start.Byte })
	if !broken {
		return out, false
	}
	for i := range out {
		if out[i].Rule == "LANG-unclosed-string" {
			fromOpeningQuote(f, &out[i])
		}
	}
	out = firstOfEachLine(out)
	for i := range out {
		d := &out[i]
		d.Fix = syntaxFix(f, d)
		switch {
		case d.Fix == nil || d.Fix.Text == "" || d.Rule == "LANG-syntax":
		case d.Rule == "LANG-missing-newline" || d.Rule == "LANG-missing-value" || d.Rule == "LANG-single-line-block":
			d.Summary, d.Detail = "Quantity without its quotes", fmt.Sprintf("A number with a unit is a text in quotes: write %s.", d.Fix.Text)
		default:
			d.Detail = strings.TrimRight(d.Detail, " ") + fmt.Sprintf(" Write %s.", d.Fix.Text)
		}
	}
	return out, true
}

// fromOpeningQuote moves the place of an unclosed string from where the parser
// gave up, which is the next line, to where the string begins.
func fromOpeningQuote(f *File, d *diag.Diagnostic) {
	if d.Subject.Start.Byte > len(f.Bytes) {
		return
	}
	start := bytes.LastIndexByte(f.Bytes[:d.Subject.Start.Byte], '\n') + 1
	quote := -1
	for i := start; i < d.Subject.Start.Byte; i++ {
		switch f.Bytes[i] {
		case '\\':
			i++
		case '"':
			if quote < 0 {
				quote = i
			} else {
				quote = -1
			}
		}
	}
	if quote < 0 {
		return
	}
	end := len(f.Bytes)
	if n := bytes.IndexByte(f.Bytes[quote:], '\n'); n >= 0 {
		end = quote + n
	}
	s := diag.NewSources()
	s.Add(f.Name, f.Bytes, nil)
	r := s.Range(f.Name, quote, end)
	d.Subject = &r
}

// firstOfEachLine drops what HCL's lexer and parser say a second time about
// the same line, and what it says after the first ten.
func firstOfEachLine(in diag.List) diag.List {
	var out diag.List
	line, rule := -1, ""
	for _, d := range in {
		if d.Subject.Start.Line == line {
			continue
		}
		// An unclosed string swallows what stands behind it.
		if d.Rule == "LANG-unclosed-string" && rule == d.Rule {
			continue
		}
		line, rule = d.Subject.Start.Line, d.Rule
		if len(out) == maxSyntaxErrors {
			break
		}
		out.Add(d)
	}
	return out
}

func textAt(f *File, r *hcl.Range) string {
	if r == nil || r.Start.Byte < 0 || r.End.Byte > len(f.Bytes) {
		return ""
	}
	return strings.TrimSpace(string(f.Bytes[r.Start.Byte:r.End.Byte]))
}
