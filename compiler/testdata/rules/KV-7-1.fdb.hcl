# A control of its own document is none.
reuse "own" {
  manifest = "own-source.jsonl" # ERROR KV-7-1 "item \"control\" \(line 2\) is a negative control, and its donor comes from its own document"
}

reuse "alone" {
  manifest = "donorless.jsonl" # ERROR KV-7-1 "without a donor"
}
