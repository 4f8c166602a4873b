package findings

import (
	"bytes"
	"net/url"
	"path/filepath"
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// region is a place in a file as other programs count: lines and columns from
// 1, columns in UTF-16 code units, ends exclusive; bytes from 0, in the file
// as it is stored.
type region struct {
	startLine, startColumn, endLine, endColumn int
	offset, length                             int
	known                                      bool // the file's text is known
	snippet                                    string
}

// texts are the files of a scenario by name.
type texts map[string]*text

// text is a file with the beginnings of its lines, in the text that places
// count in and in what is stored.
type text struct {
	file             File
	starts, rawStart []int
}

func newTexts(files []File) texts {
	t := texts{}
	for _, f := range files {
		raw := f.Raw
		if raw == nil {
			raw = f.Text
		}
		one := &text{file: f, starts: lineStarts(f.Text, 0)}
		mark := 0
		if bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")) && !bytes.HasPrefix(f.Text, []byte("\xef\xbb\xbf")) {
			mark = 3
		}
		one.rawStart = lineStarts(raw, mark)
		t[f.Name] = one
	}
	return t
}

func lineStarts(src []byte, first int) []int {
	starts := []int{first}
	for i := first; ; {
		n := bytes.IndexByte(src[i:], '\n')
		if n < 0 {
			return starts
		}
		i += n + 1
		starts = append(starts, i)
	}
}

// region places a range. Offsets outside of the file are moved to its nearer
// end; a file that is not the scenario's keeps its lines and columns.
func (t texts) region(r hcl.Range) region {
	f := t[r.Filename]
	if f == nil {
		line, column := max(r.Start.Line, 1), max(r.Start.Column, 1)
		out := region{startLine: line, startColumn: column, endLine: max(r.End.Line, line), endColumn: max(r.End.Column, 1)}
		if out.endLine == line {
			out.endColumn = max(out.endColumn, column)
		}
		return out
	}
	src := f.file.Text
	from := min(max(r.Start.Byte, 0), len(src))
	to := min(max(r.End.Byte, from), len(src))
	out := region{known: true, snippet: string(src[from:to])}
	var end int
	out.startLine, out.startColumn, out.offset = f.at(from)
	out.endLine, out.endColumn, end = f.at(to)
	out.length = end - out.offset
	return out
}

// at is the place of an offset in the text: line, column and offset in the
// stored file.
func (t *text) at(offset int) (line, column, raw int) {
	n := sort.Search(len(t.starts), func(i int) bool { return t.starts[i] > offset }) - 1
	within := offset - t.starts[n]
	raw = offset
	if n < len(t.rawStart) {
		raw = t.rawStart[n] + within
	}
	return n + 1, units(t.file.Text[t.starts[n]:offset]) + 1, raw
}

// line is the text of a 1-based line.
func (t *text) line(n int) []byte {
	if t == nil || n < 1 || n > len(t.starts) {
		return nil
	}
	end := len(t.file.Text)
	if n < len(t.starts) {
		end = t.starts[n] - 1
	}
	return t.file.Text[t.starts[n-1]:end]
}

// units counts UTF-16 code units. A byte that is no character counts as the
// one that stands for it.
func units(b []byte) int {
	n := 0
	for len(b) > 0 {
		if b[0] < utf8.RuneSelf {
			b = b[1:]
			n++
			continue
		}
		r, size := utf8.DecodeRune(b)
		n += max(utf16.RuneLen(r), 1)
		b = b[size:]
	}
	return n
}

// uri is the reference to a file: relative to the working directory, and
// absolute for one that does not lie below it. Which of both, base tells.
func uri(dir, name string) (ref string, base bool) {
	if rel, ok := below(dir, name); ok {
		return escapePath(filepath.ToSlash(rel)), true
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	path := filepath.ToSlash(name)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	return "file://" + escapePath(path), false
}

// escapePath escapes what may not stand in the path of a URI reference. A colon
// is escaped too: in a first segment it would end a scheme.
func escapePath(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		segments[i] = strings.ReplaceAll(url.PathEscape(s), ":", "%3A")
	}
	return strings.Join(segments, "/")
}
