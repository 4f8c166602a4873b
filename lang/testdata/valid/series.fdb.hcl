environment "lab" {
  kind         = "simulated"
  sut_boundary = "model_engine"
  serving      = serving.mixtral
  apparatus    = apparatus.injector
  path         = ["engine", "guard rail", "gateway"]
  inject_at    = "engine"
  observe_at   = "gateway"
  guardrail "guard rail" { masks = 0.3 }
  caching { approach = "disabled" }
  clocks { arrangement = "same_host" }
}

signal "page" {
  type        = "alert"
  component   = detector.alerts
  attribution = "signal.labels.alertname == 'Short' and signal.status == 'firing'"
}

series "short" {
  environment = environment.lab
  population  = population.support
  detector    = detector.alerts
  signal      = signal.page

  load {
    points         = "1..100 req/s in 4 log steps"
    representative = "21.5 req/s"
  }
  baseline { interval = "50m" }
  quiet {
    at_least = "10m"
    at_most  = "2h"
  }
  trials {
    count   = 20
    timeout = "100m"
  }
  fault "short" {
    class      = fault_class.refusal
    magnitudes = [0.05, 0.10, 0.20]
    profiles   = ["step", profile.slow]
  }
  threshold "short" {
    class      = fault_class.refusal
    profile    = "step"
    target     = "18/20"
    resolution = 0.01
    lower      = "floor"
    upper      = 0.30
  }
  false_detection { at_least = "2h" }
  masking { trials = 20 }
  reduced { reason = "An example." }
  attest "frozen" {
    by        = "The owner"
    statement = "Nothing was changed."
  }
}
