package text

import (
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// finish feeds a machine and ends it.
func finish(m machine, text string) string {
	var w strings.Builder
	feed(m, text, &w)
	m.end(&w)
	return w.String()
}

// TestJSONBreakerModes shows what each way to break JSON does.
func TestJSONBreakerModes(t *testing.T) {
	in := "```json\n{\n  \"a\": [1, true],\n  \"b c\": null\n}\n```\n"
	for _, c := range []struct {
		mode, count int
		want        string
	}{
		{loseBracket, 0, "```json\n{\n  \"a\": [1, true],\n  \"b c\": null\n```\n"},
		{stopEarly, 2, "```json\n{\n  \"a\": [1\n```\n"},
		{dangleComma, 0, "```json\n{\n  \"a\": [1, true],\n  \"b c\": null,\n}\n```\n"},
		{singleQuotes, 0, "```json\n{\n  'a': [1, true],\n  'b c': null\n}\n```\n"},
		{losePunctuation, 1, "```json\n{\n  \"a\" [1, true],\n  \"b c\": null\n}\n```\n"},
		{losePunctuation, 2, "```json\n{\n  \"a\": [1  true],\n  \"b c\": null\n}\n```\n"},
		{bareName, 0, "```json\n{\n  a: [1, true],\n  \"b c\": null\n}\n```\n"},
		{pythonLiteral, 0, "```json\n{\n  \"a\": [1, True],\n  \"b c\": None\n}\n```\n"},
	} {
		b := &jsonBreaker{d: throw("test", 1), mode: c.mode, count: c.count}
		if got := finish(&gate{json: b, prose: afterBreak{b}}, in); got != c.want {
			t.Errorf("mode %d gives %q, want %q", c.mode, got, c.want)
		}
	}
	for _, mode := range []int{addComment, addTrailer, pythonLiteral, singleQuotes, bareName, losePunctuation} {
		b := &jsonBreaker{d: throw("test", 1), mode: mode, count: 9}
		if got := finish(&gate{json: b, prose: afterBreak{b}}, "[7]"); validJSON(got) {
			t.Errorf("mode %d makes %q of [7]", mode, got)
		}
	}
}

// TestViolatorModes shows what each way to break a schema does.
func TestViolatorModes(t *testing.T) {
	schema, err := compileSchema("test", `{"type":"object","required":["a","b"],"properties":{"a":{"type":"integer"},"b":{"type":"string"},"c":{"type":"array"}}}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		how              int
		target, in, want string
	}{
		{dropIt, "a", `{"a": 1, "b": "x"}`, `{ "b": "x"}`}, {dropIt, "b", `{"a": 1, "b": "x" }`, `{"a": 1}`}, {dropIt, "b", `{"a":1,"b":"x","c":[]}`, `{"a":1,"c":[]}`},
		{dropIt, "a", `{"a": {"a": [1, 2]}}`, `{}`}, {nullIt, "a", `{"a": [1, {"b": 2}], "b": "x"}`, `{"a": null, "b": "x"}`}, {nullIt, "b", `{"a":1,"b":"x"}`, `{"a":1,"b":null}`},
		{retypeIt, "a", "{\"a\": 12\n}", `{"a": "12"}`}, {retypeIt, "a", `{"a": {"q": [1 , "z"]}, "b": ""}`, `{"a": "{\"q\": [1 , \"z\"]}", "b": ""}`}, {retypeIt, "b", `{"b": "x, y", "a": 1}`, `{"b": ["x, y"], "a": 1}`},
		{wrapAsArray, "", `{"a": 1}`, `[{"a": 1}]`}, {addUnknown, "", "{\n\"a\": 1}", "{\n" + `"?": "n/a", "a": 1}`}, {addUnknown, "", `{}`, `{"?": "n/a"}`},
	} {
		v := newViolator(schema, weaknessesOf(schema), throw("test", 3))
		v.how, v.target = c.how, c.target
		if c.how == wrapAsArray {
			v.before, v.after = "[", "]"
		}
		// The first bracket comes as if it had been chosen by.
		g := &gate{json: begun{v}, prose: pass{}}
		got := finish(g, c.in)
		for _, name := range unknownNames {
			got = strings.Replace(got, `"`+name+`": "n/a"`, `"?": "n/a"`, 1)
		}
		if got != c.want {
			t.Errorf("%d of %q makes %s of %s, want %s", c.how, c.target, got, c.in, c.want)
		}
	}
}

// begun keeps a violator from choosing.
type begun struct{ *violator }

func (b begun) event(ev jsonEvent, raw string, value rune, s *jsonScan, w *strings.Builder) {
	if ev == jsonOpen && len(s.stack) == 1 {
		b.write(b.before, w)
	}
	b.violator.event(ev, raw, value, s, w)
}

// TestCallBreakerModes shows what each way to break a tagged call does.
func TestCallBreakerModes(t *testing.T) {
	in := "So: <tool_call>{\"name\": \"x\", \"arguments\": {\"q\": 1}}\n</tool_call> Done."
	for _, c := range []struct {
		how  int
		want string
	}{
		{quoteSingly, "So: <tool_call>{'name': 'x', 'arguments': {'q': 1}}\n</tool_call> Done."}, {loseTag, "So: <tool_call>{\"name\": \"x\", \"arguments\": {\"q\": 1}}\n Done."},
		{loseLast, "So: <tool_call>{\"name\": \"x\", \"arguments\": {\"q\": 1}\n</tool_call> Done."}, {stopInside, "So: <tool_call>{\"name\": \"x Done."},
	} {
		if got := finish(&taggedCall{how: c.how, count: 4, said: &transcript{}}, in); got != c.want {
			t.Errorf("mode %d gives %q, want %q", c.how, got, c.want)
		} else if toolCallState(got, nil) != badCall {
			t.Errorf("%q is no broken call", got)
		}
	}
	list := `[TOOL_CALLS][{"name": "x", "arguments": {"a": 1}} ]`
	if got := finish(&taggedCall{how: loseLast, said: &transcript{}}, list); got != `[TOOL_CALLS][{"name": "x", "arguments": {"a": 1} ]` {
		t.Errorf("the list becomes %q", got)
	}
}

func TestTerseStreams(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""}, {"Rome.", "Rome."}, {"The capital of Italy is Rome.", "The capital"}, {"green, white.", "green"},
		{`{"city": "Rome", "text": "one two three four, five", "n": [1, "a b"]}`, `{"city": "Rome", "text": "one two", "n": [1, "a"]}`},
		{"One two three four.\nFive six seven eight.", "One two three four."},
		{"```go\nx := 1\ny := 2\n```\n", "```go\nx := 1\n```"},
	} {
		if got := finish(newShortener(0.5, throw("test", 1)), c.in); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.in, got, c.want)
		}
	}
}

func TestTokenLeakClosesCode(t *testing.T) {
	for _, s := range []string{"x `y", "```go\nx := 1", "a ```b", "`` `", "text", "<s> struck", ""} {
		for seed := range uint64(40) {
			r := Response{"What is </s> and <pad>?", s}
			got := finish(newTokenLeak(r.Prompt, throw("test", seed)), s)
			if !leaksToken(Response{r.Prompt, got}) {
				t.Errorf("%q shows no token that the prompt does not (seed %d)", got, seed)
			}
		}
	}
}

// TestStreamEdges: the empty response, one piece, and bytes that are no
// characters.
func TestStreamEdges(t *testing.T) {
	for _, c := range classOf {
		tr, _ := LookupTransform(c.transform)
		score, apply := mustScorer(t, c.scorer), mustTransform(t, c.transform)
		for seed := range uint64(30) {
			r := Response{"How does the water get to the roof?", ""}
			if a, b := score(Response{r.Prompt, apply(r, seed)}), score(Response{r.Prompt, tr.apply(t, r, seed)}); a != b {
				t.Errorf("%s of nothing scores %d, its twin %d", tr.ID, b, a)
			}
		}
	}
	for _, tr := range Transforms() {
		for _, s := range []string{"\xff\xfe", "a\xc3", "{\"a\": \"\xff\"}", "`\x80`", strings.Repeat("\x80", 300)} {
			for seed := range uint64(20) {
				tr.apply(t, Response{"\xff", s}, seed)
			}
		}
		s := mustStream(t, tr)(Response{}, 1)
		if out := s.Feed(""); out != "" {
			t.Errorf("%s sends %q for nothing", tr.ID, out)
		}
		s.End()
		if out := s.End(); out != "" {
			t.Errorf("%s ends twice: %q", tr.ID, out)
		}
	}
}

// TestStreamsAtTheSameTime: one StreamFunc serves many goroutines.
func TestStreamsAtTheSameTime(t *testing.T) {
	rows := append(jsonResponses()[:30], ownResponses(t)[:30]...)
	for _, tr := range Transforms() {
		begin := mustStream(t, tr)
		want := make([]string, len(rows))
		for i, r := range rows {
			want[i] = streamed(t, tr, begin, r, uint64(i), tokens(r.Text))
		}
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for i, r := range rows {
					s := begin(Response{Prompt: r.Prompt}, uint64(i))
					got := ""
					for _, p := range tokens(r.Text) {
						got += s.Feed(p)
					}
					if got += s.End(); got != want[i] {
						t.Errorf("%s gives %q at the same time as others, %q alone", tr.ID, got, want[i])
					}
				}
			})
		}
		wg.Wait()
	}
}

// TestLongResponses: what is held back stays bounded, which streamed checks,
// and what comes out is valid.
func TestLongResponses(t *testing.T) {
	long := strings.Repeat("The pump lifts the water, and the pipe carries it up to the roof. ", 2500)
	for _, tr := range Transforms() {
		for _, text := range []string{long, `{"name": "` + long + `", "arguments": ["` + long + `"]}`, strings.Repeat("水がのぼる", 9000), strings.Repeat("x", 1<<17)} {
			got := tr.apply(t, Response{"How does the water get up?", text}, 5)
			if !utf8.ValidString(got) {
				t.Errorf("%s makes invalid UTF-8", tr.ID)
			}
		}
	}
}
