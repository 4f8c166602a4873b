package random

import (
	"math/big"
	"testing"
)

var sink bool

func BenchmarkBernoulli(b *testing.B) {
	s := New("bench")
	c := ChanceOf(big.NewRat(2, 100))
	n := 0
	for b.Loop() {
		if s.Hit(c) {
			n++
		}
	}
	sink = n > 0
}
