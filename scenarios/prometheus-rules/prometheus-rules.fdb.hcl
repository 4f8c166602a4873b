# An alert rule file as it is deployed, evaluated by Prometheus's own engine in
# virtual time, with Alertmanager's delays behind it.
fdbench { language = 1 }

variable "scrape_interval" {
  type        = string
  default     = "15s"
  description = "how often Prometheus scrapes the deployment"
}

serving "simulated" "assistant" {
  latency = "lognormal 1.2s, 0.5"

  behaviour {
    indicator = indicator.refusal_rate
    rate      = 0.02
  }
  behaviour {
    indicator = indicator.json_invalid_rate
    rate      = 0.01
  }
}

population "support" {
  generator  = "template/1"
  salt       = "nonce"
  provenance = "synthetic"
}

apparatus "simulated" "injector" {}

# Each indicator is a counter that the rules read. llm_responses_total counts
# all responses.
detector "prometheus_rules" "alerts" {
  rules               = "alerts.yml"
  version             = "prometheus v0.316.0"
  scrape_interval     = var.scrape_interval
  evaluation_interval = "15s"

  indicator "refusal_rate" {
    method  = indicator.refusal_rate
    window  = "10m"
    exports = "llm_refusals_total"
  }
  indicator "json_invalid_rate" {
    method  = indicator.json_invalid_rate
    window  = "5m"
    exports = "llm_invalid_json_total"
  }
  alertmanager {
    group_by        = ["alertname"]
    group_wait      = "30s"
    group_interval  = "5m"
    repeat_interval = "4h"
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

# The page is what wakes a person up; the ticket of the slow burn is not it.
signal "page" {
  type        = "alert"
  component   = detector.alerts
  event_clock = "receiver"
  attribution = "signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'"
}

series "page" {
  description = "how long until RefusalsHigh pages"
  environment = environment.simulation
  population  = population.support
  detector    = detector.alerts
  signal      = signal.page

  load {
    points         = "0.3..30 req/s in 4 log steps"
    representative = "6.46 req/s"
  }
  baseline { interval = "30 windows" }
  quiet {
    at_least = "25m"
    at_most  = "1d"
    windows  = 1
  }
  trials {
    count        = 20
    timeout      = "20 windows"
    attempts     = 60
    verification = "3 windows"
  }

  fault "refusals" {
    class      = fault_class.refusal
    magnitudes = [0.12, 0.25]
    profiles   = ["step"]
  }

  threshold "refusals" {
    class      = fault_class.refusal
    profile    = "step"
    target     = "18/20"
    resolution = 0.04
    lower      = "floor"
    upper      = 0.12
  }

  sham { trials = 5 }
  false_detection { at_least = "1d" }
}
