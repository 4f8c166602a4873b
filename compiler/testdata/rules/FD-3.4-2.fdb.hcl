apparatus "simulated" "injector" {
  sampling   = "quota"
  onset_from = detector.watch # ERROR FD-3.4-2 "Refused by the methodology"
}
