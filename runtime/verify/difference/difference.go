package difference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// First returns the first place in which two JSON texts differ, and how;
// have is what lies in the folder, want what was recomputed. The detail is ""
// where the bytes are equal.
func First(have, want []byte) (path, detail string) {
	if bytes.Equal(have, want) {
		return "", ""
	}
	a, b := decoder(have), decoder(want)
	at := place{}
	for {
		x, errX := a.Token()
		y, errY := b.Token()
		at.before(y)
		switch {
		case errX == io.EOF && errY == io.EOF:
			return "", "its layout was changed, and no value in it"
		case errX == io.ErrUnexpectedEOF && errY == nil, cut(x, y) && a.InputOffset() == int64(len(have)):
			return at.String(), "the file ends here, in the middle of a value; " + say(y) + " belongs here"
		case errX != nil && errX != io.EOF:
			return at.String(), "the file is not JSON from here on: " + errX.Error()
		case errX == io.EOF:
			return at.String(), "the file ends here; " + say(y) + " belongs here"
		case errY == io.EOF:
			return at.String(), say(x) + " follows the end of the result"
		case x != y:
			return at.String(), fmt.Sprintf("%s stands where the plan and the journal give %s", say(x), say(y))
		}
		at.after(y)
	}
}

// cut tells whether x may be a number that a file broke off in: nothing but the
// end of the file tells such a one from a whole one.
func cut(x, y json.Token) bool {
	n, number := x.(json.Number)
	m, other := y.(json.Number)
	return number && other && n != m && strings.HasPrefix(string(m), string(n))
}

func decoder(b []byte) *json.Decoder {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return d
}

// say prints a token as it stands in the file, shortened.
func say(t json.Token) string {
	s := ""
	switch t := t.(type) {
	case nil:
		s = "null"
	case json.Delim:
		return "a " + map[json.Delim]string{'{': "{", '}': "}", '[': "[", ']': "]"}[t]
	case string:
		b, _ := json.Marshal(t)
		s = string(b)
	default:
		s = fmt.Sprint(t)
	}
	if r := []rune(s); len(r) > 80 {
		return string(r[:79]) + "…"
	}
	return s
}

// place follows the tokens of a text and knows the path of the next value.
type place struct{ frames []frame }

type frame struct {
	array bool
	index int
	key   string
	value bool // in an object: the key was read, its value is next
}

// before is called with a token that is about to be compared.
func (p *place) before(t json.Token) {
	if top := p.top(); top != nil && !top.array && !top.value {
		if s, ok := t.(string); ok {
			top.key = s
		}
	}
}

// after is called with a token that was equal in both texts.
func (p *place) after(t json.Token) {
	if d, ok := t.(json.Delim); ok {
		if d == '{' || d == '[' {
			p.frames = append(p.frames, frame{array: d == '['})
			return
		}
		p.frames = p.frames[:len(p.frames)-1]
	}
	top := p.top()
	switch {
	case top == nil:
	case top.array:
		top.index++
	case !top.value:
		top.value = true
	default:
		top.value, top.key = false, ""
	}
}

func (p *place) top() *frame {
	if len(p.frames) == 0 {
		return nil
	}
	return &p.frames[len(p.frames)-1]
}

func (p *place) String() string {
	var b strings.Builder
	for _, f := range p.frames {
		switch {
		case f.array:
			fmt.Fprintf(&b, "[%d]", f.index)
		case f.key != "":
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(f.key)
		}
	}
	return b.String()
}
