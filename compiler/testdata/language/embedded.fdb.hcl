# An error inside an embedded language points at the very characters.

signal "page" {
  type        = "alert"
  component   = detector.watch
  attribution = "signal.labels.alertname == 'RefusalsHigh' and signal.stats == 'firing'" # ERROR LANG-predicate "Condition cannot be used.*status"
}

detector "threshold" "other" {
  evaluate = "5 parsecs" # ERROR LANG-quantity "."

  indicator "refusals" {
    method = indicator.refusal_rate
    window = "soon" # ERROR FD-3.2-7 "."
  }

  alert "High" {
    indicator = indicator.refusal_rate
    above     = 0.1
    for       = "10 windows" # ERROR FD-3.2-8 "."
  }
}

detector "threshold" "empty" {
  indicator "refusals" {
    method = indicator.refusal_rate
    window = "0s" # ERROR FD-3.2-7 "longer than nothing"
  }

  alert "Other" {
    indicator = indicator.response_words # ERROR FD-3.2-8 "no indicator block with method = indicator.response_words"
    above     = 0.1
  }
}

profile "wavy" {
  shape = "wave 5m" # ERROR LANG-quantity "."
}
