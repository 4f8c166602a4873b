environment "lab" {
  kind         = "production" # ERROR FD-1.1-3 "Unknown word"
  sut_boundary = "model_engine"
  serving      = serving.model
  apparatus    = apparatus.injector
  path         = ["engine", "guardrail", "gateway"]
  inject_at    = "engine"
  observe_at   = "gateway"

  caching {
    approach = "disabled"
  }

  clocks {
    arrangement = "same_host"
  }
}
