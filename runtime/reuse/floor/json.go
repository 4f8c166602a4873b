package floor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// Bounds of an artifact.
const (
	maxBytes = 1 << 20
	maxDepth = 8
)

// value is a JSON value with its place.
type value struct {
	offset  int
	kind    byte   // { [ " 0 (number) t (true, false) n (null)
	text    string // of a text or a number
	members []member
	items   []*value
}

type member struct {
	name   string
	offset int // of the name
	value  *value
}

// member is nil where there is none of the name.
func (v *value) member(name string) *value {
	for _, m := range v.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// place is the line and the column, in characters, of an offset, both from 1.
func place(b []byte, offset int) (line, column int) {
	before := b[:min(offset, len(b))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}

// parser reads JSON with places; a member that stands twice is an error.
type parser struct {
	src []byte
	dec *json.Decoder
}

func parse(b []byte) (*value, error) {
	if len(b) > maxBytes {
		return nil, &Error{Message: fmt.Sprintf("A noise floor has at most %d bytes.", maxBytes), Remedy: again}
	}
	p := &parser{src: b, dec: json.NewDecoder(bytes.NewReader(b))}
	p.dec.UseNumber()
	if !utf8.Valid(b) {
		return nil, p.fail(0, "This is not UTF-8.")
	}
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	end := int(p.dec.InputOffset())
	if _, err := p.dec.Token(); !errors.Is(err, io.EOF) {
		return nil, p.fail(end, "Something stands behind the end of the noise floor.")
	}
	if v.kind != '{' {
		return nil, p.fail(v.offset, "A noise floor is an object.")
	}
	return v, nil
}

func (p *parser) fail(offset int, message string) *Error {
	line, column := place(p.src, offset)
	return &Error{Line: line, Column: column, Message: message, Remedy: again}
}

// token is the next token with its place.
func (p *parser) token() (json.Token, int, error) {
	from := int(p.dec.InputOffset())
	t, err := p.dec.Token()
	if err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, 0, p.fail(max(int(syntax.Offset)-1, 0), "This is not JSON: "+syntax.Error()+".")
		}
		return nil, 0, p.fail(len(p.src), "This is not JSON: it ends too early.")
	}
	for from < len(p.src) && bytes.IndexByte([]byte(" \t\r\n,:"), p.src[from]) >= 0 {
		from++
	}
	return t, from, nil
}

func (p *parser) value(depth int) (*value, error) {
	t, at, err := p.token()
	if err != nil {
		return nil, err
	}
	v := &value{offset: at}
	switch t := t.(type) {
	case json.Delim:
		if depth == maxDepth {
			return nil, p.fail(at, "This is nested too deep.")
		}
		v.kind = byte(t)
		if t == '{' {
			return v, p.object(v, depth)
		}
		return v, p.list(v, depth)
	case string:
		v.kind, v.text = '"', t
	case json.Number:
		v.kind, v.text = '0', t.String()
	case bool:
		v.kind = 't'
	default:
		v.kind = 'n'
	}
	return v, nil
}

func (p *parser) object(v *value, depth int) error {
	seen := map[string]bool{}
	for p.dec.More() {
		t, at, err := p.token()
		if err != nil {
			return err
		}
		name, ok := t.(string)
		if !ok {
			return p.fail(at, "A member has a name.")
		}
		if seen[name] {
			return p.fail(at, fmt.Sprintf("The member %q stands twice.", name))
		}
		seen[name] = true
		of, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		v.members = append(v.members, member{name, at, of})
	}
	_, _, err := p.token()
	return err
}

func (p *parser) list(v *value, depth int) error {
	for p.dec.More() {
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		v.items = append(v.items, item)
	}
	_, _, err := p.token()
	return err
}
