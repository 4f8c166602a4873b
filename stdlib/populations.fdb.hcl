# Request populations from the built-in generator. A salt makes every prompt
# unique, so that no response cache can answer for the deployment.

population "short_questions" {
  description = "Everyday questions of one sentence."
  generator   = "template/1"
  provenance  = "synthetic"
  salt        = "nonce"
}
