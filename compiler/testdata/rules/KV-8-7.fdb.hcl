# No data is no pass.
reuse "rag" {
  manifest = "manifest.jsonl"
}

gate "clean" {
  on            = reuse.rag
  condition     = "exact_block_hit_rate >= 0.1"
  allow_missing = true # ERROR KV-8-7 "that is no pass"
}
