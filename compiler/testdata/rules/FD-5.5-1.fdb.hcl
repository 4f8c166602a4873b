series "example" {
  environment = environment.lab
  population  = population.support
  detector    = detector.watch
  signal      = signal.page

  load {
    points         = "1..100 req/s in 4 log steps"
    representative = "21.5 req/s"
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

  false_detection {
    at_least = "2h"
  }

  reduced { reason = "a first look" }

  masking { # ERROR FD-5.5-1 "Masking without a magnitude"
    trials = 20
    class  = fault_class.refusal
  }
}
