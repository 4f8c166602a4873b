package virtual

import (
	"math"
	"math/big"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/random"
)

// traffic is the schedule of an open loop: the next arrival never waits for a
// response.
type traffic struct {
	next    int64
	poisson bool
	stream  *random.Stream

	whole, rem, den int64 // constant: spacing is whole + rem/den nanoseconds
	acc             int64
	mean            float64 // poisson: mean gap in nanoseconds
	count           int64
}

func newTraffic(rate exact.Number, arrivals string, s *random.Stream) *traffic {
	t := &traffic{stream: s, poisson: arrivals == "poisson"}
	gap := exact.Int(int64(exact.Second)).Div(rate).Rat()
	t.mean, _ = gap.Float64()
	q, m := new(big.Int).DivMod(gap.Num(), gap.Denom(), new(big.Int))
	t.whole, t.rem, t.den = q.Int64(), m.Int64(), gap.Denom().Int64()
	if t.poisson {
		t.advance()
		t.count = 0
	} else {
		t.next = int64(s.Below(uint64(max(1, t.whole))))
	}
	return t
}

// spacing is the mean time between arrivals in nanoseconds.
func (t *traffic) spacing() int64 { return max(1, int64(t.mean)) }

// advance moves on to the following arrival.
func (t *traffic) advance() {
	t.count++
	if t.poisson {
		t.next += int64(math.Round(-t.mean * math.Log1p(-t.stream.Float64())))
		return
	}
	t.next += t.whole
	if t.rem > 0 {
		if t.acc += t.rem; t.acc >= t.den {
			t.acc -= t.den
			t.next++
		}
	}
}
