# A plan is no reuse.
reuse "rag" {
  manifest       = "manifest.jsonl"
  confirmed_from = "candidates" # ERROR KV-3-3 "no reuse that a backend confirmed"
}
