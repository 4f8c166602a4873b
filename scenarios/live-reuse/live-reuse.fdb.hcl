# Cold and warm requests against a deployment whose cache reuses content by
# blocks, wherever it stands in a prompt. start.sh starts one; for yours, change
# what stands in the live and evidence blocks.

fdbench { language = 1 }

reuse "cache" {
  description = "Four ways in which prompts over 12 documents come back, and controls that have nothing in common."
  block_size  = 16
  tokenizer   = "stable" # what the deployment of start.sh counts with; for a model, the vocabulary of its own

  documents {
    source     = "documents.jsonl"
    transforms = ["exact_repeat", "instruction_variant", "rag_reorder", "fuzzy_edit", "negative_control"]
  }

  planner "span" { min_run = 16 }

  live "openai" {
    base_url        = "http://127.0.0.1:18010"
    model           = "extract"
    engine          = "vllm"
    engine_version  = "fdbench serve"
    reset           = ["http://127.0.0.1:18010/reset_prefix_cache"]
    reset_token_env = "ADMIN_TOKEN"
    order           = "counterbalanced"
    hit_threshold   = "64 tokens"
    max_tokens      = 64
    metrics         = ["http://127.0.0.1:18010/metrics"]
  }

  evidence "vllm" { log = "engine.log" }

  calibration = "noise-floor.json"
}

gate "cold arms were cold" {
  on  = reuse.cache
  use = gate.uncontaminated
}

gate "controls are left alone" {
  on  = reuse.cache
  use = gate.controls_unconfirmed
}

gate "controls are as fast as ever" {
  on  = reuse.cache
  use = gate.controls_speedup
}

gate "faster, misses included" {
  on    = reuse.cache
  use   = gate.blended_speedup_low
  limit = 1.2
}

gate "answers are what they were" {
  on  = reuse.cache
  use = gate.rouge_drop
}

gate "the engine says so itself" {
  on    = reuse.cache
  use   = gate.materialized
  limit = 10
}
