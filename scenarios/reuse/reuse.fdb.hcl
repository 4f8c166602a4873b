# What a plain cache could reuse of these prompts, and what a planner finds
# beyond it: figures that need no engine.

fdbench { language = 1 }

reuse "documents" {
  description = "Eight ways in which prompts over 24 documents come back."
  block_size  = 16
  tokenizer   = "stable"

  documents {
    source = "documents.jsonl"
  }

  planner "span" { min_run = 16 }
}

gate "controls are left alone" {
  on  = reuse.documents
  use = gate.controls_ineligible
}

gate "no block is where it must not be" {
  on  = reuse.documents
  use = gate.no_collisions
}

gate "the planner finds more than is there word for word" {
  on    = reuse.documents
  use   = gate.eligible_lift
  limit = 0.05
}

gate "reordered segments are found again" {
  on        = reuse.documents
  condition = "all(filter(transforms, .transform in [\"rag_reorder\", \"multi_donor_composite\"]), .semantic_eligible_block_rate >= 0.5)"
}
