package result

import (
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/gate"
	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// env is what conditions are evaluated over.
type env struct{ gate.Env }

// Env returns the figures of the result by the names that conditions use. The
// rows of `requests` are there only where a gate of the plan names them.
func (r *Result) Env() gate.Env { return r.gate.Env }

// requestRow is what a condition over requests sees of one.
type requestRow struct {
	item record.Item
	pair *pair
}

// namesRequests tells whether a gate has a condition over single requests.
func namesRequests(gates []plan.Gate) bool {
	for _, g := range gates {
		if c, err := gate.Compile(g.Condition); err == nil && c.Rows("requests") {
			return true
		}
	}
	return false
}

func number(v float64) exact.Number {
	n, _ := exact.FromFloat(v)
	return n
}

// values builds a row of an environment.
type values map[string]gate.Value

// none is a figure that does not exist; typed gives it its kind.
func none(why string) gate.Value { return gate.Value{Null: true, Why: why} }

// typed gives every absent figure the kind that the list of figures has for it.
func (v values) typed(rows string) map[string]gate.Value {
	for name, x := range v {
		if m, ok := gate.Find(rows, name); ok && x.Null {
			x.Kind = m.Kind
			v[name] = x
		}
	}
	return v
}

func (v values) count(name string, n int64) {
	v[name] = gate.Whole(n)
}

func (v values) counted(name string, n *int64, why string) {
	if n == nil {
		v[name] = none(why)
		return
	}
	v.count(name, *n)
}

func (v values) rate(name string, r *Rate, why string) {
	if r == nil {
		v[name] = none(why)
		return
	}
	v[name] = gate.Fraction(r.Numerator, r.Denominator, why)
}

func (v values) lift(name string, l *Lift, why string) {
	if l == nil {
		v[name] = none(why)
		return
	}
	n, ok := l.Exact()
	if !ok {
		v[name] = none(why)
		return
	}
	v[name] = gate.Quantity(gate.Rate, n)
}

func (v values) float(name string, kind gate.Kind, f *float64, why string) {
	if f == nil {
		v[name] = none(why)
		return
	}
	v[name] = gate.Quantity(kind, number(*f))
}

func (v values) truth(name string, b *bool, why string) {
	if b == nil {
		v[name] = none(why)
		return
	}
	v[name] = gate.Flag(*b)
}

func (v values) interval(name string, kind gate.Kind, i *Interval, low, high, why string) {
	var p, l, h *float64
	if i != nil {
		p, l, h = &i.Value, &i.Low, &i.High
	}
	v.float(name, kind, p, why)
	if low != "" {
		v.float(low, kind, l, why)
		v.float(high, kind, h, why)
	}
}

// Why figures do not exist.
const (
	whyNoBlocks       = "no request has a full block"
	whyNoTokens       = "no request has a token"
	whyNoPlanner      = "no planner looked at the requests"
	whyNoControls     = "the manifest has no control with a full block"
	whyNotLive        = "nothing was sent to an engine"
	whyUnreported     = "no backend reported cached tokens of a clean request"
	whyNoAudit        = "the manifest was not audited"
	whyEmptyAudit     = "no block of a donor was audited"
	whyNoRoute        = "no gateway told of a placement"
	whyNoPairs        = "no pair was used"
	whyNoHits         = "no used pair was a hit"
	whyNoControlPairs = "no pair of a control was used"
	whyUncheckedPairs = "not every cold arm reported cached tokens, so not every pair was checked"
	whyNothingChecked = "no pair was run, so none was checked"
	whyNoLog          = "no log of an engine was read"
	whyNoAnswers      = "no output was held against an answer"
	whyNoOutputs      = "no clean pair has two outputs"
	whyNoFloor        = "no noise floor is declared"
	whyNoEngine       = "the engine reports no times of its own"
)

// group fills in what a condition may name of a group.
func (v values) group(g *Group) {
	v.count("request_count", g.Requests)
	v.count("prompt_tokens", g.PromptTokens)
	v.count("total_blocks", g.TotalBlocks)
	v.count("exact_hit_blocks", g.ExactBlocks)
	v.rate("exact_block_hit_rate", &g.ExactRate, whyNoBlocks)
	v.count("exact_prefix_hit_blocks", g.PrefixBlocks)
	v.rate("exact_prefix_block_hit_rate", &g.PrefixRate, whyNoBlocks)
	v.rate("exact_token_weighted_reuse_rate", &g.ExactTokenRate, whyNoTokens)
	planned := func(there bool, why string) string {
		if !there {
			return whyNoPlanner
		}
		return why
	}
	blocks := planned(g.CandidateBlocks != nil, whyNoBlocks)
	v.counted("semantic_candidate_blocks", g.CandidateBlocks, whyNoPlanner)
	v.rate("semantic_candidate_block_rate", g.CandidateRate, blocks)
	v.rate("semantic_candidate_token_weighted_reuse_rate", g.CandidateTokenRate, planned(g.CandidateBlocks != nil, whyNoTokens))
	v.counted("semantic_eligible_blocks", g.EligibleBlocks, whyNoPlanner)
	v.rate("semantic_eligible_block_rate", g.EligibleRate, blocks)
	v.rate("semantic_eligible_token_weighted_reuse_rate", g.EligibleTokenRate, planned(g.CandidateBlocks != nil, whyNoTokens))
	v.lift("semantic_eligible_lift", g.EligibleLift, blocks)
	v.counted("plan_invalid_actions", g.InvalidActions, whyNoPlanner)
	sent := whyUnreported
	if g.ConfirmedRequests == nil {
		sent = whyNotLive
	}
	v.counted("backend_measured_requests", g.ConfirmedRequests, whyNotLive)
	v.counted("backend_confirmed_blocks", g.ConfirmedBlocks, sent)
	v.rate("backend_confirmed_block_rate", g.ConfirmedRate, sent)
	v.lift("backend_confirmed_lift", g.ConfirmedLift, sent)
}

func (v values) controls(c *Controls, planner, live bool) {
	v.count("negative_control_count", c.Count)
	v.count("negative_control_blocks", c.Blocks)
	v.rate("negative_control_exact_block_hit_rate", c.ExactRate, whyNoControls)
	eligible, confirmed := whyNoControls, whyNoControls
	if !planner {
		eligible = whyNoPlanner
	}
	switch {
	case !live:
		confirmed = whyNotLive
	case c.Count > 0:
		confirmed = whyUnreported
	}
	v.rate("negative_control_semantic_eligible_rate", c.EligibleRate, eligible)
	v.rate("negative_control_backend_confirmed_rate", c.ConfirmedRate, confirmed)
}

// env makes the environment of a result's gates.
func (s *scan) env(r *Result) env {
	planner, live := r.Aggregate.CandidateBlocks != nil, r.Paired != nil
	v := values{}
	v.group(&r.Aggregate)
	v.controls(&r.Controls, planner, live)
	placed := whyNoRoute
	if !live {
		placed = whyNotLive
	}
	v.rate("negative_control_semantic_placement_rate", r.Controls.PlacementRate, placed)
	var collisions *int64
	unaudited := whyNoAudit
	switch x := r.Collisions; {
	case x == nil:
	case x.Found.DonorBlocks == 0 && x.Found.Violations == 0:
		unaudited = whyEmptyAudit // none was found where there was nothing to find
	default:
		collisions = &x.Found.Violations
	}
	v.counted("collision_violations", collisions, unaudited)
	var semantic *Rate
	if r.Placement != nil {
		semantic = &r.Placement.Semantic
	}
	v.rate("semantic_placement_rate_by_request", semantic, placed)
	v.pairs(r)
	v.logs(r)
	v.outputs(r)
	e := gate.Env{Values: v.typed(""), Stream: s.stream}
	for i := range r.Transforms {
		t := &r.Transforms[i]
		row := values{"transform": gate.Named(t.Name)}
		row.group(&t.Figures)
		row.controls(&t.Controls, planner, live)
		e.Transforms = append(e.Transforms, row.typed("transforms"))
	}
	for _, p := range s.pairs {
		if p.row >= 0 {
			s.requests[p.row].pair = p
		}
	}
	for i := range s.requests {
		e.Requests = append(e.Requests, s.requests[i].values(s.block, live).typed("requests"))
	}
	return env{e}
}

func (v values) pairs(r *Result) {
	p := r.Paired
	why := whyNoPairs
	if p == nil {
		why, p = whyNotLive, &Paired{}
	}
	live := r.Paired != nil
	count := func(name string, n int64) {
		if !live {
			v[name] = none(whyNotLive)
			return
		}
		v.count(name, n)
	}
	count("pairs_total", p.Total)
	count("pairs_used", p.Used)
	count("blended_pairs", p.Used-p.Controls)
	count("pairs_contaminated", p.Contaminated)
	count("pairs_unchecked", p.Unchecked)
	count("pairs_errored", p.Errored)
	count("negative_control_pairs", p.Controls)
	switch {
	case live && p.Total == 0:
		v["pairs_contaminated"], v["pairs_unchecked"] = none(whyNothingChecked), none(whyNothingChecked)
	case live && p.Unchecked > 0:
		// That none was contaminated is not known where one was not checked
		// (KV-8-7).
		why := whyUncheckedPairs
		if p.Contaminated > 0 {
			why = fmt.Sprintf("%s; %d of those that were are contaminated", why, p.Contaminated)
		}
		v["pairs_contaminated"] = none(why)
	}
	hits, hitOnly, controls := why, why, why
	if live {
		hits, hitOnly, controls = "no used pair reports what it reused", whyNoHits, whyNoControlPairs
	}
	v.counted("hit_pairs", p.Hits, hits)
	var measured int64
	if p.HitRate != nil {
		measured = p.HitRate.Denominator
	}
	count("hit_measured_pairs", measured)
	v.rate("hit_rate", p.HitRate, hits)
	v.interval("blended_ttft_speedup_mean", gate.Ratio, p.Blended, "blended_ttft_speedup_low", "blended_ttft_speedup_high", why)
	v.interval("blended_ttft_speedup_median", gate.Ratio, p.BlendedMedian, "", "", why)
	v.interval("hit_only_ttft_speedup_mean", gate.Ratio, p.HitOnly, "", "", hitOnly)
	v.interval("negative_control_ttft_speedup_mean", gate.Ratio, p.Control, "negative_control_ttft_speedup_low", "negative_control_ttft_speedup_high", controls)
	v.float("negative_control_ttft_speedup_deviation", gate.Ratio, p.ControlDeviation, controls)
	if p.Control != nil {
		// Exactly: the difference of two roundings is another number.
		v["negative_control_ttft_speedup_deviation"] = gate.Quantity(gate.Ratio, number(p.Control.Value).Sub(exact.Int(1)).Abs())
	}
	v.float("ttft_cold_p50_ms", gate.Time, p.ColdP50, why)
	v.float("ttft_cold_p95_ms", gate.Time, p.ColdP95, why)
	v.float("ttft_warm_p50_ms", gate.Time, p.WarmP50, why)
	v.float("ttft_warm_p95_ms", gate.Time, p.WarmP95, why)
	engine := whyNoEngine
	if !live {
		engine = whyNotLive
	}
	v.interval("engine_ttft_speedup_median", gate.Ratio, r.Supplementary.EngineTTFT, "", "", engine)
}

func (v values) logs(r *Result) {
	c, why := r.Confirmation, whyNoLog
	for i := range r.Evidence {
		if x := &r.Evidence[i].Summary; x.Lines == 0 {
			// Nothing is known from it, not even that there was no error.
			c, why = Confirmation{}, fmt.Sprintf("the log %s is empty", x.Log)
			break
		}
	}
	v.counted("engine_semantic_hits", c.SemanticHits, why)
	v.counted("materialization_events", c.Materializations, why)
	v.counted("materialized_tokens", c.MaterializedTokens, why)
	v.counted("materialized_units", c.MaterializedUnits, why)
	v.counted("materialized_requests", c.MaterializedRequests, why)
	v.truth("materialized_semantic_kv_reuse", c.Reuse, why)
	v.truth("suffix_execution_proven", c.Suffix, why)
	v.counted("engine_errors", c.Errors, why)
}

func (v values) outputs(r *Result) {
	q := r.Quality
	why, outputs := whyNoAnswers, whyNoOutputs
	if q == nil {
		why, outputs, q = whyNotLive, whyNotLive, &Quality{}
	}
	if r.Quality == nil {
		for _, name := range []string{"quality_measured", "empty_outputs", "warm_vs_cold_pairs"} {
			v[name] = none(whyNotLive)
		}
	} else {
		v.count("quality_measured", q.Measured)
		v.count("empty_outputs", q.Empty)
		v.count("warm_vs_cold_pairs", q.Pairs)
	}
	v.rate("quality_pass_rate", q.PassRate, why)
	v.float("mean_quality_f1", gate.Score, q.F1, why)
	v.float("mean_quality_rouge_l", gate.Score, q.RougeL, why)
	v.interval("warm_vs_cold_output_rouge_l_mean", gate.Score, q.Mean, "", "", outputs)
	for _, name := range []string{"noise_floor_rouge_l_mean", "warm_vs_cold_rouge_l_drop", "warm_vs_cold_rouge_l_excess"} {
		v[name] = none(whyNoFloor)
	}
	if q.Floor == nil {
		return
	}
	v["noise_floor_rouge_l_mean"] = gate.Quantity(gate.Score, q.Floor.Mean)
	v["warm_vs_cold_rouge_l_drop"], v["warm_vs_cold_rouge_l_excess"] = none(outputs), none(outputs)
	if q.Mean != nil {
		mean := number(q.Mean.Value)
		v["warm_vs_cold_rouge_l_drop"] = gate.Quantity(gate.Score, q.Floor.Mean.Sub(mean))
		v["warm_vs_cold_rouge_l_excess"] = gate.Quantity(gate.Score, mean.Sub(q.Floor.High))
	}
}

// values is the row of one request.
func (q *requestRow) values(block int64, live bool) values {
	x, p := &q.item, q.pair
	v := values{
		"item_id":          gate.Named(x.ItemID),
		"source_id":        gate.Named(x.SourceID),
		"transform":        gate.Named(x.Transform),
		"negative_control": gate.Flag(x.Control),
	}
	v.count("donor_count", int64(x.Donors))
	v.count("prompt_tokens", x.PromptTokens)
	v.count("total_blocks", x.TotalBlocks)
	v.count("exact_hit_blocks", x.ExactBlocks)
	var candidate, eligible *int64
	if x.Planned {
		candidate, eligible = &x.Candidate, &x.Eligible
	}
	v.counted("semantic_candidate_blocks", candidate, whyNoPlanner)
	v.counted("semantic_eligible_blocks", eligible, whyNoPlanner)
	why := whyNotLive
	if live {
		why = "the request was not sent, or not answered"
	}
	for _, name := range []string{"backend_confirmed_blocks", "contaminated", "failed", "ttft_speedup", "quality_score", "warm_vs_cold_rouge_l"} {
		v[name] = none(why)
	}
	if p == nil || !p.cold.there && !p.warm.there {
		return v
	}
	v["failed"] = gate.Flag(p.state == errored || p.cold.there && !p.cold.answered || p.warm.there && !p.warm.answered)
	if p.checked() {
		v["contaminated"] = gate.Flag(p.state == contaminated)
	}
	if p.state != clean {
		return v
	}
	if p.measured(block) {
		v.count("backend_confirmed_blocks", p.warm.cached.n/block)
	}
	if p.used {
		v["ttft_speedup"] = gate.Quantity(gate.Ratio, exact.Frac(p.cold.ttft.n, p.warm.ttft.n))
	}
	if p.warm.quality != nil {
		v["quality_score"] = gate.Quantity(gate.Score, number(p.warm.quality.Score))
	}
	if p.agreement != nil {
		v["warm_vs_cold_rouge_l"] = gate.Quantity(gate.Score, number(*p.agreement))
	}
	return v
}
