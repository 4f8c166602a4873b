// Package atomicfile replaces files whole: after a crash a file holds its old
// bytes or its new ones, never a part of either.
//
// It is a leaf: it imports the standard library only, so that the compiler, the
// runtime and the command can all write through it.
package atomicfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Prefix is how the names of unfinished files begin. One that a killed process
// left behind can be removed once nobody writes to its folder any more.
const Prefix = ".tmp-"

// DefaultMode is the mode of a file that did not exist before.
const DefaultMode fs.FileMode = 0o644

// ErrChanged is returned by Replace for a file that no longer holds what the
// caller had read.
var ErrChanged = errors.New("the file was changed meanwhile")

// ErrProtected is returned for a file that nobody may write, or not the caller.
// A rename would replace it all the same, where the folder can be written.
var ErrProtected = fmt.Errorf("the file is write-protected: %w", fs.ErrPermission)

// Write replaces the file at path, or makes it. The bytes are on the disk when
// it returns. An existing file keeps its permissions, and one that is
// write-protected is left alone, with an error that wraps ErrProtected. A
// symbolic link keeps pointing where it does. Other errors are those of the
// system, with the path.
func Write(path string, data []byte) error { return write(path, whole(data), nil) }

// Stream is Write for bytes that do not fit into memory: fill writes them. Where
// it fails the file is as it was, and its error is that of Stream.
func Stream(path string, fill func(io.Writer) error) error {
	return write(path, func(f io.Writer) error {
		w := bufio.NewWriterSize(f, 1<<18)
		if err := fill(w); err != nil {
			return err
		}
		return w.Flush()
	}, nil)
}

func whole(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// Replace is Write for a file that the caller has read: it leaves the file alone
// and returns an error that wraps ErrChanged where the file does not hold the
// old bytes any more.
func Replace(path string, old, data []byte) error {
	return write(path, whole(data), func(target string) error {
		now, err := os.ReadFile(target)
		if err == nil && !bytes.Equal(now, old) {
			err = fmt.Errorf("%s: %w", path, ErrChanged)
		}
		return err
	})
}

func write(path string, fill func(io.Writer) error, ready func(target string) error) (err error) {
	// A device or a pipe would be gone, and a file be in its place. It is asked
	// for before links are followed: those of /dev/stdout lead to no path.
	if info, err := os.Stat(path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("it is no regular file, and would be replaced by one")}
	}
	mode := DefaultMode
	target, err := filepath.EvalSymlinks(path)
	switch {
	case err == nil:
		info, err := os.Stat(target)
		if err != nil {
			return err
		}
		if info.IsDir() {
			return &fs.PathError{Op: "write", Path: path, Err: errors.New("it is a folder")}
		}
		mode = info.Mode().Perm()
		if protected(target, mode) {
			return fmt.Errorf("%s: %w", path, ErrProtected)
		}
	case errors.Is(err, fs.ErrNotExist):
		target = path
	default:
		// Following links gives some of its errors without a path.
		if p := (*fs.PathError)(nil); !errors.As(err, &p) {
			err = &fs.PathError{Op: "write", Path: path, Err: err}
		}
		return err
	}
	dir := filepath.Dir(target)
	f, err := os.CreateTemp(dir, Prefix+filepath.Base(target)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	err = fill(f)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil && ready != nil {
		err = ready(target)
	}
	if err == nil {
		err = os.Rename(f.Name(), target)
	}
	if err == nil {
		syncDir(dir)
	}
	return err
}

// protected tells whether a file is not for writing: nobody may, which binds a
// user for whom the system makes exceptions too, or the system says so.
func protected(path string, mode fs.FileMode) bool {
	if mode&0o222 == 0 {
		return true
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return errors.Is(err, fs.ErrPermission)
	}
	f.Close()
	return false
}

// syncDir puts the new name on the disk. Some systems cannot sync a folder; the
// rename itself has happened.
func syncDir(dir string) {
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	_ = d.Sync()
	d.Close()
}
