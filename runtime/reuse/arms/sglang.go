package arms

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/fdbench/fdbench/runtime/openai"
)

// root is a base URL without the /v1 of the OpenAI protocol.
func root(base string) string {
	base = strings.TrimRight(base, "/")
	return strings.TrimRight(strings.TrimSuffix(base, "/v1"), "/")
}

// generate is the body of a request in SGLang's own protocol. The answer is as
// long as it may be: an end that the model chooses is ignored unless the
// declared body says otherwise, so that both arms do the same work.
func (e *endpoint) generate(q question) ([]byte, error) {
	m := maps.Clone(e.extra)
	sampling := map[string]any{"ignore_eos": true}
	if own, ok := m["sampling_params"].(map[string]any); ok {
		maps.Copy(sampling, own)
	}
	sampling["temperature"], sampling["max_new_tokens"] = number(e.r.live.Temperature), q.tokens
	m["text"], m["sampling_params"], m["rid"] = q.prompt, sampling, q.id
	m["stream"], m["stream_options"] = true, map[string]any{"include_usage": true}
	return json.Marshal(m)
}

// generated reads an answer of SGLang's /generate, streamed or in one piece:
// lines of JSON, each with the mark of a server-sent event or without it.
type generated struct {
	a      openai.Answer
	text   string          // so far, where events tell all of it
	pieces strings.Builder // the same, where each tells what is new
	delta  bool            // they do
	grown  bool            // an event has told the text before it and more
	usage  bool
	ended  bool
}

// piece holds the members that are read of an event.
type piece struct {
	Text      *string           `json:"text"`
	OutputIDs []json.RawMessage `json:"output_ids"`
	Meta      json.RawMessage   `json:"meta_info"`
	Usage     *struct {
		PromptTokens     *int64 `json:"prompt_tokens"`
		CompletionTokens *int64 `json:"completion_tokens"`
		Details          split  `json:"prompt_tokens_details"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

type meta struct {
	ID               string          `json:"id"`
	PromptTokens     *int64          `json:"prompt_tokens"`
	CompletionTokens *int64          `json:"completion_tokens"`
	Finish           json.RawMessage `json:"finish_reason"` // null, text, or an object with a type
	split
}

// split tells what of a prompt was cached.
type split struct {
	Cached  *int64          `json:"cached_tokens"`
	Details json.RawMessage `json:"cached_tokens_details"` // object, or null
	Fuzzy   *int64          `json:"fuzzy"`
}

// fuzzy is the count of tokens that the engine attributes to semantic reuse.
func (s *split) fuzzy() *int64 {
	var d struct {
		Fuzzy *int64 `json:"fuzzy"`
	}
	if json.Unmarshal(s.Details, &d) == nil && d.Fuzzy != nil {
		return d.Fuzzy
	}
	return s.Fuzzy
}

// Line implements openai.LineReader. The clock stops at new text, or at the
// first tokens of a text that is held back until it can be printed.
func (g *generated) Line(line []byte) (content, done bool) {
	if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
		line = bytes.TrimSpace(data)
	} else if line[0] != '{' {
		return false, false // a comment, or another field of an event
	}
	if len(line) == 0 {
		return false, false
	}
	g.a.Events++
	if string(line) == "[DONE]" {
		g.a.Done, g.ended = true, true
		return false, true
	}
	var p piece
	var m meta
	err := json.Unmarshal(line, &p)
	if err == nil && len(p.Meta) > 0 {
		err = json.Unmarshal(p.Meta, &m)
	}
	if err != nil {
		g.a.Failure = &openai.Failure{Message: fmt.Sprintf("an event is not JSON of the protocol: %v", err), Malformed: true}
		return false, true
	}
	if f := openai.ReadFailure(p.Error); f != nil {
		g.a.Failure = f
		return false, true
	}
	content = g.take(&p)
	g.count(&p, &m)
	if t := openai.ReadEngineTimes(p.Meta); t != nil {
		g.a.Times = t
	}
	return content, g.finish(m.Finish)
}

// take adds the text of an event, and tells whether the event carried any or
// tokens of one.
func (g *generated) take(p *piece) bool {
	more := false
	if p.Text != nil && *p.Text != "" {
		switch t := *p.Text; {
		case g.delta:
			g.pieces.WriteString(t)
			more = true
		case strings.HasPrefix(t, g.text):
			more = len(t) > len(g.text)
			g.grown = g.grown || more && g.text != ""
			g.text = t
		case g.revised(t):
			g.text, more = t, true
		default:
			// Some servers are set to send each piece alone.
			g.pieces.WriteString(g.text)
			g.pieces.WriteString(t)
			g.delta, more = true, true
		}
	}
	if !more && len(p.OutputIDs) == 0 {
		return false
	}
	g.a.ContentEvents++
	return true
}

// revised tells whether a text is all so far with another end: a character that
// was cut in two is completed, or blanks are set anew. To take it for a piece
// would repeat everything before it.
func (g *generated) revised(t string) bool {
	if stem := strings.TrimRight(g.text, "\uFFFD"); stem != g.text {
		return strings.HasPrefix(t, stem)
	}
	same := 0
	for same < len(t) && same < len(g.text) && t[same] == g.text[same] {
		same++
	}
	return g.grown && 2*same > len(g.text)
}

// count takes in what an event tells of tokens. What is left out stays unknown.
func (g *generated) count(p *piece, m *meta) {
	u := &openai.Usage{}
	if g.a.Usage != nil {
		u = g.a.Usage
	}
	set := func(to *int64, v *int64) {
		if v != nil && *v >= 0 {
			*to, g.usage = *v, true
		}
	}
	known := func(to **int64, v *int64) {
		if v != nil && *v >= 0 {
			*to, g.usage = openai.Later(*to, v), true
		}
	}
	if p.Usage != nil {
		set(&u.PromptTokens, p.Usage.PromptTokens)
		set(&u.CompletionTokens, p.Usage.CompletionTokens)
		known(&u.CachedTokens, p.Usage.Details.Cached)
		known(&u.FuzzyTokens, p.Usage.Details.fuzzy())
	}
	set(&u.PromptTokens, m.PromptTokens)
	set(&u.CompletionTokens, m.CompletionTokens)
	known(&u.CachedTokens, m.Cached)
	known(&u.FuzzyTokens, m.fuzzy())
	if g.usage {
		g.a.Usage = u
	}
	if m.ID != "" {
		g.a.ID = m.ID
	}
}

// finish reads why an answer ended. One that the engine gave up is an error.
func (g *generated) finish(raw json.RawMessage) (failed bool) {
	if len(raw) == 0 || string(raw) == "null" {
		return false
	}
	var text string
	var object struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	}
	if json.Unmarshal(raw, &text) == nil {
		object.Type = text
	} else if json.Unmarshal(raw, &object) != nil || object.Type == "" {
		object.Type = strings.TrimSpace(string(raw))
	}
	g.a.FinishReason, g.ended = object.Type, true
	if object.Type != "abort" {
		return false
	}
	if object.Message == "" {
		object.Message = "the engine gave the request up"
	}
	g.a.Failure = &openai.Failure{Code: "abort", Message: object.Message}
	return true
}

// End implements openai.LineReader.
func (g *generated) End() (openai.Answer, bool) {
	g.a.Content = g.text
	if g.delta {
		g.a.Content = g.pieces.String()
	}
	if g.a.Events == 0 && g.a.Failure == nil {
		g.a.Failure = &openai.Failure{Message: "the answer has no events", Malformed: true}
	}
	return g.a, g.ended
}
