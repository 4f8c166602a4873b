package compiler

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
)

// clock adds spans and remembers whether a sum ever left 292 years.
type clock struct{ overflow bool }

func (c *clock) add(a, b exact.Duration) exact.Duration {
	if a > math.MaxInt64-b {
		c.overflow = true
		return math.MaxInt64
	}
	return a + b
}

func (c *clock) mul(d exact.Duration, n int) exact.Duration {
	hi, lo := bits.Mul64(uint64(d), uint64(n))
	if hi != 0 || lo > math.MaxInt64 {
		c.overflow = true
		return math.MaxInt64
	}
	return exact.Duration(lo)
}

// budgetCase is how a series might go: how long a trial keeps its fault
// applied, how many attempts it takes, how many magnitudes a search tries, how
// long a sham trial lasts, and how long the quiet period after each.
type budgetCase struct {
	name        string
	applied     func(window, verification, timeout exact.Duration, ramp exact.Duration) exact.Duration
	attempts    func(trials, most int, discard string) int
	evaluations func(steps int) int
	sham        func(timeout exact.Duration) exact.Duration
	quiet       func(q plan.Quiet, l plan.LoadPoint, hold exact.Duration) exact.Duration
}

// shortest is how long a fault stays applied at least: a detection does not
// end its verification (AMB-07).
func shortest(_, verification, timeout, ramp exact.Duration) exact.Duration {
	return min(verification+ramp, timeout)
}

// undetected is the share of trials that the expected case takes to run into
// the timeout: a matrix that is worth its time has some magnitudes near the
// detector's limit. It is a planning figure and no measurement.
const undetected = 8

// shortestQuiet is how long a gate stays shut at least: hold is how long a
// running detector is expected to keep alert state.
func shortestQuiet(q plan.Quiet, l plan.LoadPoint, hold exact.Duration) exact.Duration {
	return max(q.AtLeast, l.Window*exact.Duration(q.Windows), hold)
}

var budgetCases = [3]budgetCase{
	{
		"best", shortest,
		func(trials, _ int, _ string) int { return trials },
		func(int) int { return 1 }, // the upper bound misses the target
		func(exact.Duration) exact.Duration { return 0 },
		shortestQuiet,
	},
	{
		"expected",
		func(w, v, t, ramp exact.Duration) exact.Duration {
			found := min(max(w, v)+ramp, t)
			return found + (t-found)/undetected
		},
		func(trials, most int, discard string) int {
			q, err := strconv.ParseFloat(discard, 64)
			if err != nil || q >= 1 {
				return most
			}
			return min(most, int(math.Ceil(float64(trials)/(1-q)-1e-6)))
		},
		func(steps int) int { return steps + 2 },
		func(t exact.Duration) exact.Duration { return t },
		// Back at baseline, the gate passes 95 percent of the time (AMB-21).
		func(q plan.Quiet, l plan.LoadPoint, hold exact.Duration) exact.Duration {
			return min(max(q.AtMost, q.AtLeast), shortestQuiet(q, l, hold)+l.Window)
		},
	},
	{
		"worst",
		func(_, _, t, _ exact.Duration) exact.Duration { return t },
		func(_, most int, _ string) int { return most },
		// A declared lower bound that meets the target sends the search to the floor.
		func(steps int) int { return steps + 3 },
		func(t exact.Duration) exact.Duration { return t },
		func(q plan.Quiet, l plan.LoadPoint, hold exact.Duration) exact.Duration {
			return max(q.AtMost, shortestQuiet(q, l, hold))
		},
	},
}

// budget works out the test time of the series: methodology-wide, not the wall
// time of a simulation. For each load it is the baseline, a first quiet
// period, the sham trials, the trials and searches with a quiet period after
// each, the masking trials, and the false detection observation of at least
// the time under fault (AMB-28); in real time that is cut into stretches, each
// with a quiet period before it. A search takes its bisections and both bounds
// (AMB-31), as many as the plan holds; at best its upper bound misses the
// target. The parts into which a simulation cuts a series add a little to each.
func (s *series) budget() {
	p := s.plan
	b := &p.Budget
	var k clock
	for l, point := range p.Declaration.Load.Points {
		var total [3]exact.Duration
		for i, kase := range budgetCases {
			total[i] = s.loadBudget(&k, kase, l, point)
		}
		b.LoadBudget = append(b.LoadBudget, plan.LoadBudget{Load: l, Best: total[0], Expected: total[1], Worst: total[2]})
		b.Best, b.Expected, b.Worst = k.add(b.Best, total[0]), k.add(b.Expected, total[1]), k.add(b.Worst, total[2])
	}
	for _, c := range p.Combinations.Trials {
		b.Trials += c.Trials
		b.MaxTrials += c.Attempts
	}
	for _, q := range p.Combinations.Searches {
		b.Trials += (q.Steps + 2) * q.Trials
		b.MaxTrials += (q.Steps + 2) * q.Attempts
	}
	if k.overflow {
		s.c.errorAt(s.block.DefRange, "LANG-range", "Series too long",
			fmt.Sprintf("Series %q could take more than 292 years of test time. Shorten its windows, timeouts or matrix.", s.name))
		s.d.bad = true
	}
}

func (s *series) loadBudget(k *clock, kase budgetCase, l int, point plan.LoadPoint) exact.Duration {
	p := s.plan
	var hold exact.Duration
	if s.live() {
		hold = s.ctx.Hold(point)
	}
	quiet := kase.quiet(p.Declaration.Quiet, point, hold)
	total := k.add(point.Baseline, quiet)
	var fault exact.Duration
	apply := func(span exact.Duration, n int) {
		total = k.add(total, k.mul(k.add(span, quiet), n))
		fault = k.add(fault, k.mul(span, n))
	}
	if hasTrials(p) {
		// A sham trial has nothing to detect and is no time under fault.
		total = k.add(total, k.mul(k.add(kase.sham(point.Timeout), quiet), p.Declaration.Sham.Trials))
	}
	for _, c := range p.Combinations.Trials {
		if c.Load == l {
			apply(kase.applied(point.Window, c.Verification, c.Timeout, c.Profile.Ramp), kase.attempts(c.Trials, c.Attempts, c.Discard))
		}
	}
	for _, q := range p.Combinations.Searches {
		if q.Load == l {
			apply(kase.applied(point.Window, q.Verification, q.Timeout, q.Profile.Ramp), kase.evaluations(q.Steps)*kase.attempts(q.Trials, q.Attempts, "0"))
		}
	}
	if m := p.Declaration.Masking; m != nil {
		apply(point.Verification, len(m.Targets)*kase.attempts(m.Trials, (3*m.Trials+1)/2, "0"))
	}
	period := max(p.Declaration.FalseDetection.AtLeast, fault)
	if !s.live() || k.overflow || period > math.MaxInt64-point.Window {
		return k.add(total, period)
	}
	n, length := p.Stretches(l, period)
	return k.add(total, k.add(length, k.mul(quiet, n)))
}
