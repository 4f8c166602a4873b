package proxy

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sync/atomic"
	"unicode/utf8"

	"github.com/fdbench/fdbench/runtime/eventstream"
)

// style is how a deployment writes strings, learnt from what it wrote. A
// changed response that escapes otherwise would be marked by it (FD-3.4-4).
type style struct {
	ascii atomic.Bool // characters outside of ASCII as \u
	html  atomic.Bool // <, > and & as \u
}

// learn looks at what the deployment wrote.
func (s *style) learn(b []byte) {
	if s == nil {
		return
	}
	for i := 0; ; i += 2 {
		n := bytes.IndexByte(b[i:], '\\')
		if n < 0 || i+n+5 >= len(b) {
			break
		}
		if i += n; b[i+1] != 'u' {
			continue
		}
		switch string(bytes.ToLower(b[i+2 : i+6])) {
		case "003c", "003e", "0026":
			s.html.Store(true)
		case "2028", "2029": // escaped by some that escape nothing else
		default:
			if b[i+2] != '0' || b[i+3] != '0' || b[i+4] >= '8' {
				s.ascii.Store(true)
			}
		}
	}
}

const hexDigits = "0123456789abcdef"

// quote appends s as a JSON string.
func (s *style) quote(b []byte, text string) []byte {
	ascii, html := s.ascii.Load(), s.html.Load()
	b = append(b, '"')
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c == '"' || c == '\\':
				b = append(b, '\\', c)
			case c == '\n':
				b = append(b, '\\', 'n')
			case c == '\r':
				b = append(b, '\\', 'r')
			case c == '\t':
				b = append(b, '\\', 't')
			case c < ' ' || html && (c == '<' || c == '>' || c == '&'):
				b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			default:
				b = append(b, c)
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		switch {
		case !ascii:
			b = utf8.AppendRune(b, r) // U+FFFD for what is no UTF-8
		case r > 0xffff:
			r -= 0x10000
			b = fmt.Appendf(b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
	}
	return append(b, '"')
}

// edit replaces a part of a JSON text.
type edit struct {
	slot
	choice int  // index of the choice that the text belongs to
	isText bool // and not literal
	put    string
}

// apply writes data with the edits, which do not overlap.
func apply(b, data []byte, edits []edit, s *style) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Or(a.from-b.from, a.to-b.to) })
	at := 0
	for i := range edits {
		e := &edits[i]
		b = append(b, data[at:e.from]...)
		switch at = e.to; {
		case !e.isText:
			b = append(b, e.put...)
			continue
		case e.put == e.text && e.before == "":
			b = append(b, data[e.from:e.to]...) // as the deployment wrote it
			continue
		}
		b = append(b, e.before...)
		b = s.quote(b, e.put)
		b = append(b, e.after...)
	}
	return append(b, data[at:]...)
}

// splice writes an event with other data and with all else of it: its line
// ends, comments and further fields. The data may stand in several lines;
// where a change took some of them away, it goes into one.
func splice(b []byte, e *eventstream.Event, data []byte) []byte {
	if bytes.Count(data, newline) != bytes.Count(e.Data, newline) {
		return eventstream.Append(b, e.Type, bytes.ReplaceAll(data, newline, []byte(" ")))
	}
	at, done := 0, 0
	if bytes.HasPrefix(e.Raw, []byte("\xef\xbb\xbf")) {
		at = 3
	}
	for at < len(e.Raw) {
		end := len(e.Raw)
		if i := bytes.IndexAny(e.Raw[at:], "\r\n"); i >= 0 {
			end = at + i
		}
		if name, _, colon := bytes.Cut(e.Raw[at:end], []byte(":")); string(name) == "data" {
			line := data
			if i := bytes.IndexByte(data, '\n'); i >= 0 {
				line, data = data[:i], data[i+1:]
			}
			if colon {
				from := at + len("data:")
				if from < end && e.Raw[from] == ' ' {
					from++
				}
				b = append(append(b, e.Raw[done:from]...), line...)
				done = end
			}
		}
		at = end + 1
	}
	return append(b, e.Raw[done:]...)
}

var newline = []byte("\n")
