# Real texts instead of numbers: the deployment answers from a file, and the
# fault is that it begins to answer from another one.
fdbench { language = 1 }

serving "recorded" "shop" {
  responses = "responses.jsonl"
  latency   = "lognormal 900ms, 0.4"
  model     = "written for this scenario"
}

population "questions" {
  source     = "responses.jsonl"
  salt       = "nonce"
  provenance = "synthetic"
}

# A stricter system prompt was deployed: the same questions, answered from
# another file. What moves is whatever the two files differ in.
fault_class "strict_prompt" {
  description = "A stricter system prompt was deployed, and the assistant declines more."
  indicator   = indicator.refusal_rate
  direction   = "up"
  replace     = "responses-strict-prompt.jsonl"
}

apparatus "simulated" "injector" {}

# A chart of 200 responses at a time that remembers: it learns its center and its
# scale from the first windows.
detector "ewma" "chart" {
  version = "1"

  indicator "refusal_rate" {
    method = indicator.refusal_rate
    window = "200 requests"
  }
  alert "RefusalsDrift" {
    indicator = indicator.refusal_rate
    lambda    = 0.2
    limit     = 4
    center    = 0.03
    sd        = 0.016
    sides     = "up"
  }
}

environment "replay" {
  kind         = "simulated"
  sut_boundary = "application_gateway"
  serving      = serving.shop
  apparatus    = apparatus.injector
  path         = ["engine", "gateway"]
  inject_at    = "engine"
  observe_at   = "gateway"
  caching { approach = "disabled" }
  clocks { arrangement = "same_host" }
}

signal "drift" {
  type        = "alert"
  component   = detector.chart
  event_clock = "receiver"
  attribution = "signal.labels.alertname == 'RefusalsDrift' and signal.status == 'firing'"
}

series "strict-prompt" {
  description = "a change of the system prompt, rolled out at once and bit by bit"
  environment = environment.replay
  population  = population.questions
  detector    = detector.chart
  signal      = signal.drift

  load {
    points         = "1..100 req/s in 4 log steps"
    representative = "21.5 req/s"
  }
  baseline { interval = "2h" }
  quiet {
    at_least = "15m"
    at_most  = "4h"
  }
  trials {
    count        = 20
    timeout      = "20 windows"
    attempts     = 60
    verification = "15 windows"
  }

  fault "rollout" {
    class      = fault_class.strict_prompt
    magnitudes = [0.05, 0.10, 0.20]
    profiles   = ["step", "ramp 2m"]
  }

  threshold "rollout" {
    class      = fault_class.strict_prompt
    profile    = "step"
    target     = "90%"
    resolution = 0.02
    lower      = "floor"
    upper      = 0.20
  }

  false_detection { at_least = "1d" }
  masking {
    trials    = 20
    magnitude = 0.12
  }
}
