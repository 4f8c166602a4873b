package result

import (
	"github.com/fdbench/fdbench/runtime/reuse/quality"
	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// pair is both arms of one item.
type pair struct {
	item, source, transform string
	control                 bool
	blocks, exact, tokens   int64 // of the recipient, by the declared tokenizer
	row                     int   // of requests; -1
	index                   int64 // of the item
	donors                  int   // of the item

	cold, warm arm
	agreement  *float64                            // of both outputs; null where a request failed
	evidence   struct{ hits, tokens, units int64 } // of the warm request: the most that a log tells
	// coldReused tells that a log has the cold request materialise something.
	coldReused bool
	// reused tells that some log has both a hit and a materialisation of the warm
	// request, suffix that some log has both a boundary and one.
	reused, suffix bool

	state state
	used  bool // clean, with two times
}

// state is what becomes of a pair.
type state int

// States, in the order in which they are asked for.
const (
	clean state = iota
	contaminated
	errored
)

// reported is a figure that a server may have left out.
type reported struct {
	n  int64
	ok bool
}

func of(n *int64) reported {
	if n == nil {
		return reported{}
	}
	return reported{*n, true}
}

// arm is what stays of a request.
type arm struct {
	there, first, answered bool
	reset                  string // ok, failed, none
	outcome                string
	prompt, cached, fuzzy  reported
	ttft                   reported // ns; 0 is none
	engine, queue          *float64 // ms
	route                  *record.Route
	quality                *record.Quality
	donorsFailed           int
	output                 string // until both are there
	empty, truncated       bool
}

// outcomeOK is how a request that was answered ended.
const outcomeOK = "ok"

func (a *arm) take(x *record.Arm, reset string) {
	*a = arm{there: true, first: x.First, answered: x.Outcome == outcomeOK, outcome: x.Outcome, reset: x.Reset,
		prompt: of(x.PromptTokens), cached: of(x.CachedTokens), fuzzy: of(x.FuzzyTokens), ttft: of(x.TTFT),
		engine: x.EngineTTFT, queue: x.Queue, route: x.Route, quality: x.Quality, donorsFailed: x.DonorsFailed,
		output: x.Output, empty: quality.Empty(x.Output), truncated: x.Truncated}
	if a.ttft.n <= 0 {
		a.ttft = reported{}
	}
	if reset == "failed" {
		a.reset = reset
	}
}

// compare holds the outputs of both arms against each other, and lets them go.
// An output without a word counts: two of them agree, and one does not agree
// with anything (an empty answer is the worst damage, and not a missing value).
func (p *pair) compare() {
	if p.cold.answered && p.warm.answered {
		v := quality.RougeLPair(p.cold.output, p.warm.output)
		p.agreement = &v
	}
	p.cold.output, p.warm.output = "", ""
}

// judge decides what becomes of the pair (KV-8-6): first whether it is
// contaminated, and then whether it failed.
func (p *pair) judge(rule string, block int64) {
	limit := int64(0)
	if rule == contaminationBlock {
		limit = block
	}
	switch {
	case p.cold.reset == "failed" || p.warm.reset == "failed" || p.cold.cached.ok && p.cold.cached.n > limit || p.coldReused:
		p.state = contaminated
	case !p.cold.there || !p.warm.there || !p.cold.answered || !p.warm.answered || p.warm.donorsFailed > 0:
		p.state = errored
	default:
		p.state = clean
	}
	p.used = p.state == clean && p.cold.ttft.ok && p.warm.ttft.ok
}

// contaminationBlock is the rule by which up to one block is let pass.
const contaminationBlock = "block"

// checked tells whether it is known what the cold arm found.
func (p *pair) checked() bool { return p.cold.cached.ok || p.cold.reset == "failed" || p.coldReused }

// serverBlocks are the full blocks of the warm prompt as the server counts
// them, or else by the declared tokenizer: numerator and denominator of a
// confirmed rate come from one source where there is one.
func (p *pair) serverBlocks(block int64) int64 {
	if p.warm.prompt.ok {
		return p.warm.prompt.n / block
	}
	return p.blocks
}

// measured tells whether the backend told what the warm request reused, in
// tokens that can be: no more blocks of them than its prompt has. Without a
// count of its own for the prompt, a backend whose tokens are others than the
// declared tokenizer's may seem to confirm more than there is.
func (p *pair) measured(block int64) bool {
	c := p.warm.cached
	return c.ok && c.n >= 0 && c.n/block <= p.serverBlocks(block)
}

// outcome is the placement that a gateway told of the warm request, "" where it
// told none.
func (p *pair) outcome() string {
	if p.warm.route == nil {
		return ""
	}
	return p.warm.route.Outcome
}

// hit tells whether the warm request was one, and whether that is known.
func (p *pair) hit(signal string, threshold int64, logs bool) (hit, known bool) {
	if signal == signalEvidence {
		e := p.evidence
		return e.hits > 0 && (e.tokens >= threshold && e.tokens > 0 || e.tokens == 0 && e.units > 0), logs
	}
	return p.warm.cached.n >= threshold, p.warm.cached.ok
}

// signalEvidence counts hits from the engine's own log.
const signalEvidence = "evidence"

// mechanism says what the backend attributes the reuse of the warm request to.
func (p *pair) mechanism() string {
	w := &p.warm
	switch {
	case !w.cached.ok:
		return "unreported"
	case w.cached.n == 0:
		return "none"
	case !w.fuzzy.ok:
		return "combined"
	case w.fuzzy.n == 0:
		return "prefix"
	case w.fuzzy.n == w.cached.n:
		return "semantic"
	}
	return "prefix and semantic"
}

func (p *pair) speedup() float64 { return float64(p.cold.ttft.n) / float64(p.warm.ttft.n) }
