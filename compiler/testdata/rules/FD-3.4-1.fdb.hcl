apparatus "simulated" "injector" {
  sampling         = "quota"
  onset_resolution = "1s" # ERROR FD-3.4-1 "Refused by the methodology"
}
