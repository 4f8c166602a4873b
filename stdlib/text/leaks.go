package text

import "strings"

var specialTokenScorer = Scorer{
	ID: "special_token_leak/1", Kind: "rate", Unit: "1",
	Doc: `1 where the response shows a control token of a chat template or tokenizer, such as "<|im_end|>", "</s>", "[INST]" or "<start_of_turn>", that the prompt did not show. Code does not count.`,
	New: fixedScorer("special_token_leak/1", func(r Response) int32 { return rate(leaksToken(r)) }),
}

// templateTokens are control tokens without bars inside angle brackets.
var templateTokens = []string{
	"<pad>", "<unk>", "<bos>", "<eos>", "<start_of_turn>", "<end_of_turn>", "<turn|>", "<<SYS>>", "<</SYS>>",
	"<|", "<｜", "[INST]", "[/INST]", "[TOOL_CALLS]", "[TOOL_RESULTS]", "[AVAILABLE_TOOLS]", "[UNUSED_TOKEN", "[PAD]", "[CLS]", "[SEP]",
	"<extra_id_", "<0x", "<end_of_utterance>", "<fim_", "<reserved_", "<s>", "</s>", "<sep>", "<mask>",
}

func leaksToken(r Response) bool {
	s := r.Text
	code := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '`':
			code = !code
			if strings.HasPrefix(s[i:], "```") {
				i += 2
			}
			continue
		case '<', '[':
		default:
			continue
		}
		if code {
			continue
		}
		if t := tokenAt(s, i); t != "" && !strings.Contains(r.Prompt, t) {
			return true
		}
	}
	return false
}

// tokenAt returns the control token that begins at i, or "".
func tokenAt(s string, i int) string {
	rest := s[i:]
	for _, t := range templateTokens {
		if !strings.HasPrefix(rest, t) {
			continue
		}
		switch t {
		case "<|", "<｜":
			closing := t[1:] + ">"
			end := strings.Index(rest[len(t):min(len(rest), 48)], closing)
			if end < 1 || strings.ContainsAny(rest[len(t):len(t)+end], " \n") {
				continue
			}
			return rest[:len(t)+end+len(closing)]
		case "<0x":
			if len(rest) < 6 || rest[5] != '>' {
				continue
			}
			return rest[:6]
		case "<s>":
			// HTML strikes text through with the same letters.
			if strings.Contains(rest, "</s>") {
				continue
			}
		case "</s>":
			if strings.Contains(s[:i], "<s>") {
				continue
			}
		}
		return t
	}
	return ""
}

var reasoningScorer = Scorer{
	ID: "reasoning_leak/1", Kind: "rate", Unit: "1",
	Doc: `1 where the response shows the model's own deliberation: a reasoning tag such as "<think>", open, closed or alone, that the prompt did not show, or a beginning that speaks of "the user" and of what to answer. Code does not count.`,
	New: fixedScorer("reasoning_leak/1", func(r Response) int32 { return rate(leaksReasoning(r)) }),
}

var reasoningTags = []string{
	"<think>", "</think>", "<thinking>", "</thinking>", "<reasoning>", "</reasoning>", "<thought>", "</thought>",
	"<reflection>", "</reflection>", "<scratchpad>", "</scratchpad>", "<analysis>", "</analysis>", "/think>",
	"◁think▷", "◁/think▷", "[THINK]", "[/THINK]", "<|channel|>analysis", "<seed:think>",
}

func leaksReasoning(r Response) bool {
	s := r.Text
	// Every tag but two begins with '<', and a reasoning tag holds "think" or a
	// few other words; most responses hold no '<' at all.
	if strings.ContainsAny(s, "<[/◁") {
		for _, tag := range reasoningTags {
			if at := strings.Index(s, tag); at >= 0 && !insideCode(s, at) && !strings.Contains(r.Prompt, tag) {
				return true
			}
		}
	}
	buf := buffers.Get().(*[openingTokens]token)
	defer buffers.Put(buf)
	toks := opening(s[:min(len(s), 400)], musingSet.vocab, buf[:0])
	about, plan := false, false
	musingSet.each(toks, func(c *compiledCue, at, _ int) {
		if toks[at].quoted || toks[at].sent > 2 {
			return
		}
		switch c.kind {
		case identity:
			about = true
		case inability:
			plan = true
		}
	})
	return about && plan && !strings.Contains(strings.ToLower(r.Prompt), "user")
}

// afterReasoning is the answer behind a deliberation that ends with a tag.
func afterReasoning(s string) string {
	for _, tag := range reasoningTags {
		if strings.HasPrefix(tag, "</") || strings.HasPrefix(tag, "[/") {
			if at := strings.LastIndex(s, tag); at >= 0 && !insideCode(s, at) {
				s = s[at+len(tag):]
			}
		}
	}
	return s
}

// insideCode tells whether position at lies in a code span or block.
func insideCode(s string, at int) bool {
	code := false
	for i := 0; i < at; i++ {
		if s[i] != '`' {
			continue
		}
		code = !code
		if strings.HasPrefix(s[i:], "```") {
			i += 2
		}
	}
	return code
}

// musings mark deliberation that was meant to stay inside: identity cues name
// the reader in the third person, inability cues plan the answer.
var musings = []cue{
	{identity, 1, "the|this user is|wants|want|asked|asks|says|said|needs|wrote|seems|might|may|request|requests|query|question|has|would|likely|probably|mentioned"},
	{inability, 1, "i|we should|need|must|will|can|could|have|want to|respond|answer|check|think|explain|give|provide|start|make|consider|first|mention|be|recall|figure"},
	{inability, 1, "let me|us think|start|see|recall|consider|figure|break|first|check"},
	{inability, 1, "^ okay|ok|alright|hmm|so|wait|first"},
}

var musingSet = compileCues(nil, musings)
