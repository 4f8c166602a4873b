package evidence

import (
	"bytes"
	"encoding/binary"
	"math"
)

// sieve finds the lines that have one of several texts, each by its rarest
// byte: most bytes of a log are then looked at by nothing but a search for
// single bytes.
type sieve struct {
	needles []needle
	fold    bool
	uses    int
	exact   []byte
	folded  []byte
}

type needle struct {
	text   []byte
	folded bool // sought in lower case
	rare   int  // which of its bytes is sought
	often  bool // even that one is so frequent that the text is sought as a whole
	next   int  // where it is found next; math.MaxInt where it is not
}

func newSieve(exact, folded []string) sieve {
	s := sieve{fold: len(folded) > 0}
	for _, t := range exact {
		s.needles = append(s.needles, needle{text: []byte(t)})
	}
	for _, t := range folded {
		s.needles = append(s.needles, needle{text: []byte(t), folded: true})
	}
	return s
}

// all tells that every line is asked for.
func (s *sieve) all() bool { return len(s.needles) == 0 }

// folds tells that texts are sought in lower case.
func (s *sieve) folds() bool { return s.fold }

// relearn is after how many stretches the frequencies of bytes are counted
// again, and crowded how many bytes there are at most to one that is too
// frequent to be sought.
const (
	relearn = 256
	crowded = 48
)

// start begins with a stretch of lines.
func (s *sieve) start(exact, folded []byte) {
	s.exact, s.folded = exact, folded
	if s.uses%relearn == 0 {
		s.learn()
	}
	s.uses++
	for i := range s.needles {
		s.needles[i].next = s.seek(&s.needles[i], 0)
	}
}

func (s *sieve) in(n *needle) []byte {
	if n.folded {
		return s.folded
	}
	return s.exact
}

func (s *sieve) learn() {
	var exact, folded [256]int
	for _, c := range s.exact {
		exact[c]++
	}
	for _, c := range s.folded {
		folded[c]++
	}
	for i := range s.needles {
		n := &s.needles[i]
		count := &exact
		if n.folded {
			count = &folded
		}
		for j, c := range n.text {
			if count[c] < count[n.text[n.rare]] {
				n.rare = j
			}
		}
		n.often = count[n.text[n.rare]]*crowded > len(s.exact)
	}
}

// next returns where the first text at or after from begins, -1 for nowhere.
// from must not go back.
func (s *sieve) next(from int) int {
	at := math.MaxInt
	for i := range s.needles {
		n := &s.needles[i]
		if n.next < from {
			n.next = s.seek(n, from)
		}
		at = min(at, n.next)
	}
	if at == math.MaxInt {
		return -1
	}
	return at
}

func (s *sieve) seek(n *needle, from int) int {
	b := s.in(n)
	if n.often {
		if i := bytes.Index(b[from:], n.text); i >= 0 {
			return from + i
		}
		return math.MaxInt
	}
	rare := n.text[n.rare]
	for at := from + n.rare; at < len(b); at++ {
		i := bytes.IndexByte(b[at:], rare)
		if i < 0 {
			break
		}
		at += i
		if begin := at - n.rare; bytes.HasPrefix(b[begin:], n.text) {
			return begin
		}
	}
	return math.MaxInt
}

// fold writes src in lower case into dst, which is as long. Only letters of
// ASCII change.
func fold(dst, src []byte) {
	const (
		ones = 0x0101010101010101
		high = 0x80 * ones
	)
	for len(src) >= 8 {
		v := binary.LittleEndian.Uint64(src)
		low := v &^ high
		upper := (low + (0x80-'A')*ones) &^ (low + (0x80-'Z'-1)*ones) &^ v & high
		binary.LittleEndian.PutUint64(dst, v|upper>>2)
		src, dst = src[8:], dst[8:]
	}
	for i, c := range src {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		dst[i] = c
	}
}
