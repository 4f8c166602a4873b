package text

import (
	"strconv"

	"github.com/fdbench/fdbench/runtime/random"
)

// dice draws the choices of one transformation. Its stream is named by the
// transform and the seed, so a choice depends on nothing else.
type dice struct{ s *random.Stream }

func throw(id string, seed uint64) dice {
	return dice{random.New("stdlib/text", id, strconv.FormatUint(seed, 10))}
}

// below is uniform in [0, n); n is at least 1.
func (d dice) below(n int) int { return int(d.s.Below(uint64(n))) }

// between is uniform in [low, high].
func (d dice) between(low, high int) int { return low + d.below(high-low+1) }

// oneIn is true once in n.
func (d dice) oneIn(n int) bool { return d.below(n) == 0 }

func (d dice) pick(from []string) string { return from[d.below(len(from))] }

// order is a random permutation of [0, n).
func (d dice) order(n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	for i := n - 1; i > 0; i-- {
		j := d.below(i + 1)
		p[i], p[j] = p[j], p[i]
	}
	return p
}
