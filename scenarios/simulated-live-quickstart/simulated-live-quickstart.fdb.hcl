# The live quickstart in virtual time: the same rule file in Prometheus's own
# engine, the same windows, load, fault and procedure, in front of a model of
# the deployment. What the two say of latency can be held side by side.

fdbench { language = 1 }

population "questions" {
  generator  = "template/1"
  size       = 5000
  salt       = "nonce"
  provenance = "synthetic"
}

serving "simulated" "demo" {
  latency = "lognormal 40ms, 0.2"

  behaviour {
    indicator = indicator.refusal_rate
    rate      = 0.0185
  }
}

apparatus "simulated" "relay" {
  sampling = "quota"
}

detector "prometheus_rules" "alerts" {
  rules               = "alerts.yml"
  scrape_interval     = "100ms"
  evaluation_interval = "100ms"

  indicator "refusals" {
    method  = indicator.refusal_rate
    window  = "500ms"
    exports = "llm_refusals_total"
  }

  alertmanager {
    group_by        = ["..."]
    group_wait      = "0s"
    group_interval  = "100ms"
    repeat_interval = "4h"
    maintenance     = "0s"
  }
}

environment "model" {
  kind         = "simulated"
  sut_boundary = "application_gateway"
  serving      = serving.demo
  apparatus    = apparatus.relay
  path         = ["deployment", "proxy", "tap"]
  inject_at    = "proxy"
  observe_at   = "tap"

  caching {
    approach = "no_hit_population"
    proof    = "Every prompt has a ticket number of its own."
  }

  clocks {
    arrangement = "same_host"
  }
}

signal "page" {
  type        = "alert"
  component   = detector.alerts
  event_clock = "receiver"
  attribution = "signal.component == 'alertmanager' and signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'"
}

series "refusals" {
  environment = environment.model
  population  = population.questions
  detector    = detector.alerts
  signal      = signal.page

  load {
    points         = ["50 req/s"]
    representative = "50 req/s"
    because = {
      "FD-3.3-4" = "It has the one load of the live series that it stands beside."
      "FD-3.3-5" = "There is one load only."
    }
  }

  baseline {
    interval = "300s"
  }

  quiet {
    at_least = "31s"
    at_most  = "3m"
  }

  trials {
    count        = 20
    attempts     = 30
    timeout      = "20 windows"
    verification = "4s"
  }

  fault "refusals" {
    class      = fault_class.refusal
    magnitudes = [0.4]
    profiles   = ["step"]
  }

  reduced {
    reason = "It stands beside a live series that has no search."
  }

  false_detection {
    at_least = "1m"
  }

  sham {
    trials = 5
  }
}
