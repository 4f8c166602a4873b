# One arm makes no pair.
reuse "rag" {
  manifest = "manifest.jsonl"

  live "openai" {
    base_url = "http://127.0.0.1:8000"
    arm      = "warm" # ERROR KV-8-1 "compared within a pair"
  }
}
