package lang

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
)

// Lines is the place of the argument with the whole lines that it stands on,
// and the line end, so that what is left without it has no gap. It is false
// where something else stands on these lines, a comment too.
func (a *Attr) Lines() (hcl.Range, bool) {
	if a == nil || a.file == nil {
		return hcl.Range{}, false
	}
	return a.file.lines(a.Range)
}

// Lines is the place of the whole block with the lines that it stands on, as
// for an argument. A blank line before it goes with it.
func (b *Block) Lines() (hcl.Range, bool) {
	if b == nil || b.file == nil {
		return hcl.Range{}, false
	}
	r, ok := b.file.lines(hcl.RangeBetween(b.DefRange, b.close))
	if !ok {
		return r, false
	}
	if from := r.Start.Byte; from > 1 && b.file.Bytes[from-1] == '\n' && b.file.Bytes[from-2] == '\n' {
		r = b.file.sources.Range(b.file.Name, from-1, r.End.Byte)
	}
	return r, true
}

func (f *File) lines(r hcl.Range) (hcl.Range, bool) {
	from := bytes.LastIndexByte(f.Bytes[:r.Start.Byte], '\n') + 1
	to := len(f.Bytes)
	if i := bytes.IndexByte(f.Bytes[r.End.Byte:], '\n'); i >= 0 {
		to = r.End.Byte + i + 1
	}
	if len(bytes.TrimSpace(f.Bytes[from:r.Start.Byte])) > 0 || len(bytes.TrimSpace(f.Bytes[r.End.Byte:to])) > 0 {
		return hcl.Range{}, false
	}
	return f.sources.Range(f.Name, from, to), true
}
