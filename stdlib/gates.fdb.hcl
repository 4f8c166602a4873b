# Gates on the result of a reuse block. A gate is used by its name, with a
# limit and least counts of one's own where they differ:
#
#   gate "controls stay cold" {
#     on    = reuse.rag
#     use   = gate.controls_ineligible
#     limit = 0.005
#   }
#
# A figure that does not exist is no pass, and neither is one over fewer pairs
# or items than at_least asks for. Limits that depend on the deployment have no
# default.

# Negative controls: what has nothing in common is left alone.

gate "controls_ineligible" {
  description = "Of the blocks of negative controls hardly any is eligible: a planner that takes over unrelated content is not safe, whatever it gains elsewhere."
  condition   = "negative_control_semantic_eligible_rate <= limit"
  limit       = 0.01
  at_least    = { negative_control_blocks = 1, negative_control_count = 1 }
}

gate "controls_unconfirmed" {
  description = "The backend took no block of a negative control from its cache."
  condition   = "negative_control_backend_confirmed_rate <= limit"
  limit       = 0
  at_least    = { backend_measured_requests = 1, negative_control_blocks = 1 }
}

gate "controls_unplaced" {
  description = "The gateway placed no negative control by its meaning."
  condition   = "negative_control_semantic_placement_rate <= limit"
  limit       = 0
  at_least    = { negative_control_count = 1 }
}

gate "controls_speedup" {
  description = "The interval of the controls' mean speed-up lies around 1, on both sides: a cache that makes unrelated requests faster or slower acts on them."
  condition   = "negative_control_ttft_speedup_low >= 1 - limit and negative_control_ttft_speedup_high <= 1 + limit"
  limit       = 0.1
  at_least    = { negative_control_pairs = 5 }
}

gate "controls_speedup_deviation" {
  description = "The controls' mean speed-up itself is near 1. The interval, which controls_speedup looks at, asks for more."
  condition   = "negative_control_ttft_speedup_deviation <= limit"
  limit       = 0.1
  at_least    = { negative_control_pairs = 3 }
}

gate "no_collisions" {
  description = "No block is where it must not be: none of a control in its own donors, and none of a document in the donors of another one."
  condition   = "collision_violations == 0"
  at_least    = { request_count = 1 }
}

# What a planner found and what a backend confirmed.

gate "eligible_lift" {
  description = "A planner finds more eligible blocks than are there word for word. This is an offline proxy, and no engine loaded anything."
  condition   = "semantic_eligible_lift >= limit"
  limit       = 0
  at_least    = { total_blocks = 1 }
}

gate "confirmed_rate" {
  description = "The backend took so much of the prompts from its cache, word for word or by meaning."
  condition   = "backend_confirmed_block_rate >= limit"
  at_least    = { backend_measured_requests = 1 }
}

gate "confirmed_lift" {
  description = "The backend took more from its cache than is there word for word."
  condition   = "backend_confirmed_lift >= limit"
  limit       = 0
  at_least    = { backend_measured_requests = 1 }
}

gate "placement_rate" {
  description = "The gateway placed so many requests by their meaning. A placement is no materialisation."
  condition   = "semantic_placement_rate_by_request >= limit"
  at_least    = { request_count = 1 }
}

# What the engine's log says.

gate "materialized" {
  description = "So many requests have both a semantic hit and a materialisation in the engine's log."
  condition   = "materialized_semantic_kv_reuse and materialized_requests >= limit"
  limit       = 1
}

gate "materialization_events" {
  description = "The engine's log has so many materialisations."
  condition   = "materialization_events >= limit"
  limit       = 1
}

gate "materialized_tokens" {
  description = "The engine materialised so many tokens. An engine that counts units has none."
  condition   = "materialized_tokens >= limit"
  limit       = 1
}

gate "materialized_units" {
  description = "The engine materialised so many units, where it does not count tokens."
  condition   = "materialized_units >= limit"
  limit       = 1
}

gate "suffix_execution" {
  description = "The engine's log shows a blend boundary and a materialisation of one request, so that only the suffix was executed there."
  condition   = "suffix_execution_proven"
}

gate "no_engine_errors" {
  description = "The engine's log has no error."
  condition   = "engine_errors == 0"
}

# Times to the first token, over pairs.

gate "uncontaminated" {
  description = "No cold arm found something in the cache, and every one was looked at."
  condition   = "pairs_contaminated == 0 and pairs_unchecked == 0"
  at_least    = { pairs_total = 1 }
}

gate "blended_speedup" {
  description = "The headline: the mean speed-up over all clean pairs, misses included."
  condition   = "blended_ttft_speedup_mean >= limit"
  at_least    = { blended_pairs = 10 }
}

gate "blended_speedup_low" {
  description = "The lower end of the headline's interval: the speed-up is more than chance."
  condition   = "blended_ttft_speedup_low >= limit"
  limit       = 1
  at_least    = { blended_pairs = 10 }
}

gate "blended_speedup_median" {
  description = "The median speed-up over all clean pairs, which one stalled request does not move."
  condition   = "blended_ttft_speedup_median >= limit"
  at_least    = { blended_pairs = 10 }
}

gate "hit_rate" {
  description = "So many of the warm requests were hits, of those of which that is known."
  condition   = "hit_rate >= limit"
  at_least    = { blended_pairs = 10, hit_measured_pairs = 10 }
}

# What became of the answers.

gate "quality_pass" {
  description = "So many outputs agree with the answers of their items."
  condition   = "quality_pass_rate >= limit"
  at_least    = { quality_measured = 10 }
}

gate "rouge_drop" {
  description = "Warm answers differ from cold ones hardly more than two cold ones do. It needs a noise floor of the same protocol."
  condition   = "warm_vs_cold_rouge_l_drop <= limit"
  limit       = 0.02
  at_least    = { warm_vs_cold_pairs = 10 }
}

gate "rouge_implausible" {
  description = "Warm answers are not more alike to cold ones than two cold ones are to each other, which would point to a response cache or to arms that were not apart."
  condition   = "warm_vs_cold_rouge_l_excess <= limit"
  limit       = 0.1
  at_least    = { warm_vs_cold_pairs = 10 }
}
