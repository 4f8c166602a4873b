package deployment

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fdbench/fdbench/runtime/eventstream"
	"github.com/fdbench/fdbench/runtime/listen"
)

// Options of a deployment.
type Options struct {
	Engine   Engine
	Model    string // the name by which it is asked for
	Key      string // requests need it as a bearer token; "" for none
	Admin    string // token for what changes state; "" allows none of it
	Latency  Latency
	Seed     string
	Sampling Sampling // defaults for requests that say nothing
	InFlight int      // requests that are answered at a time; 0 for 256. Others wait
}

// Deployment answers requests.
type Deployment struct {
	o        Options
	mu       sync.RWMutex
	defaults Sampling
	system   string // put before every prompt
	count    atomic.Uint64
	prompt   atomic.Int64 // tokens so far
	cached   atomic.Int64
	answered atomic.Int64
	failed   atomic.Int64
	room     chan struct{}
}

// New makes a deployment.
func New(o Options) *Deployment {
	if o.Sampling.MaxTokens == 0 {
		o.Sampling.MaxTokens = 256
	}
	if o.InFlight == 0 {
		o.InFlight = 256
	}
	return &Deployment{o: o, defaults: o.Sampling, room: make(chan struct{}, o.InFlight)}
}

// Handler serves the protocol, and for whoever has the token:
//
//	GET, PUT /admin/defaults   {"temperature": 1.5, "logit_bias": {"40": 4}, "system": "..."}
//	POST /reset_prefix_cache
func (d *Deployment) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", d.keyed(func(w http.ResponseWriter, r *http.Request) { d.complete(w, r, true) }))
	mux.HandleFunc("POST /v1/completions", d.keyed(func(w http.ResponseWriter, r *http.Request) { d.complete(w, r, false) }))
	mux.HandleFunc("GET /v1/models", d.keyed(d.models))
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok\n") })
	mux.HandleFunc("GET /metrics", d.metrics)
	mux.Handle("GET /admin/defaults", listen.Authorized(d.o.Admin, http.HandlerFunc(d.showDefaults)))
	mux.Handle("PUT /admin/defaults", listen.Authorized(d.o.Admin, http.HandlerFunc(d.setDefaults)))
	mux.Handle("POST /reset_prefix_cache", listen.Authorized(d.o.Admin, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.o.Engine.Reset()
		w.WriteHeader(http.StatusOK)
	})))
	return mux
}

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

func (d *Deployment) keyed(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if d.o.Key != "" && subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+d.o.Key)) != 1 {
			fail(w, &apiError{http.StatusUnauthorized, "invalid_api_key", "the key is missing or wrong"})
			return
		}
		h(w, r)
	}
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

func (d *Deployment) complete(w http.ResponseWriter, r *http.Request, chat bool) {
	arrived := time.Now()
	var q request
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		fail(w, bad("the body is not JSON of the protocol: %v", err))
		return
	}
	// The server hears of a client that goes away once the body is read.
	io.Copy(io.Discard, r.Body)
	if q.Model != d.o.Model {
		fail(w, &apiError{http.StatusNotFound, "model_not_found", fmt.Sprintf("the model %q does not exist here; there is %q", q.Model, d.o.Model)})
		return
	}
	sampling, system := d.settings(&q)
	prompt, err := q.prompt(chat, system)
	if err == nil && q.N != nil && *q.N != 1 {
		err = bad("n is 1 here, and not %d", *q.N)
	}
	if err == nil {
		err = sampling.Check()
	}
	if err != nil {
		fail(w, err)
		return
	}
	select {
	case d.room <- struct{}{}:
		defer func() { <-d.room }()
	case <-r.Context().Done():
		return
	}
	n := d.count.Add(1) - 1
	job := &job{prompt: prompt, number: n, seed: q.Seed, sampling: sampling, raw: !chat}
	s, err := d.o.Engine.begin(job)
	if err != nil {
		d.failed.Add(1)
		fail(w, bad("%v", err))
		return
	}
	d.prompt.Add(int64(s.promptTokens))
	d.cached.Add(int64(s.cached))
	pace := d.o.Latency.begin(arrived, d.o.Latency.factor(d.o.Seed, fmt.Sprint(n)), s.promptTokens-s.cached)
	a := &answer{d: d, w: w, chat: chat, stream: q.Stream, usage: q.StreamOptions != nil && q.StreamOptions.IncludeUsage,
		id: fmt.Sprintf("fdb-%d", n), created: arrived.Unix()}
	a.begin()
	tokens, finish := s.generate(r.Context(), func(piece string) bool { return pace.wait(r.Context().Done()) && a.piece(piece) })
	if finish == "" || r.Context().Err() != nil {
		d.failed.Add(1)
		return // the client went away
	}
	a.end(finish, s.promptTokens, tokens, s.cached)
	d.answered.Add(1)
}

// answer writes one answer.
type answer struct {
	d       *Deployment
	w       http.ResponseWriter
	chat    bool
	stream  bool
	usage   bool
	id      string
	created int64
	text    strings.Builder
	failed  bool
}

func (a *answer) begin() {
	if !a.stream {
		return
	}
	h := a.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	if a.chat {
		a.event(a.choice(map[string]any{"role": "assistant", "content": ""}, nil))
	}
}

func (a *answer) piece(s string) bool {
	if !a.stream {
		a.text.WriteString(s)
		return true
	}
	if a.chat {
		a.event(a.choice(map[string]any{"content": s}, nil))
	} else {
		a.event(a.choice(s, nil))
	}
	return !a.failed
}

func (a *answer) end(finish string, prompt, completion, cached int) {
	usage := map[string]any{"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion,
		"prompt_tokens_details": map[string]any{"cached_tokens": cached}}
	if !a.stream {
		body := a.choice(a.text.String(), &finish)
		body["usage"] = usage
		a.w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(a.w).Encode(body)
		return
	}
	if a.chat {
		a.event(a.choice(map[string]any{}, &finish))
	} else {
		a.event(a.choice("", &finish))
	}
	if a.usage {
		body := a.object()
		body["choices"], body["usage"] = []any{}, usage
		a.event(body)
	}
	a.send([]byte("[DONE]"))
}

func (a *answer) object() map[string]any {
	object := "text_completion"
	if a.chat {
		object = "chat.completion"
		if a.stream {
			object += ".chunk"
		}
	}
	return map[string]any{"id": a.id, "object": object, "created": a.created, "model": a.d.o.Model}
}

// choice is an object with one choice: a delta of a stream, or a whole answer.
func (a *answer) choice(content any, finish *string) map[string]any {
	c := map[string]any{"index": 0, "finish_reason": finish}
	switch {
	case a.stream && a.chat:
		c["delta"] = content
	case a.chat:
		c["message"] = map[string]any{"role": "assistant", "content": content}
	default:
		c["text"] = content
	}
	body := a.object()
	body["choices"] = []any{c}
	return body
}

func (a *answer) event(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic("deployment: an event does not encode: " + err.Error())
	}
	a.send(b)
}

func (a *answer) send(data []byte) {
	if _, err := a.w.Write(eventstream.Append(nil, "", data)); err != nil {
		a.failed = true
		return
	}
	if f, ok := a.w.(http.Flusher); ok {
		f.Flush()
	}
}

func (d *Deployment) models(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": []any{map[string]any{"id": d.o.Model, "object": "model", "owned_by": d.o.Engine.Name()}}})
}

// defaults are what an administrator may change.
type defaults struct {
	Sampling
	System string `json:"system"`
}

func (d *Deployment) showDefaults(w http.ResponseWriter, r *http.Request) {
	d.mu.RLock()
	v := defaults{d.defaults, d.system}
	d.mu.RUnlock()
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

// setDefaults replaces all of them: what the body leaves out is as it was when
// the program began.
func (d *Deployment) setDefaults(w http.ResponseWriter, r *http.Request) {
	v := defaults{Sampling: d.o.Sampling}
	dec := json.NewDecoder(r.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&v); err != nil {
		fail(w, bad("%v", err))
		return
	}
	err := v.Check()
	if err == nil {
		err = d.o.Engine.check(v.Sampling)
	}
	if err != nil {
		fail(w, err)
		return
	}
	d.mu.Lock()
	d.defaults, d.system = v.Sampling, v.System
	d.mu.Unlock()
	d.showDefaults(w, r)
}

func (d *Deployment) metrics(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4")
	for _, m := range []struct {
		name, help string
		v          int64
	}{
		{"fdbench_serve_requests_total", "Requests that were answered.", d.answered.Load()},
		{"fdbench_serve_failed_total", "Requests that were refused or whose client went away.", d.failed.Load()},
		{"fdbench_serve_prompt_tokens_total", "Tokens of prompts.", d.prompt.Load()},
		{"fdbench_serve_prompt_tokens_cached_total", "Tokens of prompts that the prefix cache had.", d.cached.Load()},
	} {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s counter\n%s %d\n", m.name, m.help, m.name, m.name, m.v)
	}
}

// Serve serves at an address until ctx ends.
func (d *Deployment) Serve(ctx context.Context, o listen.Options, ready func(address string)) error {
	l, err := listen.Listen(o)
	if err != nil {
		return err
	}
	ready(l.Addr().String())
	return listen.Serve(ctx, l, listen.Server(d.Handler()), time.Second)
}
