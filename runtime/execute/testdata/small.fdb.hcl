# A series that runs in a moment: one fault class, two loads.
fdbench { language = 1 }

serving "simulated" "s" {
  latency = "lognormal 1s, 0.5"
  behaviour {
    indicator = indicator.refusal_rate
    rate      = 0.02
  }
}
population "p" {
  generator  = "template/1"
  provenance = "synthetic"
}
apparatus "simulated" "a" {}
detector "threshold" "d" {
  indicator "refusal_rate" {
    method = indicator.refusal_rate
    window = "15s"
  }
  alert "High" {
    indicator     = indicator.refusal_rate
    above         = 0.12
    min_responses = 20
  }
}
environment "e" {
  kind         = "simulated"
  sut_boundary = "model_engine"
  serving      = serving.s
  apparatus    = apparatus.a
  path         = ["engine"]
  inject_at    = "engine"
  observe_at   = "engine"
  caching { approach = "disabled" }
  clocks { arrangement = "same_host" }
}
signal "s" {
  type        = "alert"
  component   = detector.d
  attribution = "signal.status == 'firing' and signal.labels.indicator == fault.indicator"
}
series "small" {
  environment = environment.e
  population  = population.p
  detector    = detector.d
  signal      = signal.s
  load {
    points         = ["5 req/s", "10 req/s"]
    representative = "10 req/s"
    because        = { "FD-3.3-4" = "a test", "FD-3.3-5" = "a test" }
  }
  baseline { interval = "30 windows" }
  quiet {
    at_least = "1m"
    at_most  = "2h"
  }
  trials {
    count        = 20
    timeout      = "20 windows"
    attempts     = 40
    verification = "10 windows"
  }
  fault "refusals" {
    class      = fault_class.refusal
    magnitudes = [0.1, 0.3]
    profiles   = ["step"]
  }
  false_detection { at_least = "1h" }
  reduced { reason = "a test needs no more" }
}
