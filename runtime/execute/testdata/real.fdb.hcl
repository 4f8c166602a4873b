# Real responses of real models. The test lays the files that are named here
# beside this scenario.
fdbench { language = 1 }

population "xstest" {
  source     = "xstest-mistral-7b-instruct.jsonl"
  salt       = "nonce"
  provenance = "public"
}

population "alpaca" {
  source     = "alpacaeval-mixtral.jsonl"
  salt       = "nonce"
  provenance = "public"
}

serving "recorded" "instruct" {
  responses = "xstest-mistral-7b-instruct.jsonl"
  latency   = "lognormal 2s, 0.6"
  model     = "Mistral-7B-Instruct"
}

serving "recorded" "mixtral" {
  responses = "alpacaeval-mixtral.jsonl"
  latency   = "lognormal 4s, 0.5"
  model     = "Mixtral-8x7B-Instruct-v0.1"
}

# The same prompts, answered under another system prompt, another style and by
# another model.
fault_class "guarded" {
  indicator = indicator.refusal_rate
  direction = "up"
  replace   = "xstest-mistral-7b-guarded.jsonl"
}

fault_class "concise" {
  indicator = indicator.response_words
  direction = "down"
  replace   = "alpacaeval-mixtral-concise.jsonl"
}

fault_class "verbose" {
  indicator = indicator.response_words
  direction = "up"
  replace   = "alpacaeval-mixtral-verbose.jsonl"
}

fault_class "other_model" {
  indicator = indicator.response_words
  direction = "down"
  replace   = "alpacaeval-openhermes.jsonl"
}

apparatus "simulated" "injector" {}

detector "threshold" "refusals" {
  evaluate = "5s"
  indicator "refusal_rate" {
    method = indicator.refusal_rate
    window = "1m"
  }
  alert "RefusalsHigh" {
    indicator     = indicator.refusal_rate
    above         = 0.25
    min_responses = 20
  }
}

detector "ewma" "length" {
  indicator "response_words" {
    method = indicator.response_words
    window = "1m"
  }
  alert "LengthShifted" {
    indicator = indicator.response_words
    lambda    = 0.2
    limit     = 4
    learn     = "60 windows"
  }
}

environment "refusals" {
  kind         = "simulated"
  sut_boundary = "model_engine"
  serving      = serving.instruct
  apparatus    = apparatus.injector
  path         = ["engine"]
  inject_at    = "engine"
  observe_at   = "engine"
  caching { approach = "disabled" }
  clocks { arrangement = "same_host" }
}

environment "length" {
  kind         = "simulated"
  sut_boundary = "model_engine"
  serving      = serving.mixtral
  apparatus    = apparatus.injector
  path         = ["engine"]
  inject_at    = "engine"
  observe_at   = "engine"
  caching { approach = "disabled" }
  clocks { arrangement = "same_host" }
}

signal "refusals" {
  type        = "alert"
  component   = detector.refusals
  attribution = "signal.status == 'firing' and signal.labels.indicator == fault.indicator"
}

signal "length" {
  type        = "alert"
  component   = detector.length
  attribution = "signal.status == 'firing' and signal.labels.indicator == fault.indicator"
}

series "system_prompt" {
  environment = environment.refusals
  population  = population.xstest
  detector    = detector.refusals
  signal      = signal.refusals
  load {
    points         = "1..100 req/s in 4 log steps"
    representative = "21.5 req/s"
  }
  baseline { interval = "60 windows" }
  quiet {
    at_least = "5m"
    at_most  = "4h"
  }
  trials {
    count        = 20
    timeout      = "20 windows"
    attempts     = 60
    verification = "10 windows"
  }
  fault "guarded" {
    class      = fault_class.guarded
    magnitudes = [0.1, 0.2, 0.3]
    profiles   = ["step", "ramp 5m"]
  }
  threshold "guarded" {
    class      = fault_class.guarded
    profile    = "step"
    target     = "18/20"
    resolution = 0.02
    lower      = "floor"
    upper      = 0.3
  }
  false_detection { at_least = "1d" }
}

series "style_and_model" {
  environment = environment.length
  population  = population.alpaca
  detector    = detector.length
  signal      = signal.length
  reduced { reason = "latency and coverage of given sizes are compared, and no smallest one is searched for" }
  load {
    points         = "1..100 req/s in 4 log steps"
    representative = "21.5 req/s"
  }
  baseline { interval = "60 windows" }
  quiet {
    at_least = "5m"
    at_most  = "4h"
  }
  trials {
    count        = 20
    timeout      = "20 windows"
    attempts     = 100
    verification = "20 windows"
  }
  fault "concise" {
    class      = fault_class.concise
    magnitudes = [-40, -80]
    profiles   = ["step"]
  }
  fault "verbose" {
    class      = fault_class.verbose
    magnitudes = [40, 90]
    profiles   = ["step"]
  }
  fault "other_model" {
    class      = fault_class.other_model
    magnitudes = [-30]
    profiles   = ["step"]
  }
  false_detection { at_least = "1d" }
}
