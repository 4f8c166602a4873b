# The log of SGLang does not confirm.
reuse "rag" {
  manifest = "manifest.jsonl"

  live "sglang" {
    base_url = "http://127.0.0.1:30000"
    reset    = "http://127.0.0.1:30000/flush_cache"
    signal   = "evidence" # ERROR KV-5-10 "told by the response"
  }

  evidence "sglang" {
    log = "sglang.log"
  }
}
