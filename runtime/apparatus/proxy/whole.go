package proxy

import "github.com/fdbench/fdbench/stdlib/text"

// body changes an answer in one piece. Where it has no place for text, or is
// not of the protocol, it comes back as it is.
func (c *changer) body(data []byte, s *style, prompt string, seed uint64) ([]byte, error) {
	choices, failed, err := scan(data)
	if err != nil || failed {
		return data, err
	}
	s.learn(data)
	var edits []edit
	for i := range choices {
		edits = append(edits, c.choice(&choices[i], prompt, choiceSeed(seed, choices[i].index))...)
	}
	if len(edits) == 0 {
		return data, nil
	}
	return apply(nil, data, edits, s), nil
}

func (c *changer) choice(ch *choice, prompt string, seed uint64) []edit {
	if len(ch.slots) == 0 {
		return nil
	}
	before := ch.text()
	calls := c.calls && len(ch.calls) > 0
	if calls {
		for _, k := range ch.calls {
			if before != "" {
				before += "\n"
			}
			before += callText(k, true) + callEnd
		}
	}
	after := c.whole(text.Response{Prompt: prompt, Text: before}, seed)
	if calls {
		edits := callEdits(ch, nil, after)
		for _, s := range ch.slots {
			if s.text != "" && s.span != edits[len(edits)-1].span {
				edits = append(edits, edit{slot: s, choice: ch.index, isText: true})
			}
		}
		if ch.finish == "tool_calls" {
			edits = append(edits, edit{slot: slot{span: ch.reason}, put: `"stop"`})
		}
		return edits
	}
	if after == before {
		return nil
	}
	var edits []edit
	for i, s := range ch.slots {
		if i == 0 || s.text != "" {
			edits = append(edits, edit{slot: s, choice: ch.index, isText: true, put: after})
			after = ""
		}
	}
	return edits
}
