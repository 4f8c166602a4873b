package text

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/stdlib/prompts"
)

// streamed applies the streaming form to a response in pieces. It fails the
// test where more is held back than the transform says.
func streamed(t testing.TB, tr Transform, begin StreamFunc, r Response, seed uint64, pieces []string) string {
	t.Helper()
	s := begin(Response{Prompt: r.Prompt}, seed)
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(s.Feed(p))
		if held := s.(interface{ held() int }).held(); held > tr.HoldBack {
			t.Fatalf("%s holds %d bytes back, more than %d, of %.300q", tr.ID, held, tr.HoldBack, r.Text)
		}
	}
	b.WriteString(s.End())
	if again := s.Feed("more") + s.End(); again != "" {
		t.Fatalf("%s sends %q after its end", tr.ID, again)
	}
	return b.String()
}

func mustStream(t testing.TB, tr Transform) StreamFunc {
	t.Helper()
	begin, err := tr.Stream(requiredParams(tr.ID))
	if err != nil {
		t.Fatal(err)
	}
	return begin
}

// tokens cuts a text into pieces of about the size of tokens.
func tokens(s string) []string {
	var out []string
	for len(s) > 0 {
		n := wordEnd(s)
		if n > 6 {
			n = 4
			for n < len(s) && !utf8.RuneStart(s[n]) {
				n++
			}
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

// cuts parts a text at random places between characters; some pieces are
// empty.
func cuts(s string, d dice) []string {
	var out []string
	size := d.logUniform(0, 8)
	for len(s) > 0 {
		n := min(d.below(2*size), len(s))
		for n < len(s) && !utf8.RuneStart(s[n]) {
			n++
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

// templateResponses are answers of the kind that the built-in deployment
// gives: short, and one in seven of them JSON.
func templateResponses() []Response {
	var out []Response
	for n := range uint64(400) {
		p, a := prompts.Pair(n)
		out = append(out, Response{p, a})
	}
	return out
}

// jsonResponses are JSON texts of many shapes, in fences and without.
func jsonResponses() []Response {
	var out []Response
	for i := range 300 {
		d := dice{random.New("test", "json", fmt.Sprint(i))}
		body := randomJSON(d, 0)
		if !strings.HasPrefix(body, "{") && !strings.HasPrefix(body, "[") {
			body = `{"value": ` + body + `, "comment": "The value that was asked for."}`
		}
		switch d.below(5) {
		case 0:
			body = "```json\n" + body + "\n```"
		case 1:
			body = "\n" + body + "\n"
		}
		out = append(out, Response{"Give me a JSON record of the water pump.", body})
	}
	return out
}

var jsonNames = []string{"answer", "city", "id", "items", "note_text", "tags", "name", "summary", "count", "ok"}

func randomJSON(d dice, depth int) string {
	kind := d.below(7)
	if depth == 0 && d.below(4) > 0 {
		kind = 6
	}
	if depth > 3 {
		kind = d.below(5)
	}
	gap := d.pick([]string{"", " ", "\n" + strings.Repeat("  ", depth+1)})
	switch kind {
	case 0:
		return fmt.Sprint(d.below(1000))
	case 1:
		return d.pick([]string{"true", "false", "null", "-1.5e3", "0.25"})
	case 2:
		return quoteJSON(d.pick([]string{"Rome", "", "r-0017", "blue"}))
	case 3, 4:
		n := d.between(1, 4)
		var parts []string
		for range n {
			parts = append(parts, d.pick(asides))
		}
		return quoteJSON(strings.ReplaceAll(strings.Join(parts, d.pick([]string{" ", "\n"})), "%", `the "pump"`))
	case 5:
		var parts []string
		for range d.below(4) {
			parts = append(parts, gap+randomJSON(d, depth+1))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	var parts []string
	order := d.order(len(jsonNames))
	for _, k := range order[:d.below(5)+1-depth/4] {
		parts = append(parts, gap+quoteJSON(jsonNames[k])+":"+d.pick([]string{"", " "})+randomJSON(d, depth+1))
	}
	return "{" + strings.Join(parts, ",") + d.pick([]string{"", "\n"}) + "}"
}

// callResponses hold tool calls in the formats of common models.
func callResponses() []Response {
	var out []Response
	for i := range 200 {
		d := dice{random.New("test", "calls", fmt.Sprint(i))}
		call := fmt.Sprintf(`{"name": "%s", "arguments": {"query": "water pump", "limit": %d}}`, d.pick([]string{"search", "lookup"}), d.below(9))
		switch d.below(8) {
		case 0:
			call = "<tool_call>\n" + call + "\n</tool_call>"
		case 1:
			call = "Let me look that up.\n<tool_call>" + call + "</tool_call>\n<tool_call>" + call + "</tool_call>"
		case 2:
			call = "[TOOL_CALLS][" + call + ", " + call + "]"
		case 3:
			call = "```json\n" + call + "\n```"
		case 4:
			call = "<function_call>" + call + "</function_call> Done."
		case 5:
			call = `{"type": "function", "function": {"name": "search", "parameters": {}}}`
		case 6:
			call = "Thought: look it up\nAction: search\nAction Input: {\"query\": \"pump\"}"
		}
		out = append(out, Response{"Find the manual of the water pump.", call})
	}
	return out
}

type corpus struct {
	name string
	rows []Response
}

func streamCorpora(t *testing.T, real bool) []corpus {
	out := []corpus{{"own corpus", ownResponses(t)}, {"template answers", templateResponses()}, {"JSON", jsonResponses()}, {"tool calls", callResponses()}}
	if real {
		out = append(out, corpus{"real responses", realResponses(t)})
	}
	return out
}

// TestStreamsDoNotDependOnCuts: the joined result is the same however the
// content is cut, and other seeds give other results.
func TestStreamsDoNotDependOnCuts(t *testing.T) {
	var rows []Response
	for _, c := range streamCorpora(t, false) {
		rows = append(rows, c.rows[:60]...)
	}
	rows = append(rows, Response{"Wie geht das?", "Müll wird täglich geprüft – „immer“. 你好，世界。これは水です。\n```go\nx := `a`\n```\nFertig."}, Response{"Hi", ""}, Response{"", " \n"})
	for _, tr := range Transforms() {
		begin := mustStream(t, tr)
		different := false
		for i, r := range rows {
			d := dice{random.New("test", "cuts", fmt.Sprint(i))}
			seed := uint64(i)
			want := streamed(t, tr, begin, r, seed, []string{r.Text})
			if !utf8.ValidString(want) {
				t.Errorf("%s makes invalid UTF-8 of %q: %q", tr.ID, r.Text, want)
			}
			for range 3 {
				pieces := cuts(r.Text, d)
				if got := streamed(t, tr, begin, r, seed, pieces); got != want {
					t.Fatalf("%s: cut into %q it gives\n%q, whole\n%q", tr.ID, pieces, got, want)
				}
			}
			different = different || streamed(t, tr, begin, r, seed+1000, tokens(r.Text)) != want
		}
		if !different {
			t.Errorf("%s does not depend on its seed", tr.ID)
		}
	}
}

// TestStreamsHoldLittleBack looks from outside at the forms that keep the
// response's own characters.
func TestStreamsHoldLittleBack(t *testing.T) {
	var rows []Response
	for _, c := range streamCorpora(t, false) {
		rows = append(rows, c.rows[:80]...)
	}
	for _, id := range []string{"verbose/1", "leak_special_tokens/1", "leak_reasoning/1", "truncate/1", "break_tool_call/1"} {
		tr, _ := LookupTransform(id)
		begin := mustStream(t, tr)
		for i, r := range rows {
			if id == "break_tool_call/1" && toolCallState(r.Text, nil) != noCall {
				continue
			}
			s := begin(Response{Prompt: r.Prompt}, uint64(i))
			full := tr.apply(t, r, uint64(i))
			fed, out := 0, ""
			for _, p := range tokens(r.Text) {
				out += s.Feed(p)
				fed += len(p)
				if id == "truncate/1" {
					if !strings.HasPrefix(r.Text, out) {
						t.Fatalf("%s sends %q of %q", id, out, r.Text)
					}
					if len(out) < fed-tr.HoldBack && out != full {
						t.Fatalf("%s has sent %d bytes of %d and goes on later: %q", id, len(out), fed, r.Text)
					}
					continue
				}
				if n := subsequence(r.Text[:fed], out); n < fed-tr.HoldBack {
					t.Fatalf("%s has sent %d bytes of %d: %q of %q", id, n, fed, out, r.Text[:fed])
				}
			}
		}
	}
}

// apply is the streamed result.
func (tr Transform) apply(t testing.TB, r Response, seed uint64) string {
	return streamed(t, tr, mustStream(t, tr), r, seed, []string{r.Text})
}

// subsequence is how many bytes of s come in out in their order.
func subsequence(s, out string) int {
	n := 0
	for i := 0; i < len(out) && n < len(s); i++ {
		if out[i] == s[n] {
			n++
		}
	}
	return n
}

// TestReplacementsKeepPace: what takes the place of a response comes a word a
// piece.
func TestReplacementsKeepPace(t *testing.T) {
	text := strings.Repeat("The pump lifts the water up. ", 30)
	for _, id := range []string{"refuse/1", "empty/1", "switch_language/1", "repeat/1", "garble/1"} {
		tr, _ := LookupTransform(id)
		begin := mustStream(t, tr)
		for seed := range uint64(40) {
			s := begin(Response{Prompt: "How does the water get to the roof?"}, seed)
			first, longest := 0, 0
			for i, p := range tokens(text) {
				out := s.Feed(p)
				if first == 0 && out != "" {
					first = i + 1
				}
				longest = max(longest, countWords(out))
			}
			if first > 3 && id != "empty/1" {
				t.Errorf("%s sends nothing for %d pieces, seed %d", id, first-1, seed)
			}
			if longest > 6 { // "ください", a stray word, counts as four
				t.Errorf("%s sends %d words for one piece, seed %d", id, longest, seed)
			}
			if n := countWords(s.End()); n > 40 && id != "repeat/1" {
				t.Errorf("%s leaves %d words to the end, seed %d", id, n, seed)
			}
		}
	}
}

// TestStreamsOfJSON: what leaves JSON whole on whole responses does so on
// streams.
func TestStreamsOfJSON(t *testing.T) {
	for _, id := range []string{"verbose/1", "terse/1", "violate_schema/1", "switch_language/1"} {
		tr, _ := LookupTransform(id)
		changed := 0
		for i, r := range jsonResponses() {
			got := tr.apply(t, r, uint64(i))
			if !validJSON(jsonBody(got, "strip")) {
				t.Errorf("%s makes %q of %q", id, got, r.Text)
			}
			if got != r.Text {
				changed++
			}
		}
		if changed < 200 {
			t.Errorf("%s changes %d of 300", id, changed)
		}
	}
	for _, id := range []string{"break_json/1", "violate_schema/1"} {
		tr, _ := LookupTransform(id)
		for i, r := range ownResponses(t) {
			if got := tr.apply(t, r, uint64(i)); got != r.Text && !isJSONResponse(r) {
				t.Errorf("%s changes %q, which is no JSON, to %q", id, r.Text, got)
			}
		}
	}
}

// TestBreakJSONStaysBroken: text that is not JSON is not mended by a fault.
func TestBreakJSONStaysBroken(t *testing.T) {
	tr, _ := LookupTransform("break_json/1")
	score := mustScorer(t, "json_invalid/1")
	for _, s := range []string{`{"a":1}}`, `{"a":1}]`, `[1,2] [3]`, `{"a":"b",}`, `[1,,2]`, `{"a":1} x`, `{"a":1`, "{\"a\":1}\n\n}", `["a" "b"]`, `[12,, 3]`, `{"": }`, `{""}`, `{" " }`, `["a  `} {
		for seed := range uint64(60) {
			if got := tr.apply(t, Response{"", s}, seed); score(Response{"", got}) != 1 {
				t.Errorf("%q becomes %q, which is JSON (seed %d)", s, got, seed)
			}
		}
	}
}

// TestViolateSchemaStream: schemas of several kinds, each broken wherever the
// twin breaks it.
func TestViolateSchemaStream(t *testing.T) {
	for _, schema := range []string{
		`{"type":"object"}`, `{"type":"array"}`, `{"type":["object","array"]}`, `true`, `{"additionalProperties":false,"properties":{"a":{},"b":{}}}`,
		`{"required":["a"]}`, `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"required":["a","b"]}`,
		`{"properties":{"a":{"type":"integer"}}}`, `{"anyOf":[{"type":"object","required":["a"]},{"type":"array","items":{"type":"integer"}}]}`,
		`{"type":"array","items":{"type":"integer"},"maxItems":9}`, `{"allOf":[{"$ref":"#/$defs/x"}],"$defs":{"x":{"required":["b"],"properties":{"b":{"enum":["x","y"]}}}}}`,
	} {
		params := map[string]string{"schema": schema}
		tr, _ := LookupTransform("violate_schema/1")
		sc, _ := LookupScorer("schema_violation/1")
		score, err := sc.New(params)
		if err != nil {
			t.Fatal(err)
		}
		apply, err := tr.New(params)
		if err != nil {
			t.Fatal(err)
		}
		begin, err := tr.Stream(params)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []string{`{"a": 1, "b": "x"}`, `{"a":1}`, "{\n  \"b\": \"x, {y}\",\n  \"a\": 12\n}", `{}`, `[]`, `[1, 2]`, "```json\n{\"a\": 1, \"b\": \"y\"}\n```", `{"a": {"c": [1, "d"]}, "b": [], "e": null}`, `{"b": "x" , "a" : 3 }`} {
			for seed := range uint64(25) {
				r := Response{"", s}
				twin, got := apply(r, seed), streamed(t, tr, begin, r, seed, tokens(s))
				if a, b := score(Response{"", twin}), score(Response{"", got}); a != b {
					t.Errorf("schema %s, seed %d: %s becomes %s (%d), the twin %s (%d)", schema, seed, s, got, b, twin, a)
				}
			}
		}
	}
}

// TestStreamParameters: both forms accept and refuse the same.
func TestStreamParameters(t *testing.T) {
	for _, tr := range Transforms() {
		if tr.StreamDoc == "" || tr.Stream == nil {
			t.Errorf("%s has no streaming form", tr.ID)
			continue
		}
		for _, params := range []map[string]string{
			nil, {"unknown": "1"}, {"factor": "x"}, {"factor": "0.5"}, {"factor": "2"}, {"factor": "99"}, {"style": "policy"}, {"style": "x"}, {"rounds": "9"}, {"rounds": "1"},
			{"language": "fr"}, {"language": "x"}, {"schema": "{"}, {"schema": `{"type":"object"}`}, {"schema": `{"$ref":"http://example.com/x"}`},
		} {
			_, a := tr.New(params)
			_, b := tr.Stream(params)
			if fmt.Sprint(a) != fmt.Sprint(b) {
				t.Errorf("%s with %v: %v, but %v for a stream", tr.ID, params, a, b)
			}
		}
	}
}

// FuzzStream holds every streaming form to its promises on any text and any
// cuts: no panic, no dependence on the cuts, bounded memory, pure.
func FuzzStream(f *testing.F) {
	f.Add("How?", "I'm sorry, but I can't help with that.", uint64(1), uint64(1))
	f.Add("", "```json\n{\"a\": [1, \"x y\"], \"b\": {\"c\": null}}\n```", uint64(2), uint64(7))
	f.Add("Wie geht das?", "<tool_call>{\"name\": \"x\", \"arguments\": {}}</tool_call> [INST] </think>", uint64(3), uint64(9))
	f.Add("x", "“’ ’t n't Ã© 你好 \u200b ``` ` \" <s> </s>", uint64(4), uint64(2))
	f.Add("x", "[TOOL_CALLS][{\"name\": \"x\", \"arguments\": {\"a\": 1}} ]", uint64(5), uint64(3))
	f.Add("x", `{"answer": "a \"b\" \u00e9\n c", "answer": [true, false , null]} }`, uint64(6), uint64(4))
	f.Add("x", "Action: a\nAction Input: {\"q\": \"x\"}\nObservation: b", uint64(7), uint64(5))
	f.Fuzz(func(t *testing.T, prompt, text string, seed, cut uint64) {
		if len(text) > 1<<13 || len(prompt) > 1<<10 || !utf8.ValidString(text) || !utf8.ValidString(prompt) {
			return
		}
		r := Response{prompt, text}
		pieces := cuts(text, throw("cuts", cut))
		for _, tr := range Transforms() {
			begin := mustStream(t, tr)
			whole := streamed(t, tr, begin, r, seed, []string{text})
			if got := streamed(t, tr, begin, r, seed, pieces); got != whole {
				t.Errorf("%s: cut into %q it gives\n%q, whole\n%q", tr.ID, pieces, got, whole)
			}
			if !utf8.ValidString(whole) {
				t.Errorf("%s makes invalid UTF-8 of %q: %q", tr.ID, text, whole)
			}
			if len(whole) > 200*len(text)+1<<14 {
				t.Errorf("%s makes %d bytes of %d", tr.ID, len(whole), len(text))
			}
		}
	})
}
