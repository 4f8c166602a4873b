package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// only demands that a folder holds exactly the named entries: nothing
// unfinished is left.
func only(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(names) {
		t.Fatalf("%s holds %v, want %v", dir, entries, names)
	}
	for i, e := range entries {
		if e.Name() != names[i] {
			t.Errorf("entry %d is %s, want %s", i, e.Name(), names[i])
		}
	}
}

func holds(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s holds %q (%v), want %q", path, got, err, want)
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	if err := Write(path, []byte("one")); err != nil {
		t.Fatal(err)
	}
	holds(t, path, "one")
	if info, _ := os.Stat(path); info.Mode().Perm() != DefaultMode {
		t.Errorf("a new file has mode %v", info.Mode())
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, nil); err != nil {
		t.Fatal(err)
	}
	holds(t, path, "")
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("the mode became %v", info.Mode())
	}
	only(t, dir, "a")
}

func TestWriteFollowsALink(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	real, link := filepath.Join(dir, "deep", "real"), filepath.Join(dir, "link")
	if err := os.WriteFile(real, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	if err := Write(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, real, "new")
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link became a file: %v %v", info, err)
	}
	only(t, filepath.Dir(real), "real")
}

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	if err := Replace(path, nil, []byte("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that was removed is written again: %v", err)
	}
	only(t, dir)
	if err := os.WriteFile(path, []byte("read"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Replace(path, []byte("read"), []byte("written")); err != nil {
		t.Fatal(err)
	}
	holds(t, path, "written")
	if err := Replace(path, []byte("read"), []byte("again")); !errors.Is(err, ErrChanged) {
		t.Errorf("a change was written over: %v", err)
	}
	holds(t, path, "written")
	only(t, dir, "a")
}

// A write-protected file is left alone, whoever asks and however.
func TestProtectedFiles(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "a"), filepath.Join(dir, "link")
	if err := os.WriteFile(path, []byte("kept"), 0o444); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{path, link} {
		for _, err := range []error{Write(name, []byte("x")), Replace(name, []byte("kept"), []byte("x"))} {
			if !errors.Is(err, ErrProtected) || !errors.Is(err, fs.ErrPermission) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	holds(t, path, "kept")
	only(t, dir, "a", "link")
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("x")); err != nil {
		t.Error(err)
	}
}

func TestErrorsLeaveNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, "folder"), filepath.Join(dir, "nowhere", "a")} {
		if err := Write(path, []byte("x")); err == nil {
			t.Errorf("%s was written", path)
		}
	}
	only(t, dir, "folder")
}

// A device, a pipe and what leads to one are left alone.
// A file in the place of a folder is an error with the path that was asked for.
func TestErrorsHaveThePath(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var p *fs.PathError
	if err := Write(filepath.Join(file, "x"), nil); !errors.As(err, &p) || p.Path != filepath.Join(file, "x") || !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("%v", err)
	}
}

func TestOnlyRegularFiles(t *testing.T) {
	dir := t.TempDir()
	pipe, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "link")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(pipe, link); err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	open := filepath.Join(dir, "open")
	if err := os.Symlink(fmt.Sprintf("/proc/self/fd/%d", w.Fd()), open); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, link, open} {
		before, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if path == open {
			if _, err := os.Stat(path); err != nil {
				continue // a system without /proc
			}
		}
		for _, err := range []error{Write(path, []byte("x")), Stream(path, func(io.Writer) error { return nil })} {
			if err == nil || !strings.Contains(err.Error(), "no regular file") {
				t.Errorf("%s: %v", path, err)
			}
		}
		if now, err := os.Lstat(path); err != nil || now.Mode() != before.Mode() {
			t.Errorf("%s is now %v, %v", path, now, err)
		}
	}
	only(t, dir, "link", "open", "pipe")
}

// Stream keeps what Write keeps: permissions, links, and the old bytes where the
// new ones do not come to their end.
func TestStream(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", link); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("half")
	if err := Stream(link, func(w io.Writer) error {
		io.WriteString(w, strings.Repeat("new", 1<<20))
		return failed
	}); err != failed {
		t.Errorf("got %v", err)
	}
	if b, _ := os.ReadFile(path); string(b) != "old" {
		t.Errorf("%d bytes are there", len(b))
	}
	only(t, dir, "file", "link")
	if err := Stream(link, func(w io.Writer) error {
		_, err := io.WriteString(w, "new")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if b, _ := os.ReadFile(path); err != nil || string(b) != "new" || info.Mode() != 0o600 {
		t.Errorf("%q, %v, %v", b, info, err)
	}
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	if err := Stream(path, func(io.Writer) error { return nil }); !errors.Is(err, ErrProtected) {
		t.Errorf("got %v", err)
	}
	only(t, dir, "file", "link")
}
