package tap

import (
	"encoding/json"
	"net/http"
	"strings"
)

// asked is what a request says of itself.
type asked struct {
	prompt string // the text of the user's last message, or the prompt
	model  string
	stream bool
}

// completes tells the requests whose responses have text.
func completes(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/completions") // and /chat/completions
}

// operation is gen_ai.operation.name of the semantic conventions.
func operation(path string) string {
	if strings.HasSuffix(path, "/chat/completions") {
		return "chat"
	}
	return "text_completion"
}

// readRequest reads a request's body. One that is not understood has no
// prompt: its response still counts.
func readRequest(body []byte) asked {
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
		return asked{}
	}
	a := asked{model: q.Model, stream: q.Stream}
	for i := len(q.Messages) - 1; i >= 0; i-- {
		if q.Messages[i].Role == "user" {
			a.prompt = textOf(q.Messages[i].Content)
			return a
		}
	}
	a.prompt = textOf(q.Prompt)
	return a
}

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
		if json.Unmarshal(item, &one) == nil {
			b.WriteString(one)
			continue
		}
		var part struct {
			Text string `json:"text"`
		}
		if json.Unmarshal(item, &part) == nil {
			b.WriteString(part.Text)
		}
	}
	return b.String()
}
