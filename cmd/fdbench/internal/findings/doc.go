// Package findings writes what one call of lint found, in the forms that
// people, editors and code hosts read: one file a form. A form is a pure
// function of the report.
//
// It imports cmd/fdbench/internal/{terminal,view}, compiler, internal/plainjson,
// lang/*, spec and the standard library.
package findings
