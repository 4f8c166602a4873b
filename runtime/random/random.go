// Package random gives every purpose in a run its own named stream of random
// numbers, so that a result depends on the plan and its seed and never on the
// order in which processors did the work.
//
// It imports the standard library only.
package random

import (
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	"math/bits"
	"math/rand/v2"
)

// Stream is a ChaCha8 generator seeded by the SHA-256 of its name. It is not
// safe for concurrent use.
type Stream struct{ rand.ChaCha8 }

// New returns the stream that the parts name. Equal parts give equal streams;
// parts are length-prefixed, so ("ab","c") and ("a","bc") differ.
func New(parts ...string) *Stream {
	h := sha256.New()
	var n [8]byte
	for _, p := range parts {
		binary.BigEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	s := &Stream{}
	s.Seed([32]byte(h.Sum(nil)))
	return s
}

// Float64 is uniform in [0, 1), a multiple of 2^-53.
func (s *Stream) Float64() float64 { return float64(s.Uint64()>>11) / (1 << 53) }

// Below is uniform in [0, n). The bias of the multiply-shift method is below
// n/2^64.
func (s *Stream) Below(n uint64) uint64 {
	hi, _ := bits.Mul64(s.Uint64(), n)
	return hi
}

// Chance is a probability in steps of 2^-64.
type Chance struct {
	below  uint64
	always bool
}

// ChanceOf rounds p down to a multiple of 2^-64. Values outside [0, 1] are
// clamped.
func ChanceOf(p *big.Rat) Chance {
	if p.Sign() <= 0 {
		return Chance{}
	}
	if p.Cmp(big.NewRat(1, 1)) >= 0 {
		return Chance{always: true}
	}
	v := new(big.Int).Lsh(p.Num(), 64)
	v.Quo(v, p.Denom())
	return Chance{below: v.Uint64()}
}

// Rat is the probability as a fraction.
func (c Chance) Rat() *big.Rat {
	if c.always {
		return big.NewRat(1, 1)
	}
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(c.below), new(big.Int).Lsh(big.NewInt(1), 64))
}

// Hit draws once and tells whether an event of probability c happened. A
// certain or impossible event draws too, so that changing a probability does
// not shift the rest of the stream.
func (s *Stream) Hit(c Chance) bool { return s.Uint64() < c.below || c.always }
