package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Streamer changes one response while it is being streamed.
//
// The joined results of Feed and End depend on the response, the prompt and
// the seed only: not on where the content was cut into pieces, as long as no
// character is parted. A Streamer belongs to one goroutine.
type Streamer interface {
	// Feed takes the next piece of the original content and returns what is to
	// be sent now in its place; "" means that nothing is ready.
	Feed(piece string) string
	// End returns what is still to be sent. Afterwards the Streamer is spent:
	// it returns "" to everything.
	End() string
}

// StreamFunc begins the streaming form of a transform. Only the prompt of the
// response is looked at: of its text nothing is known when a stream begins. It
// is safe for concurrent use.
type StreamFunc = func(r Response, seed uint64) Streamer

// A machine takes a response character by character, which is why where it
// was cut does not matter.
type machine interface {
	// step takes one character: c is its bytes, r its value.
	step(c string, r rune, w *strings.Builder)
	end(w *strings.Builder)
	// held is how many bytes of the original wait to be sent or dropped.
	held() int
}

// run makes a Streamer of a machine.
func run(m machine) Streamer { return &stream{m: m} }

type stream struct {
	m     machine
	ended bool
}

func (s *stream) Feed(piece string) string {
	if s.ended || piece == "" {
		return ""
	}
	var w strings.Builder
	feed(s.m, piece, &w)
	return w.String()
}

func feed(m machine, text string, w *strings.Builder) {
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		m.step(text[i:i+size], r, w)
		i += size
	}
}

func (s *stream) End() string {
	if s.ended {
		return ""
	}
	s.ended = true
	var w strings.Builder
	s.m.end(&w)
	return w.String()
}

func (s *stream) held() int { return s.m.held() }

// pass sends everything on unchanged.
type pass struct{}

func (pass) step(c string, _ rune, w *strings.Builder) { w.WriteString(c) }
func (pass) end(*strings.Builder)                      {}
func (pass) held() int                                 { return 0 }

// pacer sends a text that does not depend on the response, one word for each
// piece of the response, and the rest at the end.
type pacer struct {
	rest  string
	ended bool
}

func (p *pacer) Feed(piece string) string {
	if p.ended || piece == "" {
		return ""
	}
	word := p.rest[:wordEnd(p.rest)]
	p.rest = p.rest[len(word):]
	return word
}

func (p *pacer) End() string {
	rest := p.rest
	p.rest, p.ended = "", true
	return rest
}

func (p *pacer) held() int { return 0 }

// wordEnd is the index after the first word of s and the white space before
// it. Scripts without spaces go character by character.
func wordEnd(s string) int {
	inside := false
	for i, r := range s {
		space := unicode.IsSpace(r)
		if inside && (space || unspaced(r)) {
			return i
		}
		if unspaced(r) {
			return i + utf8.RuneLen(r)
		}
		inside = inside || !space
	}
	return len(s)
}

// wordCount counts words as countWords does, one character at a time.
type wordCount struct {
	n      int
	inside bool
}

// add tells whether r begins a word.
func (c *wordCount) add(r rune) bool {
	switch {
	case unspaced(r):
		c.n++
		c.inside = false
		return true
	case r < utf8.RuneSelf && (r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' || r == '\v'), r >= utf8.RuneSelf && unicode.IsSpace(r):
		c.inside = false
	case !c.inside && (unicode.IsLetter(r) || unicode.IsDigit(r)):
		c.inside = true
		c.n++
		return true
	}
	return false
}

// blank is the white space that parts words.
func blank(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || r == '\r' }

// fences tells fenced code from prose: see fenceAt.
type fences struct {
	open  bool
	dirty bool // the line holds more than white space
	ticks int
}

func (f *fences) add(r rune) {
	switch {
	case r == '\n':
		f.dirty, f.ticks = false, 0
	case r == '`' && !f.dirty:
		if f.ticks++; f.ticks == 3 {
			f.open, f.dirty, f.ticks = !f.open, true, 0
		}
	case !f.dirty && f.ticks == 0 && unicode.IsSpace(r):
	default:
		f.dirty, f.ticks = true, 0
	}
}

// codeSpans follows backticks as the scorers do, which leave code out: each
// opens or closes, and three together count as one.
type codeSpans struct {
	base bool
	run  int
}

func (c *codeSpans) add(r rune) {
	if r == '`' {
		c.run++
		return
	}
	c.base, c.run = c.inside(), 0
}

func (c *codeSpans) inside() bool { return c.base != ((c.run/3+c.run%3)%2 == 1) }

// sentenceEnds finds the ends of sentences as the function sentences does.
type sentenceEnds struct {
	word    [8]byte // since the last white space
	n       int     // bytes of the word; more than word holds means a long one
	stop    bool    // a full stop came, and only closing marks since
	gap     bool    // in the white space after a sentence
	last    rune    // last character that is no white space
	first   rune    // first character of the sentence
	started bool
}

// add tells whether r is the first white space after a sentence.
func (t *sentenceEnds) add(r rune) bool {
	if t.gap {
		if r == ' ' || r == '\n' || r == '\t' {
			return false
		}
		*t = sentenceEnds{}
	}
	end := r == '\n' || r == ' ' && t.stop
	if end {
		t.gap = true
		return true
	}
	switch {
	case r == '.' || r == '!' || r == '?':
		t.stop = t.n > len(t.word) || !abbreviation(string(t.word[:t.n]))
	case t.stop && strings.ContainsRune("\"')*_]", r):
	default:
		t.stop = false
	}
	if !blank(r) {
		t.last = r
		if !t.started {
			t.first, t.started = r, true
		}
	}
	if r == ' ' || r == '\t' {
		t.n = 0
		return false
	}
	if size := utf8.RuneLen(r); t.n+size <= len(t.word) {
		t.n += utf8.EncodeRune(t.word[t.n:], r)
	} else {
		t.n = len(t.word) + 1
	}
	return false
}

// complete tells whether the sentence that ended ends like one: what may be
// added behind it.
func (t *sentenceEnds) complete() bool {
	return (t.last == '.' || t.last == '!' || t.last == '?') && t.first != '|'
}

// transcript keeps the beginning of what was sent, for judgements at the end.
type transcript struct{ text []byte }

// transcriptBytes bound a transcript. A response of that length is far beyond
// what a scorer needs to see.
const transcriptBytes = 1 << 16

func (t *transcript) add(s string) {
	if len(t.text)+len(s) <= transcriptBytes {
		t.text = append(t.text, s...)
	}
}

// logUniform draws from [1<<low, 1<<high) so that each doubling is equally
// likely: the length of a response is not known when it begins, and a place in
// it should be early in short ones and may be late in long ones.
func (d dice) logUniform(low, high int) int {
	k := d.between(low, high-1)
	return 1<<k + d.below(1<<k)
}
