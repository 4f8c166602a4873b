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
  adaptive = true # NOTE FD-3.2-2 "Detector that learns"
}
