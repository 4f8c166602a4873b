environment "lab" {
  kind         = "lab"
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

series "example" { # ERROR FD-1.2-6 "Nobody vouches for it"
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
  attest "fd_1_1_3" {
    by        = "the owner of the laboratory"
    statement = "I have looked, and it is so."
  }
  attest "fd_3_1_5" {
    by        = "the owner of the laboratory"
    statement = "I have looked, and it is so."
  }
  attest "fd_3_2_1" {
    by        = "the owner of the laboratory"
    statement = "I have looked, and it is so."
  }
  attest "fd_3_2_2" {
    by        = "the owner of the laboratory"
    statement = "I have looked, and it is so."
  }
  attest "fd_3_3_6" {
    by        = "the owner of the laboratory"
    statement = "I have looked, and it is so."
  }
  attest "fd_3_3_7" {
    by        = "the owner of the laboratory"
    statement = "I have looked, and it is so."
  }
  attest "fd_3_4_2" {
    by        = "the owner of the laboratory"
    statement = "I have looked, and it is so."
  }
  attest "fd_3_4_4" {
    by        = "the owner of the laboratory"
    statement = "I have looked, and it is so."
  }
  attest "fd_3_5_6" {
    by        = "the owner of the laboratory"
    statement = "I have looked, and it is so."
  }
  attest "fd_4_3_4" {
    by        = "the owner of the laboratory"
    statement = "I have looked, and it is so."
  }
  attest "fd_4_4_1" {
    by        = "the owner of the laboratory"
    statement = "I have looked, and it is so."
  }
  attest "fd_6_3" {
    by        = "the owner of the laboratory"
    statement = "I have looked, and it is so."
  }
  attest "fd_7_1" {
    by        = "the owner of the laboratory"
    statement = "I have looked, and it is so."
  }
}
