locals {
  now      = timestamp() # ERROR LANG-unknown-function "no clock, no random source"
  typo     = uper("a")   # ERROR LANG-unknown-function "Did you mean \"upper\""
  few      = max()       # ERROR LANG-function-call "."
  wrong    = upper([1])  # ERROR LANG-function-argument "."
  operand  = "a" + 1     # ERROR LANG-type "."
  fine     = join(", ", [for w in ["a", "b"] : upper(w)])
  both     = true ? 1 : [] # ERROR LANG-type "."
}
