package format

import (
	"strings"
	"testing"
)

func TestTouched(t *testing.T) {
	for _, tt := range []struct{ name, before, after, want string }{
		{"a tidy file stays tidy",
			"locals {\n  a = 1\n  b = 2\n}\n", "locals {\n  a = 1\n  longer = 2\n}\n", "locals {\n  a      = 1\n  longer = 2\n}\n"},
		{"an untidy one keeps its own lines",
			"locals {\n  a=1\n\n  x = 3\n  b=2\n}\n", "locals {\n  a=1\n\n  x = 3\n  c=2\n}\n", "locals {\n  a=1\n\n  x = 3\n  c = 2\n}\n"},
		{"blank lines of others stay",
			"locals {\n\n\n  a = 1\n}\n\n\n\nlocals {\n  c=1\n}\n", "locals {\n\n\n  a = 1\n}\n\n\n\nlocals {\n  d=1\n}\n", "locals {\n\n\n  a = 1\n}\n\n\n\nlocals {\n  d = 1\n}\n"},
		{"nothing was changed", "locals {\n a=1\n}\n", "locals {\n a=1\n}\n", "locals {\n a=1\n}\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, diags := Touched([]byte(tt.before), []byte(tt.after), "a.fdb.hcl")
			if diags.HasErrors() || string(got) != tt.want {
				t.Errorf("got\n%s\nwant\n%s%v", got, tt.want, diags)
			}
		})
	}
	if got, diags := Touched([]byte("a = 1\n"), []byte("a = \n"), "a.fdb.hcl"); got != nil || !diags.HasErrors() {
		t.Errorf("a broken text gives %q", got)
	}
}

func TestRestore(t *testing.T) {
	for _, tt := range []struct{ raw, after, want string }{
		{"a\nb\n", "a\nc\n", "a\nc\n"},
		{"a\r\nb\r\n", "a\nc\nd\n", "a\r\nc\r\nd\r\n"},
		{"\xef\xbb\xbfa\nb\n", "a\nc\n", "\xef\xbb\xbfa\nc\n"},
		{"a\r\nb\nc\r\n", "a\nb\nx\n", "a\r\nb\nx\r\n"},
		{"a\r\nb", "a\nc", "a\r\nc"},
		{"a\r\n", "", ""},
		{"a\r\r\nb\n", "a\nc\n", "a\r\r\nc\n"},
	} {
		before := strings.TrimPrefix(tt.raw, "\xef\xbb\xbf")
		for strings.Contains(before, "\r\n") {
			before = strings.ReplaceAll(before, "\r\n", "\n")
		}
		if got := Restore([]byte(tt.raw), []byte(before), []byte(tt.after)); string(got) != tt.want {
			t.Errorf("%q to %q gives %q, want %q", tt.raw, tt.after, got, tt.want)
		}
		if got := Restore([]byte(tt.raw), []byte(before), []byte(before)); string(got) != tt.raw {
			t.Errorf("%q unchanged gives %q", tt.raw, got)
		}
	}
}
