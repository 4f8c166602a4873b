package exprpos

import (
	"strings"
	"testing"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/parser"
)

func parse(t testing.TB, src string) ast.Node {
	t.Helper()
	tree, err := parser.ParseWithConfig(src, conf.CreateNew())
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return tree.Node
}

// TestOf asks for the extent of the first node of a kind.
func TestOf(t *testing.T) {
	for _, c := range []struct{ src, kind, want string }{
		{"a == b and c", "==", "a == b"},
		{"x or (a == b)", "==", "a == b"},
		{"x or (a == (b or c))", "==", "a == (b or c)"},
		{"(a or b) == c and d", "==", "(a or b) == c"},
		{`"é漢👨" == "x" and ü`, "==", `"é漢👨" == "x"`},
		{`")" == a and b`, "==", `")" == a`},
		{`'\')' == a and b`, "==", `'\')' == a`},
		{"`\\` == a and b", "==", "`\\` == a"},
		{`a in ["x", "]"] and b`, "in", `a in ["x", "]"]`},
		{"max(a, (b)) > 1", "max", "max(a, (b))"},
		{"f() > 1", "f", "f()"},
		{"f\r\n() > 1", "f", "f\r\n()"},
		{"all(x, (.a)) and b", "all", "all(x, (.a))"},
		{"a\r\n== b\r\nand c", "==", "a\r\n== b"},
	} {
		s, found := New(c.src), false
		Visit(parse(t, c.src), func(n ast.Node) {
			name := ""
			switch n := n.(type) {
			case *ast.BinaryNode:
				name = n.Operator
			case *ast.BuiltinNode:
				name = n.Name
			case *ast.CallNode:
				name = n.Callee.(*ast.IdentifierNode).Value
			}
			if name != c.kind || found {
				return
			}
			found = true
			if from, to := s.Of(n); c.src[from:to] != c.want {
				t.Errorf("%q: %q, want %q", c.src, c.src[from:to], c.want)
			}
		})
		if !found {
			t.Errorf("%q has no %s", c.src, c.kind)
		}
	}
}

func TestByteAndText(t *testing.T) {
	s := New("aé漢b")
	for character, want := range map[int]int{-1: 0, 0: 0, 1: 1, 2: 3, 3: 6, 4: 7, 99: 7} {
		if got := s.Byte(character); got != want {
			t.Errorf("character %d is at %d, want %d", character, got, want)
		}
	}
	n := parse(t, "é > 1_000").(*ast.BinaryNode)
	if got := New("é > 1_000").Text(n.Right); got != "1_000" {
		t.Errorf("%q", got)
	}
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ src, at, says string }{
		{"a and (b or c)", "", ""},
		{`"|" == a`, "", ""},
		{"a | f()", "|", "| is not part"},
		{"f::g()", "::", ":: is not part"},
		{"((a))", "", ""},
		{"(((a)))", "(", "nested more than 2 deep"},
		{"(a) and (b) and (c)", "", ""},
		{"--a", "", ""},
		{"---a", "-", "nested more than 2 deep"},
		{"not not ! a", "!", "nested more than 2 deep"},
		{"-a - -b - -c", "", ""},
		{"[[[a]]]", "[", "nested"},
		{"a ? b : c ? d : e ? f : g", "?", "nested"},
	} {
		mistake, err := New(c.src).Tokens(2, "Write it so.")
		switch {
		case err != nil:
			t.Errorf("%s: %v", c.src, err)
		case (mistake == nil) != (c.says == ""):
			t.Errorf("%s: %v", c.src, mistake)
		case mistake != nil && (c.src[mistake.Offset:mistake.End] != c.at || !strings.Contains(mistake.Message, c.says) || mistake.Remedy == ""):
			t.Errorf("%s: %q, %+v", c.src, c.src[mistake.Offset:mistake.End], mistake)
		}
	}
	if mistake, err := New(`"open`).Tokens(2, ""); err == nil || mistake != nil {
		t.Errorf("%v, %v", mistake, err)
	}
}

// FuzzOf wants every extent to lie in its source and to be cut between
// characters.
func FuzzOf(f *testing.F) {
	for _, s := range []string{"a == b and c", `all(x, .y in ["]", ')'])`, "f(", "漢 == \"é\"", "a?.b[1:2]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 500 || strings.ToValidUTF8(src, "") != src {
			return
		}
		s := New(src)
		if mistake, err := s.Tokens(20, "x"); err != nil || mistake != nil {
			return
		}
		tree, err := parser.ParseWithConfig(src, conf.CreateNew())
		if err != nil {
			return
		}
		Visit(tree.Node, func(n ast.Node) {
			from, to := s.Of(n)
			if from < 0 || to < from || to > len(src) || strings.ToValidUTF8(src[from:to], "") != src[from:to] {
				t.Fatalf("%q: %T from %d to %d", src, n, from, to)
			}
		})
	})
}
