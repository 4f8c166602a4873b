package layout

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/lang/diag"
)

const (
	untidy = "a=1\nlong   = 2\n"
	tidy   = "a    = 1\nlong = 2\n"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

// A place counts in the text that was parsed, whatever the line ends are.
func TestPlacesWithLineEnds(t *testing.T) {
	const src = "locals {\n  a = 1\n  b = 'x'\n}\n"
	shown := func(src string) string {
		f := Format("a.fdb.hcl", []byte(src))
		var b strings.Builder
		if err := diag.WriteText(&b, f.Diags, f.Sources, diag.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	want, got := shown(src), shown("\xef\xbb\xbf"+strings.ReplaceAll(src, "\n", "\r\n"))
	if got != want || !strings.Contains(want, "3:   b = 'x'") {
		t.Errorf("with LF\n%s\nwith CRLF and a byte order mark\n%s", want, got)
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.fdb.hcl", "a.fdb.hcl", ".hidden.fdb.hcl", "notes.hcl", "deeper.fdb.hcl/x.fdb.hcl"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), tidy)
	}
	got, err := Files(dir)
	if err != nil || len(got) != 2 || filepath.Base(got[0]) != "a.fdb.hcl" || filepath.Base(got[1]) != "b.fdb.hcl" {
		t.Errorf("Files = %v, %v", got, err)
	}
	for _, bad := range []string{filepath.Join(dir, "notes.hcl"), filepath.Join(dir, "nowhere"), t.TempDir()} {
		if got, err := Files(bad); err == nil {
			t.Errorf("Files(%s) = %v", bad, got)
		}
	}
}

func TestWriteKeepsModeAndLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target.fdb.hcl"), filepath.Join(dir, "link.fdb.hcl")
	write(t, target, untidy)
	if err := os.Symlink(target, link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	f, err := Read(link)
	if err != nil {
		t.Fatal(err)
	}
	if f.Diff() == "" {
		t.Error("an untidy file has no difference")
	}
	if err := f.Write(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link became %v (%v)", info.Mode(), err)
	}
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode became %v (%v)", info.Mode(), err)
	}
	if got, _ := os.ReadFile(target); string(got) != tidy {
		t.Errorf("wrote %q, want %q", got, tidy)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".tmp-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestBrokenFileStays(t *testing.T) {
	f := Format("x.fdb.hcl", []byte("a = {\n"))
	if !f.Diags.HasErrors() || string(f.After) != "a = {\n" || f.Diff() != "" {
		t.Errorf("After = %q, diagnostics %v", f.After, f.Diags)
	}
}
