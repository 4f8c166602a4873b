package diag

import "bytes"

// maxContextLines bounds how many lines of Context a snippet shows: a whole
// block as context would bury the line that is wrong.
const maxContextLines = 5

// snippet is the source text that a diagnostic shows, in whole lines.
type snippet struct {
	context   string // the block around the subject, or ""
	code      []byte // lines joined by \n, without a final one
	startLine int    // 1-based number of the first line of code
	// from and to bound the subject within code; from <= to.
	from, to int
}

// snippetOf returns the snippet of d, and false where there is nothing to
// show: no subject, an unknown file, or a place outside of the file.
func snippetOf(d *Diagnostic, src *Sources) (snippet, bool) {
	if d.Subject == nil {
		return snippet{}, false
	}
	f := src.get(d.Subject.Filename)
	if f == nil || d.Subject.Start.Byte < 0 || d.Subject.Start.Byte > len(f.bytes) {
		return snippet{}, false
	}
	from := d.Subject.Start.Byte
	to := min(max(d.Subject.End.Byte, from), len(f.bytes))
	// A subject that ends with the line end would drag the next line in.
	for to > from && f.bytes[to-1] == '\n' {
		to--
	}
	first, last := f.lineOf(from), f.lineOf(to)
	if c := d.Context; c != nil && c.Filename == d.Subject.Filename && c.Start.Byte >= 0 && c.End.Byte <= len(f.bytes) {
		cfirst, clast := f.lineOf(min(c.Start.Byte, from)), f.lineOf(max(c.End.Byte, to))
		if clast-cfirst < maxContextLines {
			first, last = cfirst, clast
		}
	}
	last = min(last, max(first+maxContextLines-1, f.lineOf(from)))
	start, _ := f.line(first)
	_, end := f.line(last)
	to = min(to, end)
	return snippet{
		context:   src.Context(d.Subject.Filename, from),
		code:      f.bytes[start:end],
		startLine: first + 1,
		from:      from - start,
		to:        to - start,
	}, true
}

// line is one line of a snippet with its part of the subject; from and to are
// -1 where the subject does not touch it.
type line struct {
	number   int
	text     []byte
	from, to int
}

func (s snippet) lines() []line {
	var out []line
	offset := 0
	for i, text := range bytes.Split(s.code, []byte{'\n'}) {
		from, to := max(s.from, offset)-offset, min(s.to, offset+len(text))-offset
		switch {
		case s.from == s.to && s.from >= offset && s.from <= offset+len(text):
			from, to = s.from-offset, s.from-offset
		case from >= to:
			from, to = -1, -1
		}
		out = append(out, line{s.startLine + i, text, from, to})
		offset += len(text) + 1
	}
	return out
}
