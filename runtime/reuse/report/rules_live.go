package report

import (
	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/spec"
)

// backendRules are those of what a backend, an engine's log or a gateway says.
var backendRules = []spec.Rule{
	{
		ID: "KV-5-1", How: "confirmed figures are there where a backend reported, 0 as 0, and nowhere else",
		Bad: examples{
			edge(offline, "0 confirmed blocks of a run without requests", "aggregate\n  put backend_confirmed_blocks 0"),
			ex(live, "no confirmed blocks of requests that the backend reported", "aggregate\n  null backend_confirmed_blocks"),
			ex(offline, "a confirmed rate of controls without requests", `negative_controls
  put negative_control_backend_confirmed_rate {"numerator": 0, "denominator": 2, "value": 0, "measured": 1, "of": 1}`),
		},
		Good: examples{edge(offline, "none of a run without requests", "aggregate\n  null backend_confirmed_blocks"), ex(live, "11 of a live run", "aggregate\n  put backend_confirmed_blocks 11")},
	},
	{
		ID: "KV-5-2", How: "the confirmed rate is the confirmed blocks by the full blocks of the measured requests",
		Bad: examples{
			edge(live, "one confirmed block more above the line", "aggregate\n  set {\"backend_confirmed_block_rate\": {\"numerator\": 12, \"value\": 0.7058823529411765}, \"backend_confirmed_lift\": {\"rate\": {\"numerator\": 12, \"value\": 0.7058823529411765}, \"value\": 0.4117647058823529}}"),
			ex(live, "no confirmed rate of a live run", "aggregate\n  null backend_confirmed_block_rate"),
			ex(live, "a value that its numbers do not give", "aggregate\n  put backend_confirmed_block_rate.value 0.7"),
		},
		Good: examples{edge(live, "11 of 17", "aggregate\n  put backend_confirmed_block_rate.numerator 11")},
	},
	{
		ID: "KV-5-3", How: "the confirmed lift is the confirmed less the exact rate of the same requests",
		Bad: examples{
			edge(live, "an exact rate of other requests", "aggregate\n  put backend_confirmed_lift.less.numerator 4"),
			ex(live, "no lift of a live run", "aggregate\n  null backend_confirmed_lift"),
			ex(live, "another difference", "aggregate\n  put backend_confirmed_lift.value 0.36"),
		},
		Good: examples{edge(live, "an exact rate of the same requests", "aggregate\n  put backend_confirmed_lift.less.numerator 5")},
	},
	{
		ID: "KV-5-5", How: "confirmed reuse is called split where the backend split every measured request, and combined elsewhere",
		Bad: examples{
			edge(split, "called split with one request that was not", "confirmation\n  put split_requests 3"),
			ex(live, "a single field that is called split", "claims\n  put confirmed \""+result.ClaimSplit+"\""),
			ex(live, "a single field that is called semantic", "claims\n  put confirmed \"semantic reuse\""),
		},
		Good: examples{
			edge(split, "every request split", "confirmation\n  put split_requests 4"),
			ex(live, "a single field", "claims\n  put confirmed \""+result.ClaimCombined+"\""),
		},
	},
	{
		ID: "KV-5-6", How: "materialised semantic reuse is shown where a request, of the run itself where it is live, has both a hit and a materialisation",
		Bad: examples{
			edge(live, "shown with no request that has both", nobody+"confirmation\n  set {\"materialized_requests\": 1}"),
			ex(live, "shown by the whole log alone", nobody+"evidence {\"summary\": {\"engine\": \"vllm\"}}\n  put materialized_semantic_kv_reuse true\nconfirmation\n  set {\"materialized_requests\": 1}"),
			ex(live, "shown by the requests of another run", "evidence {\"summary\": {\"engine\": \"vllm\"}}\n  put own_materialized_requests 0"),
			ex(live, "not said of two logs", "confirmation\n  null materialized_semantic_kv_reuse"),
		},
		Good: examples{edge(live, "shown with one request that has both", nobody+"confirmation\n  set {\"materialized_requests\": 1, \"materialized_semantic_kv_reuse\": true}\n"+somebody)},
	},
	{
		ID: "KV-5-9", How: "suffix-only execution is shown where a request, of the run itself where it is live, has both a boundary and a materialisation",
		Bad: examples{
			edge(live, "shown without a boundary", "evidence {\"summary\": {\"engine\": \"vllm\"}}\n  put suffix_execution_proven true"),
			ex(live, "not said of two logs", "confirmation\n  null suffix_execution_proven"),
		},
		Good: examples{edge(live, "shown with one", "evidence {\"summary\": {\"engine\": \"trtllm\"}}\n  put suffix_execution_proven true")},
	},
	{
		ID: "KV-6-2", How: "placements are called that, and their rate is over the requests of which the gateway told one",
		Bad: examples{
			edge(live, "a request without a placement below the line", "placement\n  put told 3"),
			ex(live, "placements that are called materialised", "claims\n  put placement \"materialised\""),
			ex(offline, "a placement where nothing was sent", "claims\n  put placement \""+result.ClaimPlacement+"\""),
		},
		Good: examples{edge(live, "2 of 4 requests with a placement", "placement\n  put told 4")},
	},
}

// nobody takes the run's requests with both out of the logs, and somebody puts
// one back into that of vLLM.
const (
	nobody   = "evidence {\"summary\": {\"engine\": \"vllm\"}}\n  set {\"own_materialized_requests\": 0, \"materialized_semantic_kv_reuse\": false}\nevidence {\"summary\": {\"engine\": \"trtllm\"}}\n  set {\"own_materialized_requests\": 0, \"materialized_semantic_kv_reuse\": false}\n"
	somebody = "evidence {\"summary\": {\"engine\": \"vllm\"}}\n  set {\"own_materialized_requests\": 1, \"materialized_semantic_kv_reuse\": true}\n"
)

// another is a fifth pair, and four are as many that are no controls.
const (
	another = "run\n  put live.cold_first 3\n"
	four    = "  put blended_ttft_speedup_mean.n 4\n  put blended_ttft_speedup_median.n 4\n  put hit_rate.of 4"
)

// pairRules are those of pairs, outputs and gates.
var pairRules = []spec.Rule{
	{
		ID: "KV-8-1", How: "a live run has its pairs compared, and every pair is used, contaminated, failed or without two times",
		Bad: examples{
			edge(live, "a pair that is nowhere", "paired\n  put pairs_total 5"),
			ex(live, "no comparison of pairs", "paired\n  drop"),
			ex(live, "times that are called something else", "claims\n  put timing \"one arm\""),
		},
		Good: examples{edge(live, "a pair that failed", "paired\n  put pairs_total 5\n  put pairs_errored 1\n"+another)},
	},
	{
		ID: "KV-8-2", How: "the headline is there, over every used pair that is no control, with its interval",
		Bad: examples{
			edge(live, "a miss left out", "paired\n  put blended_ttft_speedup_mean.n 2"),
			ex(live, "no headline over three pairs", "paired\n  null blended_ttft_speedup_mean"),
			ex(live, "no interval", "paired\n  cut blended_ttft_speedup_mean.low"),
			ex(live, "an interval that ends before it begins", "paired\n  put blended_ttft_speedup_mean.low 9"),
		},
		Good: examples{edge(live, "over all three", "paired\n  put blended_ttft_speedup_mean.n 3")},
	},
	{
		ID: "KV-8-3", How: "the speed-up of hits stands beside the hit rate, and is over the hits",
		Bad: examples{
			edge(live, "no hit rate beside it", "paired\n  null hit_rate"),
			ex(live, "over a pair that is no hit", "paired\n  put hit_only_ttft_speedup_mean.n 3"),
			ex(live, "a hit rate over hits", "paired\n  set {\"hit_rate\": {\"denominator\": 2, \"value\": 1}}"),
			ex(live, "a gate on it that does not look at the hit rate", `gates {"name": "faster"}
  put condition "hit_only_ttft_speedup_mean >= 1"
  put observed.0.metric "hit_only_ttft_speedup_mean"`),
		},
		Good: examples{edge(live, "2 of 3", "paired\n  put hit_rate.numerator 2")},
	},
	{
		ID: "KV-8-4", How: "each arm has its median and its 95th percentile, over the used pairs",
		Bad: examples{
			edge(live, "over one pair fewer than were used", "paired\n  put percentile_pairs 3"),
			ex(live, "no 95th percentile of the warm arm", "paired\n  null ttft_warm_p95_ms"),
			ex(live, "a 95th percentile below the median", "paired\n  put ttft_cold_p95_ms 100"),
		},
		Good: examples{edge(live, "over all used pairs", "paired\n  put percentile_pairs 4")},
	},
	{
		ID: "KV-8-5", How: "the mean speed-up over the controls is there where a control was used, with how far it is from 1",
		Bad: examples{
			edge(live, "a deviation of 0 of no control", "paired\n  put negative_control_pairs 0\n  null negative_control_ttft_speedup_mean\n"+four),
			ex(live, "no mean of one control", "paired\n  null negative_control_ttft_speedup_mean\n  null negative_control_ttft_speedup_deviation"),
			ex(live, "another deviation than the mean has", "paired\n  put negative_control_ttft_speedup_deviation 0.01"),
		},
		Good: examples{edge(live, "no deviation of no control", "paired\n  put negative_control_pairs 0\n  null negative_control_ttft_speedup_mean\n  null negative_control_ttft_speedup_deviation\n"+four)},
	},
	{
		ID: "KV-8-6", How: "contaminated pairs are counted, and none of them is among the used ones",
		Bad: examples{
			edge(live, "a contaminated pair among four used ones of four", "paired\n  put pairs_contaminated 1"),
			ex(live, "no count", "paired\n  cut pairs_contaminated"),
		},
		Good: examples{edge(live, "a contaminated pair beside four used ones", "paired\n  put pairs_contaminated 1\n  put pairs_total 5\n"+another)},
	},
	{
		ID: "KV-8-7", How: "a gate on contamination has passed only where every pair was checked",
		Bad: examples{
			edge(live, "passed with one pair that was not checked", "paired\n  put pairs_unchecked 1"),
			ex(live, "no count of unchecked pairs", "paired\n  cut pairs_unchecked"),
		},
		Good: examples{
			edge(live, "passed with every pair checked", "paired\n  put pairs_unchecked 0"),
			ex(live, "no data with one pair that was not", "paired\n  put pairs_unchecked 1\ngates {\"name\": \"uncontaminated\"}\n  put status \"no_data\"\n  put why \"a pair was not checked\""),
		},
	},
	{
		ID: "KV-8-8", How: "how far warm outputs are from cold ones is judged by a noise floor, or not at all",
		Bad: examples{
			edge(live, "judged without a noise floor", "quality\n  null noise_floor"),
			ex(live, "not judged beside one", "quality\n  null warm_vs_cold_rouge_l_drop"),
			ex(live, "another drop than the noise floor gives", "quality\n  put warm_vs_cold_rouge_l_drop 0"),
			ex(live, "a gate on the mean alone", `gates {"name": "outputs"}
  put condition "warm_vs_cold_output_rouge_l_mean >= 0.9"
  put observed.0.metric "warm_vs_cold_output_rouge_l_mean"`),
		},
		Good: examples{edge(live, "not judged without a noise floor", "quality\n  null noise_floor\n  null warm_vs_cold_rouge_l_drop\n  null warm_vs_cold_rouge_l_excess")},
	},
}
