# Hits alone are no result.
reuse "rag" {
  manifest = "manifest.jsonl"

  live "openai" {
    base_url = "http://127.0.0.1:8000"
    model    = "tiny"
    reset    = "http://127.0.0.1:8000/reset"
  }
}

gate "hits are fast" {
  on        = reuse.rag
  condition = "pairs_used >= 20 and hit_only_ttft_speedup_mean >= 2" # ERROR KV-8-3 "Add it to the condition"
}
