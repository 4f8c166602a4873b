package detector

import (
	"math"
	"strings"
	"testing"
)

func TestSettings(t *testing.T) {
	var s Settings
	s.Text("rule", "a \"b\"\nc")
	s.Int("for_ns", -3)
	s.Ratio("threshold", 2, 25)
	s.Float("lambda", 0.1)
	s.Float("limit", math.Inf(1))
	s.Bool("reset", true)
	want := "rule \"a \\\"b\\\"\\nc\"\nfor_ns -3\nthreshold 2/25\nlambda 0.1\nlimit +Inf\nreset true\n"
	if string(s.Bytes()) != want {
		t.Errorf("%q, want %q", s.Bytes(), want)
	}
	digest := s.Digest()
	if len(digest) != len("sha256:")+64 || !strings.HasPrefix(digest, "sha256:") {
		t.Errorf("digest %q", digest)
	}
	s.Reset()
	if len(s.Bytes()) != 0 || s.Digest() == digest {
		t.Error("a reset did not empty it")
	}
}

func TestDifference(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"a 1\nb 2\n", "a 1\nb 2\n", ""},
		{"a 1\nb 2\n", "a 1\nb 3\n", `"b 3" was "b 2"`},
		{"a 1\n", "a 1\nb 3\n", `"b 3" was added`},
		{"a 1\nb 2\n", "a 1\n", `"b 2" is gone`},
		{"", "a 1\n", `"a 1" was added`},
	} {
		if got := Difference([]byte(c.before), []byte(c.after)); got != c.want {
			t.Errorf("%q to %q: %s, want %s", c.before, c.after, got, c.want)
		}
	}
}
