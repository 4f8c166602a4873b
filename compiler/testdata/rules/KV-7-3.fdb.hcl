# Nothing shows that a lift is one.
reuse "rag" {
  manifest = "no-controls.jsonl" # WARNING KV-7-3 "nothing shows that a lift comes from"

  planner "chunk" {}
}

reuse "live" {
  manifest = "no-controls.jsonl" # WARNING KV-7-3 "nothing shows that a speed-up comes from"

  live "openai" {
    base_url = "http://127.0.0.1:8000"
    model    = "tiny"
    reset    = "http://127.0.0.1:8000/reset"
  }
}

reuse "exact" {
  manifest = "no-controls.jsonl"
  because  = { "KV-7-3" = "only the exact baseline is of interest" } # WARNING LANG-unused-reason "not set aside here"
}
