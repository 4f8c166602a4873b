package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/runtime/eventstream"
)

// Answer is what a deployment answered, put together from its pieces.
type Answer struct {
	ID           string
	Model        string // as the deployment names it
	Content      string
	Reasoning    string // kept apart from Content
	ToolCalls    []ToolCall
	FinishReason string // "" where the deployment gave none
	Usage        *Usage // nil where the deployment gave none
	// Times are the engine's own; nil where it told none.
	Times *EngineTimes
	// ContentEvents counts the events that carried content that is not empty;
	// 0 for an answer in one piece.
	ContentEvents int
	Events        int  // with data, of any sort
	Done          bool // [DONE] was seen
	Unterminated  bool // the last event was cut off by the end of the stream
	// Failure is what the deployment reported inside an answer with status
	// 200, or what makes the answer unreadable.
	Failure *Failure
}

// ToolCall is one call of a tool that the model asks for.
type ToolCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Usage counts tokens as the deployment reports them.
type Usage struct {
	PromptTokens     int64  `json:"prompt_tokens"`
	CompletionTokens int64  `json:"completion_tokens"`
	CachedTokens     *int64 `json:"cached_tokens"` // of the prompt; nil where not reported
	// FuzzyTokens are those of CachedTokens that the engine attributes to
	// semantic reuse; nil where it does not split them.
	FuzzyTokens *int64 `json:"fuzzy_tokens,omitempty"`
}

// Failure is an error that came inside an answer.
type Failure struct {
	Code    string
	Message string
	// Malformed tells an answer that could not be read from an error that the
	// deployment reported.
	Malformed bool
}

func (f *Failure) Error() string {
	if f.Code != "" {
		return f.Code + ": " + f.Message
	}
	return f.Message
}

// wire holds the members that this package reads of chunks and whole answers.
type wire struct {
	ID      string          `json:"id"`
	Model   string          `json:"model"`
	Error   json.RawMessage `json:"error"`
	Choices []struct {
		Index        int      `json:"index"`
		Delta        *message `json:"delta"`
		Message      *message `json:"message"`
		Text         *string  `json:"text"`
		FinishReason *string  `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		PromptTokens     int64 `json:"prompt_tokens"`
		CompletionTokens int64 `json:"completion_tokens"`
		Details          *struct {
			CachedTokens *int64    `json:"cached_tokens"`
			Fuzzy        looseInt  `json:"fuzzy"`
			Split        looseDict `json:"cached_tokens_details"`
		} `json:"prompt_tokens_details"`
		Split looseDict `json:"cached_tokens_details"`
	} `json:"usage"`
	Metrics json.RawMessage `json:"metrics"`
}

type message struct {
	Content          json.RawMessage `json:"content"` // text, null, or parts
	ReasoningContent string          `json:"reasoning_content"`
	Reasoning        string          `json:"reasoning"`
	Refusal          string          `json:"refusal"`
	ToolCalls        []struct {
		Index    *int   `json:"index"`
		ID       string `json:"id"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// text is the content of a message: a string, or parts of which those of type
// text count.
func (m *message) text() string {
	var s string
	if len(m.Content) == 0 || json.Unmarshal(m.Content, &s) == nil {
		return s + m.Refusal
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(m.Content, &parts) == nil {
		for _, p := range parts {
			s += p.Text
		}
	}
	return s + m.Refusal
}

// Reader puts an answer together.
type Reader struct {
	answer             Answer
	content, reasoning strings.Builder
}

// Answer returns what was read so far.
func (r *Reader) Answer() Answer {
	a := r.answer
	a.Content, a.Reasoning = r.content.String(), r.reasoning.String()
	return a
}

// Event takes in one event of a stream and tells whether it carried content
// that is not empty. After a failure, and after [DONE], nothing more counts.
func (r *Reader) Event(e *eventstream.Event) (content bool) {
	if !e.HasData || r.answer.Failure != nil || r.answer.Done {
		return false
	}
	data := bytes.TrimSpace(e.Data)
	if len(data) == 0 {
		return false
	}
	r.answer.Unterminated = e.Unterminated
	r.answer.Events++
	if string(data) == "[DONE]" {
		r.answer.Done = true
		return false
	}
	var w wire
	if err := json.Unmarshal(data, &w); err != nil {
		if e.Type == "error" {
			r.answer.Failure = &Failure{Message: string(data)}
		} else if e.Unterminated {
			r.answer.Failure = &Failure{Message: "the stream ended inside an event", Malformed: true}
		} else {
			r.answer.Failure = &Failure{Message: fmt.Sprintf("an event is not JSON: %v", err), Malformed: true}
		}
		return false
	}
	if e.Type == "error" && len(w.Error) == 0 {
		w.Error = data
	}
	before := r.content.Len()
	r.take(&w)
	if r.content.Len() > before {
		r.answer.ContentEvents++
		return true
	}
	return false
}

// Body takes in an answer in one piece.
func (r *Reader) Body(body []byte) {
	var w wire
	if err := json.Unmarshal(body, &w); err != nil {
		r.answer.Failure = &Failure{Message: fmt.Sprintf("the answer is not JSON: %v", err), Malformed: true}
		return
	}
	if r.take(&w); r.answer.Failure == nil && len(w.Choices) == 0 {
		r.answer.Failure = &Failure{Message: "the answer has no choices", Malformed: true}
	}
}

func (r *Reader) take(w *wire) {
	a := &r.answer
	if f := ReadFailure(w.Error); f != nil {
		a.Failure = f
		return
	}
	if a.ID == "" {
		a.ID = w.ID
	}
	if w.Model != "" {
		a.Model = w.Model
	}
	if u := w.Usage; u != nil {
		before := a.Usage
		a.Usage = &Usage{PromptTokens: u.PromptTokens, CompletionTokens: u.CompletionTokens}
		var cached, fuzzy *int64
		if u.Details != nil {
			cached, fuzzy = u.Details.CachedTokens, first(u.Details.Fuzzy.n, u.Details.Split["fuzzy"].n)
		}
		if before == nil {
			before = new(Usage)
		}
		a.Usage.CachedTokens = Later(before.CachedTokens, cached)
		a.Usage.FuzzyTokens = Later(before.FuzzyTokens, first(fuzzy, u.Split["fuzzy"].n))
	}
	if t := ReadEngineTimes(w.Metrics); t != nil {
		a.Times = t
	}
	for i := range w.Choices {
		c := &w.Choices[i]
		if c.Index != 0 {
			continue // one answer is measured for each request
		}
		if c.Text != nil {
			r.content.WriteString(*c.Text)
		}
		m := c.Delta
		if m == nil {
			m = c.Message
		}
		if m != nil {
			r.message(m)
		}
		if c.FinishReason != nil && *c.FinishReason != "" {
			a.FinishReason = *c.FinishReason
		}
	}
}

func (r *Reader) message(m *message) {
	r.content.WriteString(m.text())
	if m.ReasoningContent != "" {
		r.reasoning.WriteString(m.ReasoningContent)
	} else {
		r.reasoning.WriteString(m.Reasoning) // the same text under another name
	}
	calls := &r.answer.ToolCalls
	for n, t := range m.ToolCalls {
		i := n
		if t.Index != nil {
			i = *t.Index
		}
		const most = 128
		if i < 0 || i >= most {
			continue
		}
		for len(*calls) <= i {
			*calls = append(*calls, ToolCall{})
		}
		c := &(*calls)[i]
		if t.ID != "" {
			c.ID = t.ID
		}
		c.Name += t.Function.Name
		c.Arguments += t.Function.Arguments
	}
}

// ReadFailure reads an error object in the shapes that deployments give it; nil
// for none.
func ReadFailure(raw json.RawMessage) *Failure {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return &Failure{Message: text}
	}
	var object struct {
		Message string          `json:"message"`
		Type    string          `json:"type"`
		Code    json.RawMessage `json:"code"`
	}
	if json.Unmarshal(raw, &object) != nil {
		return &Failure{Message: string(raw)}
	}
	f := &Failure{Message: object.Message, Code: strings.Trim(string(object.Code), `"`)}
	if f.Code == "" || f.Code == "null" {
		f.Code = object.Type
	}
	if f.Message == "" {
		f.Message = string(raw)
	}
	return f
}
