# Nothing tells a placement.
reuse "rag" {
  manifest = "manifest.jsonl"

  live "openai" {
    base_url = "http://127.0.0.1:8000"
    model    = "tiny"
    reset    = "http://127.0.0.1:8000/reset"
  }
}

gate "placed" {
  on        = reuse.rag
  condition = "semantic_placement_rate_by_request >= 0.5" # ERROR KV-6-1 "names no header of an answer that tells a placement"
}

gate "controls unplaced" {
  on  = reuse.rag
  use = gate.controls_unplaced # ERROR KV-6-1 "negative_control_semantic_placement_rate"
}
