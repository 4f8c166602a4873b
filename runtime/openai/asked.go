package openai

import (
	"encoding/json"
	"strings"
)

// Asked is what a request of the protocol says, as somebody in its path reads
// it.
type Asked struct {
	Prompt string // the text of the user's last message, or the prompt
	Model  string
	Stream bool
}

// ReadAsked reads a request's body. Of one that it does not understand nothing
// is known.
func ReadAsked(body []byte) Asked {
	var q struct {
		Model    string `json:"model"`
		Stream   bool   `json:"stream"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
		Prompt json.RawMessage `json:"prompt"`
	}
	if json.Unmarshal(body, &q) != nil {
		return Asked{}
	}
	a := Asked{Prompt: textOf(q.Prompt), Model: q.Model, Stream: q.Stream}
	for i := len(q.Messages) - 1; i >= 0; i-- {
		if q.Messages[i].Role == "user" {
			a.Prompt = textOf(q.Messages[i].Content)
			break
		}
	}
	return a
}

// Completes tells the paths at which responses have text: completions, and
// those of a chat.
func Completes(path string) bool { return strings.HasSuffix(path, "/completions") }

// textOf is a text, or the texts of a list of texts or parts.
func textOf(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) == nil {
		return s
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return ""
	}
	var b strings.Builder
	for _, item := range list {
		var one string
		var part struct {
			Text string `json:"text"`
		}
		if json.Unmarshal(item, &one) != nil && json.Unmarshal(item, &part) == nil {
			one = part.Text
		}
		b.WriteString(one)
	}
	return b.String()
}
