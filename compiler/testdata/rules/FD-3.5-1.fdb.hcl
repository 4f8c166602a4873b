signal "page" {
  type        = "alert"
  component   = detector.watch
  attribution = "signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'"
  event_clock = "dashboard" # ERROR FD-3.5-1 "Unknown word"
}
