# What the arguments of a series can get wrong.

series "wrong" {
  environment = environment.lab
  population  = population.support
  detector    = detector.watch
  signal      = signal.page

  load {
    points         = ["1 req/s", "10 req", "100 req/s"] # ERROR FD-3.1-2 "."
    representative = "10 req/s"
  }

  baseline {
    interval = "3 fortnights" # ERROR FD-4.2-2 "."
  }

  quiet {
    at_least = "5m"
    at_most  = "1m" # ERROR FD-4.3-3 "The upper limit is the larger"
  }

  trials {
    count   = "20" # ERROR FD-5.1-8 "Write 20 without quotes"
    timeout = "20m"
  }

  fault "relative" {
    class      = fault_class.refusal
    magnitudes = [0.1, "2x"] # ERROR FD-4.2-6 "not a magnitude"
    profiles   = ["step", "step"] # ERROR LANG-range "Profile given twice"
  }

  fault "twice" {
    class      = fault_class.refusal
    magnitudes = [0.1, 0.10] # ERROR LANG-range "Magnitude given twice"
    profiles   = ["ramp"] # ERROR FD-1.1-2 "."
  }

  fault "kind" {
    class      = indicator.refusal_rate # ERROR LANG-reference "has to name a fault_class"
    magnitudes = 0.1 # ERROR FD-4.2-6 "Write a list"
    profiles   = [detector.watch] # ERROR LANG-reference "has to be a profile"
  }

  threshold "bad" {
    class      = fault_class.refusal
    profile    = "step"
    target     = 1.5 # ERROR FD-5.3-2 "above 0 and at most 1"
    resolution = 0.02
    lower      = "ground" # ERROR FD-5.3-4 "is neither"
    upper      = 0.3
  }

  false_detection {
    at_least = "2h"
  }
}
