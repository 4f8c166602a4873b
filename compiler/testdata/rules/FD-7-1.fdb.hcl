population "support" {
  generator  = "template/1"
  provenance = "production" # ERROR FD-7-1 "Unknown word"
}
