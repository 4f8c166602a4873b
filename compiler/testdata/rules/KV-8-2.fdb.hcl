# The headline is not for choosing.
reuse "rag" {
  manifest = "manifest.jsonl"
  headline = "hit_only_ttft_speedup_mean" # ERROR KV-8-2 "misses included"
}
