# A screening run: fewer trials and fewer loads than the methodology asks for,
# which the series has to say of itself. The compiler works out what is reduced.
fdbench { language = 1 }

serving "simulated" "assistant" {
  latency = "constant 800ms"
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

detector "cusum" "sum" {
  version = "1"

  indicator "refusal_rate" {
    method = indicator.refusal_rate
    window = "1m"
  }
  # Every refusal adds 9 and every other response takes 1 away.
  alert "RefusalsSum" {
    indicator      = indicator.refusal_rate
    up             = 9
    down           = 1
    decision       = 60
    reset_on_alarm = true
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

signal "alarm" {
  type        = "alert"
  component   = detector.sum
  attribution = "signal.labels.alertname == 'RefusalsSum' and signal.status == 'firing'"
}

series "screening" {
  environment = environment.simulation
  population  = population.support
  detector    = detector.sum
  signal      = signal.alarm

  reduced { reason = "a first look before a night is spent on the full series" }

  load {
    points         = ["1 req/s", "10 req/s"]
    representative = "10 req/s"
    because = {
      "FD-3.3-4" = "Two loads are enough for a first look."
      "FD-3.3-5" = "Between night and day the deployment has one to ten requests a second."
    }
  }
  baseline { interval = "40 windows" }
  quiet {
    at_least = "4m"
    at_most  = "2h"
  }
  trials {
    count   = 5
    timeout = "20 windows"
  }

  fault "refusals" {
    class      = fault_class.refusal
    magnitudes = [0.1, 0.3]
    profiles   = ["step"]
  }

  false_detection { at_least = "2h" }
}
