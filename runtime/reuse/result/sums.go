package result

import (
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// tally sums up rows: all of them, those with a plan, those that a backend
// reported on.
type tally struct {
	n, tokens, blocks, exact, prefix                         int64
	planned, plannedTokens, plannedBlocks, plannedExact      int64
	candidate, eligible, invalid                             int64
	sent, measured, serverBlocks, confirmed, confirmedTokens int64
	measuredBlocks, measuredExact                            int64 // by the declared tokenizer
	told, placed                                             int64
}

// sums are those of all rows, and of the controls among them.
type sums struct{ all, control tally }

func (s *sums) item(x *record.Item, block int64) {
	s.all.item(x)
	if x.Control {
		s.control.item(x)
	}
}

func (t *tally) item(x *record.Item) {
	t.n++
	t.tokens += x.PromptTokens
	t.blocks += x.TotalBlocks
	t.exact += x.ExactBlocks
	t.prefix += x.PrefixBlocks
	if !x.Planned {
		return
	}
	t.planned++
	t.plannedTokens += x.PromptTokens
	t.plannedBlocks += x.TotalBlocks
	t.plannedExact += x.ExactBlocks
	t.candidate += x.Candidate
	t.eligible += x.Eligible
	for _, r := range x.Invalid {
		t.invalid += r.N
	}
}

func (s *sums) pair(p *pair, block int64) {
	s.all.pair(p, block)
	if p.control {
		s.control.pair(p, block)
	}
}

// pair adds the warm request of a clean pair. Requests that the backend did not
// report on are in neither side of a rate (KV-5-1), and those of contaminated
// pairs are in no aggregate (KV-8-6).
func (t *tally) pair(p *pair, block int64) {
	t.sent++
	if o := p.outcome(); o != "" {
		t.told++
		if o == semanticPlacement {
			t.placed++
		}
	}
	if p.state != clean || !p.measured(block) {
		return
	}
	t.measured++
	t.serverBlocks += p.serverBlocks(block)
	t.confirmed += p.warm.cached.n / block
	t.confirmedTokens += p.warm.cached.n
	t.measuredBlocks += p.blocks
	t.measuredExact += p.exact
}

const semanticPlacement = "semantic_placement"

// rate divides, where there is something to divide by.
func rate(n, d, measured, of int64) Rate {
	r := Rate{Numerator: n, Denominator: d, Measured: measured, Of: of}
	if d != 0 {
		v := exact.Frac(n, d).Float64()
		r.Value = &v
	}
	return r
}

// lift is the difference of two rates, exactly and then rounded once.
func lift(a, b Rate) Lift {
	l := Lift{Rate: a, Less: b}
	if n, ok := l.Exact(); ok {
		v := n.Float64()
		l.Value = &v
	}
	return l
}

// Exact is the value as a fraction, and false where there is none.
func (r Rate) Exact() (exact.Number, bool) {
	if r.Denominator == 0 {
		return exact.Number{}, false
	}
	return exact.Frac(r.Numerator, r.Denominator), true
}

// Exact is the value as a fraction, and false where there is none.
func (l Lift) Exact() (exact.Number, bool) {
	a, okA := l.Rate.Exact()
	b, okB := l.Less.Exact()
	return a.Sub(b), okA && okB
}

// mode says which figures exist.
type mode struct{ planner, live bool }

// group is what a tally comes to. of is the number of requests that there are.
func (t *tally) group(block int64, m mode) Group {
	g := Group{Requests: t.n, PromptTokens: t.tokens, TotalBlocks: t.blocks, ExactBlocks: t.exact, PrefixBlocks: t.prefix,
		ExactRate:      rate(t.exact, t.blocks, t.n, t.n),
		ExactTokenRate: rate(t.exact*block, t.tokens, t.n, t.n),
		PrefixRate:     rate(t.prefix, t.blocks, t.n, t.n),
	}
	if m.planner {
		g.CandidateBlocks, g.EligibleBlocks, g.InvalidActions = new(t.candidate), new(t.eligible), new(t.invalid)
		g.CandidateRate = new(rate(t.candidate, t.plannedBlocks, t.planned, t.n))
		g.CandidateTokenRate = new(rate(t.candidate*block, t.plannedTokens, t.planned, t.n))
		g.EligibleRate = new(rate(t.eligible, t.plannedBlocks, t.planned, t.n))
		g.EligibleTokenRate = new(rate(t.eligible*block, t.plannedTokens, t.planned, t.n))
		g.EligibleLift = new(lift(*g.EligibleRate, rate(t.plannedExact, t.plannedBlocks, t.planned, t.n)))
	}
	if m.live {
		g.ConfirmedRequests = new(t.measured)
		if t.measured > 0 {
			g.ConfirmedBlocks, g.ConfirmedTokens = new(t.confirmed), new(t.confirmedTokens)
		}
		g.ConfirmedRate = new(rate(t.confirmed, t.serverBlocks, t.measured, t.n))
		g.ConfirmedLift = new(lift(*g.ConfirmedRate, rate(t.measuredExact, t.measuredBlocks, t.measured, t.n)))
	}
	return g
}

// controls is what the tally of the controls comes to.
func (t *tally) controls(m mode, routes bool) Controls {
	c := Controls{Count: t.n, Blocks: t.blocks}
	if t.n == 0 {
		return c
	}
	c.ExactRate = new(rate(t.exact, t.blocks, t.n, t.n))
	if m.planner {
		c.EligibleRate = new(rate(t.eligible, t.plannedBlocks, t.planned, t.n))
	}
	if m.live {
		c.ConfirmedRate = new(rate(t.confirmed, t.serverBlocks, t.measured, t.n))
		if routes {
			c.PlacementRate = new(rate(t.placed, t.told, t.told, t.n))
		}
	}
	return c
}
