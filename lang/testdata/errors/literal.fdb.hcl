fdbench { language = "1" } # ERROR LANG-language-version: without quotes: language = 1.

profile "p" {
  shape = "ramp ${local.x}" # ERROR LANG-not-literal: a text in quotes without ${...}
}

profile "q" {
  shape = local.x # ERROR LANG-not-literal: a text in quotes without ${...}
}

profile "r" {
  shape = ("step")
}
