package openai

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/eventstream"
	"github.com/fdbench/fdbench/spec/refdata"
)

func streamed(t testing.TB, chunks ...string) Answer {
	t.Helper()
	var r Reader
	var p eventstream.Parser
	yield := func(e *eventstream.Event) error { r.Event(e); return nil }
	for _, c := range chunks {
		if err := p.Feed([]byte(c), yield); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.End(yield); err != nil {
		t.Fatal(err)
	}
	return r.Answer()
}

// The vectors are streams as deployments send them, cut as networks cut them.
func TestVectors(t *testing.T) {
	raw, err := os.ReadFile(refdata.Path(t, "data/sse-vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			Name     string
			Chunks   []string `json:"chunks_base64"`
			Expected struct {
				Content       string
				ContentEvents int `json:"content_events"`
				Usage, Error  bool
				Reasoning     string
			}
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil || len(file.Vectors) == 0 {
		t.Fatal(err, len(file.Vectors))
	}
	for _, v := range file.Vectors {
		var chunks []string
		var bytes []string
		for _, c := range v.Chunks {
			b, err := base64.StdEncoding.DecodeString(c)
			if err != nil {
				t.Fatal(err)
			}
			chunks = append(chunks, string(b))
			for i := range b {
				bytes = append(bytes, string(b[i:i+1]))
			}
		}
		for name, cut := range map[string][]string{"as it came": chunks, "a byte at a time": bytes, "at once": {strings.Join(chunks, "")}} {
			a := streamed(t, cut...)
			if a.Content != v.Expected.Content || a.ContentEvents != v.Expected.ContentEvents || a.Usage != nil != v.Expected.Usage ||
				a.Failure != nil != v.Expected.Error || a.Reasoning != v.Expected.Reasoning {
				t.Errorf("%s, %s: %+v, want %+v", v.Name, name, a, v.Expected)
			}
		}
	}
}

const role = "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n"

func TestStreams(t *testing.T) {
	for _, x := range []struct {
		name, in string
		check    func(Answer) bool
	}{
		{"a role alone is no content", role, func(a Answer) bool { return a.ContentEvents == 0 && a.Events == 1 && a.Failure == nil }},
		{"usage after the end", role + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2,\"prompt_tokens_details\":{\"cached_tokens\":1}}}\n\n",
			func(a Answer) bool { return *a.Usage.CachedTokens == 1 && a.Usage.PromptTokens == 3 }},
		{"no cached tokens is not none", "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}\n\n",
			func(a Answer) bool { return a.Usage.CachedTokens == nil }},
		{"reasoning under its other name", "data: {\"choices\":[{\"delta\":{\"reasoning\":\"hm\"}}]}\n\n", func(a Answer) bool { return a.Reasoning == "hm" && a.Content == "" }},
		{"both names at once", "data: {\"choices\":[{\"delta\":{\"reasoning\":\"hm\",\"reasoning_content\":\"hm\"}}]}\n\n", func(a Answer) bool { return a.Reasoning == "hm" }},
		{"an error event", "event: error\ndata: {\"message\":\"gone\"}\n\n", func(a Answer) bool { return a.Failure != nil && a.Failure.Message == "gone" }},
		{"an error event without JSON", "event: error\ndata: gone\n\n", func(a Answer) bool { return a.Failure != nil && !a.Failure.Malformed }},
		{"an error in the middle", "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"error\":\"gone\"}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"b\"}}]}\n\n",
			func(a Answer) bool { return a.Content == "a" && a.Failure.Message == "gone" }},
		{"a null error", "data: {\"error\":null,\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n", func(a Answer) bool { return a.Failure == nil && a.Content == "a" }},
		{"null content", "data: {\"choices\":[{\"delta\":{\"content\":null}}]}\n\n", func(a Answer) bool { return a.ContentEvents == 0 && a.Failure == nil }},
		{"content in parts", "data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"image\"}]}}]}\n\n", func(a Answer) bool { return a.Content == "a" }},
		{"completions", "data: {\"choices\":[{\"text\":\"a\"}]}\n\ndata: {\"choices\":[{\"text\":\"b\",\"finish_reason\":\"length\"}]}\n\n", func(a Answer) bool { return a.Content == "ab" && a.FinishReason == "length" }},
		{"another choice", "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"b\"}},{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n", func(a Answer) bool { return a.Content == "a" }},
		{"tool call in pieces", "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"x\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\"\"}}]}}]}\n\n" +
			"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\":1}\"}}]}}]}\n\n",
			func(a Answer) bool { return len(a.ToolCalls) == 1 && a.ToolCalls[0] == ToolCall{"x", "f", `{"a":1}`} }},
		{"a tool call far out", "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":1000000000}]}}]}\n\n", func(a Answer) bool { return len(a.ToolCalls) == 0 }},
		{"a refusal", "data: {\"choices\":[{\"delta\":{\"refusal\":\"no\"}}]}\n\n", func(a Answer) bool { return a.Content == "no" }},
		{"no JSON", "data: <html>\n\n", func(a Answer) bool { return a.Failure != nil && a.Failure.Malformed }},
		{"cut inside an event", "data: {\"choices\":[{\"delta\"", func(a Answer) bool { return a.Unterminated && a.Failure != nil }},
		{"after the end", "data: [DONE]\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n", func(a Answer) bool { return a.Done && a.Content == "" }},
	} {
		if a := streamed(t, x.in); !x.check(a) {
			t.Errorf("%s: %+v, failure %v", x.name, a, a.Failure)
		}
	}
}

func TestBodies(t *testing.T) {
	for _, x := range []struct {
		in    string
		check func(Answer) bool
	}{
		{`{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`,
			func(a Answer) bool {
				return a.Content == "a" && a.FinishReason == "stop" && a.Usage.CompletionTokens == 2
			}},
		{`{"choices":[{"text":"a"}]}`, func(a Answer) bool { return a.Content == "a" }},
		{`{"error":{"message":"no such model","code":"model_not_found"}}`, func(a Answer) bool { return a.Failure.Error() == "model_not_found: no such model" }},
		{`{"error":{"message":"m","type":"t","code":null}}`, func(a Answer) bool { return a.Failure.Error() == "t: m" }},
		{`{}`, func(a Answer) bool { return a.Failure.Malformed }},
		{`nothing`, func(a Answer) bool { return a.Failure.Malformed }},
	} {
		var r Reader
		if r.Body([]byte(x.in)); !x.check(r.Answer()) {
			t.Errorf("%s: %+v", x.in, r.Answer())
		}
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add([]byte(role + "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":3}]}}]}\n\ndata: [DONE]\n\n"))
	f.Add([]byte("event: error\ndata: {\"error\":{\"code\":5}}\n\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		a := streamed(t, string(in))
		if a.ContentEvents > 0 && a.Content == "" || a.ContentEvents > a.Events {
			t.Fatalf("%+v", a)
		}
		var r Reader
		r.Body(in)
	})
}
