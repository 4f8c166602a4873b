signal "page" {
  type        = "alert"
  component   = detector.rules
  attribution = "signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'"
}

series "example" {
  environment = environment.lab
  population  = population.support
  detector    = detector.rules
  signal      = signal.page

  load {
    points         = "1..100 req/s in 4 log steps"
    representative = "21.5 req/s"
  }

  baseline {
    interval = "150m"
  }

  quiet {
    at_least = "15m"
    at_most  = "4h"
  }

  trials {
    count   = 20
    timeout = "2h"
  }

  fault "refusals" {
    class      = fault_class.refusal
    magnitudes = [0.1, 0.2]
    profiles   = ["step"]
  }

  threshold "refusals" {
    class      = fault_class.refusal
    profile    = "step"
    target     = "18/20"
    resolution = 0.02
    lower      = "floor"
    upper      = 0.3
  }

  false_detection {
    at_least = "2h"
  }

  masking {
    trials = 20
  }
}

detector "prometheus_rules" "rules" {
  rules = "alerts.yml"

  indicator "refusals" {
    method  = indicator.refusal_rate
    window  = "5m"
    exports = "llm_refused_total" # ERROR FD-3.2-4 "Counter that nobody exports"
  }
}
