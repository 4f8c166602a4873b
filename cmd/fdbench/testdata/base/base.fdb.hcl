fdbench { language = 1 }

variable "limit" {
  type    = number
  default = 0.1
}

serving "simulated" "assistant" {
  latency = "constant 500ms"
  behaviour {
    indicator = indicator.refusal_rate
    rate      = 0.02
  }
}

population "support" {
  generator  = "template/1"
  provenance = "synthetic"
}

apparatus "simulated" "injector" {}

detector "threshold" "watch" {
  evaluate = "10s"
  indicator "refusal_rate" {
    method = indicator.refusal_rate
    window = "1m"
  }
  alert "RefusalsHigh" {
    indicator     = indicator.refusal_rate
    above         = var.limit
    min_responses = 5
  }
}

environment "simulation" {
  kind         = "simulated"
  sut_boundary = "model_engine"
  serving      = serving.assistant
  apparatus    = apparatus.injector
  path         = ["engine"]
  inject_at    = "engine"
  observe_at   = "engine"
  caching { approach = "disabled" }
  clocks { arrangement = "same_host" }
}

signal "page" {
  type        = "alert"
  component   = detector.watch
  attribution = "signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'"
}

series "base" {
  environment = environment.simulation
  population  = population.support
  detector    = detector.watch
  signal      = signal.page

  load {
    points         = "0.5..50 req/s in 4 log steps"
    representative = "10.8 req/s"
  }
  baseline { interval = "30 windows" }
  quiet {
    at_least = "4m"
    at_most  = "2h"
  }
  trials {
    count    = 20
    timeout  = "20 windows"
    attempts = 60
  }

  fault "refusals" {
    class      = fault_class.refusal
    magnitudes = [0.3]
    profiles   = ["step"]
  }
  threshold "refusals" {
    class      = fault_class.refusal
    profile    = "step"
    target     = "18/20"
    resolution = 0.1
    lower      = "floor"
    upper      = 0.4
  }
  false_detection { at_least = "1h" }
}
