package random

import (
	"fmt"
	"math"
	"math/big"
	"testing"
)

var sink bool

var fixed = [2]uint64{15279331098762897983, 14230167210406848039}

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

func TestNamesSeparateStreams(t *testing.T) {
	first := func(parts ...string) uint64 { return New(parts...).Uint64() }
	if once, again := first("a", "b"), first("a", "b"); once != again {
		t.Error("one name gave two streams")
	}
	seen := map[uint64]string{}
	for _, parts := range [][]string{{"ab", "c"}, {"a", "bc"}, {"abc"}, {"a", "b", "c"}, {}, {""}} {
		v := first(parts...)
		if other, ok := seen[v]; ok {
			t.Errorf("%q and %q share a stream", parts, other)
		}
		seen[v] = fmt.Sprint(parts)
	}
}

func TestChances(t *testing.T) {
	s := New("chances")
	for _, c := range []struct {
		p    *big.Rat
		want float64
	}{{big.NewRat(0, 1), 0}, {big.NewRat(1, 1), 1}, {big.NewRat(-1, 2), 0}, {big.NewRat(3, 2), 1}, {big.NewRat(1, 50), 0.02}, {big.NewRat(1, 3), 1.0 / 3}} {
		const n = 200000
		hits := 0
		for range n {
			if s.Hit(ChanceOf(c.p)) {
				hits++
			}
		}
		if off := math.Abs(float64(hits)/n - c.want); off > 5*math.Sqrt(c.want*(1-c.want)/n) {
			t.Errorf("p = %s: %d of %d", c.p, hits, n)
		}
	}
}

func TestBelowIsUniform(t *testing.T) {
	s := New("below")
	const n, k = 120000, 12
	counts := [k]int{}
	for range n {
		counts[s.Below(k)]++
	}
	chi := 0.0
	for _, c := range counts {
		chi += (float64(c) - n/k) * (float64(c) - n/k) / (n / k)
	}
	if chi > 33 { // 11 degrees of freedom, about 1 in 2000
		t.Errorf("chi-square %.1f", chi)
	}
}

// TestFixedValues pins the generator: a change of it changes every result.
func TestFixedValues(t *testing.T) {
	s := New("fdbench", "1")
	if a, b := s.Uint64(), s.Uint64(); a != fixed[0] || b != fixed[1] {
		t.Errorf("got %d and %d", a, b)
	}
}

// TestChanceReadsBack wants a chance to say the probability that it draws with:
// what it was made of, rounded down to a multiple of 2^-64.
func TestChanceReadsBack(t *testing.T) {
	step := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 64))
	for _, p := range []*big.Rat{big.NewRat(0, 1), big.NewRat(1, 2), big.NewRat(1, 3), big.NewRat(2, 100), big.NewRat(1, 1), big.NewRat(1<<62, 1<<62+1)} {
		below := new(big.Rat).Sub(p, ChanceOf(p).Rat())
		if below.Sign() < 0 || below.Cmp(step) >= 0 {
			t.Errorf("%s reads back as %s", p, ChanceOf(p).Rat())
		}
	}
	if ChanceOf(big.NewRat(3, 2)).Rat().Cmp(big.NewRat(1, 1)) != 0 || ChanceOf(big.NewRat(-1, 2)).Rat().Sign() != 0 {
		t.Error("a clamped probability reads back as another one")
	}
}
