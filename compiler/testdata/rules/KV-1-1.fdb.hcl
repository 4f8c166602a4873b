# There is no block of no tokens.
reuse "rag" {
  manifest   = "manifest.jsonl"
  block_size = 0 # ERROR KV-1-1 "whole number from 1"
}
