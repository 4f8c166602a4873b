package diag

import (
	"bytes"
	"sort"
	"sync"

	"github.com/apparentlymart/go-textseg/v15/textseg"
	"github.com/hashicorp/hcl/v2"
)

// Sources holds the text that diagnostics point into. Its line index is built
// once for each file, at the first question about it, and columns are counted
// only in the lines that are asked for: the cost of a message does not grow
// with its file. A Sources may be read by several goroutines once all files
// are in it.
type Sources struct {
	files map[string]*source
}

type source struct {
	bytes   []byte
	context func(offset int) string
	once    sync.Once
	starts  []int
}

// NewSources returns an empty Sources.
func NewSources() *Sources { return &Sources{files: map[string]*source{}} }

// Add puts a file in, and replaces an earlier one of the same name. The bytes
// must be the ones that the ranges count in, and must not change any more.
// The context function names the block around a byte offset (`series "a"`),
// or returns "" outside of blocks; it may be nil.
func (s *Sources) Add(name string, src []byte, context func(offset int) string) {
	s.files[name] = &source{bytes: src, context: context}
}

// Bytes returns the text of a file, nil where it is unknown.
func (s *Sources) Bytes(name string) []byte {
	if f := s.get(name); f != nil {
		return f.bytes
	}
	return nil
}

// Range turns byte offsets of a file into an HCL range. Offsets outside of the
// file are moved to its nearer end.
func (s *Sources) Range(name string, from, to int) hcl.Range {
	r := hcl.Range{Filename: name}
	f := s.get(name)
	if f == nil {
		r.Start, r.End = hcl.Pos{Line: 1, Column: 1, Byte: from}, hcl.Pos{Line: 1, Column: 1, Byte: to}
		return r
	}
	r.Start, r.End = f.pos(from), f.pos(max(from, to))
	return r
}

// Context names the block around a byte offset, or returns "".
func (s *Sources) Context(name string, offset int) string {
	if f := s.get(name); f != nil && f.context != nil {
		return f.context(offset)
	}
	return ""
}

func (s *Sources) get(name string) *source {
	if s == nil {
		return nil
	}
	return s.files[name]
}

func (f *source) index() []int {
	f.once.Do(func() {
		f.starts = make([]int, 1, bytes.Count(f.bytes, []byte{'\n'})+1)
		for i := 0; ; {
			n := bytes.IndexByte(f.bytes[i:], '\n')
			if n < 0 {
				return
			}
			i += n + 1
			f.starts = append(f.starts, i)
		}
	})
	return f.starts
}

// lineOf returns the 0-based number of the line that holds offset.
func (f *source) lineOf(offset int) int {
	starts := f.index()
	return sort.Search(len(starts), func(i int) bool { return starts[i] > offset }) - 1
}

// line returns the bounds of a 0-based line without its line end.
func (f *source) line(n int) (from, to int) {
	starts := f.index()
	from = starts[n]
	if n+1 < len(starts) {
		return from, starts[n+1] - 1
	}
	return from, len(f.bytes)
}

func (f *source) pos(offset int) hcl.Pos {
	offset = min(max(offset, 0), len(f.bytes))
	n := f.lineOf(offset)
	start, _ := f.line(n)
	return hcl.Pos{Line: n + 1, Column: graphemes(f.bytes[start:offset]) + 1, Byte: offset}
}

// graphemes counts the characters that a reader sees, as HCL counts columns.
func graphemes(b []byte) int {
	n := 0
	for len(b) > 0 {
		if b[0] < 0x80 && (len(b) == 1 || b[1] < 0x80) {
			b = b[1:]
		} else {
			advance, _, _ := textseg.ScanGraphemeClusters(b, true)
			b = b[max(advance, 1):]
		}
		n++
	}
	return n
}
