fdbench { language = 1 }

language = 1 # ERROR LANG-unknown-argument: It belongs in fdbench.
wonderful = 1 # ERROR LANG-unknown-argument: Put values of your own into a locals block.

load { # ERROR LANG-unknown-block: It belongs in series.
  points = "1, 2 req/s"
}

series "a" {
  environment = environment.lab
  population  = population.p
  detector    = detector.d
  signal      = signal.s
  timeout     = "100m" # ERROR LANG-unknown-argument: It belongs in series > trials.
  interval    = "50m" # ERROR LANG-unknown-argument: It belongs in series > baseline.
  quiet       = "10m" # ERROR LANG-unknown-argument: It is a block, and has no equals sign:
  trials {
    count = 20
  }
  seed { # ERROR LANG-unknown-block: It is an argument: write seed = ... with an equals sign.
  }
  profile "x" { # ERROR LANG-unknown-block: It stands at the top level of a file, outside of other blocks.
    shape = "step"
  }
  false_detection { at_least = "2h" }
}
