package text

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A cue is a phrase that speaks for or against a reading of an opening. Its
// pattern is a list of steps, each matching one word of the same sentence:
//
//	word          that word
//	a|b|@class    one of these; @class is a named set of words
//	step?         may be absent
//	!a|b          the next word is none of these (consumes nothing)
//	..3           up to three words of any kind
//	~3            the same, but none of them "not", "never" or "no"
//	^             the first word of its sentence
//
// Contractions are spelled out before matching, so patterns say "can not".
type cue struct {
	kind    cueKind
	points  int
	pattern string
}

type step struct {
	set      []uint64 // bit set over the vocabulary
	optional bool
	not      bool
	gap      int
	plain    bool // the gap holds no negation
	start    bool
}

type compiledCue struct {
	kind   cueKind
	points int
	steps  []step
}

// A cueSet is compiled cues with an index from a word to the cues that can
// begin with it.
type cueSet struct {
	vocab  map[string]uint16
	cues   []compiledCue
	starts [][]uint16
	class  map[string][]uint64

	negations [3]uint16
}

// compileCues builds the matcher. It panics on a malformed pattern: patterns
// are part of the program, and every start of the program compiles them all.
func compileCues(classes map[string]string, list []cue) *cueSet {
	s := &cueSet{vocab: map[string]uint16{}, class: map[string][]uint64{}}
	words := map[string]bool{"not": true, "never": true, "no": true}
	for _, text := range classes {
		for _, w := range strings.Fields(text) {
			words[w] = true
		}
	}
	for _, c := range list {
		for _, f := range strings.Fields(c.pattern) {
			if f == "^" || strings.HasPrefix(f, "..") || strings.HasPrefix(f, "~") {
				continue
			}
			for _, w := range strings.Split(strings.TrimPrefix(strings.TrimSuffix(f, "?"), "!"), "|") {
				if !strings.HasPrefix(w, "@") {
					words[w] = true
				}
			}
		}
	}
	for i, w := range slices.Sorted(maps.Keys(words)) {
		s.vocab[w] = uint16(i + 1)
	}
	s.negations = [3]uint16{s.vocab["not"], s.vocab["never"], s.vocab["no"]}
	size := (len(s.vocab) + 64) / 64
	for name, text := range classes {
		set := make([]uint64, size)
		for _, w := range strings.Fields(text) {
			id := s.vocab[w]
			set[id/64] |= 1 << (id % 64)
		}
		s.class[name] = set
	}
	s.starts = make([][]uint16, len(s.vocab)+1)
	for i, c := range list {
		cc := compiledCue{kind: c.kind, points: c.points}
		for _, f := range strings.Fields(c.pattern) {
			cc.steps = append(cc.steps, s.step(f, size))
		}
		s.index(uint16(i), cc.steps)
		s.cues = append(s.cues, cc)
	}
	return s
}

func (s *cueSet) step(f string, size int) step {
	var st step
	if f == "^" {
		return step{start: true}
	}
	if f[0] == '.' || f[0] == '~' {
		gap, err := strconv.Atoi(strings.TrimLeft(f, ".~"))
		if err != nil {
			panic(fmt.Sprintf("text: bad gap %q in a cue", f))
		}
		return step{gap: gap, plain: f[0] == '~'}
	}
	if rest, ok := strings.CutSuffix(f, "?"); ok {
		st.optional, f = true, rest
	}
	if rest, ok := strings.CutPrefix(f, "!"); ok {
		st.not, f = true, rest
	}
	st.set = make([]uint64, size)
	for _, w := range strings.Split(f, "|") {
		if name, ok := strings.CutPrefix(w, "@"); ok {
			set, known := s.class[name]
			if !known {
				panic(fmt.Sprintf("text: no word class %q", name))
			}
			for i := range set {
				st.set[i] |= set[i]
			}
			continue
		}
		id := s.vocab[w]
		st.set[id/64] |= 1 << (id % 64)
	}
	return st
}

// index notes every word that a cue can begin with.
func (s *cueSet) index(cue uint16, steps []step) {
	for _, st := range steps {
		if st.start {
			continue
		}
		if st.not || st.gap > 0 {
			panic("text: a cue begins with a word")
		}
		for id := range s.starts {
			if has(st.set, uint16(id)) && !slices.Contains(s.starts[id], cue) {
				s.starts[id] = append(s.starts[id], cue)
			}
		}
		if !st.optional {
			return
		}
	}
}

func has(set []uint64, id uint16) bool { return set[id/64]&(1<<(id%64)) != 0 }

// is tells whether a word belongs to a class.
func (s *cueSet) is(class string, id uint16) bool { return has(s.class[class], id) }

// each calls f for every cue that matches, at the token where it begins.
func (s *cueSet) each(toks []token, f func(c *compiledCue, at, end int)) {
	for at := range toks {
		for _, i := range s.starts[toks[at].word] {
			c := &s.cues[i]
			if end := match(s, c.steps, toks, at, toks[at].sent); end >= 0 {
				f(c, at, end)
			}
		}
	}
}

// match returns the index after the match, or -1.
func match(s *cueSet, steps []step, toks []token, at int, sent uint8) int {
	for k := range steps {
		st := &steps[k]
		inside := at < len(toks) && toks[at].sent == sent
		switch {
		case st.start:
			if at > 0 && toks[at-1].sent == sent {
				return -1
			}
		case st.gap > 0:
			for skip := 0; skip <= st.gap; skip++ {
				if end := match(s, steps[k+1:], toks, at+skip, sent); end >= 0 {
					return end
				}
				if st.plain && at+skip < len(toks) && slices.Contains(s.negations[:], toks[at+skip].word) {
					return -1
				}
			}
			return -1
		case st.not:
			if inside && has(st.set, toks[at].word) {
				return -1
			}
		case st.optional:
			if inside && has(st.set, toks[at].word) {
				if end := match(s, steps[k+1:], toks, at+1, sent); end >= 0 {
					return end
				}
			}
		default:
			if !inside || !has(st.set, toks[at].word) {
				return -1
			}
			at++
		}
	}
	return at
}
