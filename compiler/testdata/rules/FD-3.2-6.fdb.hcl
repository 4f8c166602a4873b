detector "threshold" "watch" {
  evaluate = "5s"

  indicator "refusals" {
    method   = indicator.refusal_rate
    window   = "1m"
    sampling = 0 # ERROR FD-3.2-6 "Share out of range"
  }

  alert "RefusalsHigh" {
    indicator = indicator.refusal_rate
    above     = 0.08
  }
}
