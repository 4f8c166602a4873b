# Two cold answers differ too.
reuse "rag" {
  manifest = "manifest.jsonl"

  live "openai" {
    base_url = "http://127.0.0.1:8000"
    model    = "tiny"
    reset    = "http://127.0.0.1:8000/reset"
  }
}

gate "constant" {
  on        = reuse.rag
  condition = "pairs_used >= 2 and warm_vs_cold_output_rouge_l_mean >= 0.95" # ERROR KV-8-8 "held against a constant"
}

gate "each" {
  on        = reuse.rag
  condition = "none(requests, .warm_vs_cold_rouge_l < 0.5)" # ERROR KV-8-8 "held against a constant"
}

gate "no floor" {
  on       = reuse.rag
  use      = gate.rouge_drop # ERROR KV-8-8 "has no noise floor"
  at_least = { warm_vs_cold_pairs = 1 }
}

reuse "other" {
  manifest    = "manifest.jsonl"
  calibration = "noise-floor.json" # ERROR KV-8-8 "max_tokens"

  live "openai" {
    base_url       = "http://127.0.0.1:8000"
    model          = "tiny"
    engine         = "vllm"
    engine_version = "0.29.0"
    reset          = "http://127.0.0.1:8000/reset_prefix_cache"
    max_tokens     = 65
  }
}

reuse "offline" {
  manifest    = "manifest.jsonl"
  calibration = "noise-floor.json" # ERROR KV-8-8 "reuse.offline is offline"
}
