apparatus "simulated" "injector" {
  sampling = "quota"
  header   = "x-fault-id" # ERROR FD-3.4-4 "Refused by the methodology"
}
