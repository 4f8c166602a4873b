package plan

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCanonicalize(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"spaces", "{ \"b\" : 1,\n\"a\":[ true , null ] }", `{"a":[true,null],"b":1}`},
		{"empty", "{}", "{}"},
		{"empty list", "[]", "[]"},
		{"escapes", `"\u0041\/\"\\\b\f\n\r\t\u0001"`, `"A/\"\\\b\f\n\r\t\u0001"`},
		{"lower-case hex", `"\u001F"`, `"\u001f"`},
		{"separators stay", "\"\\u2028\\u2029\"", "\"\u2028\u2029\""},
		{"html stays", `"<&>"`, `"<&>"`},
		{"delete is no control", "\"\x7f\"", "\"\x7f\""},
		{"minus zero", "-0", "0"},
		{"safe integers", "[9007199254740991,-9007199254740991]", "[9007199254740991,-9007199254740991]"},
		// The example of RFC 8785 section 3.2.3: the order of UTF-16 code units
		// puts the surrogate pair of the smiley before U+FB33.
		{"UTF-16 order", `{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}`,
			"{\"\\r\":2,\"1\":4,\"\u0080\":6,\"\u00f6\":7,\"\u20ac\":1,\"\U0001f600\":5,\"\ufb33\":3}"},
	}
	for _, test := range tests {
		got, err := Canonicalize([]byte(test.in))
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %s, %v; want %s", test.name, got, err, test.want)
		}
	}
}

func TestCanonicalizeRefuses(t *testing.T) {
	for _, in := range []string{"", "{", "1.5", "1e3", "9007199254740992", "-9007199254740992", "{} {}", "nul"} {
		if got, err := Canonicalize([]byte(in)); err == nil {
			t.Errorf("Canonicalize(%q) = %s, want an error", in, got)
		}
	}
}

func TestCanonicalOfGoValues(t *testing.T) {
	got, err := Canonical(map[string]any{"z": "é<", "a": []int{2, 1}})
	if want := `{"a":[2,1],"z":"é<"}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
	if _, err := Canonical(func() {}); err == nil {
		t.Error("a function has a JSON form")
	}
	if _, err := Canonical(0.5); err == nil {
		t.Error("a binary fraction was let through")
	}
}

// Canonical text is a fixed point, and means the same.
func FuzzCanonicalize(f *testing.F) {
	for _, s := range []string{`{"a":[1,"x",null,true,{}]}`, `"\ud800"`, `{"\u0000":-1}`, "[[[[[]]]]]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		once, err := Canonicalize(in)
		if err != nil {
			return
		}
		twice, err := Canonicalize(once)
		if err != nil || string(once) != string(twice) {
			t.Fatalf("%q then %q, %v", once, twice, err)
		}
		if !json.Valid(once) {
			t.Fatalf("%q is no JSON", once)
		}
	})
}

func TestDigestSeparates(t *testing.T) {
	seen := map[string]string{}
	for _, parts := range [][]string{{"ab", "c"}, {"a", "bc"}, {"abc"}, {"abc", ""}, {"", "abc"}, {}} {
		raw := make([][]byte, len(parts))
		for i, p := range parts {
			raw[i] = []byte(p)
		}
		d := Digest("test", raw...)
		if old, ok := seen[d]; ok {
			t.Errorf("%q and %q have one digest", old, parts)
		}
		seen[d] = strings.Join(parts, "|")
	}
	if Digest("a", []byte("x")) == Digest("b", []byte("x")) {
		t.Error("the domain does not matter")
	}
}
