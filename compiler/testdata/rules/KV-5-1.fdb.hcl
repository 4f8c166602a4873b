# Confirmed figures come from live runs.
reuse "rag" {
  manifest = "manifest.jsonl"
}

gate "confirmed" {
  on        = reuse.rag
  condition = "backend_confirmed_block_rate >= 0.3" # ERROR KV-5-1 "a live run alone tells, and reuse.rag is offline"
}

gate "faster" {
  on       = reuse.rag
  use      = gate.blended_speedup # ERROR KV-5-1 "blended_ttft_speedup_mean is"
  limit    = 1.5
  at_least = { blended_pairs = 1 }
}
