package result

import (
	"bytes"
	"encoding/json"
)

// Encode returns the bytes of result.json: indented, in the order of the
// types, with a line end. Equal results have equal bytes.
func Encode(r *Result) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		// Every figure of a result is finite: a time of 0 divides nothing.
		panic("result: a result does not encode: " + err.Error())
	}
	return b.Bytes()
}

// Decode reads what Encode wrote. What gates were evaluated over is not part
// of it.
func Decode(b []byte) (*Result, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	var r Result
	if err := d.Decode(&r); err != nil {
		return nil, err
	}
	return &r, nil
}
