fdbench { language = 1 }

variable "url" { type = string }

variable "signal" {
  type    = string
  default = "cached_tokens"
}

reuse "cache" {
  documents {
    source     = "documents.jsonl"
    transforms = ["instruction_variant", "rag_reorder", "negative_control"]
  }
  planner "span" {}

  live "openai" {
    base_url      = var.url
    model         = "m"
    engine        = "vllm"
    reset         = ["${var.url}/flush_cache"]
    order         = "counterbalanced"
    hit_threshold = "64 tokens"
    signal        = var.signal
    max_tokens    = 24
    metrics       = ["${var.url}/metrics"]
    route {
      endpoint       = ["x-semantic-route-worker"]
      semantic_score = ["x-semantic-route-similarity"]
    }
  }
  evidence "vllm" { log = "engine.log" }
}

gate "controls ineligible" {
  on  = reuse.cache
  use = gate.controls_ineligible
}

gate "controls unconfirmed" {
  on  = reuse.cache
  use = gate.controls_unconfirmed
}

gate "controls unplaced" {
  on  = reuse.cache
  use = gate.controls_unplaced
}

gate "controls at 1" {
  on    = reuse.cache
  use   = gate.controls_speedup
  limit = 0.5
}

gate "clean cold arms" {
  on  = reuse.cache
  use = gate.uncontaminated
}

gate "faster" {
  on    = reuse.cache
  use   = gate.blended_speedup_low
  limit = 1.2
}

gate "hits" {
  on    = reuse.cache
  use   = gate.hit_rate
  limit = 0.5
}

gate "lift" {
  on    = reuse.cache
  use   = gate.confirmed_lift
  limit = 0.1
}

gate "materialized requests" {
  on    = reuse.cache
  use   = gate.materialized
  limit = 5
}

gate "no engine errors" {
  on  = reuse.cache
  use = gate.no_engine_errors
}

gate "no collisions" {
  on  = reuse.cache
  use = gate.no_collisions
}
