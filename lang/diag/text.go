package diag

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fatih/color"
)

// TextOptions says how WriteText lays out its text.
type TextOptions struct {
	// Color turns on ANSI colours. Without them the subject is marked by a
	// line of carets.
	Color bool
	// Width is the number of columns to wrap the details at; 0 never wraps.
	Width int
}

// WriteText writes the diagnostics for a person, in the order of the list. It
// returns the error of w. The cost of each is that of the lines it shows,
// however long the file is.
func WriteText(w io.Writer, l List, src *Sources, o TextOptions) error {
	t := textWriter{src: src, opts: o, styles: newStyles(o.Color)}
	for i := range l {
		t.diagnostic(&l[i])
		// Whole diagnostics go out together, so a full buffer never splits one.
		if t.buf.Len() > 1<<16 || i == len(l)-1 {
			if _, err := w.Write(t.buf.Bytes()); err != nil {
				return err
			}
			t.buf.Reset()
		}
	}
	return nil
}

type styles struct {
	severity               map[Severity]*color.Color
	bold, faint, underline *color.Color
}

func newStyles(on bool) styles {
	style := func(attrs ...color.Attribute) *color.Color {
		c := color.New(attrs...)
		if on {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
		return c
	}
	return styles{
		severity: map[Severity]*color.Color{
			Error:   style(color.FgRed, color.Bold),
			Warning: style(color.FgYellow, color.Bold),
			Note:    style(color.FgBlue, color.Bold),
		},
		bold:      style(color.Bold),
		faint:     style(color.Faint),
		underline: style(color.Underline, color.Bold),
	}
}

type textWriter struct {
	src    *Sources
	opts   TextOptions
	styles styles
	buf    bytes.Buffer
	line   []byte
}

func (t *textWriter) diagnostic(d *Diagnostic) {
	sev := t.styles.severity[d.Severity]
	if sev == nil {
		sev = t.styles.bold
	}
	rule := sev.Sprint("│")
	put := func(parts ...string) {
		t.buf.WriteString(rule)
		for i, p := range parts {
			if i == 0 && p != "" {
				t.buf.WriteByte(' ')
			}
			t.buf.WriteString(p)
		}
		t.buf.WriteByte('\n')
	}
	t.buf.WriteString(sev.Sprint("╷") + "\n")
	head := sev.Sprint(d.Severity.title()+":") + " " + t.styles.bold.Sprint(shown(d.Summary))
	if d.Rule != "" {
		head += " " + t.styles.faint.Sprint("("+d.Rule+")")
	}
	put(head)
	put()
	if d.Subject != nil {
		t.place(d, put)
		put()
	}
	for _, line := range wrap(shown(d.Detail), t.opts.Width-2) {
		put(line)
	}
	t.buf.WriteString(sev.Sprint("╵") + "\n")
}

// place shows where the subject lies, its source lines and the values.
func (t *textWriter) place(d *Diagnostic, put func(...string)) {
	s, ok := snippetOf(d, t.src)
	at := fmt.Sprintf("  on %s line %d", shown(d.Subject.Filename), d.Subject.Start.Line)
	if !ok {
		put(at)
		return
	}
	if s.context != "" {
		at += ", in " + shown(s.context)
	}
	put(at + ":")
	for _, l := range s.lines() {
		t.sourceLine(l.number, l.text, l.from, l.to, put)
	}
	if len(d.Values) == 0 {
		return
	}
	put("    ", t.styles.faint.Sprint("├────────────────"))
	for _, v := range d.Values {
		put("    ", t.styles.faint.Sprint("│")+" "+t.styles.bold.Sprint(shown(v.Expr))+" "+shown(v.Text))
	}
}

// maxLine is the longest source line that is shown whole. A longer one is cut
// around its subject: a minified file would fill the screen otherwise.
const maxLine = 160

func (t *textWriter) sourceLine(number int, text []byte, from, to int, put func(...string)) {
	head, tail := "", ""
	if len(text) > maxLine {
		text, from, to, head, tail = clip(text, from, to)
	}
	label := fmt.Sprintf("%4d: ", number)
	if from < 0 {
		t.line, _ = appendShown(t.line[:0], text)
		put("", strings.TrimRight(" "+label+head+string(t.line)+tail, " "))
		return
	}
	var before, marked int
	t.line, before = appendShown(t.line[:0], text[:from])
	cut := len(t.line)
	t.line, marked = appendShown(t.line, text[from:to])
	end := len(t.line)
	t.line, _ = appendShown(t.line, text[to:])
	if t.opts.Color && end > cut {
		put(label + head + string(t.line[:cut]) + t.styles.underline.Sprint(string(t.line[cut:end])) + string(t.line[end:]) + tail)
		return
	}
	put("", strings.TrimRight(" "+label+head+string(t.line)+tail, " "))
	pad := len(label) + utf8.RuneCountInString(head) + before
	put("", strings.Repeat(" ", pad+1)+strings.Repeat("^", max(marked, 1)))
}

// clip cuts a long line so that the beginning of the subject stays in sight.
func clip(text []byte, from, to int) (cut []byte, f, t int, head, tail string) {
	start := 0
	if from > maxLine/2 {
		start = from - maxLine/4
		for start > 0 && !utf8.RuneStart(text[start]) {
			start--
		}
		head = "…"
	}
	end := min(start+maxLine, len(text))
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	if end < len(text) {
		tail = "…"
	}
	if from < 0 {
		return text[start:end], from, to, head, tail
	}
	return text[start:end], from - start, min(to, end) - start, head, tail
}

// wrap breaks text at spaces so that no line has more than width columns, and
// leaves lines that begin with a space alone, since they hold commands or
// source to copy.
func wrap(text string, width int) []string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		if width <= 20 || strings.HasPrefix(line, " ") || utf8.RuneCountInString(line) <= width {
			out = append(out, line)
			continue
		}
		var b strings.Builder
		cells := 0
		for _, word := range strings.Fields(line) {
			n := utf8.RuneCountInString(word)
			if cells > 0 && cells+1+n > width {
				out = append(out, b.String())
				b.Reset()
				cells = 0
			}
			if cells > 0 {
				b.WriteByte(' ')
				cells++
			}
			b.WriteString(word)
			cells += n
		}
		out = append(out, b.String())
	}
	return out
}

// Tally is the closing line of a listing: "2 errors, 1 warning", or "" where
// there is nothing to count.
func (l List) Tally() string {
	var parts []string
	for _, s := range []Severity{Error, Warning, Note} {
		if n := l.Count(s); n > 0 {
			word := s.String()
			if n != 1 {
				word += "s"
			}
			parts = append(parts, strconv.Itoa(n)+" "+word)
		}
	}
	return strings.Join(parts, ", ")
}
