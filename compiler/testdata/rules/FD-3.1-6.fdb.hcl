environment "lab" {
  kind         = "simulated"
  sut_boundary = "model_engine"
  serving      = serving.model
  apparatus    = apparatus.injector
  path         = ["engine", "guardrail", "gateway"]
  inject_at    = "engine"
  observe_at   = "proxy" # ERROR FD-3.1-6 "Place outside of the path"

  caching {
    approach = "disabled"
  }

  clocks {
    arrangement = "same_host"
  }
}
