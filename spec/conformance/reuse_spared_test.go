package conformance

// The reasons that those of series do not have.
const (
	ofManifest = "it follows from the manifest, of which verify measures every row, and the audit, again"
	ofLog      = "it follows from the log, which verify reads again where it was there before the run"
	ofServer   = "what a server or a gateway said of one request, which nothing else on record repeats: only the chain of hashes keeps it"
	ofAnswers  = "scores are of the answers in the manifest, which no journal repeats"
	noClocks   = "clocks and hosts of a series: a reuse block is run by one program, and has neither"
	ofThePlan  = "the plan says it, which lies beside the journal; a result does not say it twice, and verify takes it from there"
	alone      = "a figure that nothing beside it repeats; verify computes it from the journal again"
)

// Of these journals of reuse blocks the mutants may pass.
var sparedOfReuseJournals = []spared{
	{"arm cached_tokens *", ofServer},
	{"arm fuzzy_tokens *", ofServer},
	{"arm prompt_tokens *", ofServer},
	{"arm donors_failed changed", ofServer},
	{"arm engine_id changed", ofServer},
	{"arm request_id changed", observed},
	{"arm finish_reason changed", ofServer},
	{"arm outcome changed", "a request that was answered, told as one that failed, leaves the pair out and is listed among the failures; only the chain keeps it"},
	{"arm output changed", ofServer},
	{"arm latency_ns changed", observed},
	{"arm ttft_ns *", observed},
	{"arm quality null", ofAnswers},
	{"arm quality.* changed", ofAnswers},
	{"arm route null", ofServer},
	{"arm route.* changed", ofServer},
	{"audit * changed", ofManifest},
	{"close reason changed", freeText},
	{"commit at_ns changed", observed},
	{"counters values*", ofServer},
	{"evidence * changed", ofLog},
	{"item * changed", ofManifest},
	{"item plan_invalid_actions *", ofManifest},
	{"joined * changed", ofLog},
	{"open hosts.* changed", noClocks},
	{"open onset.* changed", noClocks},
	{"open targets[0].address changed", observed},
	{"open targets[0].allowed changed", "it says more than is so: an address that needed no permission is reported as permitted"},
	{"open targets[0].name changed", freeText},
	{"segment name changed", freeText},
}

// Of these results of reuse blocks a report is made all the same.
var sparedOfReuseResults = []spared{
	{"plan_digest changed", ofThePlan},
	{"name changed", ofThePlan},
	{"generation changed", ofThePlan},
	{"exploratory changed", ofThePlan},
	{"run.engine changed", ofThePlan},
	{"run.live.* changed", ofThePlan},
	{"run.manifest* changed", ofThePlan},
	{"run.planner changed", ofThePlan},
	{"run.scope changed", ofThePlan},
	{"run.tokenizer* changed", ofThePlan},
	{"run.targets *", alone},
	{"run.targets[0].* changed", alone},
	{"by_transform[0].transform changed", alone},
	{"collisions.mode changed", ofThePlan},
	{"collisions.found.* changed", alone},
	{"confirmation.split_requests changed", "one request more of which the backend told the mechanism, and still not all: the claim stays"},
	{"evidence[0].joined_requests changed", alone},
	{"evidence[0].summary.* changed", ofLog},
	{"footer.statement changed", freeText},
	{"gates emptied", ofThePlan},
	{"gates shortened", ofThePlan},
	{"gates[0].at_least *", ofThePlan},
	{"gates[0].at_least[0].* changed", alone},
	{"gates[0].from changed", ofThePlan},
	{"gates[0].name changed", ofThePlan},
	{"gates[0].observed[0].* changed", alone},
	{"gates[0].why changed", freeText},
	{"negative_controls.negative_control_backend_confirmed_rate.denominator changed", "the server's own count of the controls' blocks, where they are so many that no value changes"},
	{"paired.*.few_clusters changed", alone},
	{"paired.*.low changed", alone},
	{"paired.*.high changed", alone},
	{"paired.*.value changed", alone},
	{"paired.ttft_* changed", alone},
	{"placement.route_endpoints *", alone},
	{"placement.route_*[0].name changed", alone},
	{"quality.empty_outputs changed", alone},
	{"quality.truncated_outputs changed", alone},
	{"quality.mean_quality_* changed", alone},
	{"quality.threshold changed", ofThePlan},
	{"quality.noise_floor.* changed", ofThePlan},
	{"quality.warm_vs_cold_output_rouge_l_mean.* changed", alone},
	{"supplementary.*", outside},
}
