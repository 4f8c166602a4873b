package measure

import "github.com/fdbench/fdbench/internal/plainjson"

// Encode returns the bytes of result.json: indented, in the order of the
// types, with a line end. Equal results have equal bytes. Every number in a
// Result is finite: float sees to that.
func Encode(r *Result) []byte { return plainjson.MustIndent(r) }

// Decode reads what Encode wrote.
func Decode(b []byte) (*Result, error) {
	var r Result
	if err := plainjson.Decode(b, &r); err != nil {
		return nil, err
	}
	return &r, nil
}
