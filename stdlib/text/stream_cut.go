package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	truncateHold = 64   // bytes that may wait for a place to stop at
	truncateSeen = 2048 // bytes after which it stops wherever it is
)

// truncator stops a response in mid-thought. What it has sent reads as
// unfinished from the first place on that does, so that it may stop, or the
// response may end, at any time.
type truncator struct {
	limit   int             // words after which to stop
	text    strings.Builder // the response so far
	sent    int             // bytes of it
	word    int             // where the last word begins, with the white space before it
	words   wordCount
	space   bool
	safe    bool // what was sent reads as unfinished
	stopped bool
}

func (t *truncator) step(c string, r rune, w *strings.Builder) {
	if t.stopped {
		return
	}
	if t.text.Len() > truncateSeen {
		t.stopped = true
		return
	}
	if space := blank(r); space != t.space {
		if space {
			t.word = t.text.Len()
		}
		t.space = space
	}
	t.text.WriteString(c)
	if t.words.add(r) && t.words.n > t.limit && t.safe {
		t.stopped = true
		return
	}
	switch {
	case !blank(r) && t.mayStop(r) && looksCut(t.text.String()):
		t.send(t.text.Len(), w)
		t.safe = true
		t.stopped = t.words.n > t.limit
	case t.safe:
		t.stopped = t.text.Len()-t.sent > truncateHold
	case t.text.Len()-t.word > truncateHold:
		t.send(t.text.Len(), w)
	default:
		t.send(t.word, w)
	}
}

// mayStop leaves out, at little cost, most places that cannot be one to stop
// at.
func (t *truncator) mayStop(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(",;:-–—(\\/=+&[{<*_\"'”’»`}]", r) || t.safe || t.text.String()[0] == '{' || t.text.String()[0] == '['
}

func (t *truncator) send(to int, w *strings.Builder) {
	if to > t.sent {
		w.WriteString(t.text.String()[t.sent:to])
		t.sent = to
	}
}

func (t *truncator) end(w *strings.Builder) {
	if t.sent == 0 && t.text.Len() > 0 {
		_, size := utf8.DecodeRuneInString(t.text.String())
		t.send(size, w)
	}
}

func (t *truncator) held() int {
	if t.stopped {
		return 0
	}
	return t.text.Len() - t.sent
}

// repeater runs into a loop.
type repeater struct {
	start, n, total int // words before the loop, of the loop, rounds of it
	recent          []string
	word            []byte
	fields          int
	words           wordCount
	unit            []string
	said            int // words of the loop that were sent
}

// longestField is the longest word, in bytes, that a loop is made of.
const longestField = 64

func newRepeater(rounds int, d dice) *repeater {
	p := &repeater{n: loopLength(d)}
	p.start = max(d.logUniform(1, 6), p.n)
	p.total = rounds + d.below(rounds)
	return p
}

func (p *repeater) step(c string, r rune, w *strings.Builder) {
	begins := p.words.add(r)
	if p.unit != nil {
		if begins {
			p.say(w)
		}
		return
	}
	if blank(r) {
		p.endWord()
		if p.fields >= p.start {
			p.loop()
			return
		}
	} else if begins && unspaced(r) && p.words.n > p.start {
		// There may be no white space for a long time.
		p.endWord()
		p.loop()
		p.say(w)
		return
	} else if len(p.word) <= longestField {
		p.word = append(p.word, c...)
	}
	w.WriteString(c)
}

func (p *repeater) endWord() {
	if len(p.word) == 0 {
		return
	}
	p.fields++
	if len(p.word) <= longestField {
		if p.recent = append(p.recent, string(p.word)); len(p.recent) > p.n {
			p.recent = p.recent[1:]
		}
	}
	p.word = p.word[:0]
}

func (p *repeater) loop() {
	if len(p.recent) == 0 && p.fields == 0 {
		p.recent = []string{"the"}
	}
	p.unit = loopUnit(p.recent)
}

func (p *repeater) say(w *strings.Builder) bool {
	if p.said >= p.total*len(p.unit) {
		return false
	}
	w.WriteString(" " + p.unit[p.said%len(p.unit)])
	p.said++
	return true
}

func (p *repeater) end(w *strings.Builder) {
	if p.unit == nil {
		p.endWord()
		p.loop()
	}
	for p.say(w) {
	}
}

func (p *repeater) held() int { return 0 }
