package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth bounds the nesting of a value.
const maxDepth = 200

// A scanner walks through one JSON text, which has to be valid UTF-8.
// encoding/json is not used for items: it matches keys regardless of case,
// takes the last of two equal keys, and puts U+FFFD in the place of half a
// surrogate pair, and each of these would change a prompt without a word.
type scanner struct {
	b []byte
	i int
}

// at is an error at the scanner's place, in bytes from 1.
func (s *scanner) at(format string, args ...any) error {
	return fmt.Errorf("at byte %d: %s", s.i+1, fmt.Sprintf(format, args...))
}

func (s *scanner) space() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\t', '\r', '\n':
			s.i++
		default:
			return
		}
	}
}

// peek is the next byte that is no white space, 0 at the end.
func (s *scanner) peek() byte {
	s.space()
	if s.i < len(s.b) {
		return s.b[s.i]
	}
	return 0
}

// expect takes one byte.
func (s *scanner) expect(c byte) error {
	if got := s.peek(); got != c || s.i == len(s.b) {
		return s.at("%s, where %q has to be", s.found(), c)
	}
	s.i++
	return nil
}

// found describes what is at the scanner's place.
func (s *scanner) found() string {
	if s.i >= len(s.b) {
		return "the line ends"
	}
	r, _ := utf8.DecodeRune(s.b[s.i:])
	return "there is " + strconv.QuoteRune(r)
}

// Members reads a line that is one JSON object, and nothing else, as strictly as
// a line of a manifest is read: the values of its members as written, and their
// keys in the order of the line. The error says what is wrong with the line.
func Members(line []byte) (keys []string, values map[string]json.RawMessage, err error) {
	if !utf8.Valid(line) {
		return nil, nil, errUTF8
	}
	d := decoder{scanner: scanner{b: line}}
	values = map[string]json.RawMessage{}
	err = d.object(func(key string) error {
		if _, twice := values[key]; twice {
			return d.twice("", key)
		}
		keys = append(keys, key)
		v, err := d.value(0)
		values[key] = v
		return err
	})
	if err == nil && (d.peek() != 0 || d.i < len(d.b)) {
		err = d.at("%s after the object", d.found())
	}
	if err != nil {
		return nil, nil, d.syntax(err)
	}
	return keys, values, nil
}

var errUTF8 = errors.New("the line is not valid UTF-8; save the file as UTF-8")

// object walks over the members of an object. member is called at each value
// and has to take it.
func (s *scanner) object(member func(key string) error) error {
	if err := s.expect('{'); err != nil {
		return err
	}
	if s.peek() == '}' {
		s.i++
		return nil
	}
	for {
		s.space()
		key, err := s.text()
		if err != nil {
			return err
		}
		if err := s.expect(':'); err != nil {
			return err
		}
		s.space()
		if err := member(key); err != nil {
			return err
		}
		if s.peek() == '}' {
			s.i++
			return nil
		}
		if err := s.expect(','); err != nil {
			return err
		}
	}
}

// array walks over the elements of an array, likewise.
func (s *scanner) array(element func() error) error {
	if err := s.expect('['); err != nil {
		return err
	}
	if s.peek() == ']' {
		s.i++
		return nil
	}
	for {
		s.space()
		if err := element(); err != nil {
			return err
		}
		if s.peek() == ']' {
			s.i++
			return nil
		}
		if err := s.expect(','); err != nil {
			return err
		}
	}
}

// value takes any value and returns its bytes, which are the scanner's own.
func (s *scanner) value(depth int) ([]byte, error) {
	if depth > maxDepth {
		return nil, s.at("the value is nested more than %d levels deep", maxDepth)
	}
	s.space()
	begin := s.i
	var err error
	switch c := s.peek(); {
	case c == '{':
		err = s.object(func(string) error { _, err := s.value(depth + 1); return err })
	case c == '[':
		err = s.array(func() error { _, err := s.value(depth + 1); return err })
	case c == '"':
		_, err = s.text()
	case c == 't':
		err = s.word("true")
	case c == 'f':
		err = s.word("false")
	case c == 'n':
		err = s.word("null")
	case c == '-' || '0' <= c && c <= '9':
		err = s.number()
	default:
		err = s.at("%s, where a value has to be", s.found())
	}
	return s.b[begin:s.i], err
}

func (s *scanner) word(w string) error {
	if len(s.b)-s.i < len(w) || string(s.b[s.i:s.i+len(w)]) != w {
		return s.at("%s, where a value has to be", s.found())
	}
	s.i += len(w)
	return nil
}

func (s *scanner) digits() bool {
	begin := s.i
	for s.i < len(s.b) && '0' <= s.b[s.i] && s.b[s.i] <= '9' {
		s.i++
	}
	return s.i > begin
}

func (s *scanner) number() error {
	if s.b[s.i] == '-' {
		s.i++
	}
	if s.i < len(s.b) && s.b[s.i] == '0' {
		s.i++
	} else if !s.digits() {
		return s.at("%s, where a digit has to be", s.found())
	}
	if s.i < len(s.b) && s.b[s.i] == '.' {
		s.i++
		if !s.digits() {
			return s.at("%s, where a digit has to be", s.found())
		}
	}
	if s.i < len(s.b) && (s.b[s.i] == 'e' || s.b[s.i] == 'E') {
		s.i++
		if s.i < len(s.b) && (s.b[s.i] == '+' || s.b[s.i] == '-') {
			s.i++
		}
		if !s.digits() {
			return s.at("%s, where a digit has to be", s.found())
		}
	}
	return nil
}

// text takes a string.
func (s *scanner) text() (string, error) {
	if s.i >= len(s.b) || s.b[s.i] != '"' {
		return "", s.at("%s, where a string has to be", s.found())
	}
	s.i++
	begin := s.i
	plain := s.run()
	if s.i < len(s.b) && s.b[s.i] == '"' {
		s.i++
		return string(plain), nil
	}
	// Escapes never make a text longer.
	out := make([]byte, 0, len(plain)+s.rest())
	out = append(out, s.b[begin:s.i]...)
	for {
		switch {
		case s.i >= len(s.b):
			return "", s.at("the line ends inside a string")
		case s.b[s.i] == '"':
			s.i++
			return string(out), nil
		case s.b[s.i] == '\\':
			r, err := s.escape()
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, r)
		default:
			return "", s.at("a control character stands in a string; write it as %s", controlEscape(s.b[s.i]))
		}
		out = append(out, s.run()...)
	}
}

// run takes the bytes of a string up to its end, an escape or a control
// character.
func (s *scanner) run() []byte {
	begin, b := s.i, s.b
	i := begin
	for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= ' ' {
		i++
	}
	s.i = i
	return b[begin:i]
}

// rest is about how many bytes of the string are left.
func (s *scanner) rest() int {
	i := s.i
	for i < len(s.b) && s.b[i] != '"' {
		if s.b[i] == '\\' {
			i++
		}
		i++
	}
	return min(i, len(s.b)) - s.i
}

const halfPair = `half of a surrogate pair stands alone, which is no character; write both halves, or the character itself`

// escape takes one escape sequence.
func (s *scanner) escape() (rune, error) {
	begin := s.i
	if s.i+1 >= len(s.b) {
		s.i = len(s.b)
		return 0, s.at("the line ends inside a string")
	}
	c := s.b[s.i+1]
	s.i += 2
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		r, ok := s.hex()
		if !ok {
			s.i = begin
			return 0, s.at(`\u is not followed by four hexadecimal digits`)
		}
		if !utf16.IsSurrogate(r) {
			return r, nil
		}
		if s.i+1 < len(s.b) && s.b[s.i] == '\\' && s.b[s.i+1] == 'u' {
			s.i += 2
			if low, ok := s.hex(); ok {
				if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
					return pair, nil
				}
			}
		}
		s.i = begin
		return 0, s.at("%s", halfPair)
	}
	s.i = begin
	return 0, s.at(`\%c is no escape of JSON`, c)
}

func (s *scanner) hex() (rune, bool) {
	if len(s.b)-s.i < 4 {
		return 0, false
	}
	v, err := strconv.ParseUint(string(s.b[s.i:s.i+4]), 16, 16)
	if err != nil {
		return 0, false
	}
	s.i += 4
	return rune(v), true
}
