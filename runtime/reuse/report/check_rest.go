package report

import (
	"fmt"
	"slices"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/gate"
	"github.com/fdbench/fdbench/runtime/reuse/record"
	"github.com/fdbench/fdbench/runtime/reuse/result"
)

// status is what a result may be called: what breaks a row is nonconformant,
// what did not come to its end is incomplete, and neither is offline or live
// (KV-4-4).
func (c *checker) status() {
	x := &c.r.Conformance
	want := map[bool]string{true: result.StatusLive, false: result.StatusOffline}[c.live()]
	switch {
	case len(x.Violations) > 0:
		want = result.StatusNonconform
	case !x.Complete:
		want = result.StatusIncomplete
	}
	if x.Status != want {
		c.omit("KV-4-4", "conformance.status", "the result is called %q, and is %s", x.Status, want)
	}
	if mode := map[bool]string{true: "live", false: "offline"}[c.live()]; x.Mode != mode {
		c.omit("KV-4-4", "conformance.mode", "the run is called %q, and is %s", x.Mode, mode)
	}
	if x.Methodology != result.Methodology {
		c.omit("KV-4-4", "conformance.methodology", "the figures are said to be of %q, and are of %q", x.Methodology, result.Methodology)
	}
	if (x.Reason == "") != x.Complete {
		c.omit("KV-4-4", "conformance.reason", "a run that did not come to its end says why, and no other one does")
	}
	r := &c.r.Run
	if n := c.r.Aggregate.Requests; r.Measured != n || n > r.Items || x.Complete && n != r.Items {
		c.omit("KV-0-1", "run.items_measured", "it is %d of %d items, and the figures are over %d", r.Measured, r.Items, n)
	}
	if c.r.Controls.Count != r.Controls && x.Complete {
		c.omit("KV-7-2", "run.controls", "the manifest has %d controls, and the figures are over %d", r.Controls, c.r.Controls.Count)
	}
	if !c.planner() && r.PlannedItems != 0 || c.planner() && c.r.Aggregate.CandidateRate != nil && c.r.Aggregate.CandidateRate.Measured != r.PlannedItems {
		c.omit("KV-3-2", "run.planned_items", "the figures of a planner are not over the %d items that it looked at", r.PlannedItems)
	}
}

// sums holds what transforms and logs have against the sums over all of them.
func (c *checker) sums() {
	a := &c.r.Aggregate
	part := func(of func(*result.Group) *int64) (sum int64, whole *int64, differ bool) {
		for i := range c.r.Transforms {
			if n := of(&c.r.Transforms[i].Figures); n != nil {
				sum += *n
			}
		}
		whole = of(a)
		return sum, whole, whole != nil && *whole != sum
	}
	for _, x := range []struct {
		rule, name string
		of         func(*result.Group) *int64
	}{
		{"KV-1-3", "prompt_tokens", func(g *result.Group) *int64 { return &g.PromptTokens }},
		{"KV-2-2", "exact_prefix_hit_blocks", func(g *result.Group) *int64 { return &g.PrefixBlocks }},
		{"KV-3-2", "semantic_candidate_blocks", func(g *result.Group) *int64 { return g.CandidateBlocks }},
		{"KV-3-2", "plan_invalid_actions", func(g *result.Group) *int64 { return g.InvalidActions }},
		{"KV-4-2", "semantic_eligible_blocks", func(g *result.Group) *int64 { return g.EligibleBlocks }},
		{"KV-5-1", "backend_measured_requests", func(g *result.Group) *int64 { return g.ConfirmedRequests }},
		{"KV-5-2", "backend_confirmed_blocks", func(g *result.Group) *int64 { return g.ConfirmedBlocks }},
		{"KV-5-2", "backend_confirmed_tokens", func(g *result.Group) *int64 { return g.ConfirmedTokens }},
	} {
		if sum, _, differ := part(x.of); differ {
			c.omit(x.rule, "aggregate."+x.name, "the transforms together have %d, and that is not the sum beside them", sum)
		}
	}
	c.invalid("aggregate", a)
	for i := range c.r.Transforms {
		c.invalid(fmt.Sprintf("by_transform[%d].figures", i), &c.r.Transforms[i].Figures)
	}
	var count, blocks, reasons int64
	for i := range c.r.Transforms {
		count, blocks = count+c.r.Transforms[i].Controls.Count, blocks+c.r.Transforms[i].Controls.Blocks
	}
	if x := &c.r.Controls; count != x.Count || blocks != x.Blocks {
		c.omit("KV-7-2", "negative_controls.negative_control_count", "%d controls of %d blocks, and the transforms together have %d of %d", x.Count, x.Blocks, count, blocks)
	}
	for _, n := range c.r.Supplementary.Invalid {
		reasons += n.N
	}
	if n := a.InvalidActions; n != nil && *n != reasons {
		c.omit("KV-3-2", "aggregate.plan_invalid_actions", "%d actions could not be carried out, and the reasons together have %d", *n, reasons)
	}
}

// invalid are the actions of plans that no donor could serve: without them, a
// planner that invents donors has the rates of one that found nothing. Confirmed
// tokens are no fewer than those of the confirmed blocks, and less than a block
// of each request more.
func (c *checker) invalid(at string, g *result.Group) {
	if (g.InvalidActions != nil) != c.planner() || g.InvalidActions != nil && *g.InvalidActions < 0 {
		c.omit("KV-3-2", at+".plan_invalid_actions", "how many actions of the plans could not be carried out is there where there is a planner, and nowhere else")
	}
	if g.ConfirmedTokens == nil || g.ConfirmedBlocks == nil || g.ConfirmedRequests == nil {
		return
	}
	b := int64(c.r.Run.BlockSize)
	if least := *g.ConfirmedBlocks * b; *g.ConfirmedTokens < least || *g.ConfirmedTokens > least+*g.ConfirmedRequests*(b-1) {
		c.omit("KV-5-2", at+".backend_confirmed_tokens", "%d tokens in %d requests are not %d full blocks", *g.ConfirmedTokens, *g.ConfirmedRequests, *g.ConfirmedBlocks)
	}
}

// shares are the rates of the controls beside the one that is the signal of
// safety.
func (c *checker) shares(at string, x *result.Controls) {
	share := func(rule, name string, r *result.Rate, there bool, blocks int64) {
		where := at + "." + name
		switch {
		case there != (r != nil):
			c.omit(rule, where, "it is there where there are controls to take it of, and nowhere else")
		case r != nil:
			c.rate(rule, where, r, r.Numerator, blocks, result.Rate{Measured: r.Measured, Of: x.Count})
		}
	}
	of := func(r *result.Rate) int64 {
		if r == nil {
			return 0
		}
		return r.Denominator
	}
	share("KV-7-2", "negative_control_exact_block_hit_rate", x.ExactRate, x.Count > 0, x.Blocks)
	if r := x.ExactRate; r != nil && r.Measured != r.Of {
		c.omit("KV-7-2", at+".negative_control_exact_block_hit_rate", "it is over %d of %d controls", r.Measured, r.Of)
	}
	share("KV-5-1", "negative_control_backend_confirmed_rate", x.ConfirmedRate, x.Count > 0 && c.live(), of(x.ConfirmedRate))
	placed := of(x.PlacementRate)
	if r := x.PlacementRate; r != nil {
		placed = r.Measured
	}
	share("KV-6-2", "negative_control_semantic_placement_rate", x.PlacementRate, x.Count > 0 && c.live() && c.r.Placement != nil, placed)
}

// logs are summed up as they are.
func (c *checker) logs() {
	var hits, events, tokens, units, errs int64
	for _, e := range c.r.Evidence {
		x := &e.Summary
		hits, events, tokens, units, errs = hits+x.SemanticHits, events+x.Materializations, tokens+x.MaterializedTokens, units+x.MaterializedUnits, errs+x.Errors
		if x.WholeLog != (x.SemanticHitsWhole > 0 && (x.EventsWhole > 0 || x.TokensWhole > 0 || x.MaterializedUnits > 0)) {
			c.omit("KV-5-6", "evidence.summary.whole_log_reading", "the reading of the whole of %s is %t, and it has %d hits, and %d materialisations of %d tokens and %d units",
				x.Log, x.WholeLog, x.SemanticHitsWhole, x.EventsWhole, x.TokensWhole, x.MaterializedUnits)
		}
	}
	v := &c.r.Confirmation
	for _, x := range []struct {
		name string
		have *int64
		want int64
	}{
		{"engine_semantic_hits", v.SemanticHits, hits}, {"materialization_events", v.Materializations, events}, {"materialized_tokens", v.MaterializedTokens, tokens},
		{"materialized_units", v.MaterializedUnits, units}, {"engine_errors", v.Errors, errs},
	} {
		if there := len(c.r.Evidence) > 0; there != (x.have != nil) || there && *x.have != x.want {
			c.omit("KV-5-6", "confirmation."+x.name, "it is not what the logs have together, %d in %d logs", x.want, len(c.r.Evidence))
		}
	}
}

// placements are counted once each.
func (c *checker) placements() {
	x := c.r.Placement
	if x == nil {
		return
	}
	sum := func(list []result.Count) (n int64) {
		for _, o := range list {
			n += o.N
		}
		return n
	}
	if n := sum(x.Outcomes); n != x.Told || x.Told > x.Requests {
		c.omit("KV-6-2", "placement.route_outcomes", "%d placements by outcome, and the gateway told %d of %d", n, x.Told, x.Requests)
	}
	if n := sum(x.Endpoints); n > x.Requests {
		c.omit("KV-6-2", "placement.route_endpoints", "%d placements by endpoint, of %d requests", n, x.Requests)
	}
}

// arms are compared over one set of pairs.
func (c *checker) arms() {
	p := c.r.Paired
	if p == nil || !c.live() {
		return
	}
	blendable := p.Used - p.Controls
	c.interval("KV-8-2", "paired.blended_ttft_speedup_median", p.BlendedMedian, blendable)
	l := c.r.Run.Live
	if n := l.ColdFirst + l.WarmFirst; n != p.Total {
		c.omit("KV-8-1", "run.live.cold_first", "%d pairs began with their cold arm and %d with their warm one, of %d", l.ColdFirst, l.WarmFirst, p.Total)
	}
	if p.Unchecked > p.Total {
		c.omit("KV-8-7", "paired.pairs_unchecked", "%d pairs were not checked for contamination, of %d", p.Unchecked, p.Total)
	}
}

// answers are scored where there are answers, each rate over what it says.
func (c *checker) answers() {
	q := c.r.Quality
	if (q != nil) != c.live() {
		c.omit("KV-8-8", "quality", "outputs are judged where there are some, and nowhere else")
	}
	if q == nil || !c.live() {
		return
	}
	if f := q.Floor; f != nil {
		l, p := c.r.Run.Live, f.Protocol
		if l.Model != "" && p.Model != l.Model || p.Engine != l.Engine || p.EngineVersion != l.EngineVersion || p.MaxTokens != l.MaxTokens || p.Concurrency != l.Concurrency ||
			p.Temperature.Cmp(l.Temperature) != 0 || p.ManifestSHA256 != c.r.Run.ManifestSHA256 {
			c.omit("KV-8-8", "quality.noise_floor.protocol", "the noise floor is of another protocol than the run")
		}
		if f.Pairs < 1 || f.Low.Cmp(f.High) > 0 {
			c.omit("KV-8-8", "quality.noise_floor.low", "the noise floor is over %d pairs, between %s and %s", f.Pairs, f.Low, f.High)
		}
	}
	for _, x := range []struct {
		name string
		r    *result.Rate
		n    int64
	}{{"quality_pass_rate", q.PassRate, q.Measured}, {"cold_quality_pass_rate", q.ColdPass, -1}} {
		at := "quality." + x.name
		switch {
		case x.r == nil:
			c.omit("KV-8-8", at, "the rate is missing")
		case x.n >= 0 && x.r.Denominator != x.n:
			c.omit("KV-8-8", at, "it is over %d outputs, and %d were judged", x.r.Denominator, x.n)
		default:
			c.rate("KV-8-8", at, x.r, x.r.Numerator, x.r.Measured, result.Rate{Measured: x.r.Measured, Of: x.r.Of})
		}
	}
	if p, c2 := q.PassRate, q.ColdPass; p != nil && c2 != nil && p.Of != c2.Of {
		c.omit("KV-8-8", "quality.quality_pass_rate", "of %d warm and of %d cold outputs, which are of the same pairs", p.Of, c2.Of)
	}
	for name, v := range map[string]*float64{"mean_quality_score": q.Score, "mean_quality_f1": q.F1, "mean_quality_rouge_l": q.RougeL} {
		if (v != nil) != (q.Measured > 0) || v != nil && (*v < 0 || *v > 1) {
			c.omit("KV-8-8", "quality."+name, "a mean score in [0, 1] is there where an output was judged, and nowhere else")
		}
	}
}

// conditions are what gates are held against: a gate has looked at the figures
// of its condition and at nothing else, and passes only where they exist
// (KV-8-7).
func (c *checker) conditions() {
	for i, g := range c.r.Gates {
		at := fmt.Sprintf("gates[%d]", i)
		if g.Name == "" || !slices.Contains([]string{result.GatePassed, result.GateFailed, result.GateNoData}, g.Status) {
			c.omit("KV-8-7", at+".status", "the gate %q is %q, which is none of the things that a gate can be", g.Name, g.Status)
		}
		if (g.Why == "") != (g.Status == result.GatePassed) && g.Status == result.GateNoData {
			c.omit("KV-8-7", at+".why", "the gate %q has no data and does not say why", g.Name)
		}
		short := slices.ContainsFunc(g.AtLeast, func(m result.Minimum) bool { return m.Have == nil || *m.Have < m.N })
		if short && g.Status != result.GateNoData {
			c.omit("KV-8-7", at+".status", "the gate %q %s, and one of the counts that it needs is too small", g.Name, g.Status)
		}
		condition, bad := gate.Compile(g.Condition)
		if bad != nil {
			c.omit("KV-8-7", at+".condition", "the condition of the gate %q cannot be read", g.Name)
			continue
		}
		if g.Status == result.GateNoData {
			continue
		}
		// What decides a failure exists; beside it something may be absent.
		failed := g.Status == result.GateFailed && slices.ContainsFunc(g.Observed, func(o result.Observation) bool { return o.Value != nil || !countable(o.Metric) })
		for _, o := range g.Observed {
			n, d := o.Numerator, o.Denominator
			switch {
			case o.Value == nil && failed && (n != nil) == (d != nil) && (d == nil || *d == 0):
			case (n != nil) != (d != nil), n != nil && *d == 0, o.Value == nil && (n != nil || countable(o.Metric)):
				c.omit("KV-8-7", at+".observed", "the gate %q %s, and %s has no value", g.Name, g.Status, o.Metric)
			case n != nil && exact.Frac(*n, *d).Float64() != *o.Value:
				c.omit("KV-8-7", at+".observed", "the gate %q saw %s as %v, and it is %d of %d", g.Name, o.Metric, *o.Value, *n, *d)
			}
		}
		for _, name := range condition.Metrics() {
			if !slices.ContainsFunc(g.Observed, func(o result.Observation) bool { return o.Metric == name }) {
				c.omit("KV-8-7", at+".observed", "the gate %q %s, and what it saw of %s is not there", g.Name, g.Status, name)
			}
		}
	}
}

// countable tells whether a figure of a whole run is a number.
func countable(name string) bool {
	return slices.ContainsFunc(gate.Metrics(), func(m gate.Metric) bool { return m.Name == name && m.Kind != gate.Truth && m.Kind != gate.Text })
}

// collided is the audit of collisions, which tells whether the controls are
// controls.
func (c *checker) collided() {
	x := c.r.Collisions
	if x == nil {
		if c.r.Conformance.Complete {
			c.omit("KV-7-2", "collisions", "whether the controls share blocks with their donors is missing")
		}
		return
	}
	if f := &x.Found; f.Distinct > f.DonorBlocks || f.Boilerplate > f.Distinct || int64(len(f.Listed)) != min(f.Violations, record.MaxCollisions) {
		c.omit("KV-7-2", "collisions.found", "%d violations, of which %d are listed, and %d distinct blocks of %d", f.Violations, len(f.Listed), f.Distinct, f.DonorBlocks)
	}
}
