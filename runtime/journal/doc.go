// Package journal is the append-only, hash-chained record of a run. Everything
// that a reported figure rests on is in it, and a byte that is changed later
// shows.
//
// A journal is a text file of one JSON object a line:
//
//	{"n":0,"prev":"...","kind":"open","data":{...},"hash":"..."}
//
// The keys stand in this order and without white space. n counts from 0. hash
// is the hexadecimal SHA-256 of the line's bytes before `,"hash"`. prev is the
// hash of the line before; the first line, of kind open, has the SHA-256 of
// the plan's digest there, so a journal belongs to one plan. The last line of
// a run that came to its end is of kind close.
//
// The kinds of entries are those of this package and, of a reuse block's run,
// those of runtime/reuse/record besides open, segment, commit, resume and
// close. A reader says which kinds it takes; the chain is the same for all.
//
// A line without its line feed at the very end is what a crash leaves behind;
// [Resume] cuts it. Anything else that does not fit is refused with the number
// of its line.
//
// It imports lang/exact, runtime/detector and the standard library.
package journal
