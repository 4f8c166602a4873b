package mechanism

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestDigest(t *testing.T) {
	same := [][]string{
		{`{"a":1,"b":[true,null]}`, "{ \"b\" : [true, null],\n\t\"a\":1 }\n"},
		{`"é"`, `"\u00e9"`},
	}
	for _, list := range same {
		for _, s := range list[1:] {
			if Digest([]byte(s)) != Digest([]byte(list[0])) {
				t.Errorf("%q and %q are the same configuration", s, list[0])
			}
		}
	}
	different := []string{"", "a", "a\n", `{"a":1}`, `{"a":1.0}`, `{"a":2}`, `{"a":1} {"a":1}`, `{"a":1}x`, `[1,2]`, `[2,1]`,
		`{"a":12345678901234567890}`, `{"a":12345678901234567891}`}
	seen := map[string]string{}
	for _, s := range different {
		d := Digest([]byte(s))
		if other, ok := seen[d]; ok {
			t.Errorf("%q and %q have one digest", s, other)
		}
		seen[d] = s
		if !strings.HasPrefix(d, "sha256:") || len(d) != 71 {
			t.Errorf("%q: the digest is %q", s, d)
		}
	}
}

func TestRedact(t *testing.T) {
	for _, c := range []struct {
		text    string
		secrets []string
		want    string
	}{
		{"key hunter22 is wrong", []string{"hunter22"}, "key [secret] is wrong"},
		{"abcdefgh abcd", []string{"abcd", "abcdefgh"}, "[secret] [secret]"},
		{"a b c", []string{"a", ""}, "a b c"},
	} {
		if got := Redact(c.text, c.secrets); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestExcerpt(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"  two\n\tlines ", "two lines"},
		{"\x1b[31mred\x07", "[31mred"},
		{"\u009b31m", "31m"},
		{"ééééééééééé", "éééééééééé…"},
		{"\xff\xfe", ""},
	} {
		if got := Excerpt(c.text, 10); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestValuesHaveTheirNames(t *testing.T) {
	v := Values{Class: "a", Magnitude: "b", Fraction: "c", Level: "d", Trial: "e", Lease: "60"}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]string
	if err := json.Unmarshal(b, &members); err != nil {
		t.Fatal(err)
	}
	if len(members) != len(Names) {
		t.Errorf("%d members, %d names", len(members), len(Names))
	}
	for _, n := range Names {
		if members[n] == "" || members[n] != v.Get(n) {
			t.Errorf("%s: %q, encoded %q", n, v.Get(n), members[n])
		}
	}
	if v.Get("other") != "" {
		t.Error("a name that is none has a value")
	}
}
