package text

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// words shows an opening as text, one sentence a line.
func words(s string, vocabulary string) string {
	vocab := map[string]uint16{}
	names := []string{"?"}
	for i, w := range strings.Fields(vocabulary) {
		vocab[w] = uint16(i + 1)
		names = append(names, w)
	}
	var b strings.Builder
	toks := opening(s, vocab, make([]token, 0, openingTokens))
	for i, t := range toks {
		switch {
		case i > 0 && t.sent != toks[i-1].sent:
			b.WriteString(" | ")
		case i > 0:
			b.WriteString(" ")
		}
		b.WriteString(names[t.word])
		if t.quoted {
			b.WriteString("'")
		}
	}
	return b.String()
}

func TestOpening(t *testing.T) {
	vocab := "i am can not will do is it let us help sorry the so"
	for _, c := range []struct{ in, want string }{
		{"I can't help.", "i can not help"}, {"I cannot help.", "i can not help"}, {"I can’t help.", "i can not help"}, {"I CANT help", "i can not help"},
		{"I won't help", "i will not help"}, {"It's so", "it is so"}, {"I'm sorry. I do!", "i am sorry | i do"}, {"Let's help", "let us help"},
		{"**I** _can_ do it", "i can do it"}, {`"I can" is so`, "i' can' is so"}, {"“I can” is so", "i' can' is so"}, {"1. I can\n2. I do", "? | i can | ? | i do"},
		{"so 3.5 is", "so ? ? is"}, {"", ""}, {"...!?", ""}, {"help the dog's", "help the ?"}, {"it is: so", "it is | so"},
	} {
		if got := words(c.in, vocab); got != c.want {
			t.Errorf("opening of %q is %q, want %q", c.in, got, c.want)
		}
	}
	long := strings.Repeat("help me please. ", 500)
	if toks := opening(long, nil, make([]token, 0, openingTokens)); len(toks) > openingTokens || toks[len(toks)-1].sent >= openingSentences {
		t.Errorf("%d tokens", len(toks))
	}
}

func TestStem(t *testing.T) {
	for _, same := range [][]string{{"deny", "denied", "denies"}, {"discriminate", "discrimination", "discriminated", "discriminating"}, {"stop", "stopping", "stopped", "stops"}, {"attack", "attacks", "attacked"}} {
		for _, w := range same[1:] {
			if stem([]byte(w)) != stem([]byte(same[0])) {
				t.Errorf("%s and %s have different stems", same[0], w)
			}
		}
	}
	if stem([]byte("house")) == stem([]byte("mouse")) {
		t.Error("house and mouse have the same stem")
	}
}

func TestPatterns(t *testing.T) {
	classes := map[string]string{"pet": "cat dog", "big": "big huge"}
	for _, c := range []struct {
		pattern, text string
		want          int // matches
	}{
		{"the cat", "The cat sat. The dog sat.", 1}, {"the @pet", "The cat sat. The dog sat.", 2}, {"the @big? @pet", "the huge dog and the cat", 2},
		{"the ..2 cat", "the very old cat", 1}, {"the ..2 cat", "the very old grey cat", 0}, {"the ..2 cat", "The end. Cat", 0}, {"^ cat", "cat and cat. Cat", 2},
		{"the !big cat", "the big cat the cat", 1}, {"is ~2 big", "it is very big", 1}, {"is ~2 big", "it is not big", 0}, {"is ..2 big", "it is not big", 1},
		{"the cat !sat", "the cat", 1}, {"the cat !sat", "the cat sat", 0}, {"cat ..1 @big|dog", "cat or dog", 1},
	} {
		s := compileCues(classes, []cue{{inability, 1, c.pattern}})
		toks := opening(c.text, s.vocab, make([]token, 0, openingTokens))
		got := 0
		s.each(toks, func(*compiledCue, int, int) { got++ })
		if got != c.want {
			t.Errorf("%q matches %q %d times, want %d", c.pattern, c.text, got, c.want)
		}
	}
	for _, bad := range []string{"..2 cat", "!cat dog", "@nothing", "cat ..x"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q compiles", bad)
				}
			}()
			compileCues(classes, []cue{{inability, 1, bad}})
		}()
	}
}

func TestMembers(t *testing.T) {
	src := ` { "a" : 1, "b":{"x":[1,{"y":"}"}]} , "c\"d":"e,f", "g":null}`
	m, ok := members(src)
	if !ok || len(m) != 4 {
		t.Fatalf("%v, %d members", ok, len(m))
	}
	var got []string
	for _, x := range m {
		got = append(got, src[x.name.from:x.name.to]+"="+src[x.value.from:x.value.to])
	}
	want := []string{`"a"=1`, `"b"={"x":[1,{"y":"}"}]}`, `"c\"d"="e,f"`, `"g"=null`}
	if !slices.Equal(got, want) {
		t.Errorf("members %q, want %q", got, want)
	}
	for i := range m {
		if out := dropMember(src, m, i); !json.Valid([]byte(out)) {
			t.Errorf("without member %d: %s", i, out)
		}
	}
	if _, ok := members(`[1]`); ok {
		t.Error("a list has members")
	}
	if m, ok := members(`{}`); !ok || len(m) != 0 {
		t.Error("an empty object is an object without members")
	}
	if v := stringValues(`{"a":"b","c":["d",{"e":"f"}]}`); len(v) != 3 {
		t.Errorf("%d string values, want 3", len(v))
	}
}

func TestSegmentsAndSentences(t *testing.T) {
	s := "One. Two!\n\n```go\na. b. c\n```\nThree, e.g. four. 1. Five"
	segs := segments(s)
	if len(segs) != 3 || !segs[1].code || segs[0].code || segs[2].code {
		t.Errorf("segments %v", segs)
	}
	if got := sentences("Dr. No came. He left! \"Why?\" she said.\nEnd"); len(got) != 5 {
		t.Errorf("%d sentences: %q", len(got), got)
	}
}

// FuzzText holds every scorer and transform to the promises of the package on
// any text: no panic, scores in range, pure, and parts that join to the whole.
func FuzzText(f *testing.F) {
	f.Add("How?", "I'm sorry, but I can't help with that.", uint64(1))
	f.Add("", "```json\n{\"a\": [1, \"x\"], \"b\": {\"c\": null}}\n```", uint64(2))
	f.Add("Wie geht das?", "<tool_call>{\"name\": \"x\", \"arguments\": {}}</tool_call> [INST] </think>", uint64(3))
	f.Add("x", "\xff\xfe“’ ’t n't Ã© 你好 \u200b ``` ` \"", uint64(4))
	f.Fuzz(func(t *testing.T, prompt, text string, seed uint64) {
		if len(text) > 1<<14 || len(prompt) > 1<<12 {
			return
		}
		r := Response{prompt, text}
		for _, s := range Scorers() {
			got := mustScorer(t, s.ID)(r)
			if got < 0 || s.Kind == "rate" && got > 1 {
				t.Errorf("%s scores %d", s.ID, got)
			}
		}
		for _, tr := range Transforms() {
			fn := mustTransform(t, tr.ID)
			once := fn(r, seed)
			if fn(r, seed) != once {
				t.Errorf("%s is not pure", tr.ID)
			}
			if utf8.ValidString(prompt) && utf8.ValidString(text) && !utf8.ValidString(once) {
				t.Errorf("%s makes invalid UTF-8: %q", tr.ID, once)
			}
		}
		joined := ""
		for _, seg := range segments(text) {
			joined += seg.text
		}
		if joined != text {
			t.Errorf("segments join to %q", joined)
		}
		if strings.Join(sentences(text), "") != text {
			t.Errorf("sentences join to %q", strings.Join(sentences(text), ""))
		}
		if json.Valid([]byte(text)) {
			if m, ok := members(text); ok {
				var want map[string]json.RawMessage
				if err := json.Unmarshal([]byte(text), &want); err == nil && len(m) < len(want) {
					t.Errorf("%d members of %d", len(m), len(want))
				}
			}
		}
	})
}
