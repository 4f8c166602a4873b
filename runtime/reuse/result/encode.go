package result

import "github.com/fdbench/fdbench/internal/plainjson"

// Encode returns the bytes of result.json: indented, in the order of the
// types, with a line end. Equal results have equal bytes. Every figure of a
// result is finite: a time of 0 divides nothing. What gates were evaluated over
// is not part of it.
func Encode(r *Result) []byte { return plainjson.MustIndent(r) }
