package view

import (
	"path/filepath"

	"github.com/hashicorp/hcl/v2"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
	"github.com/fdbench/fdbench/lang/diag"
)

// Found is what was found in one scenario. Places in List name files relative
// to Root.
type Found struct {
	Root    string
	List    diag.List
	Sources *diag.Sources
}

// Findings writes what was found in one scenario and returns how many errors
// are in it.
func Findings(to terminal.Stream, f Found) int {
	list, sources := FromCaller(f)
	return Diagnostics(to, list, sources)
}

// FromCaller joins what was found in several scenarios into one list whose
// places name files as the caller would: a terminal, an editor or a code host
// can follow them.
func FromCaller(found ...Found) (diag.List, *diag.Sources) {
	var list diag.List
	sources := diag.NewSources()
	for _, f := range found {
		for _, d := range f.List {
			d.Subject, d.Context = f.move(d.Subject, sources), f.move(d.Context, sources)
			if d.Fix != nil {
				fix := *d.Fix
				fix.Range = *f.move(&fix.Range, sources)
				d.Fix = &fix
			}
			list.Add(d)
		}
	}
	return list, sources
}

// move returns a range with the caller's name for its file, and puts the file
// into sources. A file that is not the scenario's keeps its name.
func (f Found) move(r *hcl.Range, sources *diag.Sources) *hcl.Range {
	if r == nil {
		return nil
	}
	name := r.Filename
	text := f.Sources.Bytes(name)
	if text == nil {
		return r
	}
	moved := *r
	moved.Filename = filepath.Join(f.Root, filepath.FromSlash(name))
	if sources.Bytes(moved.Filename) == nil {
		sources.Add(moved.Filename, text, func(offset int) string { return f.Sources.Context(name, offset) })
	}
	return &moved
}
