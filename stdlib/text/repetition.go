package text

import "strings"

var repetitionScorer = Scorer{
	ID: "repetition/1", Kind: "rate", Unit: "1",
	Doc: "1 where the response runs in circles: a phrase of up to 40 words follows itself five times or more (eight times for one word), two fifths of all words lie in passages of twelve words or more that occur three times or more, or 40 line breaks follow each other.",
	New: fixedScorer("repetition/1", func(r Response) int32 { return rate(isRepetitive(r.Text)) }),
}

const (
	longestPeriod  = 40 // words
	shingle        = 12 // words
	shingleRepeats = 3
)

func isRepetitive(s string) bool {
	if strings.Contains(s, "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n") {
		return true
	}
	var buf [512]uint32
	words := hashWords(s, buf[:0])
	if len(words) < 8 {
		return false
	}
	return loops(words) || crowded(words)
}

// hashWords returns a hash a word; words without a letter or digit count as
// layout and are left out.
func hashWords(s string, out []uint32) []uint32 {
	h, solid := uint32(2166136261), false
	flush := func() {
		if solid {
			out = append(out, h)
		}
		h, solid = 2166136261, false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			flush()
			continue
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
			solid = true
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80:
			solid = true
		case c == '|' || c == '-' || c == '*' || c == '#' || c == '_' || c == '=' || c == '`':
			continue
		}
		h = (h ^ uint32(c)) * 16777619
	}
	flush()
	return out
}

// loops finds a phrase that follows itself.
func loops(w []uint32) bool {
	for p := 1; p <= longestPeriod && p*4 < len(w); p++ {
		need := 4 * p // words that equal the one p before: five rounds
		if p == 1 {
			need = 7
		}
		run := 0
		for i := p; i < len(w); i++ {
			if w[i] != w[i-p] {
				run = 0
				continue
			}
			if run++; run >= max(need, 7) {
				return true
			}
		}
	}
	return false
}

// crowded finds phrases that come back too often, near each other or not.
func crowded(w []uint32) bool {
	if len(w) < shingle*shingleRepeats {
		return false
	}
	size := 64
	for size < 2*len(w) {
		size *= 2
	}
	type slot struct {
		key   uint32
		count uint32
	}
	table := make([]slot, size)
	find := func(i int) *slot {
		h := uint32(2166136261)
		for _, x := range w[i : i+shingle] {
			h = (h ^ x) * 16777619
			h ^= h >> 15
		}
		if h == 0 {
			h = 1
		}
		at := h & uint32(size-1)
		for table[at].key != 0 && table[at].key != h {
			at = (at + 1) & uint32(size-1)
		}
		table[at].key = h
		return &table[at]
	}
	for i := 0; i+shingle <= len(w); i++ {
		find(i).count++
	}
	covered, until := 0, 0
	for i := 0; i+shingle <= len(w); i++ {
		if find(i).count < shingleRepeats {
			continue
		}
		covered += i + shingle - max(i, until)
		until = i + shingle
	}
	return covered*5 >= 2*len(w)
}
