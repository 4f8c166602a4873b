package format

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/fdbench/fdbench/lang"
)

func TestFormat(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"only blank lines", "\n\n \n", ""},
		{"alignment", "a=1\nlonger   =  2\n", "a      = 1\nlonger = 2\n"},
		{"indentation", "series \"a\" {\nx = 1\n    load {\n points=1\n}\n}", "series \"a\" {\n  x = 1\n  load {\n    points = 1\n  }\n}\n"},
		{"blank lines", "\n\na = 1\n\n\n\nb = 2\nx {\n\n  c = 1\n\n\n  d = 2\n\n}\n\n\n", "a = 1\n\nb = 2\nx {\n  c = 1\n\n  d = 2\n}\n"},
		{"blank lines after a comment", "x { # why\n\n  c = 1\n}\n", "x { # why\n  c = 1\n}\n"},
		{"comments", "// one\n//two\n# three   \na = 1 // four\n/* five\n\n\n   // six */\nb = 2\n", "# one\n#two\n# three\na = 1 # four\n/* five\n\n\n   // six */\nb = 2\n"},
		{"line ends", "\xef\xbb\xbfa = 1\r\nb = 2\r\n", "a = 1\nb = 2\n"},
		{"labels", "variable a {\n}\n", "variable \"a\" {\n}\n"},
		{"templates", "a = \"${var.x}\"\nb = [\"${var.x}\", \"y${var.x}\"]\nc = f(\"${ 1 + 2 }\")\n", "a = var.x\nb = [var.x, \"y${var.x}\"]\nc = f(1 + 2)\n"},
		{"templates in templates", "a = \"${f(\"${\"${x}\"}\")}\"\n", "a = f(x)\n"},
		{"templates that stay", "a = { \"${x}\" = 1 }\nb = \"${x}\" == y\nc = \"${x /* why */}\"\n", "a = { \"${x}\" = 1 }\nb = \"${x}\" == y\nc = \"${x /* why */}\"\n"},
		{"heredocs", "a = <<EOT\n\n\n  // text   \n\n\nEOT\n\n\nb = <<-EOT\n      x\n\n\n        y\n    EOT\n", "a = <<EOT\n\n\n  // text   \n\n\nEOT\n\n\nb = <<-EOT\n      x\n\n\n        y\n    EOT\n"},
		{"lists", "a = [\n\n1,\n\n\n2\n\n]\n", "a = [\n  1,\n\n  2\n]\n"},
	} {
		got, diags := Format([]byte(tt.in), "a.fdb.hcl")
		if diags.HasErrors() {
			t.Errorf("%s: %v", tt.name, diags.Err())
			continue
		}
		want := tt.want
		if tt.name == "heredocs" {
			want = strings.Replace(want, "EOT\n\n\nb", "EOT\n\nb", 1)
		}
		if d := cmp.Diff(want, string(got)); d != "" {
			t.Errorf("%s: %s", tt.name, d)
		}
		check(t, []byte(tt.in), got)
	}
}

func TestFormatKeepsWhatIsFormatted(t *testing.T) {
	paths, _ := filepath.Glob("../testdata/valid/*.hcl")
	if len(paths) == 0 {
		t.Fatal("no files")
	}
	for _, p := range paths {
		src, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		got, diags := Format(src, p)
		if diags.HasErrors() {
			t.Fatal(diags.Err())
		}
		if d := Diff(src, got, p); d != "" {
			t.Errorf("%s", d)
		}
	}
}

func TestFormatRefusesSyntaxErrors(t *testing.T) {
	for _, src := range []string{"a = 1 ; b = 2\n", "x {\n", "a = \"\xff\"\n", "a = 1\na = 2\n"} {
		out, diags := Format([]byte(src), "a.fdb.hcl")
		if out != nil || len(diags) != 1 || diags[0].Subject.Filename != "a.fdb.hcl" {
			t.Errorf("%q gives %q and %v", src, out, diags)
		}
	}
}

// check holds for every file and its layout: laying out again changes nothing,
// and the comments and the meaning are the same.
func check(t *testing.T, before, after []byte) {
	t.Helper()
	again, diags := Format(after, "a.fdb.hcl")
	if diags.HasErrors() || !bytes.Equal(again, after) {
		t.Errorf("a second layout of %q is\n%s%v", before, Diff(after, again, "a"), diags.Err())
	}
	if a, b := comments(before), comments(after); a != b {
		t.Errorf("%q has %d comments, and %q has %d", before, a, after, b)
	}
	if bytes.Contains(after, []byte("\r\n")) || len(after) > 0 && !bytes.HasSuffix(after, []byte("\n")) {
		t.Errorf("line ends of %q", after)
	}
	f, _ := lang.ParseSyntax(lang.Source{Bytes: before})
	a, b := tree(f.Bytes), tree(after)
	if !reflect.DeepEqual(a, b) {
		t.Errorf("the layout of %q means another thing:\n%s", before, cmp.Diff(a, b))
	}
}

func comments(src []byte) int {
	n := 0
	tokens, _ := hclsyntax.LexConfig(src, "", hcl.InitialPos)
	for _, t := range tokens {
		if t.Type == hclsyntax.TokenComment {
			n++
		}
	}
	return n
}

// tree is the structure of a file without places: blocks, arguments, and the
// kinds and literal values of their expressions, with "${x}" taken for x.
func tree(src []byte) []string {
	f, diags := hclsyntax.ParseConfig(src, "", hcl.InitialPos)
	if diags.HasErrors() {
		return []string{diags.Error()}
	}
	var out []string
	_ = hclsyntax.VisitAll(f.Body.(*hclsyntax.Body), func(n hclsyntax.Node) hcl.Diagnostics {
		switch n := n.(type) {
		case hclsyntax.Attributes:
			return nil
		case *hclsyntax.Block:
			out = append(out, "block "+n.Type+" "+strings.Join(n.Labels, " "))
		case *hclsyntax.Attribute:
			out = append(out, "argument "+n.Name)
		case *hclsyntax.TemplateWrapExpr:
		case *hclsyntax.LiteralValueExpr:
			out = append(out, "literal "+n.Val.GoString())
		case *hclsyntax.ScopeTraversalExpr:
			out = append(out, "traversal "+n.Traversal.RootName())
		case *hclsyntax.FunctionCallExpr:
			out = append(out, "call "+n.Name)
		default:
			out = append(out, reflect.TypeOf(n).String())
		}
		return nil
	})
	// Arguments are visited in the order of a map.
	sorted := append([]string(nil), out...)
	slices.Sort(sorted)
	return sorted
}

func FuzzFormat(f *testing.F) {
	for _, pattern := range []string{"../testdata/valid/*.hcl", "../testdata/errors/*.hcl"} {
		paths, _ := filepath.Glob(pattern)
		for _, p := range paths {
			src, err := os.ReadFile(p)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(src)
		}
	}
	for _, s := range []string{
		"a = <<-EOT\n  x ${y}\n\n  EOT\n", "// c\na = [ # d\n1, // e\n]\n", "a = \"${ x }\" // \"${y}\"\n", "x \"y\" { a = 1 }\n",
		"a = f(1,\n2,\n  3)\n", "a = {\n\n  b = 1\n\n}\n", "a = \"%{ if x }y%{ endif }\"\n", "x y {\n\n\n}\n", "a = b ? c :\n d\n", "a = (\n\n1\n\n)\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		out, diags := Format(src, "a.fdb.hcl")
		if diags.HasErrors() {
			for _, d := range diags {
				if d.Rule == "LANG-format" {
					t.Fatalf("%q cannot be laid out", src)
				}
			}
			return
		}
		check(t, src, out)
	})
}

func BenchmarkFormat(b *testing.B) {
	src, err := os.ReadFile("../testdata/valid/main.fdb.hcl")
	if err != nil {
		b.Fatal(err)
	}
	src = bytes.Repeat(src, 10)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, diags := Format(src, "a.fdb.hcl"); diags.HasErrors() {
			b.Fatal(diags.Err())
		}
	}
}
