serving "simulated" "model" {
  behaviour {
    indicator = indicator.refusal_rate
    rate      = 0.02
  }
  model = 7 # ERROR FD-6-3 "Wrong type"
}
