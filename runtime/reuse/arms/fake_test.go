package arms

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
)

// call is a request as the fake engine saw it.
type call struct {
	path, id, auth, prompt string
	body                   map[string]any
	header                 http.Header
}

func (c call) String() string {
	switch c.path {
	case "/v1/chat/completions", "/v1/completions", "/generate":
		return c.prompt
	}
	return c.path
}

// engine is a small server of both protocols with a prefix cache of words.
type engine struct {
	*httptest.Server
	mu     sync.Mutex
	calls  []call
	cache  []string
	answer func(w http.ResponseWriter, c call) bool // true: it has answered
	silent bool                                     // reports no cached tokens
	model  string
}

func start(t testing.TB) *engine {
	t.Helper()
	e := &engine{model: "m"}
	e.Server = httptest.NewServer(http.HandlerFunc(e.serve))
	t.Cleanup(e.Close)
	return e
}

func (e *engine) serve(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	c := call{path: r.URL.Path, id: r.Header.Get("X-Request-Id"), auth: r.Header.Get("Authorization"), header: r.Header}
	json.Unmarshal(raw, &c.body)
	switch p := c.body["prompt"].(type) {
	case string:
		c.prompt = p
	default:
		if m, ok := c.body["messages"].([]any); ok && len(m) > 0 {
			c.prompt, _ = m[0].(map[string]any)["content"].(string)
		}
	}
	if s, ok := c.body["text"].(string); ok {
		c.prompt = s
	}
	e.mu.Lock()
	e.calls = append(e.calls, c)
	e.mu.Unlock()
	if e.answer != nil && e.answer(w, c) {
		return
	}
	switch c.path {
	case "/v1/models":
		fmt.Fprintf(w, `{"data":[{"id":"other"},{"id":%q}]}`, e.model)
	case "/get_model_info":
		fmt.Fprintf(w, `{"model_path":"/models/org/%s"}`, e.model)
	case "/get_server_info":
		io.WriteString(w, `{"version":"0.5.16"}`)
	case "/version":
		io.WriteString(w, `{"version":"0.29.0+cu129"}`)
	case "/reset", "/flush_cache":
		e.mu.Lock()
		e.cache = nil
		e.mu.Unlock()
	case "/metrics":
		io.WriteString(w, "# HELP x y\nvllm:external_prefix_cache_hits_total 3\n")
	case "/v1/chat/completions", "/v1/completions", "/generate":
		prompt, cached := e.take(c.prompt)
		details := fmt.Sprintf(`"cached_tokens":%d,"cached_tokens_details":{"device":%d,"fuzzy":2}`, cached, cached)
		if e.silent {
			details = ""
		}
		e.stream(w, c, prompt, details)
	default:
		http.NotFound(w, r)
	}
}

func (e *engine) stream(w http.ResponseWriter, c call, prompt int, details string) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Route", "Semantic")
	if c.path == "/generate" {
		if details != "" {
			details = "," + details
		}
		for i, text := range []string{"", "one", "one two"} {
			finish := "null"
			if i == 2 {
				finish = `{"type":"length","length":2}`
			}
			fmt.Fprintf(w, "data: {\"text\":%q,\"meta_info\":{\"id\":%q,\"prompt_tokens\":%d,\"finish_reason\":%s%s}}\n\n", text, c.body["rid"], prompt, finish, details)
			w.(http.Flusher).Flush()
		}
		io.WriteString(w, "data: [DONE]\n\n")
		return
	}
	delta := func(s string) string {
		if c.path == "/v1/completions" {
			return fmt.Sprintf(`"text":%q`, s)
		}
		return fmt.Sprintf(`"delta":{"content":%q}`, s)
	}
	for _, s := range []string{"", "one", " two"} {
		fmt.Fprintf(w, "data: {\"id\":\"chatcmpl-%s\",\"choices\":[{\"index\":0,%s}]}\n\n", c.id, delta(s))
		w.(http.Flusher).Flush()
	}
	fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,%s,\"finish_reason\":\"length\"}]}\n\n", delta(""))
	if details != "" {
		details = `,"prompt_tokens_details":{` + details + `}`
	}
	fmt.Fprintf(w, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":2%s},\"metrics\":{\"time_to_first_token_ms\":1.5,\"queue_time\":0.002}}\n\n", prompt, details)
	io.WriteString(w, "data: [DONE]\n\n")
}

// take counts the words of a prompt and those that an earlier one began with.
func (e *engine) take(prompt string) (n, cached int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	words := strings.Fields(prompt)
	for _, old := range e.cache {
		i := 0
		for o := strings.Fields(old); i < len(o) && i < len(words) && o[i] == words[i]; i++ {
		}
		cached = max(cached, i)
	}
	e.cache = append(e.cache, prompt)
	return len(words), cached
}

func (e *engine) seen() []call {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]call(nil), e.calls...)
}

// order is what came on the wire, in one line.
func (e *engine) order() string {
	var out []string
	for _, c := range e.seen() {
		out = append(out, c.String())
	}
	return strings.Join(out, " | ")
}

// planned is a plan of a live block at the engine.
func planned(e *engine, change func(*plan.ReuseLive)) *plan.Reuse {
	l := &plan.ReuseLive{Driver: OpenAI, Model: "m", Engine: "other", Order: ColdFirst, HitThreshold: 4, Contamination: "any", Signal: "cached_tokens",
		Endpoint: plan.Endpoint{BaseURL: e.URL, API: "chat", Stream: true}, MaxTokens: 16, DonorTokens: 1, Concurrency: 1, Reset: []string{e.URL + "/reset"}}
	if change != nil {
		change(l)
	}
	return &plan.Reuse{Name: "rag", Digest: "sha256:d", Declaration: plan.ReuseDeclaration{Seed: "7", BlockSize: 4, Quality: exact.Frac(6, 10), Live: l}}
}

func runner(t testing.TB, p *plan.Reuse, change func(*Options)) *Runner {
	t.Helper()
	o := Options{Plan: p}
	if change != nil {
		change(&o)
	}
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func item(id string, donors ...string) *manifest.Item {
	it := &manifest.Item{ItemID: id, Recipient: "a b c d e " + id, Answers: []string{"one two"}}
	for i, d := range donors {
		it.Donors = append(it.Donors, manifest.Donor{DonorID: fmt.Sprintf("%s-%d", id, i), Text: d})
	}
	return it
}
