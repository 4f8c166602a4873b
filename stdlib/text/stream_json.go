package text

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonEvent is what a character means inside a JSON text.
type jsonEvent uint8

const (
	jsonNothing jsonEvent = iota // an escape sequence that is not complete yet
	jsonSpace
	jsonOpen      // { or [
	jsonClose     // } or ]
	jsonColon     // after a name
	jsonComma     // between members or elements
	jsonQuote     // the quotation mark that begins a string
	jsonChar      // a character of a string, escape sequences whole
	jsonUnquote   // the quotation mark that ends a string
	jsonScalar    // a character of a number or a literal
	jsonMalformed // this is no JSON, or the text goes on behind it
)

// jsonScan follows a JSON text that begins with a bracket (RFC 8259), one
// character at a time. It takes numbers a little too generously: a text that
// only their grammar would refuse counts as JSON.
type jsonScan struct {
	stack  []byte // open brackets
	expect jsonExpect
	name   bool   // the string is a member's name
	escape string // the escape sequence so far
	high   rune   // the first half of a surrogate pair
	lit    string // what a literal still needs
	number bool
	done   bool // the top level is closed
}

type jsonExpect uint8

const (
	expectValue jsonExpect = iota
	expectElement
	expectName
	expectMember
	expectColon
	expectNext
	insideString
	insideScalar
)

// deepestJSON bounds the memory of a scan.
const deepestJSON = 256

// next returns what c means, and for jsonChar the bytes of the whole escape
// sequence and the character that they stand for.
func (s *jsonScan) next(c string, r rune) (ev jsonEvent, raw string, value rune) {
	if s.done {
		if blank(r) {
			return jsonSpace, c, r
		}
		return jsonMalformed, c, r
	}
	switch s.expect {
	case insideString:
		return s.inString(c, r)
	case insideScalar:
		if ok, more := s.inScalar(r); ok {
			return jsonScalar, c, r
		} else if !more {
			return jsonMalformed, c, r
		}
		s.expect = expectNext
	}
	if blank(r) {
		return jsonSpace, c, r
	}
	ok := false
	switch r {
	case '{', '[':
		if ok = s.mayBegin() && len(s.stack) < deepestJSON; ok {
			s.stack = append(s.stack, byte(r))
			s.expect = expectMember
			if r == '[' {
				s.expect = expectElement
			}
			ev = jsonOpen
		}
	case '}', ']':
		open := byte(r - 2) // '{' and '[' lie two before their counterparts
		n := len(s.stack)
		if ok = n > 0 && s.stack[n-1] == open && (s.expect == expectNext || s.expect == expectMember || s.expect == expectElement); ok {
			s.stack = s.stack[:n-1]
			s.done = n == 1
			s.expect = expectNext
			ev = jsonClose
		}
	case ',':
		if ok = s.expect == expectNext; ok {
			s.expect = expectValue
			if s.object() {
				s.expect = expectName
			}
			ev = jsonComma
		}
	case ':':
		if ok = s.expect == expectColon; ok {
			s.expect = expectValue
			ev = jsonColon
		}
	case '"':
		s.name = s.expect == expectName || s.expect == expectMember
		if ok = s.name || s.mayBegin(); ok {
			s.expect = insideString
			ev = jsonQuote
		}
	default:
		if ok = s.mayBegin() && len(s.stack) > 0 && s.beginScalar(r); ok {
			s.expect = insideScalar
			ev = jsonScalar
		}
	}
	if !ok {
		return jsonMalformed, c, r
	}
	return ev, c, r
}

func (s *jsonScan) mayBegin() bool { return s.expect == expectValue || s.expect == expectElement }

func (s *jsonScan) object() bool { return len(s.stack) > 0 && s.stack[len(s.stack)-1] == '{' }

func (s *jsonScan) beginScalar(r rune) bool {
	s.number, s.lit = false, ""
	switch {
	case r == '-' || r >= '0' && r <= '9':
		s.number = true
	case r == 't':
		s.lit = "rue"
	case r == 'f':
		s.lit = "alse"
	case r == 'n':
		s.lit = "ull"
	default:
		return false
	}
	return true
}

// inScalar tells whether r belongs to the number or literal, and if it does
// not, whether that is complete.
func (s *jsonScan) inScalar(r rune) (belongs, complete bool) {
	if s.number {
		return r >= '0' && r <= '9' || r == '.' || r == 'e' || r == 'E' || r == '+' || r == '-', true
	}
	if s.lit == "" {
		return false, true
	}
	if rune(s.lit[0]) != r {
		return false, false
	}
	s.lit = s.lit[1:]
	return true, false
}

func (s *jsonScan) inString(c string, r rune) (jsonEvent, string, rune) {
	if s.escape != "" {
		s.escape += c
		raw := s.escape
		switch {
		case len(raw) == 2 && r == 'u':
			return jsonNothing, "", 0
		case len(raw) == 2:
			s.escape = ""
			at := strings.IndexRune(`"\/bfnrt`, r)
			if at < 0 {
				return jsonMalformed, raw, r
			}
			return jsonChar, raw, rune("\"\\/\b\f\n\r\t"[at])
		case !hexDigit(r):
			s.escape = ""
			return jsonMalformed, raw, r
		case len(raw) < 6:
			return jsonNothing, "", 0
		}
		s.escape = ""
		v := rune(0)
		for _, h := range raw[2:] {
			v = v<<4 | hexValue(h)
		}
		if s.high != 0 {
			v, s.high = utf16.DecodeRune(s.high, v), 0
		} else if utf16.IsSurrogate(v) {
			s.high, v = v, utf8.RuneError
		}
		return jsonChar, raw, v
	}
	switch {
	case r == '\\':
		s.escape = c
		return jsonNothing, "", 0
	case r == '"':
		s.high = 0
		s.expect = expectNext
		if s.name {
			s.expect = expectColon
		}
		return jsonUnquote, c, r
	case r < 0x20:
		return jsonMalformed, c, r
	}
	return jsonChar, c, r
}

// value tells, after an event, whether it belongs to a value and not a name.
func (s *jsonScan) value() bool { return !s.name }

func hexDigit(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'f' || r >= 'A' && r <= 'F'
}

func hexValue(r rune) rune {
	switch {
	case r >= 'a':
		return r - 'a' + 10
	case r >= 'A':
		return r - 'A' + 10
	}
	return r - '0'
}

// jsonMachine is what a transform does with a response that is JSON.
type jsonMachine interface {
	// event takes one event. The scan is in its state after the event.
	event(ev jsonEvent, raw string, value rune, s *jsonScan, w *strings.Builder)
	// release sends what is held: the text turned out not to be JSON, or it
	// ended.
	release(s *jsonScan, ended bool, w *strings.Builder)
	held() int
}

// gate tells JSON, perhaps in one code fence, from prose at the first
// characters of a response. A response that begins like JSON and breaks off
// being it goes on as prose.
type gate struct {
	json  jsonMachine
	prose machine
	count func(rune) // sees every character first; may be nil

	state  gateState
	before []byte // what came before the decision
	line   int    // of a fence: bytes of its first line so far
	scan   jsonScan
	ticks  int // of the closing fence
	fenced bool
}

type gateState uint8

const (
	atBeginning gateState = iota
	inFenceLine
	atBracket
	inJSON
	inProse
)

// gateBytes bound what is held before the decision.
const gateBytes = 64

func (g *gate) step(c string, r rune, w *strings.Builder) {
	if g.count != nil {
		g.count(r)
	}
	switch g.state {
	case inProse:
		g.prose.step(c, r, w)
		return
	case inJSON:
		g.jsonStep(c, r, w)
		return
	}
	g.before = append(g.before, c...)
	switch {
	case len(g.before) > gateBytes:
		g.decide(inProse, w)
	case g.state == inFenceLine:
		g.line += len(c)
		switch {
		case g.line <= 3 && r == '`':
		case g.line > 3 && r == '\n':
			g.state = atBeginning
		case g.line > 3 && !strings.ContainsRune(" `{[", r):
		default:
			g.decide(inProse, w)
		}
	case g.state == atBracket:
		open := g.before[len(strings.TrimRight(string(g.before[:len(g.before)-len(c)]), " \n\t\r"))-1]
		switch {
		case blank(r):
		case open == '{' && (r == '"' || r == '}'), open == '[' && strings.ContainsRune(`{["-0123456789tfn]`, r):
			g.decide(inJSON, w)
		default:
			g.decide(inProse, w)
		}
	case blank(r) || r == 0xfeff && len(g.before) == len(c):
	case r == '`' && !g.fenced:
		g.state, g.fenced, g.line = inFenceLine, true, 1
	case r == '{' || r == '[':
		g.state = atBracket
	default:
		g.decide(inProse, w)
	}
}

// decide replays what was held. The part before the bracket goes out as it is.
func (g *gate) decide(to gateState, w *strings.Builder) {
	held := string(g.before)
	g.before = nil
	g.state = to
	if to == inProse {
		feed(g.prose, held, w)
		return
	}
	at := strings.IndexAny(held, "{[")
	w.WriteString(held[:at])
	for _, r := range held[at:] {
		g.jsonStep(string(r), r, w)
	}
}

func (g *gate) jsonStep(c string, r rune, w *strings.Builder) {
	if g.scan.done && g.fenced && r == '`' && g.ticks < 3 {
		g.ticks++
		w.WriteString(c)
		return
	}
	ev, raw, value := g.scan.next(c, r)
	if ev == jsonMalformed {
		g.json.release(&g.scan, false, w)
		g.state = inProse
		feed(g.prose, raw, w)
		return
	}
	g.json.event(ev, raw, value, &g.scan, w)
}

func (g *gate) end(w *strings.Builder) {
	switch g.state {
	case inProse:
		g.prose.end(w)
		return
	case inJSON:
		w.WriteString(g.scan.escape)
		g.json.release(&g.scan, true, w)
		return
	}
	g.decide(inProse, w)
	g.prose.end(w)
}

func (g *gate) held() int {
	switch g.state {
	case inProse:
		return g.prose.held()
	case inJSON:
		return len(g.scan.escape) + g.json.held()
	}
	return len(g.before)
}

// quoted is s as the inside of a JSON string.
func quoted(s string) string {
	q := quoteJSON(s)
	return q[1 : len(q)-1]
}
