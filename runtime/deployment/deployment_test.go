package deployment

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/runtime/tinylm"
	"github.com/fdbench/fdbench/stdlib/corpus"
)

func start(t *testing.T, o Options) (*Deployment, *httptest.Server, *openai.Client) {
	t.Helper()
	if o.Engine == nil {
		o.Engine = Template("1", 1000)
	}
	o.Model = "m"
	d := New(o)
	s := httptest.NewServer(d.Handler())
	t.Cleanup(s.Close)
	c := openai.NewClient(openai.Settings{BaseURL: s.URL, Key: o.Key})
	t.Cleanup(c.Close)
	return d, s, c
}

func ask(t *testing.T, c *openai.Client, r openai.Request) openai.Record {
	t.Helper()
	r.Model = "m"
	rec := c.Do(t.Context(), r)
	if rec.Outcome != openai.OK {
		t.Fatalf("%s: %s", rec.Outcome, rec.Detail)
	}
	return rec
}

// Every form of the protocol gives the same answer to the same request.
func TestForms(t *testing.T) {
	seen := map[string]bool{}
	for _, chat := range []bool{true, false} {
		for _, stream := range []bool{true, false} {
			_, _, c := start(t, Options{})
			rec := ask(t, c, openai.Request{Prompt: "Ticket 12. Give me a JSON record of Rome.", Chat: chat, Stream: stream})
			a := rec.Answer
			seen[a.Content] = true
			if a.FinishReason != "stop" || a.Usage == nil || a.Usage.CachedTokens == nil || a.Usage.PromptTokens == 0 || a.Model != "m" {
				t.Errorf("chat %v, stream %v: %+v", chat, stream, a)
			}
			if stream && (!a.Done || int64(a.ContentEvents) != a.Usage.CompletionTokens) {
				t.Errorf("chat %v: %d content events, %+v", chat, a.ContentEvents, a.Usage)
			}
		}
	}
	if len(seen) != 1 || !seen[`{"city": "Rome", "country": "Italy", "tags": ["old temples"]}`] {
		t.Errorf("answers %v", seen)
	}
}

func TestErrors(t *testing.T) {
	_, s, _ := start(t, Options{Key: "k"})
	for _, x := range []struct {
		key, body string
		status    int
		says      string
	}{
		{"", `{"model":"m"}`, 401, "key"},
		{"k", `{"model":"other","messages":[{"role":"user","content":"a"}]}`, 404, "does not exist"},
		{"k", `{"model":"m"}`, 400, "messages"},
		{"k", `{"model":"m","messages":[{"content":3}]}`, 400, "text"},
		{"k", `{"model":"m","messages":[{"content":"a"}],"temperature":-1}`, 400, "temperature"},
		{"k", `{`, 400, "JSON"},
		{"k", `{"model":"m","messages":[{"content":"a"}],"n":2}`, 400, "n is 1"},
		{"k", `{"model":"m","messages":[{"content":"a"}],"max_tokens":0}`, 400, "max_tokens"},
	} {
		r, _ := http.NewRequest("POST", s.URL+"/v1/chat/completions", strings.NewReader(x.body))
		r.Header.Set("Authorization", "Bearer "+x.key)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		var body struct{ Error struct{ Message string } }
		json.NewDecoder(resp.Body).Decode(&body)
		resp.Body.Close()
		if resp.StatusCode != x.status || !strings.Contains(body.Error.Message, x.says) {
			t.Errorf("%s: %d %q", x.body, resp.StatusCode, body.Error.Message)
		}
	}
}

func TestMaxTokens(t *testing.T) {
	_, _, c := start(t, Options{})
	a := ask(t, c, openai.Request{Prompt: "Tell me about Rome.", Chat: true, Stream: true, Extra: map[string]any{"max_tokens": 3}}).Answer
	if a.FinishReason != "length" || a.Usage.CompletionTokens != 3 || a.Content != "Rome is a" {
		t.Errorf("%+v", a)
	}
}

// The prefix cache is shared by prompts that begin alike, in whole blocks, and
// what it saves is time to the first token.
func TestPrefixCache(t *testing.T) {
	_, s, c := start(t, Options{Admin: "token", Latency: Latency{Prefill: 2 * time.Millisecond}})
	long := strings.Repeat("one two three four ", 20) // 80 pieces
	get := func(prompt string) (int64, int64) {
		r := ask(t, c, openai.Request{Prompt: prompt, Chat: true, Stream: true})
		return *r.Answer.Usage.CachedTokens, r.Stamps.FirstContent - r.Stamps.Scheduled
	}
	cold, coldTime := get(long + "a")
	warm, warmTime := get(long + "b")
	other, _ := get("zero " + long)
	if cold != 0 || warm != 80 || other != 0 {
		t.Errorf("cached %d, %d, %d; want 0, 80, 0", cold, warm, other)
	}
	if warmTime > coldTime-int64(100*time.Millisecond) {
		t.Errorf("to the first token %v cold, %v warm", time.Duration(coldTime), time.Duration(warmTime))
	}
	if code := admin(t, s, "POST", "/reset_prefix_cache", "wrong", ""); code != 401 {
		t.Errorf("reset with a wrong token: %d", code)
	}
	if code := admin(t, s, "POST", "/reset_prefix_cache", "token", ""); code != 200 {
		t.Errorf("reset: %d", code)
	}
	if again, _ := get(long + "a"); again != 0 {
		t.Errorf("cached %d after a reset", again)
	}
}

func admin(t *testing.T, s *httptest.Server, method, path, token, body string) int {
	t.Helper()
	r, _ := http.NewRequest(method, s.URL+path, bytes.NewReader([]byte(body)))
	r.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

func TestDefaults(t *testing.T) {
	_, s, c := start(t, Options{Admin: "token"})
	for body, want := range map[string]int{`{"max_tokens": 2}`: 200, `{"temprature": 2}`: 400, `{"max_tokens": 0}`: 400, `{}`: 200} {
		if code := admin(t, s, "PUT", "/admin/defaults", "token", body); code != want {
			t.Errorf("%s: %d, want %d", body, code, want)
		}
	}
	admin(t, s, "PUT", "/admin/defaults", "token", `{"max_tokens": 2, "system": "Be kind."}`)
	a := ask(t, c, openai.Request{Prompt: "Tell me about Rome.", Chat: true}).Answer
	if a.Usage.CompletionTokens != 2 || a.Usage.PromptTokens != 6 {
		t.Errorf("%+v", a.Usage)
	}
	admin(t, s, "PUT", "/admin/defaults", "token", `{}`)
	if a := ask(t, c, openai.Request{Prompt: "Tell me about Rome.", Chat: true}).Answer; a.Usage.CompletionTokens < 5 || a.Usage.PromptTokens != 4 {
		t.Errorf("after the removal %+v", a.Usage)
	}
}

// A changed default is a fault by a real mechanism: the model's answers are
// other ones, for as long as it is changed.
func TestMechanisms(t *testing.T) {
	_, s, c := start(t, Options{Engine: Model(tinylm.Default(), 8, "1"), Admin: "token", Sampling: Sampling{Temperature: 0.8, MaxTokens: 60}})
	const n = 25
	seen := 0
	share := func(prompt string, hit func(string) bool) int {
		k := 0
		for range n {
			seen++
			if hit(ask(t, c, openai.Request{Prompt: fmt.Sprintf("Ticket %d. %s", seen, prompt), Chat: true}).Answer.Content) {
				k++
			}
		}
		return k
	}
	set := func(body string, want int) {
		if code := admin(t, s, "PUT", "/admin/defaults", "token", body); code != want {
			t.Errorf("%s: %d, want %d", body, code, want)
		}
	}
	valid := func(a string) bool { return json.Valid([]byte(a)) }
	refused := func(a string) bool { return strings.HasPrefix(a, "I") }
	const record, city = "Give me a JSON record of Rome.", "Tell me about Rome."
	if k := share(record, valid); k < n-3 {
		t.Errorf("%d of %d records are valid", k, n)
	}
	if k := share(city, refused); k > 5 {
		t.Errorf("%d of %d are refused", k, n)
	}
	set(`{"temperature": 2}`, 200)
	if k := share(record, valid); k > 8 {
		t.Errorf("at temperature 2, %d of %d records are valid", k, n)
	}
	set(fmt.Sprintf(`{"logit_bias": {"%d": 8}}`, tinylm.Default().Tokenizer.Encode("I")[0]), 200)
	if k := share(city, refused); k < n/2 {
		t.Errorf("with a bias, %d of %d are refused", k, n)
	}
	for _, wrong := range []string{"512", "-1", "4x", "I"} {
		set(fmt.Sprintf(`{"logit_bias": {"%s": 8}}`, wrong), 400)
	}
	set(`{}`, 200)
	if k := share(record, valid); k < n-3 {
		t.Errorf("after the removal, %d of %d records are valid", k, n)
	}
}

func TestRecordedAnswersItsOwnPrompts(t *testing.T) {
	rows := []corpus.Row{{Prompt: "a", Response: "1"}, {Prompt: "b", Response: "2"}, {Prompt: "b", Response: "3"}}
	_, _, c := start(t, Options{Engine: Recorded(rows, "1", 0)})
	seen := map[string]int{}
	for i := range 60 {
		for _, p := range []string{"a", "b", "z"} {
			seen[p+ask(t, c, openai.Request{Prompt: fmt.Sprintf("Ticket %d. %s", i, p), Chat: true}).Answer.Content]++
		}
	}
	if seen["a1"] != 60 || seen["b2"]+seen["b3"] != 60 || seen["b2"] < 10 || seen["b3"] < 10 || seen["z1"] == 0 || seen["z2"] == 0 {
		t.Errorf("answers %v", seen)
	}
}
