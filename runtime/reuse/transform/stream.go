package transform

import (
	"io"

	"github.com/fdbench/fdbench/runtime/reuse/manifest"
)

// Reader is the manifest that a Builder makes, as bytes. They are made while
// they are read.
type Reader struct {
	b    *Builder
	line []byte // of an item, the part that has not been read
	buf  []byte
	err  error
}

// NewReader returns the manifest of a Builder that no item was taken from.
func NewReader(b *Builder) *Reader { return &Reader{b: b} }

func (r *Reader) Read(p []byte) (int, error) {
	for len(r.line) == 0 && r.err == nil {
		it, err := r.b.Next()
		if err == nil {
			r.buf, err = manifest.Append(r.buf[:0], it)
			r.line = r.buf
		}
		r.err = err
	}
	if len(r.line) == 0 {
		return 0, r.err
	}
	n := copy(p, r.line)
	r.line = r.line[n:]
	return n, nil
}

// Build writes the manifest that documents give with the options, and returns
// what was built.
func Build(w io.Writer, documents io.ReaderAt, o Options) (*manifest.Summary, *Builder, error) {
	b, err := New(documents, o)
	if err != nil {
		return nil, nil, err
	}
	s, err := manifest.Check(io.TeeReader(NewReader(b), w))
	if err != nil {
		return nil, nil, err
	}
	return s, b, nil
}
