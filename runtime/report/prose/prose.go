package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fatih/color"
)

// Steers tells whether a character could steer a terminal or a viewer: a control
// character, line ends and tabs among them, or one that turns the direction of
// what follows.
func Steers(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }

// Printable takes out of a text what would steer a terminal or a viewer, and
// leaves line ends and tabs alone: names and messages come from manifests, scenarios,
// detectors and engines, which may have anything in them.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && Steers(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}

// Wrap breaks a text into lines of at most width characters, at its white
// space. A longer word has a line of its own; an empty text is one empty line.
func Wrap(s string, width int) []string {
	var lines []string
	line, n := "", 0
	for _, word := range strings.Fields(s) {
		size := utf8.RuneCountInString(word)
		switch {
		case line == "":
			line, n = word, size
		case n+1+size > width:
			lines = append(lines, line)
			line, n = word, size
		default:
			line += " " + word
			n += 1 + size
		}
	}
	return append(lines, line)
}

// Options shape what is written for a terminal.
type Options struct {
	Color bool
	Width int // columns; 100 where 0
}

// Page is what is written for a terminal.
type Page struct {
	strings.Builder
	Options
}

// NewPage begins one.
func NewPage(o Options) *Page {
	if o.Width <= 0 {
		o.Width = 100
	}
	return &Page{Options: o}
}

// Paint is a text in colour, where there is any.
func (p *Page) Paint(s string, attributes ...color.Attribute) string {
	if !p.Color || len(attributes) == 0 || s == "" {
		return s
	}
	c := color.New(attributes...)
	c.EnableColor()
	return c.Sprint(s)
}

// Para writes a text wrapped to the width, with a mark before the first line
// and as much space before the others.
func (p *Page) Para(mark, s string, attributes ...color.Attribute) {
	mark = Printable(mark)
	n := utf8.RuneCountInString(mark)
	for _, line := range Wrap(Printable(s), p.Width-n) {
		p.WriteString(p.Paint(mark+line, attributes...) + "\n")
		mark = strings.Repeat(" ", n)
	}
}
