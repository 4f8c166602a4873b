# A block of the cache is full or it is none.
reuse "rag" {
  manifest       = "manifest.jsonl"
  partial_blocks = true # ERROR KV-1-2 "reuse block takes no \"partial_blocks\".*stands in no rate"
}
