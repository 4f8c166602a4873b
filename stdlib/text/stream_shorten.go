package text

import (
	"strings"
	"unicode/utf8"
)

const (
	terseQueue = 512 // bytes of the first sentence that may wait
	terseTail  = 64  // bytes of white space and punctuation that may wait
	terseHold  = 2*terseQueue + 2*terseTail
)

// shortener leaves sentences out while a response comes.
type shortener struct {
	d      dice
	factor float64
	words  wordCount // of the response

	ends    sentenceEnds
	fence   fences
	inUnit  bool // in a sentence, list item or block of code
	units   int  // with words, complete
	before  int  // words of the response before this unit
	keeping bool // this unit is sent as it comes

	first      []byte // of the first unit, what waits
	firstOpen  bool   // the first unit goes on
	firstWords int
	pending    string // words that must not come last
	sent       int    // words sent
	left       []byte // the last unit, where it was left out and is not too long
	leftWords  int
	tail       []byte // white space and punctuation that must not come last
	said       transcript
	started    bool
	jitter     int // see draw
}

func newShortener(factor float64, d dice) machine {
	s := &shortener{d: d, factor: factor, firstOpen: true}
	s.draw()
	return &gate{json: &jsonShortener{factor: factor}, prose: s}
}

// draw says how far the response is to be behind its share at the end of the
// next sentence, in percent of one, whether that is kept or not. Twins keep
// what fits, so they end a little below their share.
func (s *shortener) draw() { s.jitter = s.d.between(12, 44) }

func (s *shortener) allowed() int { return int(float64(s.words.n) * s.factor) }

func (s *shortener) step(c string, r rune, w *strings.Builder) {
	wasCode := s.fence.open
	s.fence.add(r)
	ended := s.ends.add(r)
	if s.fence.open && !wasCode || wasCode && r != '\n' {
		ended = false
	} else if wasCode {
		ended = !s.fence.open
	}
	if !s.inUnit && !blank(r) {
		s.inUnit = true
		s.before = s.words.n
		s.keeping = !s.firstOpen && s.keep()
		if s.keeping {
			s.release(w, true)
		}
		s.left, s.leftWords = s.left[:0], 0
	}
	begins := s.words.add(r)
	switch {
	case s.firstOpen:
		s.first = append(s.first, c...)
	case s.keeping:
		s.write(c, w)
		if begins {
			s.sent++
		}
	case s.inUnit:
		if begins {
			s.leftWords++
		}
		if s.left = append(s.left, c...); len(s.left) > terseQueue {
			s.left, s.leftWords = s.left[:0], -len(s.left)
		}
	}
	if ended && s.inUnit {
		s.endUnit()
	}
	if len(s.first) > 0 {
		for s.sent < s.allowed() && s.word(w) {
		}
		for len(s.first) > terseQueue && s.word(w) {
		}
		if len(s.first) > terseQueue {
			// A word without end.
			s.write(string(s.first), w)
			s.first = s.first[:0]
		}
	}
}

func (s *shortener) endUnit() {
	s.inUnit, s.keeping = false, false
	n := s.words.n - s.before
	if n > 0 {
		s.units++
	}
	if s.firstOpen {
		if n == 0 {
			s.first = s.first[:0]
			return
		}
		s.firstOpen = false
		s.firstWords = s.words.n
	}
}

// keep decides on the unit that begins, which it takes for one of average
// length: of keeping it and leaving it out, what brings the response nearer to
// its share.
func (s *shortener) keep() bool {
	behind := float64(s.words.n)*s.factor - float64(max(s.sent, s.firstWords))
	unit := float64(s.words.n) / float64(s.units)
	if behind < unit*(0.5-s.factor+float64(s.jitter)/100) {
		return false
	}
	s.draw()
	return true
}

// word sends the next word of the first unit, and whatever words before it may
// not stand at an end. It is false where no word is complete.
func (s *shortener) word(w *strings.Builder) bool {
	for len(s.first) > 0 {
		text := string(s.first)
		end := wordEnd(text)
		if last, _ := utf8.DecodeLastRuneInString(text); end == len(text) && s.firstOpen && !unspaced(last) {
			return false
		}
		token := text[:end]
		s.first = s.first[end:]
		n := countWords(token)
		s.sent += n
		body := strings.TrimSpace(token)
		if n > 0 && !dangling[strings.ToLower(body)] || len(s.pending) > terseTail {
			s.write(s.pending+token, w)
			s.pending = ""
		} else {
			s.pending += token
		}
		if n > 0 {
			return true
		}
	}
	return false
}

// release sends all that waits of the first unit.
func (s *shortener) release(w *strings.Builder, space bool) {
	text := s.pending + string(s.first)
	s.sent += countWords(string(s.first))
	s.pending, s.first = "", s.first[:0]
	if !space {
		text = strings.TrimRight(text, " \n\t\r")
	}
	s.write(text, w)
}

// write sends text, but for white space and punctuation at its end.
func (s *shortener) write(text string, w *strings.Builder) {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		c := text[i : i+size]
		i += size
		if blank(r) && !s.started {
			continue
		}
		s.started = true
		if blank(r) || strings.ContainsRune(",;:-–—(\\/=+&[{<", r) && !s.fence.open {
			if len(s.tail)+len(c) > terseTail {
				s.flush(w)
			}
			s.tail = append(s.tail, c...)
			continue
		}
		s.flush(w)
		s.say(c, w)
	}
}

func (s *shortener) flush(w *strings.Builder) {
	s.say(string(s.tail), w)
	s.tail = s.tail[:0]
}

func (s *shortener) say(text string, w *strings.Builder) {
	s.said.add(text)
	w.WriteString(text)
}

func (s *shortener) end(w *strings.Builder) {
	if s.inUnit {
		s.endUnit()
	}
	s.firstOpen = false
	keep := max(int(float64(s.words.n)*s.factor+0.5), 1)
	waiting := s.sent + countWords(string(s.first))
	if s.firstWords <= keep+keep/2 || s.words.n < 2 || waiting <= keep {
		s.release(w, false)
	} else {
		for s.sent < keep && s.word(w) {
		}
	}
	if n := s.leftWords; n > 0 && len(s.left) > 0 && (n <= keep-s.sent || s.sent*2 < keep) {
		// The last sentence fits after all, or at least its beginning.
		s.write(strings.TrimSpace(firstWords(string(s.left), keep-s.sent)), w)
	}
	said := string(s.said.text)
	if len(said) == 0 || len(said) >= transcriptBytes/2 || !isTruncated(said) {
		return
	}
	if openFence(said) {
		w.WriteString("\n```")
		return
	}
	if s.words.n >= 2 {
		w.WriteString(".")
	}
}

func (s *shortener) held() int { return len(s.first) + len(s.pending) + len(s.tail) + len(s.left) }

// jsonShortener cuts the strings of a JSON text.
type jsonShortener struct {
	factor float64
	inside bool
	words  wordCount
	sent   int
	queue  []jsonPiece // what waits of the string
	bytes  int
}

// jsonPiece is one character of a string, escape sequences whole.
type jsonPiece struct {
	raw    string
	begins bool // a word
	soft   bool // may not stand at an end
}

func (s *jsonShortener) event(ev jsonEvent, raw string, value rune, scan *jsonScan, w *strings.Builder) {
	switch {
	case ev == jsonQuote && scan.value():
		s.inside, s.words, s.sent = true, wordCount{}, 0
		w.WriteString(raw)
	case ev == jsonUnquote && s.inside:
		s.inside = false
		if s.words.n >= 2 {
			s.send(max(1, int(float64(s.words.n)*s.factor)), w)
			s.clear()
		}
		s.all(w)
		w.WriteString(raw)
	case ev == jsonChar && s.inside:
		begins := s.words.add(value)
		s.queue = append(s.queue, jsonPiece{raw, begins, blank(value) || strings.ContainsRune(",;:", value)})
		s.bytes += len(raw)
		s.send(int(float64(s.words.n)*s.factor), w)
		if s.bytes > terseQueue {
			s.all(w)
		}
	default:
		w.WriteString(raw)
	}
}

// send sends up to the n-th word of the string, without white space and
// punctuation at its end.
func (s *jsonShortener) send(n int, w *strings.Builder) {
	upTo, sent := 0, s.sent
	for i, p := range s.queue {
		if p.begins {
			if sent == n {
				break
			}
			sent++
		}
		if !p.soft && n > 0 {
			upTo = i + 1
		}
	}
	s.emit(upTo, w)
}

func (s *jsonShortener) emit(n int, w *strings.Builder) {
	for _, p := range s.queue[:n] {
		w.WriteString(p.raw)
		s.bytes -= len(p.raw)
		if p.begins {
			s.sent++
		}
	}
	s.queue = s.queue[n:]
}

func (s *jsonShortener) all(w *strings.Builder) { s.emit(len(s.queue), w) }

func (s *jsonShortener) clear() { s.queue, s.bytes = nil, 0 }

func (s *jsonShortener) release(_ *jsonScan, _ bool, w *strings.Builder) { s.all(w) }

func (s *jsonShortener) held() int { return s.bytes }
