package diag

import (
	"cmp"
	"fmt"
	"slices"
)

// List is a sequence of diagnostics. The nil List is empty and ready to use.
type List []Diagnostic

// Add appends d.
func (l *List) Add(d ...Diagnostic) { *l = append(*l, d...) }

// Extend appends all of m.
func (l *List) Extend(m List) { *l = append(*l, m...) }

// HasErrors tells whether any diagnostic refuses the scenario.
func (l List) HasErrors() bool {
	for i := range l {
		if l[i].Severity == Error {
			return true
		}
	}
	return false
}

// Count returns how many diagnostics have severity s.
func (l List) Count(s Severity) int {
	n := 0
	for i := range l {
		if l[i].Severity == s {
			n++
		}
	}
	return n
}

// Sort puts the diagnostics into the order in which they are always shown: by
// file, byte, severity, rule and text. Those without a place come first.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.file(), b.file()),
			cmp.Compare(a.byte(), b.byte()),
			cmp.Compare(a.Severity, b.Severity),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Summary, b.Summary),
			cmp.Compare(a.Detail, b.Detail),
		)
	})
}

func (d *Diagnostic) file() string {
	if d.Subject == nil {
		return ""
	}
	return d.Subject.Filename
}

func (d *Diagnostic) byte() int {
	if d.Subject == nil {
		return -1
	}
	return d.Subject.Start.Byte
}

// Err returns nil where nothing refuses the scenario, and otherwise an
// *ErrorList that holds the whole list.
func (l List) Err() error {
	if !l.HasErrors() {
		return nil
	}
	return &ErrorList{List: l}
}

// ErrorList is a List with at least one Error, as a Go error.
type ErrorList struct{ List List }

// Error is the first error with its place, and how many more there are.
func (e *ErrorList) Error() string {
	errors := e.List.Count(Error)
	for i := range e.List {
		d := &e.List[i]
		if d.Severity != Error {
			continue
		}
		text := d.Summary + ": " + d.Detail
		if d.Subject != nil {
			text = fmt.Sprintf("%s:%d:%d: %s", d.Subject.Filename, d.Subject.Start.Line, d.Subject.Start.Column, text)
		}
		if errors > 1 {
			text = fmt.Sprintf("%s (and %d more)", text, errors-1)
		}
		return text
	}
	return "no errors"
}
