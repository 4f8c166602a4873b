locals {
  a = local.b # ERROR LANG-cycle "local.a → local.b → local.c → local.a"
  b = "${local.c}!"
  c = upper(local.a)
  d = local.a
  e = local.e # ERROR LANG-cycle "local.e → local.e"
}
