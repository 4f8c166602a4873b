// Package plainjson writes JSON as this project does everywhere: characters
// that only a web page would mind (<, >, &) stand as they are, and what people
// read too is indented by two spaces and ends with a line end. Equal values
// give equal bytes.
//
// It is a leaf: it imports the standard library only, so that every layer can
// write through it.
package plainjson

import (
	"bytes"
	"encoding/json"
	"io"
)

// Write writes a value indented, with a line end. The error is that of the
// encoding or of w.
func Write(w io.Writer, v any) error {
	e := encoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// Indent is what Write writes.
func Indent(v any) ([]byte, error) {
	var b bytes.Buffer
	err := Write(&b, v)
	return b.Bytes(), err
}

// MustIndent is Indent of a value that always encodes: it panics where one does
// not.
func MustIndent(v any) []byte {
	b, err := Indent(v)
	if err != nil {
		panic("a value that always encodes does not: " + err.Error())
	}
	return b
}

// Line is a value in one line, without a line end.
func Line(v any) ([]byte, error) {
	var b bytes.Buffer
	err := encoder(&b).Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), err
}

func encoder(w io.Writer) *json.Encoder {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e
}

// Decode reads the first value of a text, and refuses a member that v has no
// place for.
func Decode(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(v)
}
