package text

import "strings"

// The ways in which a JSON text breaks while it comes; the order is that of
// jsonBreakers.
const (
	loseBracket = iota
	stopEarly
	dangleComma
	singleQuotes
	losePunctuation
	bareName
	pythonLiteral
	addComment
	addTrailer
	breakerCount
)

// jsonBreaker makes JSON invalid as it comes. A mode that finds nothing to
// break does what can always be done at the last bracket.
type jsonBreaker struct {
	d       dice
	mode    int
	count   int // what is left of strings or punctuation until the fault
	broken  bool
	stopped bool
	capital rune   // how the literal goes on: 'a' for any, 'n' for null
	space   []byte // white space that may stand before the last bracket
	last    byte   // the last character that is no white space
	lost    string // what was left out and nothing was sent behind
}

func newJSONBreaker(d dice) *jsonBreaker {
	b := &jsonBreaker{d: d, mode: d.below(breakerCount)}
	switch b.mode {
	case stopEarly:
		b.count = d.logUniform(0, 5)
	case losePunctuation:
		b.count = 1
		if d.oneIn(2) {
			b.count = d.between(2, 6)
		}
	}
	return b
}

func (b *jsonBreaker) event(ev jsonEvent, raw string, _ rune, s *jsonScan, w *strings.Builder) {
	if ev == jsonSpace && !s.done && len(b.space) < gateBytes && !b.stopped {
		b.space = append(b.space, raw...)
		return
	}
	if ev == jsonClose && s.done {
		b.close(raw, w)
		b.last = raw[0]
		return
	}
	if s.done {
		w.WriteString(raw)
		return
	}
	w.Write(b.space)
	b.space = b.space[:0]
	if raw == "" || b.stopped {
		return
	}
	out := b.change(ev, raw, s)
	if !b.stopped {
		w.WriteString(out)
	}
	switch {
	case strings.TrimSpace(out) != "":
		b.lost = ""
	case out != raw:
		b.lost += raw
	}
	b.last = raw[len(raw)-1]
}

// change is what becomes of one event before the last bracket.
func (b *jsonBreaker) change(ev jsonEvent, raw string, s *jsonScan) string {
	switch b.mode {
	case stopEarly:
		if ev == jsonQuote || ev == jsonComma {
			if b.count--; b.count <= 0 {
				b.stopped, b.broken = true, true
			}
		}
	case singleQuotes:
		if ev == jsonQuote || ev == jsonUnquote {
			b.broken = true
			return "'"
		}
	case losePunctuation:
		if ev != jsonComma && ev != jsonColon || b.broken {
			break
		}
		if b.count--; b.count <= 0 {
			b.broken = true
			if b.last >= '0' && b.last <= '9' {
				// Two numbers must not become one.
				return " "
			}
			return ""
		}
	case bareName:
		if (ev == jsonQuote || ev == jsonUnquote) && s.name && (!b.broken || ev == jsonUnquote && b.count == 1) {
			b.count++
			b.broken = true
			return ""
		}
	case pythonLiteral:
		return b.literal(ev, raw)
	case addComment:
		if !b.broken {
			b.broken = true
			return raw + " // " + b.d.pick(jsonComments) + "\n"
		}
	}
	return raw
}

// literal turns true, false and null into True, False and None.
func (b *jsonBreaker) literal(ev jsonEvent, raw string) string {
	if ev != jsonScalar {
		b.capital = 0
		return raw
	}
	switch {
	case b.capital == 0 && (raw == "t" || raw == "f"):
		b.capital, b.broken = 'a', true
		return strings.ToUpper(raw)
	case b.capital == 0 && raw == "n":
		b.capital, b.broken = 'n', true
		return "N"
	case b.capital == 'n' && raw == "u":
		return "o"
	case b.capital == 'n' && b.last == 'u':
		b.capital = 'e'
		return "n"
	case b.capital == 'e':
		return "e"
	case b.capital == 0:
		b.capital = 'a'
	}
	return raw
}

// close takes the last bracket.
func (b *jsonBreaker) close(raw string, w *strings.Builder) {
	if b.stopped {
		return
	}
	mode := b.mode
	if !b.broken && mode != dangleComma && mode != addTrailer {
		mode = []int{loseBracket, dangleComma, addTrailer}[b.d.below(3)]
	}
	switch {
	case b.broken:
		w.Write(b.space)
		w.WriteString(raw)
	case mode == dangleComma:
		w.WriteString(",\n" + raw)
	case mode == addTrailer:
		w.Write(b.space)
		w.WriteString(raw + b.d.pick(jsonTrailers))
	default:
		b.lost = raw
	}
	b.space = b.space[:0]
	b.broken = true
}

func (b *jsonBreaker) release(_ *jsonScan, ended bool, w *strings.Builder) {
	if !ended && !b.stopped {
		// It was invalid without a fault, and must not be mended by one.
		w.WriteString(b.lost)
	}
	w.Write(b.space)
	b.space, b.lost = nil, ""
}

func (b *jsonBreaker) held() int { return len(b.space) }

// afterBreak passes on what follows a text that was no JSON, unless the fault
// has stopped it.
type afterBreak struct{ b *jsonBreaker }

func (a afterBreak) step(c string, _ rune, w *strings.Builder) {
	if !a.b.stopped {
		w.WriteString(c)
	}
}

func (afterBreak) end(*strings.Builder) {}
func (afterBreak) held() int            { return 0 }
