package manifest

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// MaxLine bounds a line, in bytes.
const MaxLine = 64 << 20

// LineError is a line that cannot be used. The reader goes on behind it.
type LineError struct {
	Line   int64  // from 1
	Key    string // of the member that it is about; "" for the line as a whole
	Reason string // with what to do about it
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// Reader reads the items of a manifest in their order.
type Reader struct {
	in    *bufio.Reader
	buf   []byte // of a line that is longer than in's buffer
	line  int64
	bytes int64
	blank int64
	err   error

	seen     map[[16]byte]int64 // lines of items, by their names' hash
	warnings Warnings
}

// NewReader returns a Reader that starts at the beginning of r.
func NewReader(r io.Reader) *Reader {
	return &Reader{in: bufio.NewReaderSize(r, 1<<16), seen: map[[16]byte]int64{}}
}

// Bytes is how much has been read.
func (r *Reader) Bytes() int64 { return r.bytes }

// Lines is how many lines have been read, blank ones included.
func (r *Reader) Lines() int64 { return r.line }

// Blank is how many of them were blank.
func (r *Reader) Blank() int64 { return r.blank }

// Warnings are those of the lines that have been read, in the order of their
// first lines.
func (r *Reader) Warnings() []Warning { return r.warnings.List() }

// Next returns the next item, which is the caller's own. The error is io.EOF
// behind the last item, a LineError for a line that cannot be used, after which
// Next goes on with the line behind it, or else what reading failed with, which
// stays.
func (r *Reader) Next() (*Item, error) {
	for r.err == nil {
		line, err := r.readLine()
		if err != nil && err != errLong {
			r.err = err
			if err != io.EOF {
				break
			}
		}
		if err == errLong {
			return nil, &LineError{r.line, "", fmt.Sprintf("the line is longer than %d MiB; split the item or shorten its prompts", MaxLine>>20)}
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			if r.err == nil {
				r.blank++
			}
			continue
		}
		return r.decode(line)
	}
	return nil, r.err
}

func (r *Reader) decode(line []byte) (*Item, error) {
	if !utf8.Valid(line) {
		return nil, &LineError{r.line, "", errUTF8.Error()}
	}
	d := decoder{scanner: scanner{b: line}, warn: r.warn}
	if err := d.decode(); err != nil {
		return nil, &LineError{r.line, d.key, err.Error()}
	}
	it := &d.item
	it.Line = r.line
	sum := sha256.Sum256([]byte(it.ItemID))
	name := [16]byte(sum[:16])
	if first, twice := r.seen[name]; twice {
		return nil, &LineError{r.line, "item_id", fmt.Sprintf("the item_id %q was used in line %d already; cold and warm requests are paired by it, so give each item its own", it.ItemID, first)}
	}
	r.seen[name] = r.line
	return it, nil
}

func (r *Reader) warn(where, key, reason string) { r.warnings.Add(where, key, reason, r.line) }

var errLong = errors.New("line too long")

// keepBuffer is the size up to which the buffer of a long line is kept for the
// next one.
const keepBuffer = 1 << 20

// readLine returns the next line without a byte order mark, valid until the
// next call. At the end of the input it returns what is left, with io.EOF.
func (r *Reader) readLine() ([]byte, error) {
	line, err := r.in.ReadSlice('\n')
	r.bytes += int64(len(line))
	if err == bufio.ErrBufferFull {
		line, err = r.readLong(line)
	}
	if len(line) > 0 || err == nil || err == errLong {
		r.line++
	}
	if r.line == 1 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	return line, err
}

// readLong reads the rest of a line that does not fit into the input's buffer.
func (r *Reader) readLong(part []byte) ([]byte, error) {
	if cap(r.buf) > keepBuffer {
		r.buf = nil
	}
	r.buf = append(r.buf[:0], part...)
	long := false
	for {
		part, err := r.in.ReadSlice('\n')
		r.bytes += int64(len(part))
		if !long {
			r.buf = append(r.buf, part...)
			if len(r.buf) > MaxLine+len("\r\n") {
				r.buf, long = nil, true
			}
		}
		switch {
		case err == bufio.ErrBufferFull:
		case long && (err == nil || err == io.EOF):
			// The next call meets the end again.
			return nil, errLong
		default:
			return r.buf, err
		}
	}
}
