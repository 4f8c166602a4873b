package schema

var reuseRefused = []Refused{
	{[]string{"partial_blocks", "count_partial", "trailing_block", "pad_blocks", "round_up"}, "KV-1-2", "A block of the cache is full or it is none: a partial one at the end of a prompt is not reused, and stands in no rate. Take the argument out."},
	{[]string{"max_donors", "sample_donors", "donor_limit", "donor_sample", "top_k"}, "KV-2-1", "The exact baseline looks at every full block of every donor, since a weaker baseline makes every lift larger. Take the argument out, and write scope = \"item\" or scope = \"corpus\"."},
	{[]string{"prefix_only", "aligned_only", "same_position", "position", "prefix", "exact_baseline"}, "KV-2-3", "An exact hit counts wherever the block stands, and a baseline of prefixes alone is weaker. Take the argument out: hits that no miss precedes are in the report beside it."},
	{[]string{"confirmed_from", "confirm_candidates", "count_candidates_as", "assume_confirmed", "candidates_as"}, "KV-3-3", "What a planner found is a plan, and no reuse that a backend confirmed. Write a live block, whose backend tells what it took from its cache."},
	{[]string{"confirmed", "confirmed_blocks", "confirmed_rate", "confirmed_tokens", "backend_confirmed"}, "KV-5-1", "Confirmed figures come from a backend that reported them, and cannot be declared. Write a live block."},
	{[]string{"headline", "report_as", "title", "headline_metric"}, "KV-8-2", "The headline is the mean speed-up over every clean pair, misses included, whatever it came to. Take the argument out, and write a gate on the figure that you want to look at."},
	{[]string{"hit_only", "only_hits", "exclude_misses", "drop_misses"}, "KV-8-3", "A speed-up over hits alone says nothing of the requests that missed. Take the argument out: it is in the report, beside the hit rate."},
	{[]string{"keep_contaminated", "include_contaminated", "ignore_contamination"}, "KV-8-6", "A pair whose cold arm was warm compares two warm arms, and is excluded and counted. Take the argument out, and write a reset in the live block."},
	{[]string{"min_rouge", "min_rouge_l", "rouge_threshold", "min_agreement"}, "KV-8-8", "How far warm answers differ from cold ones is held against a noise floor, since two cold answers differ too. Write calibration = \"noise-floor.json\", and use = gate.rouge_drop in a gate."},
}

var reuseLiveRefused = []Refused{
	{[]string{"confirmed_from", "confirmed_blocks", "confirmed_rate"}, "KV-5-1", "Confirmed figures are what the backend reports for each request, and cannot be declared. Take the argument out; signal says what a hit is counted from."},
	{[]string{"confirmed_by_route", "route_confirms", "placement_as_hit", "route_as_hit"}, "KV-6-3", "Where a gateway sent a request says nothing of what the engine loaded. Write signal = \"cached_tokens\" or signal = \"evidence\"."},
	{[]string{"no_reset", "skip_reset", "keep_contaminated", "ignore_contamination", "trust_cold"}, "KV-8-6", "A cold arm that found something in the cache is contaminated, and its pair excluded and counted. Take the argument out, and write the address that empties the cache: reset = \"http://127.0.0.1:8000/reset_prefix_cache\"."},
	{[]string{"hit_only", "only_hits", "exclude_misses", "drop_misses"}, "KV-8-3", "A speed-up over hits alone says nothing of the requests that missed. Take the argument out: it is in the report, beside the hit rate."},
	{[]string{"arm", "arms", "single_arm", "cold_only", "warm_only", "unpaired"}, "KV-8-1", "Times to the first token are compared within a pair, and the mean of one arm alone is no result. Take the argument out: both arms are run for every item."},
}

var gateRefused = []Refused{
	{[]string{"allow_missing", "skip_missing", "ignore_missing", "optional", "default", "pass_without_data"}, "KV-8-7", "A gate over figures that do not exist has no data, and that is no pass. Take the argument out; at_least says how much has to be there."},
	{[]string{"pass", "passed", "status", "result", "force"}, "KV-8-7", "Whether a gate passes follows from its condition and the result, and cannot be declared. Write condition = \"...\"."},
	{[]string{"noise_floor", "floor", "rouge_floor"}, "KV-8-8", "A noise floor is measured by fdbench calibrate with the protocol of the live block. Write calibration = \"noise-floor.json\" in the reuse block."},
}
