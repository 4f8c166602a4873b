population "support" {
  generator  = "template/1"
  provenance = "synthetic"
  salt       = "none" # ERROR FD-3.3-7 "Population that a cache can answer"
  size       = 50
}

environment "lab" {
  kind         = "simulated"
  sut_boundary = "model_engine"
  serving      = serving.model
  apparatus    = apparatus.injector
  path         = ["engine", "guardrail", "gateway"]
  inject_at    = "engine"
  observe_at   = "gateway"

  caching {
    approach = "no_hit_population"
  }

  clocks {
    arrangement = "same_host"
  }
}
