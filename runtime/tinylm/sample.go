package tinylm

import (
	"math"
	"sort"

	"github.com/fdbench/fdbench/runtime/random"
)

// Sampling says how the next token is drawn. The zero value takes the most
// likely one each time.
type Sampling struct {
	Temperature float64         // 0 is greedy
	TopK        int             // of the most likely tokens; 0 for all
	TopP        float64         // the fewest tokens whose probabilities reach it; 0 or 1 for all
	MinP        float64         // tokens at least this likely, relative to the likeliest; 0 for all
	Bias        map[int]float64 // added to the logits
}

// Sampler draws tokens from a stream of random numbers of its own.
type Sampler struct {
	s     Sampling
	r     *random.Stream
	order []candidate
}

type candidate struct {
	id    int
	logit float64
	p     float64
}

// NewSampler makes a sampler. Equal streams draw equal tokens.
func NewSampler(s Sampling, r *random.Stream) *Sampler { return &Sampler{s: s, r: r} }

// Next draws from the logits, which it does not change.
func (s *Sampler) Next(logits []float32) int {
	best, most := 0, math.Inf(-1)
	s.order = s.order[:0]
	for id, l := range logits {
		v := float64(l)
		if s.s.Bias != nil {
			v += s.s.Bias[id]
		}
		if v > most {
			best, most = id, v
		}
		s.order = append(s.order, candidate{id: id, logit: v})
	}
	if s.s.Temperature <= 0 {
		return best
	}
	for i := range s.order {
		s.order[i].p = math.Exp((s.order[i].logit - most) / s.s.Temperature)
	}
	if k := s.s.TopK; k > 0 && k < len(s.order) {
		s.sort()
		s.order = s.order[:k]
	}
	if s.s.MinP > 0 {
		// Relative to the likeliest at temperature 1, as llama.cpp does it.
		kept := s.order[:0]
		for _, c := range s.order {
			if math.Exp(c.logit-most) >= s.s.MinP {
				kept = append(kept, c)
			}
		}
		s.order = kept
	}
	var sum float64
	for _, c := range s.order {
		sum += c.p
	}
	if p := s.s.TopP; p > 0 && p < 1 {
		s.sort()
		reached := 0.0
		for i, c := range s.order {
			if reached += c.p / sum; reached >= p {
				s.order = s.order[:i+1]
				break
			}
		}
		sum = 0
		for _, c := range s.order {
			sum += c.p
		}
	}
	x := s.r.Float64() * sum
	for _, c := range s.order {
		if x -= c.p; x < 0 {
			return c.id
		}
	}
	return best
}

// sort puts the likeliest first; of equals the one with the lower id.
func (s *Sampler) sort() {
	sort.Slice(s.order, func(i, j int) bool {
		a, b := s.order[i], s.order[j]
		return a.logit > b.logit || a.logit == b.logit && a.id < b.id
	})
}

// Reasons for which an answer ends.
const (
	FinishStop   = "stop"
	FinishLength = "length"
)

// Generate answers. prompt holds tokens of which the state has some already;
// each piece of the answer goes to yield, which ends it by false. A character
// that takes several tokens is given in one piece.
//
// It returns how many tokens the answer has, and why it ended: FinishStop,
// FinishLength, or "" where yield did.
func Generate(s *State, prompt []int, sampler *Sampler, most int, yield func(piece []byte) bool) (tokens int, finish string) {
	var logits []float32
	for _, t := range prompt[len(s.Tokens):] {
		logits = s.Step(t)
	}
	end := s.m.Tokenizer.Special(TokenEnd)
	var held []byte
	give := func(force bool) bool {
		n := whole(held)
		if force {
			n = len(held)
		}
		if n == 0 {
			return true
		}
		ok := yield(held[:n])
		held = append([]byte{}, held[n:]...)
		return ok
	}
	for tokens < most && s.Room() > 0 {
		next := sampler.Next(logits)
		if next == end {
			give(true)
			return tokens, FinishStop
		}
		tokens++
		held = append(held, s.m.Tokenizer.Bytes(next)...)
		if !give(false) {
			return tokens, ""
		}
		logits = s.Step(next)
	}
	give(true)
	return tokens, FinishLength
}

// whole is how many bytes of b are not the beginning of a character whose rest
// may still come.
func whole(b []byte) int {
	for i := 1; i <= 3 && i <= len(b); i++ {
		c := b[len(b)-i]
		if c < 0x80 {
			break
		}
		if c >= 0xc0 {
			need := 2
			if c >= 0xf0 {
				need = 4
			} else if c >= 0xe0 {
				need = 3
			}
			if i < need {
				return len(b) - i
			}
			break
		}
	}
	return len(b)
}
