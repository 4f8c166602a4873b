package text

import (
	"strings"
)

var leakSpecialTransform = Transform{
	ID:  "leak_special_tokens/1",
	Doc: "Lets control tokens of a chat template show: an end token after the response, a role header before it, an instruction mark in it, or padding at the end.",
	New: func(params map[string]string) (TransformFunc, error) {
		if _, err := readParams("leak_special_tokens/1", nil, params); err != nil {
			return nil, err
		}
		return func(r Response, seed uint64) string { return leakSpecial(r, throw("leak_special_tokens/1", seed)) }, nil
	},

	StreamDoc: "The same as on whole responses. It waits for nothing. Where the end of the response stands in code, the code is closed first.",
	Stream: func(params map[string]string) (StreamFunc, error) {
		if _, err := readParams("leak_special_tokens/1", nil, params); err != nil {
			return nil, err
		}
		return func(r Response, seed uint64) Streamer {
			return run(newTokenLeak(r.Prompt, throw("leak_special_tokens/1", seed)))
		}, nil
	},
}

var (
	endTokens  = []string{"<|im_end|>", "<|eot_id|>", "<|endoftext|>", "</s>", "<end_of_turn>", "<|end|>", "<｜end▁of▁sentence｜>", "<eos>"}
	headTokens = []string{"<|start_header_id|>assistant<|end_header_id|>\n\n", "<|im_start|>assistant\n", "[/INST] ", "<start_of_turn>model\n", "<|assistant|>\n"}
	nextTurns  = []string{"<|im_end|>\n<|im_start|>user\n", "<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n", "</s>[INST] ", "<end_of_turn>\n<start_of_turn>user\n"}
)

func leakSpecial(r Response, d dice) string {
	s := r.Text
	if openFence(s) {
		// At the end it would stand in code.
		return d.pick(headTokens) + s
	}
	head, tail := leakedTokens(d)
	out := head + s + tail
	if !leaksToken(Response{r.Prompt, out}) {
		// The prompt speaks of that token, or a lone backtick opens code.
		return reservedToken(d) + s
	}
	return out
}

// leakedTokens are what shows before a response and behind it.
func leakedTokens(d dice) (head, tail string) {
	switch d.below(5) {
	case 0, 1:
		tail = d.pick(endTokens)
	case 2:
		head = d.pick(headTokens)
	case 3:
		tail = d.pick(nextTurns)
	default:
		tail = strings.Repeat(d.pick([]string{"<pad>", "<unk>", "<|endoftext|>"}), d.between(2, 12))
	}
	return head, tail
}

func reservedToken(d dice) string {
	return "<|reserved_special_token_" + string(rune('0'+d.below(10))) + "|>"
}

var leakReasoningTransform = Transform{
	ID:  "leak_reasoning/1",
	Doc: "Lets the deliberation of a reasoning model show before the response: in tags, with the first tag lost, with the last tag lost, or without tags.",
	New: func(params map[string]string) (TransformFunc, error) {
		if _, err := readParams("leak_reasoning/1", nil, params); err != nil {
			return nil, err
		}
		return func(r Response, seed uint64) string {
			return deliberation(r.Prompt, throw("leak_reasoning/1", seed)) + r.Text
		}, nil
	},

	StreamDoc: "The same as on whole responses: the deliberation comes with the first piece. It waits for nothing.",
	Stream: func(params map[string]string) (StreamFunc, error) {
		if _, err := readParams("leak_reasoning/1", nil, params); err != nil {
			return nil, err
		}
		return func(r Response, seed uint64) Streamer {
			return &prefixed{head: deliberation(r.Prompt, throw("leak_reasoning/1", seed)), m: pass{}}
		}, nil
	},
}

var (
	thoughtOpenings = []string{
		"Okay, the user is asking about %.", "The user wants to know about %.", "Alright, the user asked about %.",
		"Hmm, the user has a question about %.", "So the user is asking me about %.", "First, the user wants something about %.",
	}
	thoughtSteps = []string{
		"I should give a clear answer first and then the details.", "I need to make sure that the answer is correct.", "Let me think about what matters most here.",
		"I will keep the tone friendly.", "Wait, I should check whether the question has a second meaning.", "I can mention one example.",
		"They probably do not need the whole background.", "A short list could work, but plain sentences may read better.", "I must not forget the exceptions.",
		"That covers the main part.", "Let me put this together now.",
	}
)

// deliberation is what comes before the response.
func deliberation(prompt string, d dice) string {
	topic := topicOf(prompt, "this")
	lines := []string{strings.ReplaceAll(d.pick(thoughtOpenings), "%", topic), thoughtSteps[d.below(3)]}
	order := d.order(len(thoughtSteps) - 3)
	for _, i := range order[:d.between(1, 4)] {
		lines = append(lines, thoughtSteps[i+3])
	}
	thought := strings.Join(lines, " ")
	tag := d.pick([]string{"think", "think", "think", "thinking", "reasoning"})
	mode := d.below(4)
	if mode == 3 && strings.Contains(strings.ToLower(prompt), "user") || strings.Contains(prompt, tag+">") {
		mode, tag = 0, "scratchpad"
	}
	switch mode {
	case 1:
		return thought + "\n</" + tag + ">\n\n"
	case 2:
		return "<" + tag + ">\n" + thought + "\n\n"
	case 3:
		return thought + "\n\n"
	}
	return "<" + tag + ">\n" + thought + "\n</" + tag + ">\n\n"
}

var breakToolCallTransform = Transform{
	ID:  "break_tool_call/1",
	Doc: "Breaks a tool call: brackets or the closing tag are lost, arguments are no JSON, the name is gone. A response without a call gets a broken one at its end, as when a server fails to take it out of the text.",
	New: func(params map[string]string) (TransformFunc, error) {
		if _, err := readParams("break_tool_call/1", nil, params); err != nil {
			return nil, err
		}
		return func(r Response, seed uint64) string { return breakToolCall(r, throw("break_tool_call/1", seed)) }, nil
	},

	HoldBack:  gateBytes,
	StreamDoc: "The first call breaks as it comes: its quotation marks are single, its last bracket or closing tag is lost, or it stops. A response without a call gets a broken one at its end, the same as on whole responses. It waits for the first character that tells JSON from prose, for a tag of a call to be complete, and for what follows a bracket that may be the last, up to 64 bytes.",
	Stream: func(params map[string]string) (StreamFunc, error) {
		if _, err := readParams("break_tool_call/1", nil, params); err != nil {
			return nil, err
		}
		return func(r Response, seed uint64) Streamer { return run(newCallBreaker(r.Prompt, seed)) }, nil
	},
}

// someCall is a well-formed call about a topic.
func someCall(prompt string, d dice) string {
	return `{"name": ` + quoteJSON(d.pick([]string{"search", "lookup", "get_document", "run_query", "fetch_page"})) +
		`, "arguments": {"query": ` + quoteJSON(topicOf(prompt, "latest status")) + `, "limit": ` + string(rune('1'+d.below(9))) + `}}`
}

func breakToolCall(r Response, d dice) string {
	call := someCall(r.Prompt, d)
	before, after := r.Text, ""
	if toolCallState(r.Text, nil) == goodCall {
		before = ""
		if _, body, _, ok := splitJSON(r.Text); ok {
			call = body
		} else if open, end := strings.Index(r.Text, "{"), strings.LastIndex(r.Text, "}"); open >= 0 && end > open {
			before, call, after = r.Text[:open], r.Text[open:end+1], r.Text[end+1:]
			if i := strings.LastIndex(before, "<"); i >= 0 {
				before = before[:i]
			}
			if i := strings.Index(after, ">"); i >= 0 {
				after = after[i+1:]
			}
		}
	}
	return withBrokenCall(before, call, after, d)
}

// withBrokenCall breaks a call that stands between two texts.
func withBrokenCall(before, call, after string, d dice) string {
	if before != "" && !strings.HasSuffix(before, "\n") {
		before += "\n\n"
	}
	modes := []string{
		"<tool_call>\n" + call[:wholeRune(call, len(call)*d.between(50, 95)/100)],
		"<tool_call>\n" + strings.TrimSuffix(call, "}") + "\n</tool_call>",
		"<tool_call>\n" + strings.ReplaceAll(call, `"`, "'") + "\n</tool_call>",
		"<tool_call>\n" + call,
		"<tool_call>\n" + strings.Replace(call, `"arguments"`, `"args`, 1) + "\n</tool_call>",
		"<function_call>" + strings.Replace(call, `"name"`, `"nam"`, 1) + "</function_call>",
		"[TOOL_CALLS]" + call[:len(call)-1],
	}
	for _, i := range d.order(len(modes)) {
		if whole := before + modes[i] + after; toolCallState(whole, nil) == badCall {
			return whole
		}
	}
	return before + "<tool_call>\n" + call
}
