detector "threshold" "watch" {
  evaluate = "5s"

  indicator "refusals" {
    method = indicator.refusal_rate
    window = "1m"
  }

  alert "RefusalsHigh" {
    indicator = indicator.refusal_rate
    above     = 0.08
  }
  auto_tune = true # ERROR FD-3.2-1 "Refused by the methodology"
}
