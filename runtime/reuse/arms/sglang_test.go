package arms

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/openai"
)

// read feeds lines and notes at which the clock stopped.
func read(lines ...string) (a openai.Answer, complete bool, first int) {
	var g generated
	first = -1
	for i, line := range lines {
		b := bytes.TrimSpace([]byte(line))
		if len(b) == 0 {
			continue
		}
		content, done := g.Line(b)
		if content && first < 0 {
			first = i
		}
		if done {
			break
		}
	}
	a, complete = g.End()
	return a, complete, first
}

func number64(n *int64) string {
	if n == nil {
		return "null"
	}
	return fmt.Sprint(*n)
}

func TestGenerated(t *testing.T) {
	const last = `{"text":"ab","meta_info":{"finish_reason":{"type":"stop"}}}`
	for _, x := range []struct {
		name    string
		lines   []string
		content string
		first   int
		tokens  string // prompt, cached, fuzzy
		failure string
		whole   bool
	}{
		{"text so far", []string{`data: {"text":"","meta_info":{"id":"r1","prompt_tokens":9,"cached_tokens":4}}`, `data:{"text":"a"}`, `data: {"text":"ab","meta_info":{"finish_reason":{"type":"stop"}}}`, "data: [DONE]"},
			"ab", 1, "9 4 null", "", true},
		{"bare lines", []string{`{"text":"a"}`, last}, "ab", 0, "none", "", true},
		{"pieces", []string{`data: {"text":"a"}`, `data: {"text":"b"}`, `data: {"text":"bc"}`, "data: [DONE]"}, "abbc", 0, "none", "", true},
		{"a character completed", []string{`data: {"text":"caf\ufffd"}`, `data: {"text":"café"}`, `data: {"text":"café au"}`, "data: [DONE]"}, "café au", 0, "none", "", true},
		{"the first character completed", []string{`data: {"text":"\ufffd\ufffd"}`, `data: {"text":"é"}`, `data: {"text":"éa"}`, "data: [DONE]"}, "éa", 0, "none", "", true},
		{"blanks set anew", []string{`data: {"text":"one"}`, `data: {"text":"one two ,"}`, `data: {"text":"one two, three"}`, `data: {"text":"one two, three four"}`, "data: [DONE]"}, "one two, three four", 0, "none", "", true},
		{"pieces that begin alike", []string{`data: {"text":" the"}`, `data: {"text":" that"}`, `data: {"text":" this"}`, "data: [DONE]"}, " the that this", 0, "none", "", true},
		{"pieces after one that grew", []string{`data: {"text":"1"}`, `data: {"text":"10"}`, `data: {"text":", 2"}`, `data: {"text":"0"}`, "data: [DONE]"}, "10, 20", 0, "none", "", true},
		{"an empty piece at the end", []string{`data: {"text":"a"}`, `data: {"text":""}`, `data: {"text":"ab"}`, "data: [DONE]"}, "ab", 0, "none", "", true},
		{"tokens before text", []string{`data: {"text":"","output_ids":[]}`, `data: {"text":"","output_ids":[5]}`, `data: ` + last}, "ab", 1, "none", "", true},
		{"a comment and another field", []string{": ping", "event: message", "data:", `data: ` + last}, "ab", 3, "none", "", true},
		{"a zero is one", []string{`data: {"text":"ab","meta_info":{"prompt_tokens":3,"cached_tokens":0,"finish_reason":"stop"}}`}, "ab", 0, "3 0 null", "", true},
		{"a later zero", []string{`data: {"text":"a","meta_info":{"cached_tokens":8,"cached_tokens_details":{"fuzzy":2}}}`, `data: {"text":"ab","meta_info":{"cached_tokens":0,"cached_tokens_details":{"fuzzy":0},"finish_reason":"stop"}}`}, "ab", 0, "0 8 2", "", true},
		{"a later value", []string{`data: {"text":"a","meta_info":{"cached_tokens":0}}`, `data: {"text":"ab","meta_info":{"cached_tokens":8,"cached_tokens_details":null,"finish_reason":"stop"}}`}, "ab", 0, "0 8 null", "", true},
		{"usage beside it", []string{`data: {"text":"a"}`, `data: {"text":"ab","meta_info":{"finish_reason":"stop"},"usage":{"prompt_tokens":7,"prompt_tokens_details":{"cached_tokens":5,"fuzzy":1}}}`}, "ab", 0, "7 5 1", "", true},
		{"the meta information goes first", []string{`data: {"text":"ab","meta_info":{"finish_reason":"stop","prompt_tokens":6,"cached_tokens":2},"usage":{"prompt_tokens":7,"prompt_tokens_details":{"cached_tokens":5}}}`}, "ab", 0, "6 2 null", "", true},
		{"below nothing", []string{`data: {"text":"ab","meta_info":{"finish_reason":"stop","prompt_tokens":-6,"cached_tokens":-2}}`}, "ab", 0, "none", "", true},
		{"cut", []string{`data: {"text":"a"}`}, "a", 0, "none", "", false},
		{"nothing", nil, "", -1, "none", "no events", false},
		{"no JSON", []string{`data: {"text":"a"}`, "data: {", `data: ` + last}, "a", 0, "none", "not JSON", false},
		{"an error", []string{`data: {"text":"a"}`, `data: {"error":{"message":"too long"}}`, `data: ` + last}, "a", 0, "none", "too long", false},
		{"given up", []string{`data: {"text":"a","meta_info":{"finish_reason":{"type":"abort","message":"no room"}}}`}, "a", 0, "none", "abort: no room", true},
	} {
		a, whole, first := read(x.lines...)
		tokens, failure := "none", ""
		if u := a.Usage; u != nil {
			tokens = fmt.Sprint(u.PromptTokens, " ", number64(u.CachedTokens), " ", number64(u.FuzzyTokens))
		}
		if a.Failure != nil {
			failure = a.Failure.Error()
		}
		if a.Content != x.content || first != x.first || tokens != x.tokens || !strings.Contains(failure, x.failure) || (failure == "") != (x.failure == "") || whole != x.whole {
			t.Errorf("%s: %q, first at %d, tokens %s, failure %q, whole %v", x.name, a.Content, first, tokens, failure, whole)
		}
	}
}

func TestRoot(t *testing.T) {
	for base, want := range map[string]string{"http://a": "http://a", "http://a/": "http://a", "http://a/v1": "http://a", "http://a/v1/": "http://a", "http://a/x": "http://a/x"} {
		if got := root(base); got != want {
			t.Errorf("%s: %s, want %s", base, got, want)
		}
	}
}

// An answer of SGLang is as long as the text before each of its events.
func TestLongestAnswer(t *testing.T) {
	for _, tokens := range []int{1, 16, 4096, 32768} {
		var bytes int64
		for i := range int64(tokens) {
			bytes += 16*i + 1<<10
		}
		if got := longestAnswer(&plan.ReuseLive{Driver: SGLang, MaxTokens: tokens}); got < bytes || got < 64<<20 {
			t.Errorf("%d tokens: %d, and an answer has %d", tokens, got, bytes)
		}
	}
	if got := longestAnswer(&plan.ReuseLive{Driver: SGLang, MaxTokens: 1 << 62}); got <= 0 || got > 1<<44 {
		t.Error(got)
	}
	if got := longestAnswer(&plan.ReuseLive{Driver: OpenAI, MaxTokens: 1 << 20}); got != 64<<20 {
		t.Error(got)
	}
}

// FuzzGenerated: no input breaks the reader, what it reads is text, and a count
// is never below nothing.
func FuzzGenerated(f *testing.F) {
	f.Add([]byte("data: {\"text\":\"a\"}\ndata: [DONE]\n"))
	f.Add([]byte(`{"text":"a","meta_info":{"cached_tokens":3,"finish_reason":{"type":"abort"}},"output_ids":[1]}`))
	f.Add([]byte("data: {\"usage\":{\"prompt_tokens_details\":null},\"meta_info\":{\"cached_tokens_details\":7}}\n: x\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, _, first := read(strings.Split(string(b), "\n")...)
		if !utf8.ValidString(a.Content) || a.Content != "" && first < 0 {
			t.Errorf("%q, first at %d", a.Content, first)
		}
		if u := a.Usage; u != nil && (u.PromptTokens < 0 || u.CachedTokens != nil && *u.CachedTokens < 0 || u.FuzzyTokens != nil && *u.FuzzyTokens < 0) {
			t.Errorf("%+v", u)
		}
	})
}

func BenchmarkGenerated(b *testing.B) {
	var lines []string
	text := ""
	for i := range 256 {
		text += "word "
		lines = append(lines, fmt.Sprintf(`data: {"text":%q,"output_ids":[%d],"meta_info":{"id":"r","prompt_tokens":4096,"completion_tokens":%d,"cached_tokens":16,"finish_reason":null}}`, text, i, i+1))
	}
	lines = append(lines, "data: [DONE]")
	for b.Loop() {
		if a, whole, _ := read(lines...); !whole || len(a.Content) != len(text) {
			b.Fatal(a)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/256, "µs/event")
}
