// Package lang reads scenarios: files to a Document whose blocks and arguments
// are known to the block schema and keep every range.
//
// It checks shape only: which blocks and arguments there are, how many, and
// with how many labels. What a value means is the compiler's business, and no
// methodology is known here. One mistake gives one diagnostic, and diagnostics
// come in a fixed order that depends on the bytes alone.
//
// It imports HCL, lang/diag, lang/schema and lang/suggest, and lang/quantity only to
// know a quantity that lacks its quotes. The small languages inside of strings
// are neighbours: lang/quantity and lang/predicate.
package lang
