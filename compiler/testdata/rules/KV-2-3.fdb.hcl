# An exact hit counts wherever it stands.
reuse "rag" {
  manifest    = "manifest.jsonl"
  prefix_only = true # ERROR KV-2-3 "wherever the block stands"
}
