// Package format gives scenario files their one layout.
//
// The layout is HCL's own (two spaces, aligned equals signs), and besides: no
// two blank lines in a row, none where a block begins or ends, # for comments
// of one line, quotes around labels, "${x}" written as x, LF, and one line end
// at the end. Formatting what is formatted changes nothing, and no comment is
// ever lost.
//
// The package imports HCL, lang and lang/diag.
package format
