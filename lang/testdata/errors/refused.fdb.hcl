fdbench { language = 1 }

environment "e" {
  kind         = "simulated"
  sut_boundary = "model_engine"
  serving      = serving.s
  apparatus    = apparatus.a
  path         = ["engine"]
  inject_at    = "engine"
  observe_at   = "engine"
  canary       = 0.01 # ERROR FD-1.1-3: An environment block takes no "canary". Benchmarking is confined to a test environment
  caching { approach = "disabled" }
  clocks {
    arrangement = "same_host"
    OFFSET      = 0 # ERROR FD-3.5-2: The offset between the clocks is measured
  }
}

apparatus "simulated" "a" {
  header = "x-fault" # ERROR FD-3.4-4: A detector that is told of a fault measures the message.
  notify { # ERROR FD-3.4-4: An apparatus block takes no "notify".
    url = "http://grafana"
  }
}

series "s" {
  environment = environment.e
  population  = population.p
  detector    = detector.d
  signal      = signal.s

  load {
    points      = ["1 req/s"]
    concurrency = 8 # ERROR FD-3.1-2: A closed loop sends fewer requests
    stages { # ERROR FD-3.3-1: The offered load is constant within a trial
    }
  }
  baseline {
    interval = "50m"
    import   = "other.json" # ERROR FD-1.2-2: The baseline is a property of the environment
  }
  quiet {
    at_least = "5m"
    at_most  = "1h"
  }
  trials {
    count     = 20
    timeout   = "20m"
    stop_when = "it is clear" # ERROR FD-5.1-7: All trials are run
  }
  threshold "t" {
    class      = fault_class.refusal
    profile    = "step"
    target     = "18/20"
    resolution = 0.02
    lower      = "floor"
    upper      = 0.3
    grid       = [0.1, 0.2] # ERROR FD-5.3-1: A threshold is found by binary search
  }
  false_detection { at_least = "2h" }
  masking {
    trials = 20
    method = indicator.other # ERROR FD-5.5-3: The indicator is measured at both points
  }
  slo = "p95 < 5m" # ERROR FD-1.1-1: A series describes a detector and does not judge it.
}
