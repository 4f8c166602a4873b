package gate

// Kind is what a metric's value is.
type Kind int

// The kinds.
const (
	Text  Kind = iota // a name; rows have such fields, the whole run has none
	Count             // a whole number of at least 0
	Rate              // a share with numerator and denominator; a lift is a difference of two
	Ratio             // a speed-up: cold by warm
	Time              // in milliseconds
	Score             // in [0, 1]
	Truth             // true or false
)

// Source is what a metric has to be measured by. Without it the value is null,
// and a gate on it has no data.
type Source int

// The sources.
const (
	Offline  Source = iota // the manifest alone
	Planned                // a planner, or plans from one
	Measured               // a live run
	Paired                 // the cold and warm arms of a live run
	Logged                 // an engine's log
	Judged                 // outputs, and answers to hold them against
	Floored                // a noise floor
)

// Metric is a figure that a condition may name.
type Metric struct {
	Name        string
	Kind        Kind
	Source      Source
	Requirement string // row of the table that it comes from; "" for one beside the contract
	Doc         string // what it is, as half a sentence
}

// Metrics lists every figure of a whole run, in the order of the report. The
// caller must not change it.
func Metrics() []Metric { return metrics }

// GroupMetrics lists those of them that each transform has too, as fields of
// the rows of `transforms`.
func GroupMetrics() []Metric { return groupMetrics }

// Fields lists what each row of `requests` has: one row for each item.
func Fields() []Metric { return fields }

var offline = []Metric{
	{"request_count", Count, Offline, "KV-1-1", "items of the manifest"},
	{"prompt_tokens", Count, Offline, "KV-1-3", "tokens of all recipients, partial blocks included"},
	{"total_blocks", Count, Offline, "KV-1-1", "full blocks of all recipients"},
	{"exact_hit_blocks", Count, Offline, "KV-2-1", "full blocks whose content a donor holds as a full block"},
	{"exact_block_hit_rate", Rate, Offline, "KV-2-2", "exact_hit_blocks of total_blocks"},
	{"exact_prefix_hit_blocks", Count, Offline, "", "exact hits that no miss precedes, as an engine's prefix cache needs them"},
	{"exact_prefix_block_hit_rate", Rate, Offline, "", "exact_prefix_hit_blocks of total_blocks"},
	{"exact_token_weighted_reuse_rate", Rate, Offline, "KV-1-3", "tokens of exact hits of prompt_tokens"},
	{"semantic_candidate_blocks", Count, Planned, "KV-3-1", "full blocks every token of which the plan copies"},
	{"semantic_candidate_block_rate", Rate, Planned, "KV-3-2", "semantic_candidate_blocks of total_blocks"},
	{"semantic_candidate_token_weighted_reuse_rate", Rate, Planned, "KV-1-3", "tokens of candidate blocks of prompt_tokens"},
	{"semantic_eligible_blocks", Count, Planned, "KV-4-1", "candidate blocks that are contiguous in one donor"},
	{"semantic_eligible_block_rate", Rate, Planned, "KV-4-2", "semantic_eligible_blocks of total_blocks"},
	{"semantic_eligible_token_weighted_reuse_rate", Rate, Planned, "KV-1-3", "tokens of eligible blocks of prompt_tokens"},
	{"semantic_eligible_lift", Rate, Planned, "KV-4-3", "semantic_eligible_block_rate less exact_block_hit_rate"},
	{"plan_invalid_actions", Count, Planned, "", "copies that no donor could serve"},
	{"backend_measured_requests", Count, Measured, "KV-5-1", "warm requests whose cached tokens the backend reported"},
	{"backend_confirmed_blocks", Count, Measured, "KV-5-1", "blocks that the backend reports as reused"},
	{"backend_confirmed_block_rate", Rate, Measured, "KV-5-2", "backend_confirmed_blocks of the blocks of the measured requests"},
	{"backend_confirmed_lift", Rate, Measured, "KV-5-3", "backend_confirmed_block_rate less exact_block_hit_rate, both over the measured requests"},
}

var controls = []Metric{
	{"negative_control_count", Count, Offline, "KV-7-1", "items whose donor is unrelated by construction"},
	{"negative_control_blocks", Count, Offline, "KV-7-1", "full blocks of their recipients"},
	{"negative_control_exact_block_hit_rate", Rate, Offline, "", "exact hits of the blocks of controls"},
	{"negative_control_semantic_eligible_rate", Rate, Planned, "KV-7-2", "eligible blocks of the blocks of controls: the main safety signal"},
	{"negative_control_backend_confirmed_rate", Rate, Measured, "KV-7-2", "confirmed blocks of the blocks of measured controls"},
	{"negative_control_semantic_placement_rate", Rate, Measured, "KV-6-2", "controls that were placed semantically, of those with a placement"},
	{"collision_violations", Count, Offline, "KV-7-1", "blocks that a control shares with its own donors, or that come from a foreign document"},
}

var live = []Metric{
	{"semantic_placement_rate_by_request", Rate, Measured, "KV-6-2", "requests that were placed semantically, of those with a placement"},
	{"pairs_total", Count, Paired, "KV-8-1", "items of which an arm was run"},
	{"pairs_used", Count, Paired, "KV-8-1", "pairs with two times, none of them contaminated or failed"},
	{"blended_pairs", Count, Paired, "KV-8-2", "used pairs without controls, which the headline is over"},
	{"pairs_contaminated", Count, Paired, "KV-8-6", "pairs whose cold arm had cached tokens or materialised something, or whose reset failed"},
	{"pairs_unchecked", Count, Paired, "KV-8-6", "pairs whose cold arm did not report cached tokens"},
	{"pairs_errored", Count, Paired, "KV-8-1", "pairs of which a request failed"},
	{"negative_control_pairs", Count, Paired, "KV-8-5", "used pairs of controls"},
	{"hit_pairs", Count, Paired, "KV-8-3", "used pairs without controls whose warm request was a hit"},
	{"hit_measured_pairs", Count, Paired, "KV-8-3", "used pairs without controls of whose warm request it is known whether it was a hit"},
	{"hit_rate", Rate, Paired, "KV-8-3", "hit_pairs of hit_measured_pairs"},
	{"blended_ttft_speedup_mean", Ratio, Paired, "KV-8-2", "mean of cold by warm time to first token, hits and misses: the headline"},
	{"blended_ttft_speedup_low", Ratio, Paired, "KV-8-2", "lower end of its interval"},
	{"blended_ttft_speedup_high", Ratio, Paired, "KV-8-2", "upper end of its interval"},
	{"blended_ttft_speedup_median", Ratio, Paired, "", "its median"},
	{"hit_only_ttft_speedup_mean", Ratio, Paired, "KV-8-3", "the mean over hits alone, which is no headline"},
	{"negative_control_ttft_speedup_mean", Ratio, Paired, "KV-8-5", "the mean over controls, about 1 where the cache leaves them alone"},
	{"negative_control_ttft_speedup_low", Ratio, Paired, "KV-8-5", "lower end of its interval"},
	{"negative_control_ttft_speedup_high", Ratio, Paired, "KV-8-5", "upper end of its interval"},
	{"negative_control_ttft_speedup_deviation", Ratio, Paired, "KV-8-5", "how far the mean over controls is from 1"},
	{"ttft_cold_p50_ms", Time, Paired, "KV-8-4", "median time to first token of the cold arm"},
	{"ttft_cold_p95_ms", Time, Paired, "KV-8-4", "its 95th percentile"},
	{"ttft_warm_p50_ms", Time, Paired, "KV-8-4", "median time to first token of the warm arm"},
	{"ttft_warm_p95_ms", Time, Paired, "KV-8-4", "its 95th percentile"},
	{"engine_ttft_speedup_median", Ratio, Paired, "", "median of cold by warm time to first token as the engine reports it"},
	{"engine_semantic_hits", Count, Logged, "KV-5-7", "semantic hits in the engine's log"},
	{"materialization_events", Count, Logged, "KV-5-6", "materialisations in the engine's log"},
	{"materialized_tokens", Count, Logged, "KV-5-6", "tokens of them"},
	{"materialized_units", Count, Logged, "KV-5-8", "units of them, where the engine does not count tokens"},
	{"materialized_requests", Count, Logged, "KV-5-6", "requests with both a hit and a materialisation, of a live run its own warm ones"},
	{"materialized_semantic_kv_reuse", Truth, Logged, "KV-5-6", "whether such a request has both a hit and a materialisation"},
	{"suffix_execution_proven", Truth, Logged, "KV-5-9", "whether such a request that materialised has an engine blend boundary"},
	{"engine_errors", Count, Logged, "", "errors in the engine's log"},
	{"quality_measured", Count, Judged, "", "outputs that were held against an answer"},
	{"quality_pass_rate", Rate, Judged, "", "outputs that passed, of those that were held against an answer"},
	{"mean_quality_f1", Score, Judged, "", "mean token F1 against the answers"},
	{"mean_quality_rouge_l", Score, Judged, "", "mean ROUGE-L against the answers"},
	{"empty_outputs", Count, Judged, "", "outputs without a word"},
	{"warm_vs_cold_pairs", Count, Paired, "KV-8-8", "clean pairs with two outputs"},
	{"warm_vs_cold_output_rouge_l_mean", Score, Paired, "KV-8-8", "mean ROUGE-L of the warm output against the cold one"},
	{"noise_floor_rouge_l_mean", Score, Floored, "KV-8-8", "what two cold runs of one prompt give"},
	{"warm_vs_cold_rouge_l_drop", Score, Floored, "KV-8-8", "noise_floor_rouge_l_mean less warm_vs_cold_output_rouge_l_mean"},
	{"warm_vs_cold_rouge_l_excess", Score, Floored, "KV-8-8", "warm_vs_cold_output_rouge_l_mean less the upper end of the noise floor's interval"},
}

var groupMetrics = append(append([]Metric{{"transform", Text, Offline, "", "the name of the transform, a text"}}, offline...), controls[:5]...)

var metrics = append(append(append([]Metric{}, offline...), controls...), live...)

var fields = []Metric{
	{"item_id", Text, Offline, "", "the item, a text"},
	{"source_id", Text, Offline, "", "the document that it comes from, a text"},
	{"transform", Text, Offline, "", "the name of the transform, a text"},
	{"negative_control", Truth, Offline, "", "whether its donor is unrelated by construction"},
	{"donor_count", Count, Offline, "", "donors of the item"},
	{"prompt_tokens", Count, Offline, "", "tokens of the recipient"},
	{"total_blocks", Count, Offline, "", "full blocks of the recipient"},
	{"exact_hit_blocks", Count, Offline, "", "of them, exact hits"},
	{"semantic_candidate_blocks", Count, Planned, "", "of them, candidates"},
	{"semantic_eligible_blocks", Count, Planned, "", "of them, eligible ones"},
	{"backend_confirmed_blocks", Count, Measured, "", "of them, confirmed by the backend in the warm arm"},
	{"contaminated", Truth, Paired, "", "whether the cold arm was contaminated"},
	{"failed", Truth, Measured, "", "whether a request of it failed"},
	{"ttft_speedup", Ratio, Paired, "", "cold by warm time to first token"},
	{"quality_score", Score, Judged, "", "recall of the answer in the warm output"},
	{"warm_vs_cold_rouge_l", Score, Paired, "", "ROUGE-L of the warm output against the cold one"},
}
