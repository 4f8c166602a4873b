# The baseline is as strong as the donors allow.
reuse "rag" {
  manifest = "manifest.jsonl"
  scope    = "nearest" # ERROR KV-2-1 "none of the words that .scope. takes"
}
