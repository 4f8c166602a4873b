package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// bufferSize is how many bytes a Writer collects before it writes them.
const bufferSize = 64 << 10

// Writer appends to a journal. It belongs to one goroutine.
//
// After the first error every method returns that error: what reached the file
// by then may end in an incomplete line, which [Resume] cuts.
type Writer struct {
	file   file
	name   string
	n      int64  // of the last entry
	prev   string // its hash
	closed bool   // an entry of kind close was written

	cut func() error // takes away what an earlier run left unfinished; nil where nothing is

	buf  []byte // lines that are not in the file yet
	data bytes.Buffer
	enc  *json.Encoder
	err  error
}

// file is what a Writer needs of an *os.File.
type file interface {
	Write([]byte) (int, error)
	Sync() error
	Close() error
}

func newWriter(f file, name string, c chain) *Writer {
	w := &Writer{file: f, name: name, n: c.n - 1, prev: c.prev, closed: c.closed}
	w.enc = json.NewEncoder(&w.data)
	w.enc.SetEscapeHTML(false)
	return w
}

// Create begins a journal with an entry of kind open, and syncs it. It refuses
// where the file exists (errors.Is(err, fs.ErrExist)), and leaves no file
// behind where it fails.
func Create(path string, open Open) (*Writer, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%w: a journal is never overwritten. Resume it, or choose another output folder", err)
	}
	if err != nil {
		return nil, err
	}
	open.Format = Format
	w := newWriter(f, path, chain{prev: PlanLink(open.PlanDigest)})
	err = lock(f)
	if err == nil {
		err = w.Append(KindOpen, open)
	}
	if err == nil {
		err = w.Sync()
	}
	if err == nil {
		err = syncFolder(filepath.Dir(path))
	}
	if err != nil {
		f.Close()
		os.Remove(path)
		return nil, err
	}
	return w, nil
}

// Append adds an entry. data must encode as a JSON object. The entry is in a
// buffer then; who has to know that it is on disk before he acts calls Sync.
func (w *Writer) Append(kind string, data any) error {
	switch {
	case w.err != nil:
		return w.err
	case w.closed:
		return w.fail(errors.New("it is closed, and nothing can be added to it"))
	case !isKind(kind):
		return w.fail(fmt.Errorf("%q is no kind of entry", kind))
	case (kind == KindOpen) != (w.n < 0):
		return w.fail(fmt.Errorf("an entry of kind %q cannot be entry %d", kind, w.n+1))
	}
	w.data.Reset()
	if err := w.enc.Encode(data); err != nil {
		return w.fail(err)
	}
	text := bytes.TrimSuffix(w.data.Bytes(), []byte{'\n'})
	if len(text) == 0 || text[0] != '{' {
		return w.fail(fmt.Errorf("data of kind %q is not an object", kind))
	}
	if len(text) > MaxLine-1024 {
		return w.fail(fmt.Errorf("an entry of kind %q of %d bytes is longer than a journal's line may be", kind, len(text)))
	}
	w.buf, w.prev = appendLine(w.buf, w.n+1, w.prev, kind, text)
	w.n++
	w.closed = kind == KindClose
	if len(w.buf) >= bufferSize {
		return w.flush()
	}
	return nil
}

// Sync writes what is buffered and waits until it is on disk.
func (w *Writer) Sync() error {
	if err := w.flush(); err != nil {
		return err
	}
	if err := w.file.Sync(); err != nil {
		return w.fail(err)
	}
	return nil
}

// Close syncs and closes the file. It does not write an entry of kind close:
// whoever knows how the run ended appends it.
func (w *Writer) Close() error {
	err := w.Sync()
	if cerr := w.file.Close(); err == nil && cerr != nil {
		err = w.fail(cerr)
	}
	if w.err == nil {
		w.err = fmt.Errorf("journal %s: %w", w.name, fs.ErrClosed)
	}
	return err
}

// Head is the number and the hash of the last entry.
func (w *Writer) Head() (n int64, hash string) { return w.n, w.prev }

func (w *Writer) flush() error {
	if w.err != nil {
		return w.err
	}
	if len(w.buf) == 0 {
		return nil
	}
	if w.cut != nil {
		if err := w.cut(); err != nil {
			return w.fail(err)
		}
		w.cut = nil
	}
	if _, err := w.file.Write(w.buf); err != nil {
		return w.fail(err)
	}
	w.buf = w.buf[:0]
	return nil
}

func (w *Writer) fail(err error) error {
	w.err = fmt.Errorf("journal %s: %w", w.name, err)
	return w.err
}

// syncFolder makes a new name in a folder last. Systems that cannot sync a
// folder say so with an error that means no harm.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return nil
}
