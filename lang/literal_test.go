package lang

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"golang.org/x/text/unicode/norm"
)

// pieces are ways to write characters in a quoted string, with what they mean.
var pieces = []struct{ source, text string }{
	{"a", "a"}, {"Z", "Z"}, {" ", " "}, {"'", "'"}, {"é", "é"}, {"漢", "漢"}, {"👨‍👩‍👧", "👨‍👩‍👧"}, {"e\u0301", "e\u0301"},
	{`\"`, `"`}, {`\\`, `\`}, {`\n`, "\n"}, {`\t`, "\t"}, {`\r`, "\r"}, {`\u00e9`, "é"}, {`\u202e`, "\u202e"}, {`\U0001F600`, "😀"},
	{"$${", "${"}, {"%%{", "%{"}, {"$", "$"}, {"%", "%"}, {"{", "{"}, {"}", "}"}, {"$ ", "$ "}, {"#", "#"}, {"//", "//"},
}

// TestLiteralPositions writes random literals and looks every piece up by its
// offset in the decoded text.
func TestLiteralPositions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var source, text strings.Builder
		type span struct{ from, to, start, end int }
		var spans []span
		prefix := "locals { a = \""
		last := ""
		for range r.IntN(20) {
			p := pieces[r.IntN(len(pieces))]
			// "$" before "{" would begin a template, and "$" before "$${" is
			// read in another way.
			if strings.HasSuffix(last, "$") || strings.HasSuffix(last, "%") {
				if c := p.source[0]; c == '{' || c == '$' || c == '%' {
					continue
				}
			}
			s := span{from: text.Len(), start: len(prefix) + source.Len()}
			source.WriteString(p.source)
			text.WriteString(p.text)
			s.to, s.end = text.Len(), len(prefix)+source.Len()
			spans = append(spans, s)
			last = p.source
		}
		src := "fdbench { language = 1 }\n" + prefix + source.String() + "\" }\n"
		shift := strings.Index(src, prefix)
		doc, diags := Parse([]Source{{"a.fdb.hcl", []byte(src)}})
		if diags.HasErrors() {
			t.Fatalf("%q: %s", src, rulesOf(diags))
		}
		attr := doc.All("locals")[0].Attr("a")
		got, pos, ok := attr.Literal()
		if !ok || got != text.String() {
			t.Fatalf("%q decodes to %q, want %q", source.String(), got, text.String())
		}
		if v := value(t, attr); norm.NFC.String(got) != v {
			t.Fatalf("%q decodes to %q, and HCL says %q", source.String(), got, v)
		}
		for _, s := range spans {
			rng := pos(s.from, s.to)
			if rng.Start.Byte != shift+s.start || rng.End.Byte != shift+s.end {
				t.Fatalf("%q: bytes %d-%d of the text are at %d-%d, want %d-%d", src, s.from, s.to, rng.Start.Byte, rng.End.Byte, shift+s.start, shift+s.end)
			}
			if rng.Start.Line != 2 || rng.Start.Column < 1 {
				t.Fatalf("%q: position %v", src, rng)
			}
		}
	}
}

func value(t *testing.T, a *Attr) string {
	t.Helper()
	v, diags := a.Expr.Value(nil)
	if diags.HasErrors() || v.Type() != cty.String {
		t.Fatal(diags)
	}
	return v.AsString()
}

func TestLiteralHeredocs(t *testing.T) {
	for _, expr := range []string{
		"<<EOT\none\n  two\n\nthree\nEOT",
		"<<-EOT\n    one\n      two\n\n    three\n  EOT",
		"<<-EOT\n\tone\n\ttwo\n\tEOT",
		"<<-EOT\n    one $${x}\n   two\n   EOT",
		"<<-EOT\n  \n    one\n     \n  EOT",
		"<<EOT\nEOT",
	} {
		src := "fdbench { language = 1 }\nlocals {\na = " + expr + "\n}\n"
		doc, diags := Parse([]Source{{"a.fdb.hcl", []byte(src)}})
		if diags.HasErrors() {
			t.Fatalf("%q: %s", src, rulesOf(diags))
		}
		attr := doc.All("locals")[0].Attr("a")
		got, pos, ok := attr.Literal()
		if want := value(t, attr); !ok || got != want {
			t.Errorf("%q decodes to %q, want %q", expr, got, want)
			continue
		}
		for i := 0; i < len(got); i++ {
			if r := pos(i, i+1); utf8.RuneStart(got[i]) && !strings.HasPrefix(got[i:], "${") && src[r.Start.Byte] != got[i] {
				t.Errorf("%q: byte %d %q is said to be at %q", expr, i, got[i], src[r.Start.Byte])
			}
		}
	}
}

func TestLiteralRefusesOtherExpressions(t *testing.T) {
	src := "fdbench { language = 1 }\nlocals {\n a = \"x${1}\"\n b = 1\n c = local.a\n d = \"${local.a}\"\n e = (\"x\")\n f = \"\"\n g = [\"u\", \"v\"]\n}\n"
	doc, _ := Parse([]Source{{"a.fdb.hcl", []byte(src)}})
	l := doc.All("locals")[0]
	for name, want := range map[string]bool{"a": false, "b": false, "c": false, "d": false, "e": true, "f": true, "g": false} {
		if _, _, ok := l.Attr(name).Literal(); ok != want {
			t.Errorf("%s is a literal: %v", name, ok)
		}
	}
	if _, _, ok := l.Attr("nothing").Literal(); ok {
		t.Error("an absent argument is a literal")
	}
	list := l.Attr("g").Expr.(*hclsyntax.TupleConsExpr)
	if text, pos, ok := l.Attr("g").LiteralAt(list.Exprs[1]); !ok || text != "v" || src[pos(0, 1).Start.Byte] != 'v' {
		t.Errorf("an item of a list: %q %v", text, ok)
	}
}
