package view

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/fatih/color"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
	"github.com/fdbench/fdbench/spec"
	"github.com/fdbench/fdbench/spec/pages"
)

// Explain writes what an id of the methodology or of the language means:
// headings are bold, and examples are marked red where they break it and green
// where they keep it. Of several examples of a kind it shows the first, without
// its set-up; with whole it shows all, and all of them.
func Explain(to terminal.Stream, e pages.Entry, whole bool) error {
	x := explainer{width: to.Columns(width), color: to.Color}
	what := "a rule of the language"
	if e.Requirement() {
		what = fmt.Sprintf("section %s, %s", e.Section, e.Level)
	}
	fmt.Fprintf(&x.buf, "%s (%s)\n", x.paint(e.ID, color.Bold), what)
	x.paragraph(e.Asks)
	if means := e.Means(); means != "" {
		x.paragraph(means)
	}
	x.section("Why it matters", e.Why)
	if e.Boundary != "" {
		x.section("The boundary", e.Boundary)
	}
	x.enforced(e.Enforced)
	if e.Attest != nil {
		x.section("Attested in part", "No program can see "+e.Attest.What+". Outside of simulation the series says who vouches for it:")
		x.code(e.Attest.Block, color.Faint)
	}
	if len(e.Readings) > 0 {
		x.heading("How the text is read")
	}
	for _, r := range e.Readings {
		text := r.Question + " " + r.Reading
		if r.Differs != nil {
			text += fmt.Sprintf(" It differs from the strictest reading: %s (spec/decisions/%s.md).", strings.TrimRight(r.Differs.How, "."), r.Differs.Decision)
		}
		x.hanging(r.ID, text)
	}
	edits := false
	for _, s := range e.Examples {
		if !s.First && !whole {
			continue
		}
		mark := color.FgGreen
		if s.Breaks {
			mark = color.FgRed
		}
		caption := s.Caption()
		x.buf.WriteByte('\n')
		verb, rest, _ := strings.Cut(wrap(caption, x.width), " it")
		x.buf.WriteString(x.paint(verb+" it", mark, color.Bold) + rest + "\n")
		if s.In == spec.InScenario {
			x.code(s.Text, mark)
			continue
		}
		edits = edits || s.Text != ""
		if s.SetUp == "" {
			x.code(x.edit(s.Text), mark)
			continue
		}
		if whole {
			x.code(x.edit(s.Whole()), mark)
		} else {
			x.code(x.edit(s.Essence())+"# The set-up that it needs is left out: --examples shows it.\n", mark)
		}
	}
	if edits {
		x.section("How to read a change", e.Notation())
	}
	_, err := to.Write(x.buf.Bytes())
	return err
}

type explainer struct {
	buf   bytes.Buffer
	width int
	color bool
}

func (x *explainer) paint(s string, attributes ...color.Attribute) string {
	c := color.New(attributes...)
	if x.color {
		c.EnableColor()
	} else {
		c.DisableColor()
	}
	return c.Sprint(s)
}

func (x *explainer) heading(text string) {
	fmt.Fprintf(&x.buf, "\n%s\n", x.paint(text, color.Bold))
}

func (x *explainer) section(title, text string) {
	x.heading(title)
	x.lines("  ", "  ", text)
}

func (x *explainer) paragraph(text string) {
	x.buf.WriteByte('\n')
	x.lines("", "", text)
}

// hanging is a text whose lines stand to the right of its label, or below it
// where that would leave them too little room.
func (x *explainer) hanging(label, text string) {
	if len(label)+4 > x.width/2 {
		fmt.Fprintf(&x.buf, "  %s\n", strings.TrimRight(label, " "))
		x.lines("    ", "    ", text)
		return
	}
	x.lines("  "+label+"  ", strings.Repeat(" ", len(label)+4), text)
}

// lines writes a wrapped text, its first line behind one indent and the others
// behind another of the same width.
func (x *explainer) lines(first, other, text string) {
	wrapped := wrap(printable(text), x.width-len(other))
	fmt.Fprintf(&x.buf, "%s%s\n", first, strings.ReplaceAll(wrapped, "\n", "\n"+other))
}

func (x *explainer) enforced(moments []pages.Moment) {
	if len(moments) == 0 {
		return
	}
	x.heading("Where it is enforced")
	widest := 0
	for _, m := range moments {
		widest = max(widest, len(m.When))
	}
	for _, m := range moments {
		text := m.How
		if m.Effect != "" {
			text += " → " + string(m.Effect)
		}
		x.hanging(fmt.Sprintf("%-*s", widest, m.When), text)
	}
}

// edit wraps the lines of a change that are too long for the terminal, where a
// value ends or between the words of one.
func (x *explainer) edit(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))] + "    "
		for first := true; ; first = false {
			room := x.width - 2
			if !first {
				line, room = strings.TrimLeft(line, " "), room-len(indent)
			}
			part, rest := line, ""
			if len([]rune(line)) > room {
				part, rest = broken(line, room)
			}
			if !first {
				b.WriteString(indent)
			}
			b.WriteString(part + "\n")
			if line = rest; line == "" {
				break
			}
		}
	}
	return b.String()
}

// broken cuts a line at the last place that leaves its beginning short enough:
// behind a comma, else at a space.
func broken(line string, room int) (string, string) {
	at, comma := 0, 0
	lead := len(line) - len(strings.TrimLeft(line, " "))
	for i, n := 0, 0; i < len(line) && n <= room; n++ {
		if line[i] == ' ' && i > lead {
			at = i
			if line[i-1] == ',' && i+1 < len(line) && line[i+1] == '"' {
				comma = i
			}
		}
		_, size := utf8.DecodeRuneInString(line[i:])
		i += size
	}
	if comma > room/3 {
		at = comma
	}
	if at == 0 {
		return line, ""
	}
	return line[:at], line[at+1:]
}

// code writes an example. The bar that stands beside it on a terminal is in
// its colour; elsewhere the lines are only indented, so that they can be copied.
func (x *explainer) code(text string, mark color.Attribute) {
	if strings.TrimSpace(text) == "" {
		return
	}
	x.buf.WriteByte('\n')
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		line = strings.TrimRight(line, "\n")
		switch {
		case x.color:
			x.buf.WriteString(x.paint("│", mark) + " " + line + "\n")
		case line == "":
			x.buf.WriteByte('\n')
		default:
			x.buf.WriteString("  " + line + "\n")
		}
	}
}
