package evidence

import (
	"bytes"
	"encoding/json"
)

// maxDepth is how deep objects and lists of a line may lie in each other.
const maxDepth = 200

// members calls fn for each member of the JSON object that b is, in order, with
// its name and its value as written. It tells whether b is one object and
// nothing else. As in what Python writes, NaN and Infinity are numbers.
func members(b []byte, fn func(name, value []byte)) bool {
	s := scanner{b: b}
	s.blank()
	if !s.object(0, fn) {
		return false
	}
	s.blank()
	return s.at == len(b)
}

// elements calls fn for each element of the JSON list that b is.
func elements(b []byte, fn func(value []byte)) bool {
	s := scanner{b: b}
	return s.list(0, fn) && s.at == len(b)
}

// scanner reads JSON without keeping any of it.
type scanner struct {
	b  []byte
	at int
}

func (s *scanner) blank() {
	for s.at < len(s.b) {
		switch s.b[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

func (s *scanner) is(c byte) bool {
	if s.at < len(s.b) && s.b[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *scanner) object(depth int, fn func(name, value []byte)) bool {
	if depth > maxDepth || !s.is('{') {
		return false
	}
	s.blank()
	if s.is('}') {
		return true
	}
	for {
		begin := s.at
		if !s.text() {
			return false
		}
		name := s.b[begin:s.at]
		s.blank()
		if !s.is(':') {
			return false
		}
		s.blank()
		begin = s.at
		if !s.value(depth + 1) {
			return false
		}
		if fn != nil {
			n, _ := unquote(name)
			fn(n, s.b[begin:s.at])
		}
		s.blank()
		if s.is('}') {
			return true
		}
		if !s.is(',') {
			return false
		}
		s.blank()
	}
}

func (s *scanner) list(depth int, fn func(value []byte)) bool {
	if depth > maxDepth || !s.is('[') {
		return false
	}
	s.blank()
	if s.is(']') {
		return true
	}
	for {
		begin := s.at
		if !s.value(depth + 1) {
			return false
		}
		if fn != nil {
			fn(s.b[begin:s.at])
		}
		s.blank()
		if s.is(']') {
			return true
		}
		if !s.is(',') {
			return false
		}
		s.blank()
	}
}

func (s *scanner) value(depth int) bool {
	if s.at == len(s.b) {
		return false
	}
	switch s.b[s.at] {
	case '{':
		return s.object(depth, nil)
	case '[':
		return s.list(depth, nil)
	case '"':
		return s.text()
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	case 'N':
		return s.word("NaN")
	case 'I':
		return s.word("Infinity")
	}
	return s.number()
}

func (s *scanner) word(w string) bool {
	if len(s.b)-s.at < len(w) || string(s.b[s.at:s.at+len(w)]) != w {
		return false
	}
	s.at += len(w)
	return true
}

func (s *scanner) text() bool {
	if !s.is('"') {
		return false
	}
	for s.at < len(s.b) {
		c := s.b[s.at]
		s.at++
		switch {
		case c == '"':
			return true
		case c < ' ':
			return false
		case c != '\\':
			continue
		}
		if s.at == len(s.b) {
			return false
		}
		c = s.b[s.at]
		s.at++
		switch c {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		case 'u':
			for range 4 {
				if s.at == len(s.b) || !hexadecimal(s.b[s.at]) {
					return false
				}
				s.at++
			}
		default:
			return false
		}
	}
	return false
}

func hexadecimal(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func (s *scanner) number() bool {
	if s.is('-') && s.at < len(s.b) && s.b[s.at] == 'I' {
		return s.word("Infinity")
	}
	if !s.is('0') && !s.digits() {
		return false
	}
	if s.is('.') && !s.digits() {
		return false
	}
	if s.is('e') || s.is('E') {
		if !s.is('+') {
			s.is('-')
		}
		return s.digits()
	}
	return true
}

func (s *scanner) digits() bool {
	n := len(digits(s.b[s.at:]))
	s.at += n
	return n > 0
}

// unquote returns the text of a JSON string that the scanner has read, false
// for another value.
func unquote(v []byte) ([]byte, bool) {
	if len(v) < 2 || v[0] != '"' {
		return nil, false
	}
	inner := v[1 : len(v)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner, true
	}
	var s string
	if json.Unmarshal(v, &s) != nil {
		return nil, false
	}
	return []byte(s), true
}

// scalar returns a text, or a number as written; nil for another value. It is
// how ids are read, which some engines write as numbers.
func scalar(v []byte) []byte {
	if t, ok := unquote(v); ok {
		return t
	}
	if len(v) > 0 && (v[0] == '-' || '0' <= v[0] && v[0] <= '9') && string(v) != "-Infinity" {
		return v
	}
	return nil
}

// whole reads a number of tokens or units from a JSON value: a whole number of
// at least 0, which may be written with a point and zeros.
func whole(v []byte) (int64, bool) {
	d := digits(v)
	if rest := v[len(d):]; len(rest) > 0 && (rest[0] != '.' || len(bytes.Trim(rest[1:], "0")) > 0 || len(rest) == 1) {
		return 0, false
	}
	return count(d)
}

// truthy tells whether a value counts as true: true, a text or a list or an
// object that is not empty, or a number other than 0.
func truthy(v []byte) bool {
	switch string(v) {
	case "", "false", "null", `""`:
		return false
	}
	switch v[0] {
	case '[', '{':
		return len(bytes.TrimSpace(v[1:len(v)-1])) > 0
	case '"', 't':
		return true
	}
	return decimal(v) != 0
}
