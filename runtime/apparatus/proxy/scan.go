package proxy

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf8"
)

// span is a part of a JSON text.
type span struct{ from, to int }

func (s span) of(b []byte) []byte { return b[s.from:s.to] }

// slot is a place for text in a choice: a string, or null, or where a member
// with a string would go.
type slot struct {
	span
	before, after string // what a string that is put there needs around it
	text          string // what stands there
}

// choice is one choice of a chunk or of a whole answer.
type choice struct {
	index  int
	finish string
	reason span   // of the finish reason's value, where it is a string
	slots  []slot // in the order in which a reader joins them; at least one where there can be text
	calls  []call // structured tool calls
	gone   slot   // what stands where the calls stand
	role   bool   // the delta names a role
	other  bool   // it carries something else, such as reasoning
}

// call is a piece of a structured tool call.
type call struct {
	index      int
	name, args string
}

func (c *choice) text() string {
	var s string
	for i := range c.slots {
		s += c.slots[i].text
	}
	return s
}

var errShape = errors.New("not of the protocol")

// scan finds the places of text in a chunk or a whole answer. Text that no
// choice can hold gives no slot; JSON that is broken or of another shape gives
// an error. failed tells of an error that the deployment reports.
func scan(data []byte) (out []choice, failed bool, err error) {
	if !json.Valid(data) {
		return nil, false, errShape
	}
	at := space(data, 0)
	if data[at] != '{' {
		return nil, false, errShape
	}
	err = members(data, at, func(name []byte, m member) error {
		if string(name) == "error" && data[m.value.from] != 'n' {
			failed = true
		}
		if string(name) != "choices" || data[m.value.from] != '[' {
			return nil
		}
		return elements(data, m.value.from, func(v span) error {
			if data[v.from] != '{' {
				return errShape
			}
			c, err := scanChoice(data, v)
			if err == nil {
				out = append(out, c)
			}
			return err
		})
	})
	return out, failed, err
}

func scanChoice(data []byte, v span) (choice, error) {
	var c choice
	err := members(data, v.from, func(name []byte, m member) error {
		value := m.value.of(data)
		switch string(name) {
		case "index":
			n, err := strconv.Atoi(string(value))
			if err != nil {
				return errShape
			}
			c.index = n
		case "finish_reason":
			if value[0] == '"' {
				c.finish, c.reason = unquote(value), m.value
			}
		case "text":
			switch value[0] {
			case '"':
				c.slots = append(c.slots, slot{span: m.value, text: unquote(value)})
			case 'n':
				c.slots = append(c.slots, slot{span: m.value})
			}
		case "delta", "message":
			if value[0] == '{' {
				return scanMessage(data, m.value, &c)
			}
		}
		return nil
	})
	return c, err
}

// scanMessage reads a message or its delta.
func scanMessage(data []byte, v span, c *choice) error {
	var content, refusal []slot
	var null *slot
	empty := true
	err := members(data, v.from, func(name []byte, m member) error {
		empty = false
		value := m.value.of(data)
		switch string(name) {
		case "content":
			switch value[0] {
			case '"':
				content = []slot{{span: m.value, text: unquote(value)}}
			case 'n':
				null = &slot{span: m.value}
			case '[':
				content = nil
				return elements(data, m.value.from, func(part span) error {
					if data[part.from] != '{' {
						return nil
					}
					return members(data, part.from, func(name []byte, m member) error {
						if value := m.value.of(data); string(name) == "text" && value[0] == '"' {
							content = append(content, slot{span: m.value, text: unquote(value)})
						}
						return nil
					})
				})
			}
		case "refusal":
			if value[0] == '"' {
				refusal = []slot{{span: m.value, text: unquote(value)}}
			}
		case "tool_calls":
			if value[0] == '[' && string(bytes.TrimSpace(value[1:len(value)-1])) != "" {
				c.gone = slot{span: m.whole, before: m.lead + `"content":`, after: m.trail}
				return scanCalls(data, m.value, c)
			}
		case "role":
			c.role = value[0] == '"'
		default:
			c.other = c.other || value[0] != 'n' && string(value) != `""`
		}
		return nil
	})
	if err != nil {
		return err
	}
	c.slots = append(content, refusal...)
	switch {
	case len(c.slots) > 0:
	case null != nil:
		c.slots = []slot{*null}
	case empty:
		c.slots = []slot{{span: span{v.from + 1, v.from + 1}, before: `"content":`}}
	default:
		c.slots = []slot{{span: span{v.from + 1, v.from + 1}, before: `"content":`, after: ","}}
	}
	return nil
}

func scanCalls(data []byte, v span, c *choice) error {
	return elements(data, v.from, func(v span) error {
		if data[v.from] != '{' {
			return errShape
		}
		k := call{index: len(c.calls)}
		err := members(data, v.from, func(name []byte, m member) error {
			value := m.value.of(data)
			switch string(name) {
			case "index":
				if n, err := strconv.Atoi(string(value)); err == nil {
					k.index = n
				}
			case "function":
				if value[0] != '{' {
					return nil
				}
				return members(data, m.value.from, func(name []byte, m member) error {
					value := m.value.of(data)
					if value[0] != '"' {
						return nil
					}
					switch string(name) {
					case "name":
						k.name = unquote(value)
					case "arguments":
						k.args = unquote(value)
					}
					return nil
				})
			}
			return nil
		})
		c.calls = append(c.calls, k)
		return err
	})
}

// member is one member of an object.
type member struct {
	value span
	whole span   // with its name, and with one comma where there are others
	lead  string // the comma of whole, at its beginning
	trail string // or at its end
}

// members calls f for each member of the object at from. The text is valid.
func members(b []byte, from int, f func(name []byte, m member) error) error {
	i := space(b, from+1)
	begin := i // of what a removal takes
	for first := true; b[i] != '}'; first = false {
		end := skip(b, i)
		name := b[i+1 : end-1]
		if bytes.IndexByte(name, '\\') >= 0 {
			name = []byte(unquote(b[i:end]))
		}
		value := space(b, space(b, end)+1)
		stop := skip(b, value)
		next := space(b, stop)
		m := member{value: span{value, stop}, whole: span{begin, stop}}
		switch {
		case !first:
			m.lead = ","
		case b[next] == ',':
			m.whole.to, m.trail = space(b, next+1), ","
		}
		if err := f(name, m); err != nil {
			return err
		}
		if begin = next; b[next] == ',' {
			next = space(b, next+1)
		}
		i = next
	}
	return nil
}

// elements calls f for each element of the array at from. The text is valid.
func elements(b []byte, from int, f func(v span) error) error {
	for i := space(b, from+1); b[i] != ']'; {
		end := skip(b, i)
		if err := f(span{i, end}); err != nil {
			return err
		}
		if i = space(b, end); b[i] == ',' {
			i = space(b, i+1)
		}
	}
	return nil
}

func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// skip is where the value at i ends.
func skip(b []byte, i int) int {
	switch b[i] {
	case '"':
		for i++; b[i] != '"'; i++ {
			if b[i] == '\\' {
				i++
			}
		}
		return i + 1
	case '{', '[':
		for depth := 0; ; i++ {
			switch b[i] {
			case '"':
				i = skip(b, i) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
	}
	for i < len(b) && bytes.IndexByte([]byte(",]} \n\t\r"), b[i]) < 0 {
		i++
	}
	return i
}

// unquote reads a JSON string; what is no UTF-8 in it becomes U+FFFD, as for
// every reader.
func unquote(b []byte) string {
	if inner := b[1 : len(b)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	var s string
	json.Unmarshal(b, &s)
	return s
}
