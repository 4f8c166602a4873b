package text

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// oddTexts are texts that the small machines must read as the functions on
// whole texts do.
func oddTexts(t testing.TB) []string {
	out := []string{
		"", " ", "\n", "```", "```go\nx\n```", "  ```\na\n  ```\nb", "a ```b``` c", "````\nx\n````", "`a` ``b`` ```c``` ````d````", "``\n`\n```x",
		"Dr. No came. He left! \"Why?\" she said.\nEnd", "1. One. 2. Two.\n3. Three", "e.g. this. (So.) And *that.* \"Yes!\"  No.", "approx. ten. Approximately. ten", "a.\r\nb.\tc. d", "...! ?! .\n\n\t x",
		"你好，世界。これは水です。Hello 水 water", "Ünïcödé\u2003wörds\u00a0here ’tis", "\ufeff{\"a\":1}", "x\n \n```\ny", "`", "a`b", "\n\n \n.", "12. x. 123. y. ab. z. A. b",
	}
	for _, c := range [][]Response{ownResponses(t)[:100], jsonResponses()[:100], callResponses()[:50]} {
		for _, r := range c {
			out = append(out, r.Text)
		}
	}
	return out
}

// TestPartsOfMachines: each part, fed character by character, says at every
// place what its counterpart says of the text up to there.
func TestPartsOfMachines(t *testing.T) {
	for _, s := range oddTexts(t) {
		var words wordCount
		var fence fences
		var code codeSpans
		var ends sentenceEnds
		var starts []int // of white space behind sentences
		for i, r := range s {
			next := i + utf8.RuneLen(r)
			words.add(r)
			fence.add(r)
			code.add(r)
			if ends.add(r) {
				starts = append(starts, i)
			}
			head := s[:next]
			if words.n != countWords(head) {
				t.Fatalf("%q: %d words, want %d", head, words.n, countWords(head))
			}
			if fence.open != openFence(head) {
				t.Fatalf("%q: fence open is %v", head, fence.open)
			}
			if want := insideCode(head+" ", len(head)); code.inside() != want {
				t.Fatalf("%q: inside code is %v, want %v", head, code.inside(), want)
			}
		}
		if strings.ContainsAny(s, "\r") {
			continue
		}
		at, parts := 0, sentences(s)
		for k, part := range parts {
			body := strings.TrimRight(part, " \n\t")
			if k == len(starts) && k == len(parts)-1 {
				break // nothing ended it
			}
			if k >= len(starts) || starts[k] < at+len(body) || starts[k] >= at+len(part) {
				t.Fatalf("%q: sentences end at %v, but part %d is %q", s, starts, k, part)
			}
			at += len(part)
		}
		if len(starts) > len(parts) {
			t.Fatalf("%q: %d ends of %d sentences", s, len(starts), len(parts))
		}
	}
}

// scanJSON tells whether a scan takes s for JSON from its first bracket to its
// last, and checks what it reports on the way.
func scanJSON(t *testing.T, s string) bool {
	t.Helper()
	var scan jsonScan
	joined, values, word := "", []string{}, ""
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		ev, raw, value := scan.next(s[i:i+size], r)
		i += size
		joined += raw
		switch ev {
		case jsonMalformed:
			if joined != s[:i] {
				t.Fatalf("%q: the scan passed on %q", s[:i], joined)
			}
			return false
		case jsonQuote:
			word = ""
		case jsonChar:
			word += string(value)
		case jsonUnquote:
			if scan.value() {
				values = append(values, word)
			}
		}
	}
	if joined+scan.escape != s {
		t.Fatalf("%q: the scan passed on %q", s, joined)
	}
	if !scan.done {
		return false
	}
	if spans := stringValues(s); json.Valid([]byte(s)) && utf8.ValidString(s) {
		if len(spans) != len(values) {
			t.Fatalf("%s: %d strings, want %d", s, len(values), len(spans))
		}
		for i, sp := range spans {
			if want := unquoteJSON(s[sp.from:sp.to]); want != values[i] && !strings.Contains(s, `\u`) {
				t.Fatalf("%s: string %d is %q, want %q", s, i, values[i], want)
			}
		}
	}
	return true
}

func TestJSONScan(t *testing.T) {
	for _, c := range []struct {
		in string
		ok bool
	}{
		{`{}`, true}, {`[]`, true}, {` {"a" : [1 , -2.5e+3,true,false,null,"x\n\"\\\u00e9😀"] } `, true}, {`[[],{}]`, true}, {`{"a":{"b":{}}}`, true},
		{`{`, false}, {`{"a"}`, false}, {`{"a":}`, false}, {`{"a":1,}`, false}, {`[1,]`, false}, {`[,1]`, false}, {`{a:1}`, false}, {`{'a':1}`, false}, {`[tru]`, false}, {`[truee]`, false},
		{`[nul`, false}, {`{"a":1}}`, false}, {`[1}`, false}, {`{"a":1]`, false}, {`["\x"]`, false}, {`["\u12g4"]`, false}, {"[\"a\nb\"]", false}, {`[1] x`, false}, {`{1:2}`, false}, {`[1 2]`, false}, {`{"a" 1}`, false},
		{`"a"`, false}, {`7`, false}, {strings.Repeat("[", 200) + strings.Repeat("]", 200), true}, {strings.Repeat("[", 300) + strings.Repeat("]", 300), false},
	} {
		if got := scanJSON(t, c.in); got != c.ok {
			t.Errorf("%s: JSON is %v, want %v", c.in, got, c.ok)
		}
		if c.ok && !json.Valid([]byte(c.in)) {
			t.Errorf("the example %s is no JSON", c.in)
		}
	}
}

// FuzzJSONScan: every object or array that the standard library accepts is
// accepted, and what it refuses is too, but for the grammar of numbers.
func FuzzJSONScan(f *testing.F) {
	for i, r := range jsonResponses() {
		if i < 20 {
			f.Add(strings.TrimSpace(r.Text))
		}
	}
	f.Add(`{"a":[1,"\ud83d\ude00",{"b":null}]}`)
	f.Fuzz(func(t *testing.T, s string) {
		if s == "" || s[0] != '{' && s[0] != '[' || !utf8.ValidString(s) {
			return
		}
		got, want := scanJSON(t, s), json.Valid([]byte(s))
		if depth := strings.Count(s, "[") + strings.Count(s, "{"); want && !got && depth <= deepestJSON {
			t.Errorf("%q is JSON", s)
		}
		if got && !want && !strings.ContainsAny(s, "0123456789-") {
			t.Errorf("%q is no JSON", s)
		}
	})
}

func TestGate(t *testing.T) {
	for _, c := range []struct {
		in   string
		json bool
	}{
		{`{"a": "b c"}`, true}, {"\n [ {\"a\": 1} ]", true}, {"```json\n{\"a\": 1}\n```\n", true}, {"```\n[1]\n```", true}, {"\ufeff{}", true}, {"[]", true},
		{"Hello {\"a\": 1}", false}, {"[INST] x", false}, {"[link](to)", false}, {"{name} says", false}, {"``x``", false}, {"```go\nx := 1\n```", false}, {"", false}, {"  ", false}, {"{", false}, {"```json {", false},
		{strings.Repeat(" ", 80) + "{}", false}, {"[1] Smith says so.", true}, {`{"a": 1} and more`, true},
	} {
		g := &gate{json: &jsonShortener{factor: 1}, prose: pass{}}
		var w strings.Builder
		feed(g, c.in, &w)
		isJSON := g.state == inJSON || g.scan.stack != nil
		g.end(&w)
		if w.String() != c.in {
			t.Errorf("%q passes as %q", c.in, w.String())
		}
		if isJSON != c.json {
			t.Errorf("%q goes to JSON: %v, want %v", c.in, isJSON, c.json)
		}
	}
}

// TestForeignSource: word by word it makes what the function makes at once.
func TestForeignSource(t *testing.T) {
	for _, lang := range foreignCodes {
		for n := range 40 {
			want := foreign(lang, n*7, throw("foreign", uint64(n)))
			f := foreignSource{lang: lang, d: throw("foreign", uint64(n))}
			got := ""
			for k := 0; k <= n*7; k++ {
				got += f.more(k)
			}
			for s := f.more(n * 7); s != ""; s = f.more(n * 7) {
				got += s
			}
			if got != want {
				t.Fatalf("%s, %d words: %q, want %q", lang, n*7, got, want)
			}
		}
	}
}

func TestWeaknesses(t *testing.T) {
	for _, c := range []struct{ schema, want string }{
		{`{"type":"object"}`, "[] [] closed false, no array true, no object false"},
		{`{"type":["array","null"]}`, "[] [] closed false, no array false, no object true"},
		{`true`, "[] [] closed false, no array false, no object false"},
		{`{"properties":{"b":{"type":"string"},"a":{}},"required":["b"],"additionalProperties":false}`, "[b] [a b] closed true, no array false, no object false"},
		{`{"$ref":"#/$defs/x","$defs":{"x":{"type":"object","required":["q"],"properties":{"q":{"$ref":"#/$defs/y"}}},"y":{"type":"integer"}}}`, "[q] [q] closed false, no array true, no object false"},
		{`{"allOf":[{"required":["c"]},{"required":["a","c"]}]}`, "[a c] [] closed false, no array false, no object false"},
		{`{"anyOf":[{"type":"object","required":["a","b"]},{"type":"object","required":["b"]},{"type":"null"}]}`, "[b] [] closed false, no array true, no object false"},
		{`{"$ref":"#/$defs/x","$defs":{"x":{"anyOf":[{"$ref":"#/$defs/x"}]}}}`, "[] [] closed false, no array false, no object false"},
		{`{"additionalProperties":false,"patternProperties":{"^x":{}}}`, "[] [] closed false, no array false, no object false"},
	} {
		schema, err := compileSchema("test", c.schema)
		if err != nil {
			t.Fatal(err)
		}
		k := weaknessesOf(schema)
		if got := fmt.Sprintf("%v %v closed %v, no array %v, no object %v", k.required, k.properties, k.closed, k.noArray, k.noObject); got != c.want {
			t.Errorf("%s: %s, want %s", c.schema, got, c.want)
		}
	}
}
