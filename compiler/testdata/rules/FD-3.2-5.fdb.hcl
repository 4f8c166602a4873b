detector "threshold" "watch" {
  evaluate = "5s"

  indicator "refusals" { # ERROR FD-3.2-5 "Missing required argument"
    window = "1m"
  }

  alert "RefusalsHigh" {
    indicator = indicator.refusal_rate
    above     = 0.08
  }
}
