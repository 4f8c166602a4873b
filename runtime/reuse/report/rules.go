package report

import (
	"slices"

	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/spec"
)

// Rules lists the rows that a report is held against, in the order of the
// table, each with results that break it and results that keep it. The examples
// are for the originals of package runtime/reuse/example. The caller owns the
// slice.
func Rules() []spec.Rule {
	all := slices.Concat(rateRules, backendRules, pairRules)
	for i := range all {
		all[i].Stage, all[i].Effect = spec.Report, spec.NoReport
	}
	slices.SortStableFunc(all, func(a, b spec.Rule) int { return spec.Order(a.ID) - spec.Order(b.ID) })
	return all
}

// ex is an example on an original. edge is one on the boundary of its rule, or
// next to it.
func ex(base, name, text string) spec.Example {
	return spec.Example{Name: name, In: spec.InResult, Base: base, Text: text}
}

func edge(base, name, text string) spec.Example {
	x := ex(base, name, text)
	x.Edge = true
	return x
}

const (
	offline = result.BaseOffline
	bare    = result.BaseBare
	live    = result.BaseLive
	split   = result.BaseSplit
)

type examples = []spec.Example

// rateRules are those of what the manifest and a planner give.
var rateRules = []spec.Rule{
	{
		ID: "KV-0-1", How: "exact, candidate, eligible and confirmed figures stand apart, each with its own count, and no other figure is among them",
		Bad: examples{
			edge(offline, "a fifth figure that mixes two", "aggregate\n  set {\"reuse_rate\": 0.8}"),
			ex(offline, "no count of candidates", "aggregate\n  cut semantic_candidate_blocks"),
			ex(live, "no count of confirmed blocks", "aggregate\n  cut backend_confirmed_blocks"),
			ex(offline, "exact hits that are called confirmed", `claims
  put exact "confirmed reuse"`),
		},
		Good: examples{edge(offline, "the four figures", "aggregate\n  put exact_hit_blocks 5"), ex(bare, "two of the four, and null for the others", "aggregate\n  null semantic_candidate_blocks")},
	},
	{
		ID: "KV-1-3", How: "token-weighted rates are over all tokens of the prompts",
		Bad: examples{
			edge(offline, "over the tokens of full blocks", "aggregate\n  set {\"exact_token_weighted_reuse_rate\": {\"denominator\": 272, \"value\": 0.29411764705882354}}"),
			ex(offline, "no token-weighted rate of eligible blocks", "aggregate\n  null semantic_eligible_token_weighted_reuse_rate"),
			ex(offline, "candidates over the tokens of full blocks", "aggregate\n  set {\"semantic_candidate_token_weighted_reuse_rate\": {\"denominator\": 272, \"value\": 0.7647058823529411}}"),
		},
		Good: examples{edge(offline, "over all tokens", "aggregate\n  put exact_token_weighted_reuse_rate.denominator 295")},
	},
	{
		ID: "KV-2-2", How: "the exact rate is all exact hits by all full blocks, and the transforms together have as many of both",
		Bad: examples{
			edge(offline, "a mean of the rates of transforms", "aggregate\n  put exact_block_hit_rate.value 0.4102564102564103"),
			ex(offline, "a hit more than the transforms have", "aggregate\n  set {\"exact_hit_blocks\": 6, \"exact_block_hit_rate\": {\"numerator\": 6, \"value\": 0.35294117647058826}, \"exact_token_weighted_reuse_rate\": {\"numerator\": 96, \"value\": 0.3254237288135593}, \"semantic_eligible_lift\": {\"value\": 0.35294117647058826, \"less\": {\"numerator\": 6, \"value\": 0.35294117647058826}}}"),
			ex(offline, "no value", "aggregate\n  null exact_block_hit_rate.value"),
		},
		Good: examples{edge(offline, "5 of 17", "aggregate\n  put exact_block_hit_rate.value 0.29411764705882354")},
	},
	{
		ID: "KV-3-2", How: "the candidate rate is all candidates by the full blocks of all requests with a plan",
		Bad: examples{
			edge(offline, "one block fewer below the line", "aggregate\n  set {\"semantic_candidate_block_rate\": {\"denominator\": 16, \"value\": 0.8125}}"),
			ex(offline, "no candidate rate of a run with a planner", "aggregate\n  null semantic_candidate_block_rate"),
			ex(bare, "a candidate rate without a planner", `aggregate
  put semantic_candidate_block_rate {"numerator": 0, "denominator": 17, "value": 0, "measured": 4, "of": 4}`),
		},
		Good: examples{edge(offline, "13 of 17", "aggregate\n  put semantic_candidate_block_rate.denominator 17"), ex(bare, "none without a planner", "aggregate\n  null semantic_candidate_block_rate")},
	},
	{
		ID: "KV-3-3", How: "candidates are called discovery evidence",
		Bad: examples{
			edge(offline, "candidates that are called confirmed", "claims\n  put candidate \"confirmed reuse\""),
			ex(bare, "discovery evidence where nothing was discovered", "claims\n  put candidate \""+result.ClaimCandidate+"\""),
		},
		Good: examples{edge(offline, "discovery evidence", "claims\n  put candidate \""+result.ClaimCandidate+"\"")},
	},
	{
		ID: "KV-4-2", How: "the eligible rate is all eligible blocks by the full blocks of all requests with a plan",
		Bad: examples{
			edge(offline, "one block more below the line", "aggregate\n  set {\"semantic_eligible_block_rate\": {\"denominator\": 18, \"value\": 0.6666666666666666}, \"semantic_eligible_lift\": {\"rate\": {\"denominator\": 18, \"value\": 0.6666666666666666}, \"value\": 0.37254901960784315}}"),
			ex(offline, "no eligible rate of a run with a planner", "aggregate\n  null semantic_eligible_block_rate"),
		},
		Good: examples{edge(offline, "12 of 17", "aggregate\n  put semantic_eligible_block_rate.denominator 17")},
	},
	{
		ID: "KV-4-3", How: "the eligible lift is the eligible less the exact rate of the same requests, negative where it is",
		Bad: examples{
			edge(offline, "cut off at 0", negative+"  put semantic_eligible_lift.value 0"),
			ex(offline, "no lift of a run with a planner", "aggregate\n  null semantic_eligible_lift"),
			ex(offline, "a difference from another rate", "aggregate\n  put semantic_eligible_lift.rate.numerator 11"),
		},
		Good: examples{edge(offline, "a negative lift", negative)},
	},
	{
		ID: "KV-4-4", How: "eligible blocks are called an offline proxy, and a run without requests is called offline",
		Bad: examples{
			edge(offline, "an offline result that calls itself live", "conformance\n  put status \"live\""),
			ex(live, "a live result that calls itself offline", "conformance\n  put mode \"offline\""),
			ex(offline, "eligible blocks that are called confirmed", "claims\n  put eligible \"confirmed reuse\""),
		},
		Good: examples{edge(offline, "an offline result", "conformance\n  put status \"offline\""), ex(live, "a live one", "conformance\n  put status \"live\"")},
	},
	{
		ID: "KV-7-2", How: "the share of eligible blocks among those of the controls is there, over all of their blocks, and has no value where there is none",
		Bad: examples{
			edge(offline, "a rate of 0 where no control is", withoutControls+`  put negative_control_semantic_eligible_rate {"numerator": 0, "denominator": 0, "value": 0, "measured": 0, "of": 0}`),
			ex(offline, "no rate of one control", "negative_controls\n  null negative_control_semantic_eligible_rate"),
			ex(offline, "a block too few below the line", "negative_controls\n  put negative_control_semantic_eligible_rate.denominator 1"),
		},
		Good: examples{edge(offline, "no control, and no rate", withoutControls), ex(offline, "0 of 2", "negative_controls\n  put negative_control_semantic_eligible_rate.value 0")},
	},
}

// negative makes the lift of all requests negative: more exact hits than
// eligible blocks in one transform.
const negative = `by_transform {"transform": "rag_reorder"}
  set {"figures": {"semantic_eligible_blocks": 2, "semantic_eligible_block_rate": {"numerator": 2, "value": 0.15384615384615385}, "semantic_eligible_token_weighted_reuse_rate": {"numerator": 32, "value": 0.14883720930232558}, "semantic_eligible_lift": {"value": -0.07692307692307693, "rate": {"numerator": 2, "value": 0.15384615384615385}}}}
aggregate
  set {"semantic_eligible_blocks": 4, "semantic_eligible_block_rate": {"numerator": 4, "value": 0.23529411764705882}, "semantic_eligible_token_weighted_reuse_rate": {"numerator": 64, "value": 0.21694915254237288}, "semantic_eligible_lift": {"value": -0.058823529411764705, "rate": {"numerator": 4, "value": 0.23529411764705882}}}
`

// withoutControls takes the controls out of the sums.
const withoutControls = `by_transform {"transform": "negative_control"}
  set {"negative_controls": {"negative_control_count": 0, "negative_control_blocks": 0}}
  null negative_controls.negative_control_exact_block_hit_rate
  null negative_controls.negative_control_semantic_eligible_rate
run
  put controls 0
negative_controls
  put negative_control_count 0
  put negative_control_blocks 0
  null negative_control_exact_block_hit_rate
  null negative_control_semantic_eligible_rate
`
