signal "page" {
  type        = "alert"
  component   = detector.watch
  attribution = "true or signal.status == 'firing'" # ERROR FD-4.1-4 "Attribution that is always true"
}
