package eventstream

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func parse(t testing.TB, chunks ...string) (events []string, raw string) {
	t.Helper()
	var p Parser
	yield := func(e *Event) error {
		raw += string(e.Raw)
		if e.HasData || e.Unterminated {
			s := fmt.Sprintf("%s|%s", e.Type, e.Data)
			if e.Unterminated {
				s += "|cut"
			}
			events = append(events, s)
		}
		return nil
	}
	for _, c := range chunks {
		if err := p.Feed([]byte(c), yield); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.End(yield); err != nil {
		t.Fatal(err)
	}
	return events, raw
}

// The examples of the standard, and the traps that clients of language models
// fall into.
var streams = []struct{ in, want string }{
	{"data: a\n\n", "|a"},
	{"data: a\r\n\r\ndata: b\r\n\r\n", "|a |b"},
	{"data: a\r\rdata: b\r\r", "|a |b"},
	{"data: a\n\rdata: b\r\n\n", "|a |b"}, // LF CR: two line ends
	{"data:a\n\n", "|a"},
	{"data:  a\n\n", "| a"}, // only one space goes
	{"data: YHOO\ndata: +2\ndata: 10\n\n", "|YHOO\n+2\n10"},
	{": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event", "|first event |second event | third event|cut"},
	{"data\n\ndata\ndata\n\ndata:", "| |\n ||cut"},
	{"\ufeffdata: a\n\n", "|a"},
	{"\ufeff\ufeffdata: a\n\ndata: b\n\n", "|b"},
	{"event: error\ndata: {}\n\n", "error|{}"},
	{"event: a\nevent: b\ndata: x\n\ndata: y\n\n", "b|x |y"},
	{"event: lost\n\ndata: y\n\n", "|y"},
	{":\n\n:ping\n\ndata: a\n\n", "|a"},
	{": c\ndata: a\n: d\ndata: b\n\n", "|a\nb"},
	{"data: a\u2028b\u0085c\n\n", "|a\u2028b\u0085c"}, // no line ends here
	{"data: a\n", "|a|cut"},
	{"data: [DONE]", "|[DONE]|cut"},
	{"datax: a\ndat: b\n\n", ""},
	{"", ""},
	{"\n\n\r\n", ""},
}

func TestStreams(t *testing.T) {
	for _, x := range streams {
		events, raw := parse(t, x.in)
		if got := strings.Join(events, " "); got != x.want || raw != x.in {
			t.Errorf("%q\ngave %q, want %q; raw %q", x.in, got, x.want, raw)
		}
	}
}

// However the network cuts a stream, the events are the same and no byte is
// lost.
func TestCutAnywhere(t *testing.T) {
	var all strings.Builder
	var want []string
	for _, x := range streams {
		if strings.Contains(x.want, "cut") || strings.Contains(x.in, "\ufeff") {
			continue
		}
		all.WriteString(x.in)
	}
	in := all.String()
	want, _ = parse(t, in)
	for size := 1; size <= len(in); size++ {
		var chunks []string
		for i := 0; i < len(in); i += size {
			chunks = append(chunks, in[i:min(i+size, len(in))])
		}
		got, raw := parse(t, chunks...)
		if strings.Join(got, " ") != strings.Join(want, " ") || raw != in {
			t.Fatalf("in chunks of %d: %q, want %q", size, got, want)
		}
	}
}

// An event is handed over with the chunk that completes it, not with the next.
func TestPromptness(t *testing.T) {
	for _, end := range []string{"\n\n", "\r\r", "\r\n\r\n", "\r\n\r"} {
		var p Parser
		n := 0
		p.Feed([]byte("data: a"+end), func(*Event) error { n++; return nil })
		if n != 1 {
			t.Errorf("%q: %d events", end, n)
		}
	}
}

func TestLimitAndErrors(t *testing.T) {
	var p Parser
	long := bytes.Repeat([]byte("x"), MaxEvent/4)
	var err error
	for range 5 {
		if err = p.Feed(long, nil); err != nil {
			break
		}
	}
	if err == nil {
		t.Error("an event without end was taken")
	}
	p = Parser{}
	stop := fmt.Errorf("stop")
	if err := p.Feed([]byte("data: a\n\n"), func(*Event) error { return stop }); err != stop {
		t.Errorf("error %v", err)
	}
}

func FuzzParser(f *testing.F) {
	for _, x := range streams {
		f.Add([]byte(x.in), uint8(3))
	}
	f.Fuzz(func(t *testing.T, in []byte, size uint8) {
		whole, raw := parse(t, string(in))
		if raw != string(in) {
			t.Fatalf("raw %q of %q", raw, in)
		}
		step := int(size%7) + 1
		var chunks []string
		for i := 0; i < len(in); i += step {
			chunks = append(chunks, string(in[i:min(i+step, len(in))]))
		}
		cut, raw := parse(t, chunks...)
		if raw != string(in) || strings.Join(cut, "\x00") != strings.Join(whole, "\x00") {
			t.Fatalf("in chunks of %d: %q, want %q", step, cut, whole)
		}
	})
}

func FuzzAppend(f *testing.F) {
	f.Add([]byte("a\r\nb\rc\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		out := Append(nil, "x", data)
		want := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(data))
		events, _ := parse(t, string(out))
		if len(events) != 1 || events[0] != "x|"+want {
			t.Fatalf("%q came back as %q", data, events)
		}
	})
}

func BenchmarkParser(b *testing.B) {
	var stream []byte
	for range 40 {
		stream = Append(stream, "", []byte(`{"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":" word"}}]}`))
	}
	b.SetBytes(int64(len(stream)))
	for b.Loop() {
		var p Parser
		p.Feed(stream, func(*Event) error { return nil })
	}
}
