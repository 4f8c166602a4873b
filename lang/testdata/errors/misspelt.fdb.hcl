fdbench { language = 1 }

popualtion "a" { # ERROR LANG-unknown-block: Did you mean "population"?
  generator = "template/1"
}

population "b" {
  genrator   = "template/1" # ERROR LANG-unknown-argument: Did you mean "generator"?
  provenance = "synthetic"
}

population "c" {
  generator  = "template/1"
  provenence = "synthetic" # ERROR LANG-unknown-argument: Did you mean "provenance"?
}

detector "thershold" "d" { # ERROR LANG-unknown-kind: Did you mean "threshold"?
}

detector "magic" "e" { # ERROR LANG-unknown-kind: The kinds are "threshold", "ewma", "cusum", "prometheus_rules", "prometheus", "webhook", "poll" and "command".
}

signal "s" {
  type        = "alert"
  component   = detector.x
  atribution  = "true" # ERROR LANG-unknown-argument: Did you mean "attribution"?
}

profile "p" {
  shape   = "step"
  unheard = 1 # ERROR LANG-unknown-argument: It takes shape and description.
}

# Three names are near; the nearest wins.
indicator "n" {
  kind      = "rate"
  scoer     = "refusal/1" # ERROR LANG-unknown-argument: Did you mean "scorer"?
  scorer_   = "refusal/1" # ERROR LANG-unknown-argument: Did you mean "scorer"?
}
