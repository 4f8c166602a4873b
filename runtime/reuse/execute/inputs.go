package execute

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/source"
)

// checkInputs holds a manifest's file against its digest. A reader of the
// manifest finds a difference too, but only at the end of the file, when rows of
// another manifest are committed already. Documents are held against theirs
// whenever they are opened.
func checkInputs(ctx context.Context, m *plan.ReuseManifest, folder string) error {
	if m.Documents != nil {
		return nil
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	f, err := root.Open(m.File)
	if err != nil {
		return err
	}
	defer f.Close()
	d := manifest.NewDigest(&interruptible{ctx, f})
	if _, err := io.Copy(io.Discard, d); err != nil {
		return err
	}
	if got := d.Sum(); got != m.SHA256 {
		return &source.DigestError{File: m.File, Got: got, Want: m.SHA256}
	}
	return nil
}

// forget takes away a journal whose rows are those of a manifest that changed
// while it was read. Nothing else is in it.
func (r *run) forget(err error) error {
	var changed *source.DigestError
	var built *source.BuildError
	if !errors.As(err, &changed) && !errors.As(err, &built) || r.kept.segments > 0 || r.w == nil {
		return err
	}
	cerr := r.w.Close()
	r.w = nil
	return errors.Join(err, cerr, os.Remove(filepath.Join(r.o.Dir, JournalFile)))
}
