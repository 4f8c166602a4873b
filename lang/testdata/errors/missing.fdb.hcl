fdbench { language = 1 }

profile "p" { # ERROR LANG-missing-argument: A profile block needs the argument "shape".
}

population "b" { # ERROR LANG-missing-argument: exactly one of the arguments "source" or "generator"
  provenance = "synthetic"
}

population "c" {
  provenance = "synthetic"
  source     = "a.jsonl"
  generator  = "template/1" # ERROR LANG-exclusive-arguments: exactly one of the arguments "source" or "generator"
}

environment "e" { # ERROR FD-3.5-6: An environment block needs a clocks block.
  kind         = "simulated"
  sut_boundary = "model_engine"
  serving      = serving.s
  apparatus    = apparatus.a
  path         = ["engine"]
  inject_at    = "engine"
  observe_at   = "engine"
  caching { # ERROR FD-3.3-7: FD-3.3-7 and FD-3.3-8 ask for it.
  }
}

detector "cusum" "c" {
  indicator "i" {
    method = indicator.i
    window = "5m"
  }
  alert "a" {
    indicator = indicator.i
    decision  = 4
    up        = 3 # ERROR LANG-incomplete-arguments: The arguments "up" and "down" are given together or not at all.
  }
  alert "b" { # ERROR FD-3.2-8: exactly one of the arguments "reference" or "up"
    indicator = indicator.i
    decision  = 4
  }
}

detector "threshold" { # ERROR LANG-missing-label: A detector block has two labels: KIND and NAME.
}

detector "threshold" "x" "y" { # ERROR LANG-extra-label: A detector block has two labels
}

locals "x" { # ERROR LANG-extra-label: A locals block has no label.
}

profile "two words" { # ERROR LANG-invalid-name: The name "two words" has characters
  shape = "step"
}
