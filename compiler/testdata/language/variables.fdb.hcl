variable "no_value" { # ERROR LANG-variable "--var no_value=VALUE or in the environment as FDBENCH_VAR_no_value"
  type = number
}

variable "wrong_default" {
  type    = list(number)
  default = "x" # ERROR LANG-type "has to be list\(number\)"
}

variable "unknown_type" {
  type    = numbr # ERROR LANG-type "A type is string, number, bool"
  default = 1
}

variable "invalid" {
  type    = number
  default = 2 # ERROR LANG-validation "The limit is a share. \(value of \"invalid\" from the default: 2\)"

  validation {
    condition     = var.invalid <= 1
    error_message = "The limit is a share"
  }
}

variable "foreign" {
  type    = number
  default = 2

  validation {
    condition     = var.invalid <= 1 # ERROR LANG-unknown-name "may look at var.foreign only"
    error_message = "Too large"
  }
}

variable "no_condition" {
  type    = number
  default = 2

  validation {
    condition     = var.no_condition + 1 # ERROR LANG-type "true or false"
    error_message = "Never"
  }
}

locals {
  uses_a_bad_one = var.invalid
  defaulted      = var.with_defaults.name
}

variable "with_defaults" {
  type    = object({ name = optional(string, "none"), size = number })
  default = { size = 3 }
}
