# What a reference can get wrong, and a name in an expression.

indicator "refusals" {
  kind   = "rate"
  scorer = "refusal/1"
}

fault_class "unknown_indicator" {
  indicator = indicator.refusal # ERROR LANG-unknown-reference "no indicator of the name \"refusal\". Did you mean indicator.refusals"
  direction = "up"
  transform = "refuse/1"
}

fault_class "text" {
  indicator = "refusals" # ERROR LANG-reference "written without quotes: indicator.refusals"
  direction = "up"
  transform = "refuse/1"
}

fault_class "wrong_kind" {
  indicator = profile.slow # ERROR LANG-reference "has to name an indicator, and profile.slow is a profile"
  direction = "up"
  transform = "refuse/1"
}

fault_class "incomplete" {
  indicator = indicator # ERROR LANG-reference "Write the name of the indicator too"
  direction = "up"
  transform = "refuse/1"
}

fault_class "number" {
  indicator = 5 # ERROR LANG-reference "write indicator.NAME"
  direction = "up"
  transform = "refuse/1"
}

fault_class "chosen" {
  indicator = local.use_refusals ? indicator.refusals : indicator.refusal_rate
  direction = "up"
  transform = "refuse/1"
}

profile "slow" {
  shape = "ramp 2m"
}

locals {
  use_refusals = true
  root         = detecor.watch # ERROR LANG-unknown-name "Did you mean \"detector\""
  word         = hello         # ERROR LANG-unknown-name "A text is written in quotes: \"hello\""
  absent       = local.nothing # ERROR LANG-unknown-reference "no local value of the name \"nothing\""
  field        = indicator.refusals.knd # ERROR LANG-unknown-reference "has no argument \"knd\". Did you mean \"kind\""
  defaulted    = "${indicator.refusals.unit} is the unit"
  empty        = indicator.refusals.planning_baseline # ERROR LANG-null "does not set \"planning_baseline\""
  object       = { a = 1 }
  no_field     = local.object.b # ERROR LANG-unknown-reference "Unknown field"
}

population "from_a_bad_local" {
  generator  = "template/${local.absent}"
  provenance = "synthetic"
}
