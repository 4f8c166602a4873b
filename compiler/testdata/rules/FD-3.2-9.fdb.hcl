detector "threshold" "watch" {
  evaluate = "5s"

  indicator "refusals" {
    method = indicator.refusal_rate
    window = "1m"
    judge {
      model   = "judge-large"
      version = "latest" # ERROR FD-3.2-9 "Moving version of a judge"
    }
  }

  alert "RefusalsHigh" {
    indicator = indicator.refusal_rate
    above     = 0.08
  }
}
