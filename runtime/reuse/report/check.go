package report

import (
	"fmt"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/report/omission"
	"github.com/fdbench/fdbench/runtime/reuse/result"
)

// checker gathers what a result lacks.
type checker struct {
	r    *result.Result
	list []omission.Omission
}

// omit records an omission. The detail is a sentence without its end.
func (c *checker) omit(rule, where, detail string, args ...any) {
	c.list = append(c.list, omission.Omission{Rule: rule, Where: where, Detail: fmt.Sprintf(detail, args...)})
}

func (c *checker) live() bool { return c.r.Run.Live != nil }

func (c *checker) planner() bool { return c.r.Run.Planner != nil }

// claims are what figures may be taken for.
func (c *checker) claims() {
	x, want := &c.r.Claims, func(there bool, claim string) string {
		if there {
			return claim
		}
		return result.ClaimNothing
	}
	if w := want(c.planner(), result.ClaimCandidate); x.Candidate != w {
		c.omit("KV-3-3", "claims.candidate", "candidates are called %q, and may be called %q", x.Candidate, w)
	}
	if w := want(c.planner(), result.ClaimEligible); x.Eligible != w {
		c.omit("KV-4-4", "claims.eligible", "eligible blocks are called %q, and may be called %q", x.Eligible, w)
	}
	if x.Exact != result.ClaimExact {
		c.omit("KV-0-1", "claims.exact", "exact hits are called %q, and are %q", x.Exact, result.ClaimExact)
	}
	if w := want(c.r.Placement != nil, result.ClaimPlacement); x.Placement != w {
		c.omit("KV-6-2", "claims.placement", "placements are called %q, and may be called %q", x.Placement, w)
	}
	if w := want(c.live(), result.ClaimTiming); x.Timing != w {
		c.omit("KV-8-1", "claims.timing", "times are called %q, and are %q", x.Timing, w)
	}
	v := &c.r.Confirmation
	w := want(v.Measured > 0, result.ClaimCombined)
	if v.Measured > 0 && v.Split == v.Measured {
		w = result.ClaimSplit
	}
	if x.Confirmed != w {
		c.omit("KV-5-5", "claims.confirmed", "confirmed blocks are called %q, and may be called %q: the backend split %d of %d measured requests", x.Confirmed, w, v.Split, v.Measured)
	}
	mode, s := c.r.Conformance.Mode, c.r.Conformance.Status
	if offline := !c.live(); offline != (mode == "offline") || offline && s == result.StatusLive || !offline && s == result.StatusOffline {
		c.omit("KV-4-4", "conformance.status", "the result is called %q (%s), and its run has %s", s, mode, map[bool]string{true: "no live part", false: "a live part"}[offline])
	}
}

// groups are the figures of all requests and of each transform.
func (c *checker) groups() {
	a := &c.r.Aggregate
	c.group("aggregate", a)
	var requests, blocks, hits int64
	for i := range c.r.Transforms {
		g := &c.r.Transforms[i].Figures
		c.group(fmt.Sprintf("by_transform[%d].figures", i), g)
		requests, blocks, hits = requests+g.Requests, blocks+g.TotalBlocks, hits+g.ExactBlocks
	}
	if requests != a.Requests || blocks != a.TotalBlocks || hits != a.ExactBlocks {
		c.omit("KV-2-2", "aggregate", "%d hits of %d blocks in %d requests, and the transforms together have %d of %d in %d",
			a.ExactBlocks, a.TotalBlocks, a.Requests, hits, blocks, requests)
	}
}

func (c *checker) group(at string, g *result.Group) {
	b := int64(c.r.Run.BlockSize)
	all := result.Rate{Measured: g.Requests, Of: g.Requests}
	c.rate("KV-2-2", at+".exact_block_hit_rate", &g.ExactRate, g.ExactBlocks, g.TotalBlocks, all)
	c.rate("KV-2-2", at+".exact_prefix_block_hit_rate", &g.PrefixRate, g.PrefixBlocks, g.TotalBlocks, all)
	c.rate("KV-1-3", at+".exact_token_weighted_reuse_rate", &g.ExactTokenRate, g.ExactBlocks*b, g.PromptTokens, all)
	c.planned(at, g, b)
	c.confirmed(at, g)
}

// planned are the figures of a planner.
func (c *checker) planned(at string, g *result.Group, b int64) {
	for _, x := range []struct {
		rule, name string
		there      bool
	}{
		{"KV-0-1", "semantic_candidate_blocks", g.CandidateBlocks != nil},
		{"KV-3-2", "semantic_candidate_block_rate", g.CandidateRate != nil},
		{"KV-1-3", "semantic_candidate_token_weighted_reuse_rate", g.CandidateTokenRate != nil},
		{"KV-0-1", "semantic_eligible_blocks", g.EligibleBlocks != nil},
		{"KV-4-2", "semantic_eligible_block_rate", g.EligibleRate != nil},
		{"KV-1-3", "semantic_eligible_token_weighted_reuse_rate", g.EligibleTokenRate != nil},
		{"KV-4-3", "semantic_eligible_lift", g.EligibleLift != nil},
	} {
		switch {
		case x.there && !c.planner():
			c.omit(x.rule, at+"."+x.name, "there is a figure of a planner, and the run has none")
		case !x.there && c.planner():
			c.omit(x.rule, at+"."+x.name, "the figure is missing, and the run has a planner")
		}
	}
	if g.CandidateBlocks == nil || g.EligibleBlocks == nil || !c.planner() {
		return
	}
	of := result.Rate{Of: g.Requests}
	for _, r := range []*result.Rate{g.CandidateRate, g.EligibleRate, g.CandidateTokenRate, g.EligibleTokenRate} {
		if r != nil {
			of.Measured = r.Measured // all of them are over the same requests
			break
		}
	}
	if g.CandidateRate != nil {
		c.rate("KV-3-2", at+".semantic_candidate_block_rate", g.CandidateRate, *g.CandidateBlocks, c.whole(g.CandidateRate, g.TotalBlocks), of)
	}
	if g.EligibleRate != nil {
		c.rate("KV-4-2", at+".semantic_eligible_block_rate", g.EligibleRate, *g.EligibleBlocks, c.whole(g.EligibleRate, g.TotalBlocks), of)
	}
	if r := g.CandidateTokenRate; r != nil {
		c.rate("KV-1-3", at+".semantic_candidate_token_weighted_reuse_rate", r, *g.CandidateBlocks*b, c.whole(r, g.PromptTokens), of)
	}
	if r := g.EligibleTokenRate; r != nil {
		c.rate("KV-1-3", at+".semantic_eligible_token_weighted_reuse_rate", r, *g.EligibleBlocks*b, c.whole(r, g.PromptTokens), of)
	}
	if g.EligibleLift != nil && g.EligibleRate != nil {
		c.lift("KV-4-3", at+".semantic_eligible_lift", g.EligibleLift, g.EligibleRate, g.ExactRate)
	}
}

// whole is the denominator that a rate must have: that of the whole where every
// request was measured, and else one that is not larger.
func (c *checker) whole(r *result.Rate, total int64) int64 {
	if r.Measured == r.Of {
		return total
	}
	return min(r.Denominator, total)
}

// confirmed are the figures of a backend (KV-5-1 to KV-5-3).
func (c *checker) confirmed(at string, g *result.Group) {
	if !c.live() {
		if g.ConfirmedRequests != nil || g.ConfirmedBlocks != nil || g.ConfirmedTokens != nil || g.ConfirmedRate != nil || g.ConfirmedLift != nil {
			c.omit("KV-5-1", at+".backend_confirmed_blocks", "there is a confirmed figure, and nothing was sent to a backend")
		}
		return
	}
	if g.ConfirmedRequests == nil {
		c.omit("KV-5-1", at+".backend_measured_requests", "how many requests the backend reported on is missing")
		return
	}
	if n := *g.ConfirmedRequests; n < 0 || n > g.Requests || (n > 0) != (g.ConfirmedBlocks != nil) || (n > 0) != (g.ConfirmedTokens != nil) {
		c.omit("KV-5-1", at+".backend_confirmed_blocks", "confirmed blocks exist where the backend reported them and nowhere else, and it reported on %d requests", n)
		return
	}
	if g.ConfirmedRate == nil {
		c.omit("KV-5-2", at+".backend_confirmed_block_rate", "the figure is missing, and the run is live")
		return
	}
	of := result.Rate{Measured: *g.ConfirmedRequests, Of: g.Requests}
	n := int64(0)
	if g.ConfirmedBlocks != nil {
		n = *g.ConfirmedBlocks
	}
	c.rate("KV-5-2", at+".backend_confirmed_block_rate", g.ConfirmedRate, n, g.ConfirmedRate.Denominator, of)
	if of.Measured == 0 && g.ConfirmedRate.Denominator != 0 {
		c.omit("KV-5-2", at+".backend_confirmed_block_rate", "%d blocks below the line, and no request was measured", g.ConfirmedRate.Denominator)
	}
	if g.ConfirmedLift == nil {
		c.omit("KV-5-3", at+".backend_confirmed_lift", "the figure is missing, and the run is live")
		return
	}
	c.lift("KV-5-3", at+".backend_confirmed_lift", g.ConfirmedLift, g.ConfirmedRate, g.ExactRate)
}

// rate holds a rate against its numerator, its denominator and its coverage.
func (c *checker) rate(rule, at string, r *result.Rate, n, d int64, of result.Rate) {
	switch {
	case r.Numerator != n || r.Denominator != d:
		c.omit(rule, at, "it is %d of %d, and the counts beside it give %d of %d", r.Numerator, r.Denominator, n, d)
	case r.Measured != of.Measured || r.Of != of.Of || r.Measured > r.Of || r.Measured < 0:
		c.omit(rule, at, "it is over %d of %d requests, and %d of %d were measured", r.Measured, r.Of, of.Measured, of.Of)
	case n < 0 || d < 0 || n > d:
		c.omit(rule, at, "%d of %d is no share", n, d)
	default:
		c.value(rule, at, r.Value, r.Exact)
	}
}

// value holds a printed quotient against what it is the quotient of.
func (c *checker) value(rule, at string, have *float64, of func() (exact.Number, bool)) {
	want, there := of()
	switch {
	case !there && have != nil:
		c.omit(rule, at, "a value of %v over a denominator of 0, which has none", *have)
	case there && have == nil:
		c.omit(rule, at, "the value is missing")
	case there && *have != want.Float64():
		c.omit(rule, at, "the value is %v, and its numbers give %v", *have, want.Float64())
	}
}

// lift holds a difference of rates against both of them. base is the exact rate
// of all requests, which it is from where all were measured.
func (c *checker) lift(rule, at string, l *result.Lift, r *result.Rate, base result.Rate) {
	switch {
	case !same(l.Rate, *r):
		c.omit(rule, at, "it is a difference from %d of %d, and the rate is %d of %d", l.Rate.Numerator, l.Rate.Denominator, r.Numerator, r.Denominator)
	case l.Less.Measured != r.Measured || l.Less.Of != r.Of:
		c.omit(rule, at, "its two rates are over %d and %d requests", l.Rate.Measured, l.Less.Measured)
	case r.Measured == r.Of && !same(l.Less, base):
		c.omit(rule, at, "its exact rate is %d of %d, and that of the same requests is %d of %d", l.Less.Numerator, l.Less.Denominator, base.Numerator, base.Denominator)
	case l.Less.Numerator > base.Numerator || l.Less.Denominator > base.Denominator || l.Less.Numerator > l.Less.Denominator:
		c.omit(rule, at, "its exact rate is %d of %d, and there are %d of %d in all", l.Less.Numerator, l.Less.Denominator, base.Numerator, base.Denominator)
	default:
		c.value(rule, at+".rate", l.Rate.Value, l.Rate.Exact)
		c.value(rule, at+".less", l.Less.Value, l.Less.Exact)
		c.value(rule, at, l.Value, l.Exact)
	}
}

func same(a, b result.Rate) bool {
	return a.Numerator == b.Numerator && a.Denominator == b.Denominator && a.Measured == b.Measured && a.Of == b.Of
}
