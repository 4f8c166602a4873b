// Package layout finds scenario files and puts them into the canonical layout
// on the disk. What the layout is, lang/format decides.
//
// It imports internal/atomicfile, lang, lang/diag and lang/format.
package layout

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/fdbench/fdbench/internal/atomicfile"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/format"
)

// File is one scenario file before and after formatting. After is Before where
// Diags has errors.
type File struct {
	Name          string
	Before, After []byte
	Diags         diag.List
	Sources       *diag.Sources
}

// Files lists the scenario files that a path stands for: itself, or those of
// the folder in byte order, not recursively.
func Files(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		if !strings.HasSuffix(path, lang.Ext) {
			return nil, fmt.Errorf("%s is not a scenario file: its name does not end in %s", path, lang.Ext)
		}
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		if n := e.Name(); strings.HasSuffix(n, lang.Ext) && !strings.HasPrefix(n, ".") && !e.IsDir() {
			files = append(files, filepath.Join(path, n))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("the folder %s holds no file whose name ends in %s", path, lang.Ext)
	}
	return files, nil
}

// Read reads and formats a file without writing it.
func Read(name string) (*File, error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return Format(name, src), nil
}

// Format formats a text that has a name for its diagnostics.
func Format(name string, src []byte) *File {
	f := &File{Name: name, Before: src, Sources: diag.NewSources()}
	f.After, f.Diags = format.Format(src, name)
	if len(f.Diags) > 0 {
		// The places count in the text as it was parsed, without carriage
		// returns and byte order mark.
		parsed, _ := lang.ParseSyntax(lang.Source{Name: name, Bytes: src})
		f.Sources = parsed.Sources()
	}
	if f.Diags.HasErrors() {
		f.After = src
	}
	return f
}

// Diff is the unified difference that formatting makes, "" for none.
func (f *File) Diff() string { return format.Diff(f.Before, f.After, f.Name) }

// Write replaces the file by its formatted text: whole, or not at all, and not
// where somebody has changed it since it was read. A symbolic link keeps
// pointing where it did, and the mode is kept.
func (f *File) Write() error { return atomicfile.Replace(f.Name, f.Before, f.After) }
