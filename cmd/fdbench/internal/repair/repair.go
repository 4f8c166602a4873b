// Package repair applies the repairs of a scenario's diagnostics until there is
// nothing left to repair, and writes the files.
//
// It imports cmd/fdbench/internal/findings, compiler, internal/atomicfile and
// lang/*.
package repair

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/findings"
	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/internal/atomicfile"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/fix"
	"github.com/fdbench/fdbench/lang/format"
)

// passes bounds how often repairs are looked for. A repair may uncover another
// mistake, and more than a few in a row are none.
const passes = 10

// Outcome is a scenario after its repairs, of which nothing is written yet.
type Outcome struct {
	// Result and Diags are what the compiler says of the repaired text.
	Result *compiler.Result
	Diags  diag.List
	// Fixed lists the repairs in the order in which they were made.
	Fixed []findings.Fixed
	// Files are those that changed.
	Files []File
}

// File is a changed file as it is stored and as it will be.
type File struct {
	Path          string
	Before, After []byte
	// Old and New are the same with LF line ends, to be compared by a reader.
	Old, New []byte
}

// Scenario reads the scenario at path and repairs it in memory. A scenario that
// cannot be read is not repaired.
func Scenario(path string, o compiler.Options) *Outcome {
	doc, shape := lang.Load(path)
	out := &Outcome{}
	out.Result, out.Diags = compiler.CompileLoaded(doc, shape, o)
	if len(doc.Files) == 0 || unread(shape) {
		return out
	}
	original := map[string]*lang.File{}
	for _, f := range doc.Files {
		original[f.Name] = f
	}
	seen := map[[32]byte]bool{state(doc.Files): true}
	for range passes {
		changed, repaired := fix.Apply(doc.Files, out.Diags)
		next := with(doc.Files, changed)
		if len(repaired) == 0 || seen[stateOf(next)] {
			break
		}
		seen[stateOf(next)] = true
		for _, d := range repaired {
			out.Fixed = append(out.Fixed, fixed(doc, d))
		}
		doc = out.compile(doc.Root, next, o)
	}
	if len(out.Fixed) == 0 {
		return out
	}
	laidOut := map[string][]byte{}
	for _, f := range doc.Files {
		if text, diags := format.Touched(original[f.Name].Bytes, f.Bytes, f.Name); !diags.HasErrors() && string(text) != string(f.Bytes) {
			laidOut[f.Name] = text
		}
	}
	if len(laidOut) > 0 {
		doc = out.compile(doc.Root, with(doc.Files, laidOut), o)
	}
	for _, f := range doc.Files {
		old := original[f.Name]
		if string(old.Bytes) == string(f.Bytes) {
			continue
		}
		after := format.Restore(old.Raw, old.Bytes, f.Bytes)
		// From here on places are shown in what is going to be stored.
		f.Raw = after
		out.Files = append(out.Files, File{
			Path: filepath.Join(doc.Root, filepath.FromSlash(f.Name)), Before: old.Raw, After: after, Old: old.Bytes, New: f.Bytes,
		})
	}
	return out
}

// compile judges a scenario whose texts are in memory.
func (out *Outcome) compile(root string, files []lang.Source, o compiler.Options) *lang.Document {
	doc, shape := lang.Parse(files)
	doc.Root = root
	out.Result, out.Diags = compiler.CompileLoaded(doc, shape, o)
	return doc
}

// unread tells whether a file is missing from the document: what is lacking may
// stand in it.
func unread(diags diag.List) bool {
	for _, d := range diags {
		if d.Severity == diag.Error && d.Subject == nil {
			return true
		}
	}
	return false
}

func with(files []*lang.File, changed map[string][]byte) []lang.Source {
	out := make([]lang.Source, len(files))
	for i, f := range files {
		out[i] = lang.Source{Name: f.Name, Bytes: f.Bytes}
		if text, ok := changed[f.Name]; ok {
			out[i].Bytes = text
		}
	}
	return out
}

func state(files []*lang.File) [32]byte { return stateOf(with(files, nil)) }

// stateOf tells texts apart, so that repairs that undo each other end.
func stateOf(files []lang.Source) [32]byte {
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%q %d\n", f.Name, len(f.Bytes))
		h.Write(f.Bytes)
	}
	return [32]byte(h.Sum(nil))
}

func fixed(doc *lang.Document, d diag.Diagnostic) findings.Fixed {
	r := d.Fix.Range
	text := doc.Sources().Bytes(r.Filename)
	return findings.Fixed{
		Rule: d.Rule, Summary: d.Summary,
		File: filepath.Join(doc.Root, filepath.FromSlash(r.Filename)), Line: r.Start.Line,
		Old: string(text[r.Start.Byte:r.End.Byte]), New: d.Fix.Text,
	}
}

// Diff is the difference that the repairs make, in the unified format.
func (out *Outcome) Diff() string {
	text := ""
	for _, f := range out.Files {
		text += format.Diff(f.Old, f.New, f.Path)
	}
	return text
}

// Write writes the changed files, each whole or not at all. A file that was
// changed since it was read is left alone, and is an error.
func (out *Outcome) Write() error {
	var errs []error
	for _, f := range out.Files {
		err := atomicfile.Replace(f.Path, f.Before, f.After)
		if errors.Is(err, atomicfile.ErrChanged) {
			err = fmt.Errorf("%w, and is left as it is: run the same command again", err)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
