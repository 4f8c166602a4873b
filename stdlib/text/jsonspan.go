package text

import (
	"encoding/json"
	"strings"
)

// A span is a half-open range of bytes.
type span struct{ from, to int }

// member is one name and value of a JSON object, as ranges of its text. all
// reaches from the name to the end of the value.
type member struct{ name, value, all span }

// members returns the members of the object at the top level of valid JSON,
// and false where the top level is no object.
func members(s string) ([]member, bool) {
	i := skipSpace(s, 0)
	if i >= len(s) || s[i] != '{' {
		return nil, false
	}
	var out []member
	for i = skipSpace(s, i+1); i < len(s) && s[i] != '}'; {
		var m member
		m.name = span{i, valueEnd(s, i)}
		i = skipSpace(s, m.name.to)
		if i >= len(s) || s[i] != ':' {
			return nil, false
		}
		i = skipSpace(s, i+1)
		m.value = span{i, valueEnd(s, i)}
		m.all = span{m.name.from, m.value.to}
		out = append(out, m)
		i = skipSpace(s, m.value.to)
		if i < len(s) && s[i] == ',' {
			i = skipSpace(s, i+1)
		}
	}
	return out, true
}

func skipSpace(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	return i
}

// valueEnd returns the index after the JSON value that begins at i. The text
// is valid JSON, so brackets balance.
func valueEnd(s string, i int) int {
	depth := 0
	for i < len(s) {
		switch s[i] {
		case '"':
			i = stringEnd(s, i)
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
			if depth == 0 {
				return i + 1
			}
		case ',', ' ', '\n', '\t', '\r':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return i
}

func stringEnd(s string, i int) int {
	for i++; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// stringValues returns the ranges, quotes included, of the strings in valid
// JSON that are values and not names.
func stringValues(s string) []span {
	var out []span
	for i := 0; i < len(s); i++ {
		if s[i] != '"' {
			continue
		}
		end := stringEnd(s, i)
		if j := skipSpace(s, end); j >= len(s) || s[j] != ':' {
			out = append(out, span{i, end})
		}
		i = end - 1
	}
	return out
}

// splitJSON parts a response that is JSON, perhaps in a fence, into what
// stands before it, the JSON and what stands after.
func splitJSON(s string) (before, body, after string, ok bool) {
	body = jsonBody(s, "strip")
	if !validJSON(body) || body[0] != '{' && body[0] != '[' {
		return "", "", "", false
	}
	i := strings.Index(s, body)
	return s[:i], body, s[i+len(body):], true
}

// quoteJSON is s as a JSON string.
func quoteJSON(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic("text: a string has no JSON form: " + err.Error())
	}
	return string(b)
}

// unquoteJSON is the value of a JSON string.
func unquoteJSON(s string) string {
	var v string
	if json.Unmarshal([]byte(s), &v) != nil {
		return s
	}
	return v
}
