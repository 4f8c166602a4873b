package text

import (
	"strings"
	"unicode/utf8"
)

// spoiler makes a response unreadable from some word on.
type spoiler struct {
	d     dice
	mode  int // as for damage
	from  int // words before the damage
	token string
	words wordCount
	on    bool
	made  int // marks of damage
	next  int // characters until the next hole
	word  []byte
	said  transcript
}

func newSpoiler(d dice) *spoiler {
	s := &spoiler{d: d, mode: d.below(5)}
	if d.oneIn(2) {
		s.from = d.logUniform(0, 4)
	}
	s.token, s.next = d.pick(endless), d.between(1, 6)
	return s
}

func (s *spoiler) write(text string, w *strings.Builder) {
	s.said.add(text)
	w.WriteString(text)
}

func (s *spoiler) step(c string, r rune, w *strings.Builder) {
	begins := s.words.add(r)
	if s.on = s.on || s.words.n > s.from || s.from == 0; !s.on {
		s.write(c, w)
		return
	}
	switch s.mode {
	case 0:
		if begins {
			s.write(s.token, w)
			s.made++
		}
	case 1:
		if begins {
			s.fragment(w)
		}
	case 2:
		if s.next--; s.next <= 0 && r != '\n' {
			s.write(string(utf8.RuneError), w)
			s.made++
			s.next = s.d.between(6, 18)
			return
		}
		s.write(c, w)
	case 3:
		if mark := misread(r, s.d); mark != "" {
			s.made++
			c = mark
		}
		s.write(c, w)
	default:
		if blank(r) || len(s.word)+len(c) > longestField {
			s.flush(w)
		}
		if blank(r) {
			s.write(c, w)
		} else {
			s.word = append(s.word, c...)
		}
	}
}

func (s *spoiler) fragment(w *strings.Builder) {
	gap := " "
	if len(s.said.text) == 0 || blank(rune(s.said.text[len(s.said.text)-1])) {
		gap = ""
	}
	s.write(gap+s.d.pick(fragments), w)
	s.made++
}

func (s *spoiler) flush(w *strings.Builder) {
	if word := string(s.word); utf8.RuneCountInString(word) >= 4 {
		s.write(muddleWord(word, s.d), w)
	} else {
		s.write(word, w)
	}
	s.word = s.word[:0]
}

func (s *spoiler) end(w *strings.Builder) {
	s.flush(w)
	switch s.mode {
	case 0:
		for ; s.made < sameRune+4; s.made++ {
			s.write(s.token, w)
		}
	case 1:
		for s.made < 12 {
			s.fragment(w)
		}
	case 2:
		for ; s.made < 4; s.made++ {
			s.write(string(utf8.RuneError), w)
		}
	case 3:
		for ; s.made < 4; s.made++ {
			s.write(" Ã©", w)
		}
	}
	if !isGarbled(string(s.said.text)) {
		w.WriteString(strings.Repeat(s.token, sameRune+4))
	}
}

func (s *spoiler) held() int { return len(s.word) }
