package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/reuse/result"
)

// controls are the figures of negative controls (KV-7-2).
func (c *checker) controls() {
	c.control("negative_controls", &c.r.Controls)
	for i := range c.r.Transforms {
		c.control(fmt.Sprintf("by_transform[%d].negative_controls", i), &c.r.Transforms[i].Controls)
	}
}

func (c *checker) control(at string, x *result.Controls) {
	r, where := x.EligibleRate, at+".negative_control_semantic_eligible_rate"
	switch there := x.Count > 0 && c.planner(); {
	case there && r == nil:
		c.omit("KV-7-2", where, "the share of eligible blocks among those of %d controls is missing", x.Count)
	case !there && r != nil:
		c.omit("KV-7-2", where, "there is a share of eligible blocks, and no control that a planner looked at")
	case there:
		c.rate("KV-7-2", where, r, r.Numerator, c.whole(r, x.Blocks), result.Rate{Measured: r.Measured, Of: x.Count})
	}
	c.shares(at, x)
}

// confirmation is what engines' logs say (KV-5-6, KV-5-9).
func (c *checker) confirmation() {
	// Two logs may tell of one and the same request: the total is at least that
	// of any, and at most that of all.
	var requests, suffix between
	for i, e := range c.r.Evidence {
		at := fmt.Sprintf("evidence[%d]", i)
		both, blended := e.Materialized(c.live()), e.SuffixOnly(c.live())
		requests.add(both)
		suffix.add(blended)
		if e.Reuse != (both > 0) || both < 0 || both > e.Summary.MaterializedReuse || both > e.Joined && c.live() {
			c.omit("KV-5-6", at+".materialized_semantic_kv_reuse", "it is %v, and %d requests have both a hit and a materialisation, of %d in the whole log", e.Reuse, both, e.Summary.MaterializedReuse)
		}
		if e.Suffix != (blended > 0) || blended < 0 || blended > e.Summary.BoundariesProven || blended > e.Joined && c.live() {
			c.omit("KV-5-9", at+".suffix_execution_proven", "it is %v, and %d requests have both a boundary and a materialisation, of %d in the whole log", e.Suffix, blended, e.Summary.BoundariesProven)
		}
	}
	v := &c.r.Confirmation
	if v.Logs != len(c.r.Evidence) {
		c.omit("KV-5-6", "confirmation.logs", "it sums up %d logs, and there are %d", v.Logs, len(c.r.Evidence))
	}
	there := len(c.r.Evidence) > 0
	if (v.Reuse != nil) != there || (v.MaterializedRequests != nil) != there ||
		there && (*v.Reuse != (requests.all > 0) || !requests.holds(*v.MaterializedRequests, c.live())) {
		c.omit("KV-5-6", "confirmation.materialized_semantic_kv_reuse", "it does not say what the logs say: %d requests with both a hit and a materialisation", requests.all)
	}
	if (v.Suffix != nil) != there || (v.SuffixRequests != nil) != there ||
		there && (*v.Suffix != (suffix.all > 0) || !suffix.holds(*v.SuffixRequests, c.live())) {
		c.omit("KV-5-9", "confirmation.suffix_execution_proven", "it does not say what the logs say: %d requests with both a boundary and a materialisation", suffix.all)
	}
	if n := c.r.Aggregate.ConfirmedRequests; n != nil && *n != v.Measured || v.Split < 0 || v.Split > v.Measured {
		c.omit("KV-5-5", "confirmation.split_requests", "the backend split %d of %d measured requests, and another number was measured", v.Split, v.Measured)
	}
}

// placement is what a gateway told (KV-6-2).
func (c *checker) placement() {
	x := c.r.Placement
	if x == nil {
		return
	}
	if !c.live() {
		c.omit("KV-6-2", "placement", "there is a placement, and nothing was sent")
	}
	n := int64(0)
	for _, o := range x.Outcomes {
		if o.Name == "semantic_placement" {
			n = o.N
		}
	}
	c.rate("KV-6-2", "placement.semantic_placement_rate_by_request", &x.Semantic, n, x.Told, result.Rate{Measured: x.Told, Of: x.Requests})
}

// paired compares the arms (KV-8-1 to KV-8-6).
func (c *checker) paired() {
	p := c.r.Paired
	if p == nil || !c.live() {
		if c.live() || p != nil {
			c.omit("KV-8-1", "paired", "a live run has its pairs compared, and no other one has")
		}
		return
	}
	blendable := p.Used - p.Controls
	switch {
	case p.Contaminated < 0 || p.Used < 0 || p.Used+p.Contaminated > p.Total:
		c.omit("KV-8-6", "paired.pairs_contaminated", "%d used and %d contaminated pairs, of %d in all", p.Used, p.Contaminated, p.Total)
	case p.Used+p.Contaminated+p.Errored+p.Untimed != p.Total || blendable < 0 || p.Controls < 0:
		c.omit("KV-8-1", "paired.pairs_used", "%d used, %d contaminated, %d failed and %d untimed pairs, of %d in all", p.Used, p.Contaminated, p.Errored, p.Untimed, p.Total)
	}
	c.interval("KV-8-2", "paired.blended_ttft_speedup_mean", p.Blended, blendable)
	c.hits(p, blendable)
	if p.Percentiles != p.Used {
		c.omit("KV-8-4", "paired.percentile_pairs", "the percentiles are over %d pairs, and %d were used", p.Percentiles, p.Used)
	}
	for _, x := range []struct {
		arm      string
		p50, p95 *float64
	}{{"cold", p.ColdP50, p.ColdP95}, {"warm", p.WarmP50, p.WarmP95}} {
		at := "paired.ttft_" + x.arm + "_p95_ms"
		switch there := p.Used > 0; {
		case there != (x.p50 != nil) || there != (x.p95 != nil):
			c.omit("KV-8-4", at, "the %s arm has its median and its 95th percentile where a pair was used, and %d were", x.arm, p.Used)
		case there && (*x.p50 > *x.p95 || *x.p50 <= 0):
			c.omit("KV-8-4", at, "the %s arm has a median of %v and a 95th percentile of %v", x.arm, *x.p50, *x.p95)
		}
	}
	c.interval("KV-8-5", "paired.negative_control_ttft_speedup_mean", p.Control, p.Controls)
	at := "paired.negative_control_ttft_speedup_deviation"
	switch d := p.ControlDeviation; {
	case (d != nil) != (p.Control != nil):
		c.omit("KV-8-5", at, "there is a deviation where a control was measured and nowhere else")
	case d != nil && *d != math.Abs(p.Control.Value-1):
		c.omit("KV-8-5", at, "the deviation is %v, and the mean is %v", *d, p.Control.Value)
	}
}

// hits never stand without their rate (KV-8-3).
func (c *checker) hits(p *result.Paired, blendable int64) {
	r := p.HitRate
	if r == nil {
		c.omit("KV-8-3", "paired.hit_rate", "the hit rate is missing")
		return
	}
	n := int64(0)
	if p.Hits != nil {
		n = *p.Hits
	}
	if (p.Hits != nil) != (r.Denominator > 0) {
		c.omit("KV-8-3", "paired.hit_pairs", "hits are counted where it is known what a request reused, which is so of %d pairs", r.Denominator)
	}
	c.rate("KV-8-3", "paired.hit_rate", r, n, r.Measured, result.Rate{Measured: r.Measured, Of: blendable})
	c.interval("KV-8-3", "paired.hit_only_ttft_speedup_mean", p.HitOnly, n)
}

// interval holds a statistic against the number that it is over.
func (c *checker) interval(rule, at string, i *result.Interval, n int64) {
	switch {
	case i == nil && n > 0:
		c.omit(rule, at, "the figure is missing, and there are %d values for it", n)
	case i != nil && int64(i.N) != n:
		c.omit(rule, at, "it is over %d values, and there are %d", i.N, n)
	case i != nil && (i.Low > i.High || i.Clusters < 1 || int64(i.Clusters) > n || i.Value < 0):
		c.omit(rule, at, "its interval is from %v to %v, over %d documents", i.Low, i.High, i.Clusters)
	}
}

// quality is judged against a noise floor or not at all (KV-8-8).
func (c *checker) quality() {
	q := c.r.Quality
	if q == nil {
		return
	}
	c.interval("KV-8-8", "quality.warm_vs_cold_output_rouge_l_mean", q.Mean, q.Pairs)
	judged := q.Floor != nil && q.Mean != nil
	switch {
	case (q.Drop != nil) != judged || (q.Excess != nil) != judged:
		c.omit("KV-8-8", "quality.warm_vs_cold_rouge_l_drop", "the agreement of outputs is judged where there is a noise floor, and nowhere else")
	case judged:
		mean, _ := exact.FromFloat(q.Mean.Value)
		if want := q.Floor.Mean.Sub(mean).Float64(); *q.Drop != want {
			c.omit("KV-8-8", "quality.warm_vs_cold_rouge_l_drop", "the drop is %v, and the noise floor gives %v", *q.Drop, want)
		}
		if want := mean.Sub(q.Floor.High).Float64(); *q.Excess != want {
			c.omit("KV-8-8", "quality.warm_vs_cold_rouge_l_excess", "the excess is %v, and the noise floor gives %v", *q.Excess, want)
		}
	}
}

// gates never pass for want of what they ask about.
func (c *checker) gates() {
	for i, g := range c.r.Gates {
		names := func(metric string) bool {
			return slices.ContainsFunc(g.Observed, func(o result.Observation) bool { return o.Metric == metric })
		}
		at := fmt.Sprintf("gates[%d]", i)
		p := c.r.Paired
		if names("pairs_contaminated") && g.Status == result.GatePassed && (p == nil || p.Unchecked > 0 || p.Total == 0) {
			c.omit("KV-8-7", at+".status", "the gate %q passed, and not every pair was checked for contamination", g.Name)
		}
		if names("hit_only_ttft_speedup_mean") && !names("hit_rate") {
			c.omit("KV-8-3", at+".observed", "the gate %q looks at the speed-up of hits, and not at the hit rate", g.Name)
		}
		if names("warm_vs_cold_output_rouge_l_mean") && !names("noise_floor_rouge_l_mean") {
			c.omit("KV-8-8", at+".observed", "the gate %q looks at the agreement of outputs, and not at a noise floor", g.Name)
		}
	}
}

// between are the bounds of what several logs count together.
type between struct{ most, all int64 }

func (b *between) add(n int64) { b.most, b.all = max(b.most, n), b.all+n }

// holds tells whether n requests can be what the logs count: of one run some may
// be in several of them, and otherwise all are others.
func (b *between) holds(n int64, live bool) bool {
	return n == b.all || live && b.most <= n && n < b.all
}
