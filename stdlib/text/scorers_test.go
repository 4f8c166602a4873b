package text

import (
	"strings"
	"testing"
)

func TestRegistry(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Scorers() {
		if seen[s.ID] || !strings.Contains(s.ID, "/") || s.Doc == "" || s.New == nil {
			t.Errorf("scorer %q is declared twice or in part", s.ID)
		}
		seen[s.ID] = true
		if s.Kind != "rate" && s.Kind != "mean" || (s.Kind == "rate") != (s.Unit == "1") {
			t.Errorf("scorer %q is a %s in %q", s.ID, s.Kind, s.Unit)
		}
		got, ok := LookupScorer(s.ID)
		if !ok || got.ID != s.ID {
			t.Errorf("LookupScorer(%q) = %q, %v", s.ID, got.ID, ok)
		}
		checkParams(t, s.ID, s.Params, func(p map[string]string) error { _, err := s.New(p); return err })
	}
	clear(seen)
	for _, tr := range Transforms() {
		if seen[tr.ID] || tr.Doc == "" || tr.New == nil {
			t.Errorf("transform %q is declared twice or in part", tr.ID)
		}
		seen[tr.ID] = true
		if got, ok := LookupTransform(tr.ID); !ok || got.ID != tr.ID {
			t.Errorf("LookupTransform(%q) = %q, %v", tr.ID, got.ID, ok)
		}
		checkParams(t, tr.ID, tr.Params, func(p map[string]string) error { _, err := tr.New(p); return err })
	}
	if _, ok := LookupScorer("refusal"); ok {
		t.Error("a scorer is found without its version")
	}
	if _, ok := LookupTransform("refusal/1"); ok {
		t.Error("a scorer is found among the transforms")
	}
}

// checkParams: defaults are accepted when written out, unknown names and
// values of a wrong type are refused by name.
func checkParams(t *testing.T, id string, params []Param, build func(map[string]string) error) {
	t.Helper()
	full := map[string]string{}
	for _, p := range params {
		if p.Doc == "" {
			t.Errorf("%s: parameter %s has no doc", id, p.Name)
		}
		full[p.Name] = p.Default
	}
	if err := build(nil); err != nil {
		t.Errorf("%s without parameters: %v", id, err)
	}
	if err := build(full); err != nil {
		t.Errorf("%s with its defaults: %v", id, err)
	}
	err := build(map[string]string{"zz_unknown": "1"})
	if err == nil || !strings.Contains(err.Error(), `"zz_unknown"`) || !strings.Contains(err.Error(), id) {
		t.Errorf("%s with an unknown parameter: %v", id, err)
	}
	for _, p := range params {
		bad := map[string]string{"int": "many", "number": "much", "bool": "maybe", "string": "\x00nonsense"}[p.Type]
		if p.Name == "tools" {
			continue
		}
		if err := build(map[string]string{p.Name: bad}); err == nil || !strings.Contains(err.Error(), p.Name) {
			t.Errorf("%s with %s = %q: %v", id, p.Name, bad, err)
		}
	}
}

type scoreCase struct {
	prompt, text string
	want         int32
}

func checkScores(t *testing.T, id string, params map[string]string, cases []scoreCase) {
	t.Helper()
	s, ok := LookupScorer(id)
	if !ok {
		t.Fatalf("no scorer %s", id)
	}
	f, err := s.New(params)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if got := f(Response{c.prompt, c.text}); got != c.want {
			t.Errorf("%s %v scores %d, want %d: prompt %q text %q", id, params, got, c.want, c.prompt, c.text)
		}
	}
}

func TestJSONInvalid(t *testing.T) {
	checkScores(t, "json_invalid/1", nil, []scoreCase{
		{"", `{"a":1}`, 0}, {"", " [1,2]\n", 0}, {"", "```json\n{\"a\":1}\n```", 0}, {"", "```\n[]\n```", 0}, {"", "\ufeff{}", 0}, {"", "null", 0}, {"", `"x"`, 0},
		{"", "", 1}, {"", `{"a":1`, 1}, {"", `{"a":1,}`, 1}, {"", `{'a':1}`, 1}, {"", `{"a":True}`, 1}, {"", "Here it is: {}", 1}, {"", `{} {}`, 1},
		{"", "```json\n{\"a\":1}\n``` done", 1}, {"", "```json\n{\"a\":1}", 1}, {"", "{\"a\": NaN}", 1}, {"", "{\"a\": \"\n\"}", 1},
	})
	checkScores(t, "json_invalid/1", map[string]string{"fence": "none"}, []scoreCase{{"", "{}", 0}, {"", "```json\n{}\n```", 1}})
	checkScores(t, "json_invalid/1", map[string]string{"fence": "extract"}, []scoreCase{
		{"", "Here it is:\n```json\n{\"a\":1}\n```\nDone.", 0}, {"", "The answer is {\"a\":1}, as asked.", 0}, {"", "The answer is {\"a\":1,}.", 1}, {"", "no JSON", 1},
	})
	checkScores(t, "json_invalid/1", map[string]string{"require": "object"}, []scoreCase{{"", "{}", 0}, {"", "[]", 1}, {"", "1", 1}})
	checkScores(t, "json_invalid/1", map[string]string{"require": "array"}, []scoreCase{{"", "{}", 1}, {"", "[]", 0}})
}

func TestSchemaViolation(t *testing.T) {
	schema := `{"type":"object","required":["name","qty"],"properties":{"name":{"type":"string"},"qty":{"type":"integer","minimum":1}},"additionalProperties":false}`
	cases := []scoreCase{
		{"", `{"name":"rake","qty":2}`, 0}, {"", "```json\n{\"name\":\"rake\",\"qty\":2}\n```", 0},
		{"", `{"name":"rake"}`, 1}, {"", `{"name":"rake","qty":0}`, 1}, {"", `{"name":"rake","qty":"2"}`, 1}, {"", `{"name":null,"qty":2}`, 1},
		{"", `{"name":"rake","qty":2,"x":1}`, 1}, {"", `[]`, 1},
	}
	checkScores(t, "schema_violation/1", map[string]string{"schema": schema}, append(cases, scoreCase{"", "not JSON", 0}, scoreCase{"", `{"name":`, 0}, scoreCase{"", "", 0}, scoreCase{"", `"quoted"`, 0}))
	checkScores(t, "schema_violation/1", map[string]string{"schema": schema, "count_invalid": "true"}, append(cases, scoreCase{"", "not JSON", 1}, scoreCase{"", `{"name":`, 1}))
	s, _ := LookupScorer("schema_violation/1")
	for _, bad := range []string{"", "{", `{"type":"nonsense"}`, `{"$ref":"https://example.com/x.json"}`, `{"$ref":"file:///etc/passwd"}`} {
		if _, err := s.New(map[string]string{"schema": bad}); err == nil || !strings.Contains(err.Error(), "schema") {
			t.Errorf("schema %q: %v", bad, err)
		}
	}
	tr, _ := LookupTransform("violate_schema/1")
	f, err := tr.New(map[string]string{"schema": schema})
	if err != nil {
		t.Fatal(err)
	}
	score, _ := s.New(map[string]string{"schema": schema})
	forms := map[string]bool{}
	for seed := range uint64(60) {
		out := f(Response{"", `{"name":"rake","qty":2}`}, seed)
		forms[out] = true
		if score(Response{"", out}) != 1 {
			t.Errorf("seed %d keeps the schema: %s", seed, out)
		}
	}
	if len(forms) < 5 {
		t.Errorf("only %d ways to break the schema: %v", len(forms), forms)
	}
}

func TestVerbosity(t *testing.T) {
	checkScores(t, "verbosity/1", nil, []scoreCase{
		{"", "", 0}, {"", "   \n", 0}, {"", "one", 1}, {"", "one two\nthree", 3}, {"", "don't stop-it", 2}, {"", "- a\n- b", 2}, {"", "# --- *", 0},
		{"", "你好世界", 4}, {"", "über alles", 2}, {"", "3.5 km", 2}, {"", "a\u00a0b", 2}, {"", "日本 and Japan", 4},
	})
}

func TestTruncation(t *testing.T) {
	checkScores(t, "truncation/1", nil, []scoreCase{
		{"", "The pump draws water.", 0}, {"", "Canberra", 0}, {"", "Mercury, Venus, Earth", 0}, {"", "1. Rake\n2. Spade\n3. Hoe", 0}, {"", "- a\n- b", 0},
		{"", "See https://example.com/page", 0}, {"", "Use this:\n\n```go\nx := 1\n```", 0}, {"", `{"a":[1,2]}`, 0}, {"", "Really?", 0}, {"", "He said \"stop.\"", 0},
		{"", "Roses are red,\nviolets are blue,\nsugar is sweet,\nand so are you", 0}, {"", "", 0}, {"", "Good luck! 🎉", 0}, {"", "| a | b |\n|---|---|\n| 1 | 2 |", 0},
		{"", "这是一个完整的句子。", 0}, {"", "Dear Tom,\n\nI will come on Friday. See you then.\n\nBest wishes,\nAnna", 0}, {"", "\"Know thyself.\" - Socrates", 0},
		{"", "The pump draws water from the", 1}, {"", "The pump draws water. It lifts it to the roof and then it", 1}, {"", "First, open the valve,", 1}, {"", "These are the steps:", 1},
		{"", "Use this:\n\n```go\nx := 1\n", 1}, {"", `{"a":[1,2`, 1}, {"", `{"a":"b`, 1}, {"", "1. Open the valve.\n2. Wait.\n3. Close the", 1}, {"", "It is good (see", 1},
		{"", "The pump runs all day. In winter it stops. When the frost is over it sta", 1}, {"", "I would like to add that this is one of the most", 1},
	})
}

func TestEmpty(t *testing.T) {
	checkScores(t, "empty/1", nil, []scoreCase{
		{"", "", 1}, {"", " \n\t", 1}, {"", "\u200b\ufeff", 1}, {"", "```\n```", 1}, {"", `""`, 1},
		{"", ".", 0}, {"", "0", 0}, {"", "{}", 0}, {"", "🙂", 0}, {"", "好", 0},
	})
}

func TestRepetition(t *testing.T) {
	checkScores(t, "repetition/1", nil, []scoreCase{
		{"", strings.Repeat("for ", 12), 1}, {"", "It is " + strings.Repeat("very ", 9) + "big", 1}, {"", strings.Repeat("I think that it is good. ", 6), 1},
		{"", "Start here. " + strings.Repeat("\n", 60), 1}, {"", strings.Repeat("one two three four five six seven eight nine ten eleven twelve thirteen fourteen ", 6), 1},
		{"", "The answer is yes. " + strings.Repeat("The pump draws water from the lower tank and lifts it to the roof, as the plan says. ", 5), 1},
		{"", "no no no", 0}, {"", "Row, row, row your boat, gently down the stream.", 0}, {"", strings.Repeat("-", 80), 0}, {"", "", 0},
		{"", "1. Who is most likely to sing?\n2. Who is most likely to dance?\n3. Who is most likely to cook?\n4. Who is most likely to travel?", 0},
		{"", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n| 7 | 8 |", 0}, {"", benchText[:400], 0},
	})
}

func TestWrongLanguage(t *testing.T) {
	en := "How do I get water to the roof of my house?"
	checkScores(t, "wrong_language/1", nil, []scoreCase{
		{en, "Use a pump, and let it run in the morning.", 0}, {en, "", 0}, {en, "42", 0}, {en, "Canberra", 0},
		{en, "Sie können eine Pumpe benutzen und sie am Morgen laufen lassen, das ist die einfachste Lösung.", 1},
		{en, "Vous pouvez utiliser une pompe et la laisser tourner le matin, c'est plus simple.", 1},
		{en, "你可以使用水泵，早上让它运行。", 1}, {en, "Используйте насос и включайте его утром.", 1}, {en, "ใช้ปั๊มน้ำในตอนเช้า", 1},
		{en, "Use a pump 水泵 and let it run 运行 in the morning, then turn 关闭 it off.", 1},
		{en, "Use a pump (Japanese: ポンプ) and let it run in the morning.", 0}, {en, "The angle α and the angle β are the same.", 0},
		{"How do you say pump in German?", "Die Pumpe ist das Wort, das man dafür in der Regel benutzt.", 0}, {"Translate into Spanish: the pump is on the roof", "La bomba está en el techo de la casa.", 0},
		{"Wie bekomme ich Wasser auf das Dach und in die Küche?", "Sie können eine Pumpe benutzen und sie am Morgen laufen lassen.", 0},
		{"Wie bekomme ich Wasser auf das Dach und in die Küche?", "You can use a pump and let it run in the morning, which is the easiest way to do it.", 1},
		{"怎么把水送到屋顶？", "你可以使用水泵。", 0}, {"怎么把水送到屋顶？", "You can use a pump and let it run in the morning.", 1}, {"怎么把水送到屋顶？", "使用 Python 的 requests 库即可完成。", 0},
		{en, "```python\nprint('der die das und nicht')\n```\nThis prints the words.", 0},
		{en, "{\"answer\": \"Sie können eine Pumpe benutzen und sie am Morgen laufen lassen\"}", 1},
	})
	checkScores(t, "wrong_language/1", map[string]string{"expect": "de"}, []scoreCase{
		{en, "Sie können eine Pumpe benutzen und sie am Morgen laufen lassen.", 0}, {en, "You can use a pump and let it run in the morning.", 1},
	})
}

func TestGarbled(t *testing.T) {
	checkScores(t, "garbled/1", nil, []scoreCase{
		{"", "A pump lifts water to the roof.", 0}, {"", strings.Repeat("!", 40), 1}, {"", "Yes!!!", 0}, {"", strings.Repeat("=", 60) + "\nTitle", 0}, {"", "Wait....................... done.", 0},
		{"", "A pu\ufffdp lif\ufffds wa\ufffder", 1}, {"", "Itâ€™s a pump, and thatâ€™s all youâ€™d need", 1}, {"", "caf\u00e9 na\u00efve r\u00e9sum\u00e9", 0}, {"", "\x01\x02\x03 text", 1},
		{"", "Strf#x ngth%q reslv$Tp WXqzk iz]able tkn;frgm", 1}, {"", "```\nx#y%z q;w$e r[t]y\n```", 0}, {"", "Use `a[i]` and `b{j}` here.", 0}, {"", "see https://a.b/c?d=e&f", 0},
		{"", "#WomenInScience #GirlsWhoCode #OpenSource", 0}, {"", "iPhone, eBay and YouTube are brands.", 0}, {"", "rhythm myths try dry sky", 0}, {"", "$12.50 (20%) = a/b", 0}, {"", "これはペンです。", 0}, {"", "Москва", 0}, {"", "", 0},
	})
}

func TestLeaks(t *testing.T) {
	checkScores(t, "special_token_leak/1", nil, []scoreCase{
		{"", "Done.<|im_end|>", 1}, {"", "Done.</s>", 1}, {"", "[INST] hello [/INST] Hi", 1}, {"", "<start_of_turn>model\nHi", 1}, {"", "a<0x0A>b", 1}, {"", "Hi<｜end▁of▁sentence｜>", 1}, {"", "<pad><pad>", 1},
		{"", "a <b>bold</b> word", 0}, {"", "<s>struck</s> out", 0}, {"", "Use `<|im_end|>` as the stop string.", 0}, {"", "```\n<|im_end|>\n```", 0}, {"What does <|im_end|> mean?", "<|im_end|> ends a turn.", 0},
		{"", "if a <| b then c |> d", 0}, {"", "x < y and [1] is fine", 0}, {"", "", 0},
	})
	checkScores(t, "reasoning_leak/1", nil, []scoreCase{
		{"", "<think>\nhm\n</think>\nYes.", 1}, {"", "hm\n</think>\n\nYes.", 1}, {"", "/think> Yes.", 1}, {"", "Okay, the user is asking about pumps. I should explain the basics first.\n\nA pump lifts water.", 1},
		{"", "I think that a pump is best.", 0}, {"", "Okay, I will explain. A pump lifts water.", 0}, {"", "In XML you write `<think>`.", 0}, {"Explain the <think> tag", "The <think> tag marks reasoning.", 0},
		{"", "The user is asking for a password when the dialog opens.", 0}, {"", "", 0},
	})
}

func TestToolCallBroken(t *testing.T) {
	cases := []scoreCase{
		{"", "A pump lifts water.", 0}, {"", "", 0}, {"", `{"answer":"yes","name":"x"}`, 0},
		{"", "<tool_call>\n{\"name\":\"search\",\"arguments\":{\"q\":\"x\"}}", 1}, {"", "<tool_call>{\"name\":\"search\",\"arguments\":{\"q\":}</tool_call>", 1}, {"", "done</tool_call>", 1},
		{"", "<tool_call>{\"arguments\":{}}</tool_call>", 1}, {"", "<tool_call>{\"name\":\"s\",\"arguments\":[1]}</tool_call>", 1}, {"", "[TOOL_CALLS][{\"name\":\"s\"}]", 1},
		{"", `{"name":"search","arguments":{"q":"x"`, 1}, {"", "Thought: x\nAction: search\nAction Input: {\"q\": ", 1},
	}
	good := []string{
		"<tool_call>\n{\"name\":\"search\",\"arguments\":{\"q\":\"x\"}}\n</tool_call>", `{"name":"search","arguments":"{\"q\":1}"}`, `{"type":"function","function":{"name":"search","arguments":{}}}`,
		"[TOOL_CALLS][{\"name\":\"search\",\"arguments\":{}}]", "Action: search\nAction Input: {\"q\": 1}", `{"tool":"search","tool_input":{"q":1}}`,
	}
	for _, g := range good {
		cases = append(cases, scoreCase{"", g, 0})
	}
	checkScores(t, "tool_call_broken/1", nil, cases)
	for _, g := range good {
		checkScores(t, "tool_call_broken/1", map[string]string{"well_formed": "broken"}, []scoreCase{{"", g, 1}})
		checkScores(t, "tool_call_broken/1", map[string]string{"tools": "lookup, fetch"}, []scoreCase{{"", g, 1}})
		checkScores(t, "tool_call_broken/1", map[string]string{"tools": "lookup, search", "expected": "true"}, []scoreCase{{"", g, 0}})
		// A well-formed call breaks too.
		f := mustTransform(t, "break_tool_call/1")
		for seed := range uint64(12) {
			if out := f(Response{"", g}, seed); mustScorer(t, "tool_call_broken/1")(Response{"", out}) != 1 {
				t.Errorf("seed %d leaves a good call: %q becomes %q", seed, g, out)
			}
		}
	}
	checkScores(t, "tool_call_broken/1", map[string]string{"expected": "true"}, []scoreCase{{"", "A pump lifts water.", 1}})
}
