package prose

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/fatih/color"
)

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain, é 漢 👨‍👩":          "plain, é 漢 👨‍👩",
		"two\nlines":              "two\nlines",
		"\x1b[31mred\x1b[0m\a":    "\ufffd[31mred\ufffd[0m\ufffd",
		"a\tb\rc\x7f\u009b":       "a\tb\ufffdc\ufffd\ufffd",
		"\u202eabc\u202c \u2066x": "\ufffdabc\ufffd \ufffdx",
	} {
		if got := Printable(in); got != want {
			t.Errorf("%q gives %q, not %q", in, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, x := range []struct {
		in    string
		width int
		want  []string
	}{
		{"", 10, []string{""}},
		{"  a  b\nc ", 10, []string{"a b c"}},
		{"one two three", 7, []string{"one two", "three"}},
		{"one two three", 6, []string{"one", "two", "three"}},
		{"é é é", 3, []string{"é é", "é"}},
		{"extraordinary a", 5, []string{"extraordinary", "a"}},
		{"a b", -3, []string{"a", "b"}},
	} {
		if got := Wrap(x.in, x.width); !slices.Equal(got, x.want) {
			t.Errorf("%q in %d columns: %q, want %q", x.in, x.width, got, x.want)
		}
	}
}

func TestPage(t *testing.T) {
	p := NewPage(Options{Width: 11})
	p.Para("  é ", "one two\x1b three", color.FgRed)
	p.Para("* ", "")
	if got, want := p.String(), "  é one\n    two\ufffd\n    three\n* \n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p = NewPage(Options{Color: true})
	p.Para("", "red", color.FgRed)
	p.Para("", "plain")
	if got, want := p.String(), "\x1b[31mred\x1b[0m\nplain\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if p.Width != 100 {
		t.Errorf("%d columns", p.Width)
	}
}

// FuzzPara wants no character that steers a terminal, and no line that is too
// long and could be shorter.
func FuzzPara(f *testing.F) {
	f.Add("- ", "a \x1b[2J\u202e long text", 9)
	f.Fuzz(func(t *testing.T, mark, s string, width int) {
		p := NewPage(Options{Width: min(width, 1000)})
		p.Para(strings.Join(strings.Fields(mark), " "), s)
		for _, line := range strings.Split(strings.TrimSuffix(p.String(), "\n"), "\n") {
			if strings.ContainsFunc(line, Steers) {
				t.Fatalf("%q", line)
			}
			if n := len([]rune(line)); n > p.Width && len(strings.FieldsFunc(line, unicode.IsSpace)) > 1+len(strings.Fields(mark)) {
				t.Fatalf("%q has %d characters in %d columns", line, n, p.Width)
			}
		}
	})
}
