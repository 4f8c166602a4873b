package fix

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
)

func parse(src string) (*lang.Document, diag.List) {
	return lang.ParseLibrary([]lang.Source{{Name: "a.fdb.hcl", Bytes: []byte(src)}})
}

// all repairs a text until nothing is left to repair.
func all(t testing.TB, src string) (text string, left diag.List) {
	t.Helper()
	for range 50 {
		doc, diags := parse(src)
		changed, repaired := Apply(doc.Files, diags)
		if len(repaired) == 0 {
			return src, diags
		}
		src = string(changed["a.fdb.hcl"])
	}
	t.Fatalf("no end of repairs: %s", src)
	return "", nil
}

func TestRepairs(t *testing.T) {
	const tail = "\nprofile \"p\" {\n  shape = \"step\"\n}\n"
	for _, tt := range []struct{ name, src, want string }{
		{"argument", "profile \"q\" {\n  shpae = \"step\" # why\n}\n", "profile \"q\" {\n  shape = \"step\" # why\n}\n"},
		{"block", "profil \"q\" {\n  shape = \"step\"\n}\n", "profile \"q\" {\n  shape = \"step\"\n}\n"},
		{"kind", "apparatus \"simulatd\" \"a\" {\n}\n", "apparatus \"simulated\" \"a\" {\n}\n"},
		{"single quotes", "locals {\n  a = 'x y' # it's\n}\n", "locals {\n  a = \"x y\" # it's\n}\n"},
		{"curly quotes", "locals {\n  a = “é”\n}\n", "locals {\n  a = \"é\"\n}\n"},
		{"semicolon", "locals {\n  a = 1;\n}\n", "locals {\n  a = 1\n}\n"},
		{"duration without quotes", "locals {\n  a = 5m // five\n}\n", "locals {\n  a = \"5m\" // five\n}\n"},
		{"rate without quotes", "locals {\n  a = 10 req/s\n}\n", "locals {\n  a = \"10 req/s\"\n}\n"},
		{"percent without quotes", "locals {\n  a = 5%\n}\n", "locals {\n  a = \"5%\"\n}\n"},
		{"duration without quotes in one line", "locals { a = 1h } # one\n", "locals { a = \"1h\" } # one\n"},
		{"several mistakes in one file", "locals {\n  a = 5m\n  b = 'x'\n  c = 2,\n}\n", "locals {\n  a = \"5m\"\n  b = \"x\"\n  c = 2\n}\n"},
		{"equals in a header", "profile \"q\" = {\n  shape = \"step\"\n}\n", "profile \"q\" {\n  shape = \"step\"\n}\n"},
		{"block as an argument", "locals = {\n  a = 1 # one\n}\n", "locals {\n  a = 1 # one\n}\n"},
		{"comma", "locals {\n  a = 1,\n}\n", "locals {\n  a = 1\n}\n"},
		{"name in quotes", "locals {\n  \"a\" = 1\n}\n", "locals {\n  a = 1\n}\n"},
		{"escape", "locals {\n  a = \"\\d+\"\n}\n", "locals {\n  a = \"\\\\d+\"\n}\n"},
		{"colon", "locals {\n  a: 1\n}\n", "locals {\n  a = 1\n}\n"},
		{"two equals signs", "locals {\n  a == 1\n}\n", "locals {\n  a = 1\n}\n"},
		{"same line twice", "profile \"q\" {\n  shape = \"step\"\n  shape =  \"step\"\n}\n", "profile \"q\" {\n  shape = \"step\"\n}\n"},
		{"bare word", "profile \"q\" {\n  shape = step\n}\n", "profile \"q\" {\n  shape = \"step\"\n}\n"},
		{"version", "fdbench {\n  language = \"1\"\n}\n", "fdbench {\n  language = 1\n}\n"},
		{"hidden in a text", "locals {\n  a = \"x\u202ey\"\n}\n", "locals {\n  a = \"x\\u202Ey\"\n}\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, left := all(t, tt.src+tail)
			if got != tt.want+tail || len(left) > 0 {
				t.Errorf("got\n%s\nwant\n%s%v", got, tt.want+tail, left)
			}
		})
	}
}

// What could mean several things is left to its author.
func TestUncertain(t *testing.T) {
	for _, src := range []string{
		"locals {\n  a = 1 2\n}\n",
		"locals {\n  a = 1 parsecs\n}\n",
		"locals {\n  a = 'it\"s'\n}\n",
		"locals {\n  a = '${b}'\n}\n",
		"locals {\n  a = [1 2]\n}\n",
		"locals = {\n  a = 1,\n  b = 2,\n}\n",
		"locals = /* mine */ {\n  a = 1\n}\n",
		"profile \"q\" {\n  shape = local.x\n}\n",
		"profile \"q\" {\n  shape = \"step\"\n  shape = \"ramp 2m\"\n}\n",
		"profile \"q\" {\n  wonderful = 1\n  shape = \"step\"\n}\n",
		"locals {\n  a = 1 # \u202e\n}\n",
	} {
		if got, left := all(t, src); got != src || len(left) == 0 {
			t.Errorf("%s became\n%s%v", src, got, left)
		}
	}
}

func comments(src string) []string {
	var out []string
	tokens, _ := hclsyntax.LexConfig([]byte(src), "a", hcl.InitialPos)
	for _, t := range tokens {
		if t.Type == hclsyntax.TokenComment {
			out = append(out, strings.TrimSpace(string(t.Bytes)))
		}
	}
	return out
}

// No repair of any fixture makes a syntax error or loses a comment, and none is
// left that could be made again.
func TestFixturesAreOnlyImproved(t *testing.T) {
	paths, _ := filepath.Glob("../testdata/errors/*.fdb.hcl")
	more, _ := filepath.Glob("../../compiler/testdata/*/*.fdb.hcl")
	var texts []string
	for _, p := range append(paths, more...) {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(b))
	}
	for _, r := range lang.Rules() {
		texts = append(texts, r.Bad)
	}
	repaired := 0
	for _, src := range texts {
		got, left := all(t, src)
		if got == src {
			continue
		}
		repaired++
		_, before := parse(src)
		after := left
		if _, syntax := lang.ParseSyntax(lang.Source{Name: "a.fdb.hcl", Bytes: []byte(src)}); syntax.HasErrors() {
			// The shape is looked at only where the syntax is right.
			before = syntax
			_, after = lang.ParseSyntax(lang.Source{Name: "a.fdb.hcl", Bytes: []byte(got)})
		}
		if a, b := before.Count(diag.Error), after.Count(diag.Error); b > a {
			t.Errorf("%d errors became %d:\n%s\nbecame\n%s", a, b, src, got)
		}
		if a, b := comments(src), comments(got); strings.Join(a, "\n") != strings.Join(b, "\n") {
			t.Errorf("comments %q became %q", a, b)
		}
	}
	if repaired < 10 {
		t.Errorf("only %d of %d texts were repaired", repaired, len(texts))
	}
}

// at makes a finding that replaces bytes of the file.
func at(from, to int, text string) diag.Diagnostic {
	r := hcl.Range{Filename: "a.fdb.hcl", Start: hcl.Pos{Byte: from}, End: hcl.Pos{Byte: to}}
	return diag.Diagnostic{Severity: diag.Error, Rule: text, Subject: &r, Fix: &diag.Fix{Range: r, Text: text}}
}

func TestOverlaps(t *testing.T) {
	const src = "# 0123456789\n"
	for _, tt := range []struct {
		list diag.List
		want string
		made int
	}{
		// What touches waits for the next pass.
		{diag.List{at(4, 6, "x"), at(2, 4, "y")}, "# y23456789\n", 1},
		{diag.List{at(5, 6, "x"), at(2, 4, "y")}, "# y2x456789\n", 2},
		{diag.List{at(2, 6, "x"), at(4, 8, "y")}, "# x456789\n", 1},
		{diag.List{at(2, 4, "x"), at(2, 4, "x")}, "# x23456789\n", 2},
		{diag.List{at(2, 2, "x"), at(2, 2, "y")}, "# x0123456789\n", 1},
		{diag.List{at(2, 3, "0")}, "", 0},
		{diag.List{at(-1, 3, "x"), at(5, 99, "x"), at(6, 5, "x")}, "", 0},
	} {
		doc, _ := parse(src)
		changed, made := Apply(doc.Files, tt.list)
		if got := string(changed["a.fdb.hcl"]); got != tt.want || len(made) != tt.made {
			t.Errorf("%v gives %q with %d repairs, want %q with %d", tt.list, got, len(made), tt.want, tt.made)
		}
	}
}

// A repair that breaks the syntax is not made, nor one of a file of others.
func TestBrokenRepairs(t *testing.T) {
	doc, _ := parse("locals {\n  a = 1\n}\n")
	other := at(0, 1, "x")
	other.Fix.Range.Filename = "b.fdb.hcl"
	for _, d := range []diag.Diagnostic{at(0, 8, "locals"), other} {
		if changed, made := Apply(doc.Files, diag.List{d}); len(changed)+len(made) > 0 {
			t.Errorf("%+v was made: %q", d.Fix, changed)
		}
	}
}

func FuzzApply(f *testing.F) {
	f.Add("locals {\n  a = 5m\n}\n", 0, 3, "x", 2, 5, "y")
	f.Add("profil \"p\" {\n  shape = 'x'\n}\n", 1, 1, "", 1, 4, "é")
	f.Fuzz(func(t *testing.T, src string, a, b int, x string, c, d int, y string) {
		doc, diags := parse(src)
		diags.Add(at(a, b, x), at(c, d, y))
		changed, made := Apply(doc.Files, diags)
		if (len(changed) == 0) != (len(made) == 0) {
			t.Fatalf("%d repairs change %d files", len(made), len(changed))
		}
		if _, before := parse(src); !before.HasErrors() {
			if _, after := lang.ParseSyntax(lang.Source{Name: "a.fdb.hcl", Bytes: changed["a.fdb.hcl"]}); after.HasErrors() {
				t.Fatalf("%q became %q", src, changed["a.fdb.hcl"])
			}
		}
		all(t, src)
	})
}
