package measure

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
		// Every number in a Result is finite: float sees to that.
		panic("measure: a result does not encode: " + err.Error())
	}
	return b.Bytes()
}

// Decode reads what Encode wrote.
func Decode(b []byte) (*Result, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	var r Result
	if err := d.Decode(&r); err != nil {
		return nil, err
	}
	return &r, nil
}
