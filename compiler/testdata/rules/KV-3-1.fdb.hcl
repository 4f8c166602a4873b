# Nobody planned, so there are no candidates.
reuse "rag" {
  manifest = "manifest.jsonl"
}

gate "planned" {
  on        = reuse.rag
  condition = "exact_block_hit_rate >= 0.1 and semantic_candidate_block_rate >= 0.2" # ERROR KV-3-1 "semantic_candidate_block_rate is .* no planner looks at the items of reuse.rag"
}

gate "planned by transform" {
  on        = reuse.rag
  condition = "all(transforms, .semantic_eligible_lift >= 0)" # ERROR KV-3-1 ".semantic_eligible_lift is"
}
