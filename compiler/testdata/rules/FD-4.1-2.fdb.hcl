signal "page" {
  type        = "rumour" # ERROR FD-4.1-2 "Unknown word"
  component   = detector.watch
  attribution = "signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'"
}
