package blocks

import (
	"math/bits"
	"slices"
)

// Span goes through the recipient from left to right. At each token it copies
// the longest run that some donor has at any offset, if that is MinRun tokens
// or more, and goes on behind it; else it goes on with the next token. Among
// runs of one length the first donor's is taken, and its first.
//
// A table of the donors' windows of MinRun tokens answers at once for ordinary
// text. Text that repeats itself has many places for a window; once the work
// exceeds some 20 steps a token, an automaton answers instead, whose time does
// not depend on that (and whose memory is some 150 bytes a donor token). Both
// give the same plan.
type Span struct {
	MinRun int // in tokens, at least 1

	text  []uint32 // the donors' tokens, one donor after the other
	ends  []int32  // of the donors in text
	heads []int32  // first window of each place of the table; -1: none
	nexts []int32  // the next window of the same place
	auto  automaton
	// always makes the automaton answer from the start, for tests.
	always bool
}

// run is the longest run that some donor has of the recipient at one token.
type run struct{ start, n int32 }

// Plan implements Planner.
func (s *Span) Plan(dst []Action, recipient []uint32, donors []Donor) []Action {
	s.text, s.ends = s.text[:0], s.ends[:0]
	for _, d := range donors {
		s.text = append(s.text, d.Tokens...)
		s.ends = append(s.ends, int32(len(s.text)))
	}
	if len(s.text) < s.MinRun || len(recipient) < s.MinRun {
		return dst
	}
	done := 0
	if !s.always {
		var enough bool
		if dst, done, enough = s.byWindows(dst, recipient, donors); enough {
			return dst
		}
	}
	runs := s.auto.match(s.text, s.ends, recipient[done:])
	for t := done; t < len(recipient); {
		r := runs[t-done]
		if int(r.n) < s.MinRun {
			t++
			continue
		}
		dst = append(dst, s.action(t, r, donors))
		t += int(r.n)
	}
	return dst
}

func (s *Span) action(target int, r run, donors []Donor) Action {
	d, start := s.donor(r.start), int32(0)
	if d > 0 {
		start = s.ends[d-1]
	}
	return Action{Copy, int64(target), int64(r.n), int64(r.start - start), donors[d].ID}
}

// donor is the one that a place in text belongs to.
func (s *Span) donor(at int32) int {
	d, _ := slices.BinarySearch(s.ends, at+1) // the first that ends behind it
	return d
}

const multiplier = 0x9E3779B97F4A7C15

// scatter makes of a token what a window's hash is summed from.
func scatter(id uint32) uint64 { return (uint64(id) + 1) * 0xD6E8FEB86659FD93 }

// byWindows plans as far as its work allows. It returns the first token that it
// did not decide on, and whether it came to the end.
func (s *Span) byWindows(dst []Action, recipient []uint32, donors []Donor) (_ []Action, done int, enough bool) {
	shift := s.build()
	out := uint64(1) // the weight of a window's first token
	for range s.MinRun - 1 {
		out *= multiplier
	}
	steps := 20*(len(s.text)+len(recipient)) + 4096
	fresh := true
	var h uint64
	for t := 0; t+s.MinRun <= len(recipient); {
		if fresh {
			h = 0
			for _, id := range recipient[t : t+s.MinRun] {
				h = h*multiplier + scatter(id)
			}
			fresh = false
		}
		best := run{}
		d := -1
		for at := s.heads[place(h, shift)]; at >= 0; at = s.nexts[at] {
			if d < 0 || s.ends[d] <= at {
				d = s.donor(at)
			}
			if steps < 0 {
				return dst, t, false
			}
			have, want := s.text[at:s.ends[d]], recipient[t:]
			if steps--; len(have) <= int(best.n) || best.n > 0 && have[best.n] != want[best.n] {
				continue
			}
			n := common(have, want)
			steps -= n / 4
			if n > int(best.n) {
				best = run{at, int32(n)}
			}
			if n == len(want) {
				break
			}
		}
		if int(best.n) >= s.MinRun {
			dst = append(dst, s.action(t, best, donors))
			t += int(best.n)
			fresh = true
			continue
		}
		if t+s.MinRun < len(recipient) {
			h = (h-out*scatter(recipient[t]))*multiplier + scatter(recipient[t+s.MinRun])
		}
		t++
	}
	return dst, len(recipient), true
}

// build fills the table with all windows, each place's in ascending order.
func (s *Span) build() (shift int) {
	width := max(4, bits.Len(uint(len(s.text))))
	s.heads = slices.Grow(s.heads[:0], 1<<width)[:1<<width]
	for i := range s.heads {
		s.heads[i] = -1
	}
	s.nexts = slices.Grow(s.nexts[:0], len(s.text))[:len(s.text)]
	shift = 64 - width
	// From the last window to the first, so that the first is found first. The
	// hash rolls backwards with it.
	weights := uint64(1)
	for range s.MinRun - 1 {
		weights *= multiplier
	}
	inverse := invert(multiplier)
	for d := len(s.ends) - 1; d >= 0; d-- {
		begin := int32(0)
		if d > 0 {
			begin = s.ends[d-1]
		}
		t := s.text[begin:s.ends[d]]
		if len(t) < s.MinRun {
			continue
		}
		var h uint64
		at := len(t) - s.MinRun
		for _, id := range t[at:] {
			h = h*multiplier + scatter(id)
		}
		for ; ; at-- {
			p := place(h, shift)
			s.nexts[int(begin)+at] = s.heads[p]
			s.heads[p] = begin + int32(at)
			if at == 0 {
				break
			}
			h = (h-scatter(t[at+s.MinRun-1]))*inverse + weights*scatter(t[at-1])
		}
	}
	return shift
}

// place mixes a window's hash, whose low bits know only its last tokens.
func place(h uint64, shift int) uint64 { return (h ^ h>>29) * 0xBF58476D1CE4E5B9 >> shift }

// invert returns the inverse of an odd number modulo 2^64, by Newton's method.
func invert(odd uint64) uint64 {
	x := odd
	for range 5 {
		x *= 2 - odd*x
	}
	return x
}

// common is the length of the longest common beginning.
func common(a, b []uint32) int {
	n := min(len(a), len(b))
	a, b = a[:n], b[:n]
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
