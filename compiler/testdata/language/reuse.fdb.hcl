# What a reuse block and its gates cannot say.
locals {
  nobody = "plans.jsonl"
}

reuse "values" {
  manifest          = "manifest.jsonl"
  block_size        = 1.5        # ERROR KV-1-1 "whole number from 1"
  tokenizer         = "stabel"   # ERROR LANG-range "Did you mean .stable.\?"
  audit             = "none"     # ERROR LANG-range "none of the words"
  quality_threshold = 2          # ERROR LANG-range "a share"
  planner_name      = "mine 1.0" # ERROR LANG-reuse "Write plans"
}

reuse "empty" { # ERROR LANG-missing-argument "needs items"
}

reuse "files" {
  manifest    = "none.jsonl"       # ERROR LANG-file "There is no none.jsonl"
  plans       = "../plans.jsonl"   # ERROR LANG-file "its own folder only"
  calibration = "noise-flour.json" # ERROR LANG-file "There is no noise-flour.json"
}

reuse "broken" {
  manifest = "alerts.yml" # ERROR LANG-manifest "alerts.yml has lines that cannot be used"
}

reuse "twice" {
  manifest = "manifest.jsonl" # ERROR LANG-reuse "made of documents"

  documents {
    source = "manifest.jsonl"
  }
}

reuse "planners" {
  manifest = "manifest.jsonl"
  plans    = local.nobody # ERROR LANG-reuse "Keep one of them"

  planner "span" {
    min_run = 0 # ERROR LANG-range "whole number from 1"
  }
}

reuse "nameless" {
  manifest = "manifest.jsonl"
  plans    = "manifest.jsonl" # ERROR LANG-reuse "planner_name"
}

reuse "made" {
  documents {
    source     = "manifest.jsonl"
    transforms = ["exact_repeat", "exakt_repeat"] # ERROR LANG-range "Did you mean .exact_repeat.\?"
  }
}

reuse "logs" {
  manifest = "manifest.jsonl"

  evidence "vllm" {
    log = "vllm.log" # ERROR LANG-file "There is no vllm.log"
  }
}

reuse "live" {
  manifest = "manifest.jsonl"

  live "openai" {
    base_url        = "http://8.8.8.8:8000"                                  # ERROR FD-7-1 "outside of the ranges|outside of a test environment"
    reset           = ["http://127.0.0.1:8000/reset", "127.0.0.1:8001"]      # ERROR LANG-address "not the address of a server"
    metrics         = ["http://127.0.0.1:9000/m", "http://127.0.0.1:9000/m"] # ERROR LANG-address "there twice"
    hit_threshold   = "64 words"                                             # ERROR LANG-quantity "no number of tokens"
    headers         = { Authorization = "Bearer abcdef123456" }              # ERROR LANG-secret "carries a key"
    body            = { max_tokens = 5 }                                     # ERROR LANG-range "Write max_tokens"
    reset_token_env = "not a name"                                           # ERROR LANG-range "names an environment variable"
    engine          = "vlm"                                                  # ERROR LANG-range "Did you mean .vllm.\?"
    temperature     = -1                                                     # ERROR LANG-range "at least 0"

    route {
      outcome = ["x-route", "X-Route"] # ERROR LANG-range "named already"
    }
  }
}

reuse "arms" {
  manifest = "manifest.jsonl"

  live "openai" {
    base_url      = "http://127.0.0.1:8000"
    reset         = "http://127.0.0.1:8000/reset"
    concurrency   = 2          # ERROR LANG-reuse "a pair at a time"
    hit_threshold = "0 tokens" # ERROR LANG-range "every request is a hit"
  }
}

reuse "same" {
  manifest = "manifest.jsonl"
  because  = { "KV-7-1" = "there are none" } # ERROR LANG-reason "sets aside nothing of KV-7-1"
}

reuse "example" { # ERROR LANG-duplicate-name "A series named .example."
  manifest = "manifest.jsonl"
}

reuse "foreign" {
  manifest = "manifest.jsonl"

  live "openai" { # ERROR LANG-reuse "none of the logs that are named counts the tokens"
    base_url = "http://127.0.0.1:8000"
    engine   = "trtllm"
    reset    = "http://127.0.0.1:8000/reset"
    signal   = "evidence"
  }

  evidence "trtllm" {
    log = "audit.jsonl"
  }
}

reuse "another" {
  manifest = "manifest.jsonl"

  live "openai" { # WARNING KV-8-6 "the second finds what the first left behind"
    base_url = "http://127.0.0.1:8000"
    engine   = "vllm"
  }

  evidence "trtllm" { # ERROR LANG-reuse "Write evidence .vllm."
    log = "audit.jsonl"
  }
}

reuse "unread" {
  manifest = "manifest.jsonl"

  live "openai" { # ERROR LANG-reuse "no evidence block names it"
    base_url = "http://127.0.0.1:8000"
    reset    = "http://127.0.0.1:8000/reset"
    signal   = "evidence"
  }
}

reuse "counted" {
  manifest = "manifest.jsonl"

  evidence "trtllm" {
    log = "manifest.jsonl"
  }

  evidence "lmcache" {
    log = "./manifest.jsonl" # ERROR LANG-reuse "read already"
  }
}

gate "unknown figure" {
  on        = reuse.values
  condition = "exact_block_hit_rate >= 0.5 and exact_block_hit_rat >= 0.1" # ERROR LANG-predicate "exact_block_hit_rate"
}

gate "typed" {
  on        = reuse.valves # ERROR LANG-unknown-reference "Did you mean reuse.values\?"
  condition = "exact_block_hit_rate >= 0.5"
}

gate "of a series" {
  on        = series.example # ERROR LANG-reference "has to name a reuse"
  condition = "exact_block_hit_rate >= 0.5"
}

gate "idle" { # ERROR LANG-missing-argument "needs the argument .on."
  condition = "exact_block_hit_rate >= 0.5"
}

gate "no limit" {
  on  = reuse.values
  use = gate.hit_rate # ERROR LANG-missing-argument "no limit is given"
}

gate "no limit of its own" {
  on        = reuse.values
  condition = "exact_block_hit_rate >= limit" # ERROR LANG-missing-argument "Write limit"
}

gate "limit that decides" {
  on        = reuse.values
  condition = "exact_block_hit_rate >= limit"
  limit     = -1 # ERROR LANG-range "true whatever was measured"
}

gate "limit of nothing" {
  on        = reuse.values
  condition = "exact_block_hit_rate >= 0.5"
  limit     = 0.5 # ERROR LANG-range "does not name limit"
}

gate "near" {
  on    = reuse.values
  use   = gate.controls_inelegible # ERROR LANG-unknown-reference "Did you mean gate.controls_ineligible\?"
  limit = 0.5
}

gate "counts" {
  on        = reuse.values
  condition = "exact_block_hit_rate >= 0.5"
  at_least  = { request_cuont = 1, hit_rate = 1, total_blocks = 0.5 } # ERROR LANG-gate "Did you mean .request_count.\?" # ERROR LANG-gate "is no count" # ERROR LANG-range "whole number"
}

gate "a" { # ERROR LANG-cycle "takes it from this one"
  on  = reuse.values
  use = gate.b
}

gate "b" {
  on  = reuse.values
  use = gate.a
}

gate "never" {
  on        = reuse.reached
  condition = "exact_block_hit_rate >= 0.5"
  at_least  = { request_count = 3 } # ERROR LANG-gate "the manifest can give 2"
}

gate "no log" {
  on  = reuse.reached
  use = gate.no_engine_errors # ERROR LANG-gate "reads no log"
}

gate "too few" {
  on  = reuse.reached
  use = gate.controls_ineligible # ERROR KV-3-1 "no planner"
}

gate "too few controls" {
  on        = reuse.reached
  condition = "negative_control_exact_block_hit_rate <= 0.01"
  at_least  = { negative_control_count = 2 } # ERROR LANG-gate "can give 1"
}

reuse "reached" {
  manifest = "manifest.jsonl"
}
