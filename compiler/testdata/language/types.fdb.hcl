# Wrong types, absent values and numbers out of range: one message each.

locals {
  nothing = null
}

serving "simulated" "wrong" {
  latency = 5 # ERROR LANG-type "\"latency\" has to be a distribution"
  model   = ["a"] # ERROR FD-6-3 "\"model\" has to be a text in quotes, and this is a list"

  behaviour {
    indicator = indicator.refusal_rate
    rate      = "0.02" # ERROR LANG-type "Write 0.02 without quotes"
  }
}

serving "simulated" "numbers" {
  latency = "lognormal 1.2 ms, half" # ERROR LANG-quantity "."

  behaviour {
    indicator = indicator.refusal_rate
    rate      = 1 / 0 # ERROR LANG-number "[Dd]ivision by zero"
  }
}

apparatus "simulated" "counts" {
  sampling = local.nothing # ERROR FD-3.4-6 "is null here"
  block    = 1.5 # ERROR LANG-range "whole number from 0"
  verify   = "pared" # ERROR FD-3.4-6 "Did you mean \"paired\""
}

apparatus "simulated" "absurd" {
  block = 1e400 # ERROR LANG-number "between 1e-15 and 1e15"
}

population "wrong" {
  generator  = "template" # ERROR LANG-range "Name the version too"
  provenance = true # ERROR FD-7-1 "has to be a text in quotes, and this is true or false"
  size       = -1 # ERROR LANG-range "whole number from 1"
}

environment "wrong" {
  kind         = "simulated"
  sut_boundary = "model_engine"
  serving      = serving.model
  apparatus    = apparatus.injector
  path         = ["engine", 7] # ERROR FD-3.1-6 "member at position 2 is none"
  inject_at    = "engine"
  observe_at   = "engine"

  caching {
    approach = "disabled"
  }

  clocks {
    arrangement = "same_host"
  }
}

indicator "wrong_kind" {
  kind   = "mean"
  unit   = "words"
  scorer = "refusal/1" # ERROR FD-3.2-5 "computes a rate, and the indicator says kind = \"mean\""
}

indicator "unknown" {
  kind   = "rate"
  scorer = "refusals/1" # ERROR FD-3.2-5 "Did you mean \"refusal/1\""
}

indicator "settings" {
  kind   = "rate"
  scorer = "refusal/1"
  params = { strict = true } # ERROR LANG-range "refusal/1"
}

indicator "counted" {
  kind      = "mean"
  unit      = "words"
  predicate = "response.words < 3" # ERROR FD-3.2-5 "write kind = \"rate\""
}

fault_class "scaled" {
  indicator = indicator.refusal_rate
  direction = "up"
  transform = "refuse/1"
  scale     = 2 # ERROR LANG-range "Only the score of a mean indicator can be scaled"
}

fault_class "against" {
  indicator = indicator.response_words
  direction = "up"
  transform = "verbose/1"
  scale     = 0.5 # ERROR LANG-range "has to be above 1"
}
