apparatus "simulated" "injector" {
  sampling  = "quota"
  permanent = true # ERROR FD-3.4-3 "Refused by the methodology"
}
