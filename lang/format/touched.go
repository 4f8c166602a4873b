package format

import (
	"bytes"
	"strings"

	"github.com/fdbench/fdbench/lang/diag"
)

// Touched lays out what was changed between two texts of a file. Where the text
// before had the canonical layout, the one after gets it; otherwise only lines
// that before does not have are laid out, and the author keeps the others. Where
// the text after has a syntax error it returns nil and the diagnostics. Both
// texts have LF line ends.
func Touched(before, after []byte, name string) ([]byte, diag.List) {
	formatted, diags := Format(after, name)
	if diags.HasErrors() {
		return nil, diags
	}
	if tidy, _ := Format(before, name); bytes.Equal(tidy, before) {
		return formatted, diags
	}
	a := splitLines(string(after))
	touched := make([]bool, len(a))
	for _, o := range script(splitLines(string(before)), a) {
		if o.kind == '+' {
			touched[o.b] = true
		}
	}
	var out strings.Builder
	ops := script(a, splitLines(string(formatted)))
	for len(ops) > 0 {
		if ops[0].kind == ' ' {
			out.WriteString(ops[0].line)
			ops = ops[1:]
			continue
		}
		n := 0
		for n < len(ops) && ops[n].kind != ' ' {
			n++
		}
		adopt(&out, ops[:n], touched)
		ops = ops[n:]
	}
	mixed := []byte(out.String())
	// Lines of two layouts beside each other have to say the same as before.
	if _, ok := faithful(after, mixed, name); !ok {
		return after, diags
	}
	return mixed, diags
}

// adopt writes a run of lines that formatting changes: the new ones where they
// were touched, and the old ones elsewhere. Where lines come or go within the
// run it is taken whole or not at all.
func adopt(out *strings.Builder, run []op, touched []bool) {
	var old, new []op
	any := false
	for _, o := range run {
		if o.kind == '-' {
			old = append(old, o)
			any = any || touched[o.a]
		} else {
			new = append(new, o)
		}
	}
	for i := range max(len(old), len(new)) {
		switch {
		case len(old) == len(new) && touched[old[i].a], len(old) != len(new) && any:
			if i < len(new) {
				out.WriteString(new[i].line)
			}
		case i < len(old):
			out.WriteString(old[i].line)
		}
	}
}

// Restore gives an edited text the line ends and the byte order mark of the
// file that it came from. raw is the file, before what was edited, with LF line
// ends and without the mark, and after the edited text. Lines that were kept
// keep their ends; a new line gets that of most.
func Restore(raw, before, after []byte) []byte {
	if bytes.Equal(raw, before) {
		return after
	}
	const mark = "\xef\xbb\xbf"
	rest, marked := strings.CutPrefix(string(raw), mark)
	lines := splitLines(rest)
	ended := "\n"
	if crlf := strings.Count(rest, "\r\n"); 2*crlf > len(lines) {
		ended = "\r\n"
	}
	var out strings.Builder
	if marked {
		out.WriteString(mark)
	}
	old := splitLines(string(before))
	for _, o := range script(old, splitLines(string(after))) {
		switch {
		case o.kind == '+':
			if line, ok := strings.CutSuffix(o.line, "\n"); ok {
				out.WriteString(line + ended)
			} else {
				out.WriteString(line)
			}
		case o.kind == ' ' && len(lines) == len(old):
			out.WriteString(lines[o.a])
		case o.kind == ' ':
			out.WriteString(o.line)
		}
	}
	return []byte(out.String())
}
