# Indicators: what can be measured of one response, computed from its text alone.
#
# planning_baseline is what to expect before a Baseline Interval has been run.
# It plans budgets and hints; no result is computed from it.

indicator "refusal_rate" {
  description       = "Share of responses that decline to do what was asked."
  kind              = "rate"
  unit              = "1"
  scorer            = "refusal/1"
  planning_baseline = 0.02
}

indicator "json_invalid_rate" {
  description       = "Share of responses that are not one valid JSON text. A code fence around the whole is accepted."
  kind              = "rate"
  unit              = "1"
  scorer            = "json_invalid/1"
  params            = { fence = "strip", require = "any" }
  planning_baseline = 0.005
}

indicator "schema_violation_rate" {
  description       = "Share of responses that are JSON and break the schema. Copy this block and put your own schema in; as it stands it asks for an object."
  kind              = "rate"
  unit              = "1"
  scorer            = "schema_violation/1"
  params            = { schema = "{\"type\":\"object\"}", fence = "strip", count_invalid = false }
  planning_baseline = 0.01
}

indicator "response_words" {
  description = "Mean number of words of a response."
  kind        = "mean"
  unit        = "words"
  scorer      = "verbosity/1"
}

indicator "truncation_rate" {
  description       = "Share of responses that stop in mid-thought."
  kind              = "rate"
  unit              = "1"
  scorer            = "truncation/1"
  planning_baseline = 0.02
}

indicator "empty_response_rate" {
  description       = "Share of responses with nothing in them."
  kind              = "rate"
  unit              = "1"
  scorer            = "empty/1"
  planning_baseline = 0.001
}

indicator "repetition_rate" {
  description       = "Share of responses that run in circles."
  kind              = "rate"
  unit              = "1"
  scorer            = "repetition/1"
  planning_baseline = 0.002
}

indicator "wrong_language_rate" {
  description       = "Share of responses in another language or script than that of the prompt."
  kind              = "rate"
  unit              = "1"
  scorer            = "wrong_language/1"
  params            = { expect = "prompt", fallback = "en" }
  planning_baseline = 0.002
}

indicator "garbled_rate" {
  description       = "Share of responses that are not readable as text."
  kind              = "rate"
  unit              = "1"
  scorer            = "garbled/1"
  planning_baseline = 0.001
}

indicator "special_token_leak_rate" {
  description       = "Share of responses in which a control token of the chat template shows."
  kind              = "rate"
  unit              = "1"
  scorer            = "special_token_leak/1"
  planning_baseline = 0.001
}

indicator "reasoning_leak_rate" {
  description       = "Share of responses in which the model's deliberation shows."
  kind              = "rate"
  unit              = "1"
  scorer            = "reasoning_leak/1"
  planning_baseline = 0.001
}

indicator "tool_call_broken_rate" {
  description       = "Share of responses with a tool call that does not parse."
  kind              = "rate"
  unit              = "1"
  scorer            = "tool_call_broken/1"
  params            = { well_formed = "ok", expected = false, tools = "" }
  planning_baseline = 0.01
}
