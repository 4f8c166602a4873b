package condition

import (
	"strings"
	"testing"

	"github.com/expr-lang/expr/ast"

	"github.com/fdbench/fdbench/lang/quantity"
)

var form = Form{Example: "Like this.", Empty: "Write one.", Shorten: "Shorten it.", Plain: "Call it.",
	Own: func(src, got, message string, e *quantity.Error) bool {
		if got == "%" {
			e.Message, e.Remedy = "No percent.", "Divide."
		}
		return got == "%"
	}}

func TestMistakes(t *testing.T) {
	for _, x := range []struct{ src, at, message, remedy string }{
		{strings.Repeat("a", MaxSource+1), strings.Repeat("a", MaxSource+1), "more than 2048 bytes", "Shorten it."},
		{" \n", " \n", "is empty", "Write one."},
		{"a\xff", "a\xff", "not UTF-8", "UTF-8"},
		{"a | b()", "|", "| is not part", "Call it."},
		{strings.Repeat("(", MaxDepth+1) + "a", "(", "nested more than 64 deep", "flatter"},
		{strings.Repeat("a+", 4*MaxNodes) + "a", "", "more than 200 parts", "Shorten it."},
		{`a == "b`, `"b`, "not closed", "quote"},
		{"a > 99999999999999999999 and b", "99999999999999999999", "too large, or not a number", "plain decimal"},
		{"a ==", "a ==", "ends too early", "Like this."},
		{"a = b", "=", "One equals sign", "Write ==."},
		{"a > 99999999999999999999", "99999999999999999999", "too large, or not a number", "plain decimal"},
		{"99999999999999999999 5", "99999999999999999999", "too large, or not a number", "plain decimal"},
		{"(1e999  )", "1e999", "too large, or not a number", "plain decimal"},
		{"a == b %", "%", "No percent.", "Divide."},
		{"a == é)", ")", "expected here", "Like this."},
		{"a == ) b", ")", "expected here", "Like this."},
	} {
		n, _, err := form.Parse(x.src)
		switch {
		case n != nil || err == nil:
			t.Errorf("%.40q is read", x.src)
		case !strings.Contains(err.Message, x.message) || !strings.Contains(err.Remedy, x.remedy):
			t.Errorf("%.40q: %q, %q", x.src, err.Message, err.Remedy)
		case x.at != "" && x.src[err.Offset:err.End] != x.at:
			t.Errorf("%.40q: at %q", x.src, x.src[err.Offset:err.End])
		}
	}
}

func TestParse(t *testing.T) {
	n, s, err := form.Parse("é == 1 and b")
	if err != nil {
		t.Fatal(err)
	}
	and, ok := n.(*ast.BinaryNode)
	if !ok || Word(and.Operator) != "and" || s.Text(and.Right) != "b" {
		t.Errorf("%v", n)
	}
	for src, want := range map[string]string{"a ? b : c": "A choice (?: or if)", "a[1:2]": "A slice", "{a: 1}": "An object",
		"let a = 1; a": "A variable (let)", "a; b": "A sequence of expressions (;)", "a == b": "", "[1]": ""} {
		if n, _, err := form.Parse(src); err != nil || Foreign(n) != want {
			t.Errorf("%s: %q, %v", src, Foreign(n), err)
		}
	}
	long := strings.Repeat(" ", MaxSource) + "a"
	if n, err := Again(long); n == nil || err != nil {
		t.Errorf("%v, %v", n, err)
	}
	if _, err := Again("a =="); err == nil {
		t.Error("half a condition is read")
	}
	if Word("||") != "or" || Word("&&") != "and" || Word("in") != "in" {
		t.Error("operators are spelt otherwise")
	}
}
