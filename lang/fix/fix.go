// Package fix applies the repairs that diagnostics carry to the texts that
// they are about.
//
// It imports HCL, lang and lang/diag.
package fix

import (
	"cmp"
	"slices"

	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
)

// Apply makes the repairs of a list and returns the texts of the files that
// changed, by name, with the diagnostics that were repaired in the order of
// their places. The places count in the files' Bytes.
//
// Of repairs that overlap or touch at one point, the first is made: the others
// were worked out for a text that it changes, and a second pass finds them
// again if they are still needed. Equal repairs are made once. A repair that
// lies outside of the files or in none of them is left out, and so are all of a
// file whose syntax they would break.
func Apply(files []*lang.File, list diag.List) (changed map[string][]byte, repaired diag.List) {
	changed = map[string][]byte{}
	for _, f := range files {
		var edits diag.List
		for _, d := range list {
			if d.Fix != nil && d.Fix.Range.Filename == f.Name && within(d.Fix, len(f.Bytes)) {
				edits.Add(d)
			}
		}
		if text, done := edit(f, edits); len(done) > 0 {
			changed[f.Name] = text
			repaired.Extend(done)
		}
	}
	return changed, repaired
}

func within(f *diag.Fix, size int) bool {
	from, to := f.Range.Start.Byte, f.Range.End.Byte
	return from >= 0 && from <= to && to <= size
}

func edit(f *lang.File, edits diag.List) (text []byte, done diag.List) {
	slices.SortStableFunc(edits, func(a, b diag.Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Fix.Range.Start.Byte, b.Fix.Range.Start.Byte),
			cmp.Compare(a.Fix.Range.End.Byte, b.Fix.Range.End.Byte),
		)
	})
	at := 0
	var last *diag.Fix
	for _, d := range edits {
		from, to := d.Fix.Range.Start.Byte, d.Fix.Range.End.Byte
		switch {
		case string(f.Bytes[from:to]) == d.Fix.Text:
			continue // nothing would change
		case last != nil && *last == *d.Fix:
			done.Add(d)
			continue
		case last != nil && from <= at:
			continue
		}
		text = append(text, f.Bytes[at:from]...)
		text = append(text, d.Fix.Text...)
		at, last = to, d.Fix
		done.Add(d)
	}
	if len(done) == 0 {
		return nil, nil
	}
	text = append(text, f.Bytes[at:]...)
	if breaks(f, text) {
		return nil, nil
	}
	return text, done
}

// breaks tells whether a text has a syntax error where the file had none. A
// repair that does that is a bug of ours, and must not reach a file.
func breaks(f *lang.File, text []byte) bool {
	if _, before := lang.ParseSyntax(lang.Source{Name: f.Name, Bytes: f.Bytes}); before.HasErrors() {
		return false
	}
	_, after := lang.ParseSyntax(lang.Source{Name: f.Name, Bytes: text})
	return after.HasErrors()
}
