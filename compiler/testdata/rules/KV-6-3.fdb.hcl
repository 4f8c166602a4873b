# A placement is no hit.
reuse "rag" {
  manifest = "manifest.jsonl"

  live "openai" {
    base_url = "http://127.0.0.1:8000"
    model    = "tiny"
    reset    = "http://127.0.0.1:8000/reset"
    signal   = "route" # ERROR KV-6-3 "says nothing of what the engine took"
  }
}
