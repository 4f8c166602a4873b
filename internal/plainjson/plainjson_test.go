package plainjson

import (
	"math"
	"strings"
	"testing"
)

type pair struct {
	A string `json:"a"`
	B []int  `json:"b"`
}

func TestForms(t *testing.T) {
	v := pair{"<é&\u2028>", []int{1}}
	// A line separator is escaped by the standard library all the same.
	const indented = "{\n  \"a\": \"<é&\\u2028>\",\n  \"b\": [\n    1\n  ]\n}\n"
	if b, err := Indent(v); err != nil || string(b) != indented || string(MustIndent(v)) != indented {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := Line(v); err != nil || string(b) != "{\"a\":\"<é&\\u2028>\",\"b\":[1]}" {
		t.Errorf("%q, %v", b, err)
	}
	var s strings.Builder
	if err := Write(&s, "a\n"); err != nil || s.String() != "\"a\\n\"\n" {
		t.Errorf("%q, %v", s.String(), err)
	}
	if b, err := Line("a\n"); err != nil || string(b) != `"a\n"` {
		t.Errorf("%q, %v", b, err)
	}
	for _, f := range []func(any) ([]byte, error){Indent, Line} {
		if _, err := f(math.NaN()); err == nil {
			t.Error("no number was encoded")
		}
	}
}

func TestDecode(t *testing.T) {
	var p pair
	if err := Decode([]byte(`{"a": "x", "b": [2]}`), &p); err != nil || p.A != "x" || len(p.B) != 1 || p.B[0] != 2 {
		t.Errorf("%+v, %v", p, err)
	}
	for _, bad := range []string{`{"c": 1}`, `{"a": 1}`, "{", ""} {
		if err := Decode([]byte(bad), &pair{}); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
