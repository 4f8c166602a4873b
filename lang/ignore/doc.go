// Package ignore reads the comments that set a finding aside where it stands,
// and takes what they name out of a list of diagnostics:
//
//	# fdbench:ignore FD-3.3-5 the test machine does not take more
//
// A comment on a line of its own is about the argument or the block below it,
// with everything in the block. One at the end of a line is about the argument
// that the line belongs to, and behind the header of a block about the header.
// Several ids are separated by commas. A reason is needed, an error cannot be
// set aside, and a comment that sets nothing aside is reported.
//
// Nothing is forgotten: what was set aside is returned with its reason. It is
// no recorded deviation either; that is what "because" is for.
//
// It imports HCL, lang, lang/diag, lang/reason and lang/suggest.
package ignore
