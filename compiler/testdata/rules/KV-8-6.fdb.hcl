# A warm cold arm is no cold arm.
reuse "rag" {
  manifest = "manifest.jsonl"

  live "openai" {
    base_url   = "http://127.0.0.1:8000"
    skip_reset = true # ERROR KV-8-6 "contaminated"
  }
}
