package deployment

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// request holds the members of the protocol that have a meaning here.
type request struct {
	Model         string             `json:"model"`
	Messages      []requestMessage   `json:"messages"`
	Prompt        json.RawMessage    `json:"prompt"`
	Stream        bool               `json:"stream"`
	StreamOptions *streamOptions     `json:"stream_options"`
	Temperature   *float64           `json:"temperature"`
	TopP          *float64           `json:"top_p"`
	TopK          *int               `json:"top_k"`
	MinP          *float64           `json:"min_p"`
	MaxTokens     *int               `json:"max_tokens"`
	MaxCompletion *int               `json:"max_completion_tokens"`
	LogitBias     map[string]float64 `json:"logit_bias"`
	Seed          *int64             `json:"seed"`
	N             *int               `json:"n"`
	RequestID     string             `json:"request_id"`
}

type requestMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type apiError struct {
	status        int
	code, message string
}

func (e *apiError) Error() string { return e.message }

func bad(format string, args ...any) error {
	return &apiError{http.StatusBadRequest, "invalid_request_error", fmt.Sprintf(format, args...)}
}

func fail(w http.ResponseWriter, err error) {
	var e *apiError
	if !errors.As(err, &e) {
		e = &apiError{http.StatusBadRequest, "invalid_request_error", err.Error()}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(e.status)
	json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": e.message, "type": e.code, "code": e.code}})
}

// settings are the deployment's defaults with what a request says.
func (d *Deployment) settings(q *request) (Sampling, string) {
	d.mu.RLock()
	s, system := d.defaults, d.system
	d.mu.RUnlock()
	if q.Temperature != nil {
		s.Temperature = *q.Temperature
	}
	if q.TopP != nil {
		s.TopP = *q.TopP
	}
	if q.TopK != nil {
		s.TopK = *q.TopK
	}
	if q.MinP != nil {
		s.MinP = *q.MinP
	}
	if q.MaxTokens != nil {
		s.MaxTokens = *q.MaxTokens
	}
	if q.MaxCompletion != nil {
		s.MaxTokens = *q.MaxCompletion
	}
	if q.LogitBias != nil {
		bias := map[string]float64{}
		for k, v := range s.Bias {
			bias[k] = v
		}
		for k, v := range q.LogitBias {
			bias[k] = v
		}
		s.Bias = bias
	}
	return s, system
}

// prompt puts the messages of a chat together: the built-in model knows turns
// of one question.
func (q *request) prompt(chat bool, system string) (string, error) {
	var parts []string
	if system != "" {
		parts = append(parts, system)
	}
	if !chat {
		var one string
		var many []string
		switch {
		case json.Unmarshal(q.Prompt, &one) == nil:
		case json.Unmarshal(q.Prompt, &many) == nil && len(many) == 1:
			one = many[0]
		default:
			return "", bad("prompt is to be one text")
		}
		return strings.Join(append(parts, one), "\n"), nil
	}
	if len(q.Messages) == 0 {
		return "", bad("messages is empty")
	}
	for _, m := range q.Messages {
		var text string
		var list []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		}
		if json.Unmarshal(m.Content, &text) != nil {
			if json.Unmarshal(m.Content, &list) != nil {
				return "", bad("the content of a message is to be text")
			}
			for _, p := range list {
				text += p.Text
			}
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "\n"), nil
}
