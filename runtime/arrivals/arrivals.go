// Package arrivals gives the instants at which an open loop offers requests:
// an absolute schedule that no response can delay. Virtual and live worlds
// draw from the same one.
//
// It imports lang/exact and runtime/random only.
package arrivals

import (
	"math"
	"math/big"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/random"
)

// Schedule gives arrival after arrival. It is used by one goroutine at a time.
type Schedule struct {
	next    int64
	count   uint64
	poisson bool
	stream  *random.Stream
	mean    float64 // nanoseconds between arrivals

	whole, rem, acc, den int64 // 1/rate as whole + rem/den nanoseconds, and what rounding has left over
}

// Constant spaces arrivals evenly, at exactly the rate in the long run: the
// n-th, from 0, is at n/rate seconds, rounded down to a nanosecond.
func Constant(rate exact.Number) *Schedule {
	gap := exact.Int(int64(exact.Second)).Div(rate).Rat()
	s := &Schedule{}
	s.mean, _ = gap.Float64()
	q, r := new(big.Int).QuoRem(gap.Num(), gap.Denom(), new(big.Int))
	s.whole, s.rem, s.den = q.Int64(), r.Int64(), gap.Denom().Int64()
	return s
}

// Poisson draws exponential gaps with the rate's mean from the stream. The
// first arrival comes after a gap too.
func Poisson(rate exact.Number, stream *random.Stream) *Schedule {
	s := Constant(rate)
	s.poisson, s.stream = true, stream
	s.next = s.gap()
	return s
}

// Next is the instant of the arrival that comes next, in nanoseconds, and its
// number, from 0.
func (s *Schedule) Next() (at int64, n uint64) { return s.next, s.count }

// Advance moves on to the following arrival.
func (s *Schedule) Advance() {
	s.count++
	if s.poisson {
		s.next += s.gap()
		return
	}
	s.next += s.whole
	if s.rem > 0 {
		if s.acc += s.rem; s.acc >= s.den {
			s.acc -= s.den
			s.next++
		}
	}
}

// Begin moves the whole schedule by so many nanoseconds. It is called before
// the first Advance.
func (s *Schedule) Begin(at int64) { s.next += at }

// Mean is the mean time between arrivals in nanoseconds, rounded down, and at
// least 1.
func (s *Schedule) Mean() int64 { return max(1, s.whole) }

// Gap is the mean time between arrivals in nanoseconds, as close as a float64
// comes.
func (s *Schedule) Gap() float64 { return s.mean }

func (s *Schedule) gap() int64 { return int64(math.Round(-s.mean * math.Log1p(-s.stream.Float64()))) }
