# Fault classes: ways in which a deployment begins to answer differently while
# every request still succeeds. Each is bound to one indicator and a direction.
# The names are this project's own. seen_in names public incidents of the kind.

fault_class "refusal" {
  description = "The deployment declines to do what it is asked, in the words of a normal answer."
  indicator   = indicator.refusal_rate
  direction   = "up"
  transform   = "refuse/1"
  params      = { style = "any" }
  seen_in     = ["refusals arrive as ordinary text with HTTP status 200 from most providers"]
}

fault_class "json_invalid" {
  description = "Answers that should be JSON no longer parse."
  indicator   = indicator.json_invalid_rate
  direction   = "up"
  transform   = "break_json/1"
  seen_in = [
    "vllm-project/vllm issue 8350: JSON left open at the token limit",
    "vllm-project/vllm issue 11484: guided decoding with speculative decoding",
    "NVIDIA TensorRT-LLM: response_format accepted and not enforced",
  ]
}

fault_class "schema_violation" {
  description = "Answers parse as JSON and break the schema. Copy this block with your own schema, the same as that of the indicator."
  indicator   = indicator.schema_violation_rate
  direction   = "up"
  transform   = "violate_schema/1"
  params      = { schema = "{\"type\":\"object\"}" }
  seen_in     = ["a local server honoured the requested schema in about 30 percent of the answers"]
}

fault_class "verbosity_up" {
  description = "Answers grow, as after a changed system prompt or style instruction. The transform doubles the words."
  indicator   = indicator.response_words
  direction   = "up"
  transform   = "verbose/1"
  params      = { factor = 2 }
  scale       = 2
  seen_in     = ["OpenAI, April 2025: an update of GPT-4o changed tone and length for all traffic"]
}

fault_class "verbosity_down" {
  description = "Answers shrink, as after an instruction to be brief. The transform halves the words."
  indicator   = indicator.response_words
  direction   = "down"
  transform   = "terse/1"
  params      = { factor = 0.5 }
  scale       = 0.5
  seen_in     = ["Anthropic, April 2026: a system prompt with word limits lowered an evaluation by 3 percent"]
}

fault_class "truncation" {
  description = "Answers stop in mid-thought while the deployment reports a normal end."
  indicator   = indicator.truncation_rate
  direction   = "up"
  transform   = "truncate/1"
  seen_in = [
    "vllm-project/vllm issue 3026: answers cut off now and then",
    "vllm-project/vllm pull request 8468: regression of stop strings with streaming",
  ]
}

fault_class "empty_response" {
  description = "Answers come back empty."
  indicator   = indicator.empty_response_rate
  direction   = "up"
  transform   = "empty/1"
  seen_in = [
    "vllm-project/vllm issue 2294: empty completions",
    "sgl-project/sglang issue 4550: finish reason missing now and then",
  ]
}

fault_class "repetition" {
  description = "Answers run into a loop until the token limit."
  indicator   = indicator.repetition_rate
  direction   = "up"
  transform   = "repeat/1"
  params      = { rounds = 16 }
  seen_in = [
    "vllm-project/vllm issue 18345: loops at high concurrency only",
    "vllm-project/vllm issue 7668: loops on long inputs",
  ]
}

fault_class "wrong_language" {
  description = "Answers come in another language than the prompt, or characters of another script appear in them."
  indicator   = indicator.wrong_language_rate
  direction   = "up"
  transform   = "switch_language/1"
  params      = { language = "any" }
  seen_in     = ["Anthropic, August 2025: Thai and Chinese characters in English answers on some platforms"]
}

fault_class "garbled" {
  description = "Answers are unreadable: one token without end, fragments, broken characters."
  indicator   = indicator.garbled_rate
  direction   = "up"
  transform   = "garble/1"
  seen_in = [
    "OpenAI, 20 February 2024: nonsense from wrong inference kernels on part of the fleet, for 7.6 hours",
    "vllm-project/vllm issue 22881: invalid logits turn into endless exclamation marks",
  ]
}

fault_class "special_token_leak" {
  description = "Control tokens of the chat template show in answers."
  indicator   = indicator.special_token_leak_rate
  direction   = "up"
  transform   = "leak_special_tokens/1"
  seen_in     = ["vllm-project/vllm issue 49955: turn markers in answers after an upgrade"]
}

fault_class "reasoning_leak" {
  description = "The model's deliberation shows in answers."
  indicator   = indicator.reasoning_leak_rate
  direction   = "up"
  transform   = "leak_reasoning/1"
  seen_in = [
    "ggml-org/llama.cpp issue 11861: reasoning tags in the answer",
    "vllm-project/vllm issue 14170: half of a closing tag in the answer",
  ]
}

fault_class "tool_call_broken" {
  description = "Tool calls do not parse, or stay in the text."
  indicator   = indicator.tool_call_broken_rate
  direction   = "up"
  transform   = "break_tool_call/1"
  seen_in = [
    "vllm-project/vllm issue 20028: half of the tool calls failed to parse",
    "vllm-project/vllm issue 42400: calls break near the end of the context",
  ]
}
