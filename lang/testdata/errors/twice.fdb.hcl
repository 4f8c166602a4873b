fdbench { language = 1 }

fdbench { language = 1 } # ERROR LANG-too-many-blocks: A fdbench block may stand here once.

profile "p" { shape = "step" }
profile "p" { shape = "step" } # ERROR LANG-duplicate-name: A profile block named "p" already stands at twice.fdb.hcl:5.

serving "recorded" "s" { responses = "a.jsonl" }
serving "simulated" "s" { latency = "constant 1s" } # ERROR LANG-duplicate-name: already stands at twice.fdb.hcl:8.

locals { a = 1 }
locals {
  a = 2 # ERROR LANG-duplicate-name: The local value "a" is already defined
}

profile "q" {
  shape = "step"
  shape = "step" # ERROR LANG-duplicate-argument: The argument "shape" was already set in this block.
}

detector "threshold" "d" {
  indicator "i" {
    method = indicator.i
    window = "5m"
    judge {
      model   = "m"
      version = "1"
    }
    judge { # ERROR FD-3.2-9: A judge block may stand here once.
      model   = "m"
      version = "1"
    }
  }
  alert "a" {
    indicator = indicator.i
    above     = 1
  }
  alert "a" { # ERROR LANG-duplicate-name: An alert block named "a" already stands
    indicator = indicator.i
    above     = 1
  }
}
