signal "page" {
  type        = "alert"
  component   = apparatus.injector # ERROR FD-3.1-5 "Wrong kind of reference"
  attribution = "signal.labels.alertname == 'RefusalsHigh' and signal.status == 'firing'"
}
