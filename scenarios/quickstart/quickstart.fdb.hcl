# How well does a simple alert notice that an assistant has begun to answer
# differently? Everything here is simulated, so the answer takes seconds.
fdbench { language = 1 }

# The deployment. It answers with numbers only: 2 percent of its responses are
# refusals, 1 percent are broken JSON, and a response has about 180 words.
serving "simulated" "assistant" {
  latency = "lognormal 1.2s, 0.5"
  model   = "simulated-assistant"

  behaviour {
    indicator = indicator.refusal_rate
    rate      = 0.02
  }
  behaviour {
    indicator = indicator.json_invalid_rate
    rate      = 0.01
  }
  behaviour {
    indicator    = indicator.response_words
    distribution = "normal 180 words, 60"
  }
}

population "support" {
  generator  = "template/1"
  salt       = "nonce"
  provenance = "synthetic"
}

apparatus "simulated" "injector" {}

# The detector under test: three alerts over windows of one minute.
detector "threshold" "watch" {
  version  = "1"
  evaluate = "5s"

  indicator "refusal_rate" {
    method = indicator.refusal_rate
    window = "1m"
  }
  indicator "json_invalid_rate" {
    method = indicator.json_invalid_rate
    window = "1m"
  }
  indicator "response_words" {
    method = indicator.response_words
    window = "1m"
  }

  alert "RefusalsHigh" {
    indicator     = indicator.refusal_rate
    above         = 0.10
    min_responses = 30
  }
  alert "InvalidJSON" {
    indicator     = indicator.json_invalid_rate
    above         = 0.07
    min_responses = 30
  }
  alert "AnswersLong" {
    indicator     = indicator.response_words
    above         = 210
    min_responses = 30
  }
}

# A response travels from the engine through a guardrail to the gateway, where
# the detector looks. The guardrail hides three refusals in ten.
environment "simulation" {
  kind         = "simulated"
  description  = "an assistant in virtual time"
  sut_boundary = "ai_firewall"
  serving      = serving.assistant
  apparatus    = apparatus.injector
  path         = ["engine", "guardrail", "gateway"]
  inject_at    = "engine"
  observe_at   = "gateway"

  guardrail "guardrail" {
    masks = 0.3
    class = fault_class.refusal
  }
  caching { approach = "disabled" }
  clocks { arrangement = "same_host" }
}

# A detection is an alert that begins to fire for the indicator that the fault
# shifts. An alert for another indicator is none.
signal "page" {
  type        = "alert"
  component   = detector.watch
  event_clock = "receiver"
  attribution = "signal.status == 'firing' and signal.labels.indicator == fault.indicator"
}

series "quickstart" {
  description = "three ways to answer differently, at four loads"
  environment = environment.simulation
  population  = population.support
  detector    = detector.watch
  signal      = signal.page

  load {
    points         = "1..100 req/s in 4 log steps"
    representative = "21.5 req/s"
  }
  baseline { interval = "60 windows" }
  quiet {
    at_least = "4m"
    at_most  = "2h"
  }
  trials {
    count        = 20
    timeout      = "20 windows"
    attempts     = 60
    verification = "5 windows"
  }

  fault "refusals" {
    class      = fault_class.refusal
    magnitudes = [0.05, 0.10, 0.15, 0.30]
    profiles   = ["step", "ramp 2m"]
  }
  fault "broken_json" {
    class      = fault_class.json_invalid
    magnitudes = [0.04, 0.08, 0.15]
    profiles   = ["step"]
  }
  fault "long_answers" {
    class      = fault_class.verbosity_up
    magnitudes = [15, 30, 60]
    profiles   = ["step"]
  }

  threshold "refusals" {
    class      = fault_class.refusal
    profile    = "step"
    target     = "18/20"
    resolution = 0.02
    lower      = "floor"
    upper      = 0.40
  }

  false_detection { at_least = "1d" }
  masking {
    trials    = 20
    class     = fault_class.refusal
    magnitude = 0.30
  }
}
