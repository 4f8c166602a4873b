environment "lab" {
  kind         = "simulated"
  sut_boundary = "everything" # ERROR FD-3.1-3 "Unknown word"
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
