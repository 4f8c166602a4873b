signal "page" {
  type        = "alert"
  component   = detector.other # ERROR FD-4.1-3 "Signal of another detector"
  attribution = "signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'"
}

detector "threshold" "other" {
  indicator "refusals" {
    method = indicator.refusal_rate
    window = "1m"
  }
  alert "RefusalsHigh" {
    indicator = indicator.refusal_rate
    above     = 0.08
  }
}
