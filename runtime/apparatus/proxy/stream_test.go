package proxy

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/eventstream"
	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/stdlib/text"
)

// same passes text on; upper and late change it, the second at its end.
type same struct{}

func (same) Feed(s string) string { return s }
func (same) End() string          { return "" }

type late struct{ all string }

func (l *late) Feed(s string) string {
	l.all += s
	return ""
}
func (l *late) End() string { return "[" + l.all + "]" }

func streaming(f func() text.Streamer) *changer {
	return &changer{stream: func(text.Response, uint64) text.Streamer { return f() }}
}

var (
	identity  = streaming(func() text.Streamer { return same{} })
	atTheEnd  = streaming(func() text.Streamer { return &late{} })
	bracketed = streaming(func() text.Streamer { return &bracket{} })
)

// rewrite sends a stream through in parts of a size; 0 for one part.
func rewrite(c *changer, in string, size int) (string, *rewriter) {
	w := newRewriter(c, &style{}, "p", 1)
	var out strings.Builder
	if size == 0 {
		size = len(in) + 1
	}
	for i := 0; i < len(in); i += size {
		out.Write(w.feed([]byte(in[i:min(len(in), i+size)])))
	}
	out.Write(w.end())
	return out.String(), w
}

func event(choices string) string { return `data: {"id":"x","choices":[` + choices + "]}\n\n" }

func delta(index int, text, finish string) string {
	return fmt.Sprintf(`{"index":%d,"delta":{"content":%q},"finish_reason":%s}`, index, text, finish)
}

func TestStreamShapes(t *testing.T) {
	stop := event(`{"index":0,"delta":{},"finish_reason":"stop"}`)
	done := "data: [DONE]\n\n"
	calls := streaming(func() text.Streamer { return &bracket{} })
	calls.calls = true
	role := event(`{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}`)
	usage := `data: {"id":"x","choices":[],"usage":{"total_tokens":3}}` + "\n\n"
	for name, c := range map[string]struct {
		ch       *changer
		in, want string
	}{
		"pieces":              {bracketed, role + event(delta(0, "a", "null")) + event(delta(0, "b", "null")) + stop + usage + done, role + event(delta(0, "<a", "null")) + event(delta(0, "b", "null")) + event(delta(0, ">", "null")) + stop + usage + done},
		"held to the end":     {atTheEnd, role + event(delta(0, "a", "null")) + event(delta(0, "b", "null")) + stop + done, role + event(delta(0, "[ab]", "null")) + stop + done},
		"text with finish":    {atTheEnd, event(delta(0, "a", "null")) + event(delta(0, "b", `"stop"`)) + done, event(delta(0, "[ab]", `"stop"`)) + done},
		"no text at all":      {atTheEnd, role + stop + done, role + event(`{"index":0,"delta":{"content":"[]"},"finish_reason":"stop"}`) + done},
		"no finish":           {atTheEnd, event(delta(0, "a", "null")) + done, event(delta(0, "[a]", "null")) + done},
		"no finish, no done":  {atTheEnd, event(delta(0, "a", "null")), event(delta(0, "[a]", "null"))},
		"unterminated":        {atTheEnd, event(delta(0, "a", "null")) + strings.TrimSpace(event(delta(0, "b", "null"))), strings.TrimSpace(event(delta(0, "[ab]", "null")))},
		"cut in an event":     {atTheEnd, event(delta(0, "a", "null")) + `data: {"choices":[{`, `data: {"choices":[{`},
		"error":               {atTheEnd, event(delta(0, "a", "null")) + "data: {\"error\":\"e\"}\n\n" + done, "data: {\"error\":\"e\"}\n\n" + done},
		"two choices, apart":  {atTheEnd, event(delta(0, "a", "null")) + event(delta(1, "b", "null")) + event(`{"index":0,"delta":{},"finish_reason":"stop"}`) + event(`{"index":1,"delta":{},"finish_reason":"stop"}`), event(delta(0, "[a]", "null")) + event(`{"index":0,"delta":{},"finish_reason":"stop"}`) + event(delta(1, "[b]", "null")) + event(`{"index":1,"delta":{},"finish_reason":"stop"}`)},
		"two choices, one":    {bracketed, event(delta(0, "a", "null")+","+delta(1, "b", "null")) + done, event(delta(0, "<a", "null")+","+delta(1, "<b", "null")) + event(delta(0, ">", "null")+","+delta(1, "", "null")) + event(delta(0, "", "null")+","+delta(1, ">", "null")) + done},
		"completions":         {bracketed, event(`{"text":"a","index":0}`) + event(`{"text":"","index":0,"finish_reason":"stop"}`), event(`{"text":"<a","index":0}`) + event(`{"text":">","index":0}`) + event(`{"text":"","index":0,"finish_reason":"stop"}`)},
		"parts":               {bracketed, event(`{"delta":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}`) + stop, event(`{"delta":{"content":[{"type":"text","text":"<a"},{"type":"text","text":"b"}]}}`) + event(`{"delta":{"content":[{"type":"text","text":">"},{"type":"text","text":""}]}}`) + stop},
		"role in every delta": {atTheEnd, event(`{"delta":{"role":"assistant","content":"a"}}`) + event(`{"delta":{"role":"assistant","content":"b"}}`) + stop, event(`{"delta":{"role":"assistant","content":""}}`) + event(`{"delta":{"role":"assistant","content":"[ab]"}}`) + stop},
		"reasoning":           {atTheEnd, event(`{"delta":{"reasoning":"r","content":"a"}}`) + stop, event(`{"delta":{"reasoning":"r","content":""}}`) + event(`{"index":0,"delta":{"content":"[a]"},"finish_reason":"stop"}`)},
		"calls pass":          {bracketed, event(`{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{}"}}]}}`) + stop, event(`{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{}"}}]}}`) + event(`{"index":0,"delta":{"content":"<>"},"finish_reason":"stop"}`)},
		"calls stay in the text": {calls, event(`{"delta":{"content":null,"tool_calls":[{"index":0,"function":{"name":"f","arguments":""}}]}}`) + event(`{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}}`) + event(`{"index":0,"delta":{},"finish_reason":"tool_calls"}`),
			event(`{"delta":{"content":"<<tool_call>\n{\"name\": \"f\", \"arguments\": "}}`) + event(`{"delta":{"content":"{}"}}`) + event(`{"delta":{"content":"}\n</tool_call>>"}}`) + event(`{"index":0,"delta":{},"finish_reason":"stop"}`)},
		"byte order mark": {atTheEnd, "\xef\xbb\xbf" + event(delta(0, "a", "null")) + stop, event(delta(0, "[a]", "null")) + stop},
		"kept as written": {bracketed, event(delta(0, "a", "null")) + event(`{"delta":{"content":"\u0063\/\u00e9"}}`) + stop, event(delta(0, "<a", "null")) + event(`{"delta":{"content":"\u0063\/\u00e9"}}`) + event(`{"delta":{"content":">"}}`) + stop},
		"carriage returns": {bracketed, ": c\r\rid: 1\rdata:" + strings.TrimPrefix(event(delta(0, "a", "null")), "data: ")[:30] + "\rdata:" + strings.TrimPrefix(event(delta(0, "a", "null")), "data: ")[30:len(event(delta(0, "a", "null")))-8] + "\r\r" + done,
			": c\r\rid: 1\rdata:" + strings.TrimPrefix(event(delta(0, "a", "null")), "data: ")[:30] + "\rdata:" + strings.Replace(strings.TrimPrefix(event(delta(0, "a", "null")), "data: ")[30:len(event(delta(0, "a", "null")))-8], `"a"`, `"<a"`, 1) + "\r\r" +
				"id: 1\rdata:" + strings.TrimPrefix(event(delta(0, "a", "null")), "data: ")[:30] + "\rdata:" + strings.Replace(strings.TrimPrefix(event(delta(0, "a", "null")), "data: ")[30:len(event(delta(0, "a", "null")))-8], `"a"`, `">"`, 1) + "\r\r" + done},
	} {
		for _, size := range []int{0, 1, 7, 64} {
			got, w := rewrite(c.ch, c.in, size)
			if got != c.want {
				t.Errorf("%s, in parts of %d: gives\n%q\nwant\n%q", name, size, got, c.want)
			}
			if w.changed != (got != c.in) {
				t.Errorf("%s: changed is %v", name, w.changed)
			}
		}
	}
}

func TestHugeEventsPass(t *testing.T) {
	small := event(delta(0, "a", "null"))
	in := small + event(delta(0, strings.Repeat("x", eventstream.MaxEvent), "null")) + event(delta(0, "b", "null")) + "data: [DONE]\n\n"
	got, w := rewrite(bracketed, in, 32<<10)
	if want := strings.Replace(in, `"a"`, `"<a"`, 1); got != want || w.bad != 1 {
		t.Errorf("%d bytes, want %d; %d bad", len(got), len(want), w.bad)
	}
	big := event(delta(0, strings.Repeat("x", 4<<20), "null")) + "data: [DONE]\n\n"
	if got, w := rewrite(bracketed, big, 32<<10); !strings.Contains(got, `"<xxx`) || !strings.Contains(got, `">"`) || w.bad != 0 {
		t.Errorf("an event of 4 MiB is not changed; %d bad", w.bad)
	}
}

// Text is written as the deployment writes it.
func TestStyle(t *testing.T) {
	for _, c := range []struct{ learn, want string }{
		{``, `"<é😀>` + "\u2028" + `\n\u0001\\"`},
		{`"\u00e9"`, `"<\u00e9\ud83d\ude00>\u2028\n\u0001\\"`},
		{`"\u003c"`, `"\u003cé😀\u003e` + "\u2028" + `\n\u0001\\"`},
		{`"\\u00e9 \n \u0007"`, `"<é😀>` + "\u2028" + `\n\u0001\\"`},
		{`"\uD83D\uDE00"`, `"<\u00e9\ud83d\ude00>\u2028\n\u0001\\"`},
	} {
		s := &style{}
		s.learn([]byte(c.learn))
		if got := string(s.quote(nil, "<é😀>\u2028\n\x01\\")); got != c.want {
			t.Errorf("after %s: %s, want %s", c.learn, got, c.want)
		}
	}
	if got := string((&style{}).quote(nil, "a\xffb")); got != "\"a\ufffdb\"" {
		t.Errorf("invalid UTF-8: %q", got)
	}
}

// read is what a client reads of a stream.
func read(stream string) openai.Answer {
	var p eventstream.Parser
	var r openai.Reader
	yield := func(e *eventstream.Event) error {
		r.Event(e)
		return nil
	}
	p.Feed([]byte(stream), yield)
	p.End(yield)
	return r.Answer()
}

// ends are line ends: a CRLF that is cut in the middle goes out as two, which
// means the same.
var ends = regexp.MustCompile(`[\r\n]+`)

// FuzzRewriter wants a transform that changes nothing to change no byte, and
// one that does to give the same whatever the cuts are, without touching
// anything but the text of a stream that is readable.
func FuzzRewriter(f *testing.F) {
	f.Add(strings.Join(plainStream, ""), 7)
	f.Add(event(delta(0, "a\\u00e9\\/", "null")+","+delta(1, "b", "null"))+"data: [DONE]\n\n", 3)
	f.Add(event(`{"delta":{"content":[{"text":"a"}],"tool_calls":[{}],"refusal":"r"}}`)+"data: {\"choices\":[{\ndata\ndata: }]}\r\r", 1)
	f.Add("\xef\xbb\xbfdata: {\"choices\":[{\"text\":\"a\"}]}", 2)
	f.Fuzz(func(t *testing.T, in string, size int) {
		if size <= 0 || len(in) > 1<<14 {
			return
		}
		got, w := rewrite(identity, in, size)
		for _, l := range w.lines {
			if l.late {
				return // a choice goes on after its end
			}
		}
		if got != in || w.changed {
			t.Fatalf("%q became %q", in, got)
		}
		one, _ := rewrite(bracketed, in, 0)
		if got, _ := rewrite(bracketed, in, size); ends.ReplaceAllString(got, "\n") != ends.ReplaceAllString(one, "\n") {
			t.Fatalf("%q in parts of %d gives\n%q, in one\n%q", in, size, got, one)
		}
		a, b := read(in), read(one)
		if a.Failure != nil || a.Reasoning != b.Reasoning || a.FinishReason != b.FinishReason || a.Done != b.Done {
			if a.Failure == nil {
				t.Fatalf("%q gives %q: %+v, want %+v", in, one, b, a)
			}
			return
		}
		if a.Content != "" && a.Content != b.Content && !strings.Contains(b.Content, "<") {
			t.Fatalf("%q gives %q: %q from %q", in, one, b.Content, a.Content)
		}
		calls := streaming(func() text.Streamer { return &late{} })
		calls.calls = true
		rewrite(calls, in, size)
	})
}

// FuzzBody wants whole answers to stay JSON, or as they are.
func FuzzBody(f *testing.F) {
	f.Add(`{"choices":[{"message":{"content":[{"text":"a"}],"tool_calls":[{"function":{"name":"n","arguments":"{}"}}],"refusal":"r"},"finish_reason":"tool_calls"}]}`)
	f.Add(`{"choices":[{"text":null},{"delta":{}}]} `)
	f.Fuzz(func(t *testing.T, in string) {
		for _, calls := range []bool{false, true} {
			c := &changer{whole: func(r text.Response, _ uint64) string { return "<" + r.Text + ">" }, calls: calls}
			out, err := c.body([]byte(in), &style{}, "", 1)
			if err != nil {
				if string(out) != in {
					t.Fatalf("%q became %q: %v", in, out, err)
				}
				continue
			}
			if _, _, err := scan(out); err != nil {
				t.Fatalf("%q became %q", in, out)
			}
		}
	})
}
