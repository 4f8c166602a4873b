series "example" {
  environment = environment.lab
  population  = population.support
  detector    = detector.watch
  signal      = signal.page

  load {
    points         = "1, 10, 100 req/s" # WARNING FD-3.3-4 "Too few load points"
    representative = "10 req/s"
  }

  baseline {
    interval = "30m"
  }

  quiet {
    at_least = "5m"
    at_most  = "1h"
  }

  trials {
    count   = 20
    timeout = "20m"
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
