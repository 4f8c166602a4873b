package virtual

import (
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/arrivals"
	"github.com/fdbench/fdbench/runtime/random"
)

// schedule is the open loop of a load point: the next arrival never waits for
// a response. Constant arrivals begin at a random instant of the first gap.
func schedule(rate exact.Number, kind string, s *random.Stream) *arrivals.Schedule {
	if kind == "poisson" {
		return arrivals.Poisson(rate, s)
	}
	c := arrivals.Constant(rate)
	c.Begin(int64(s.Below(uint64(c.Mean()))))
	return c
}
