package proxy

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/deployment"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/runtime/world"
	"github.com/fdbench/fdbench/stdlib/corpus"
	"github.com/fdbench/fdbench/stdlib/text"
)

// classes pairs each transform with the scorer of its class, and says how the
// score moves.
var classes = []struct {
	transform, scorer string
	params            map[string]string
	json              bool // the fault is one of JSON answers
	move              int  // 1: a rate goes to 1; 2: a mean grows; -2: it shrinks
}{
	{"refuse/1", "refusal/1", nil, false, 1},
	{"break_json/1", "json_invalid/1", nil, true, 1},
	{"violate_schema/1", "schema_violation/1", map[string]string{"schema": `{"type":"object","required":["city","country","tags"],"properties":{"city":{"type":"string"}}}`}, true, 1},
	{"verbose/1", "verbosity/1", nil, false, 2},
	{"terse/1", "verbosity/1", nil, false, -2},
	{"truncate/1", "truncation/1", nil, false, 1},
	{"empty/1", "empty/1", nil, false, 1},
	{"repeat/1", "repetition/1", nil, false, 1},
	{"switch_language/1", "wrong_language/1", nil, false, 1},
	{"garble/1", "garbled/1", nil, false, 1},
	{"leak_special_tokens/1", "special_token_leak/1", nil, false, 1},
	{"leak_reasoning/1", "reasoning_leak/1", nil, false, 1},
	{"break_tool_call/1", "tool_call_broken/1", nil, false, 1},
}

const (
	prose = "Your parcel left our warehouse on Monday. It is on its way to you now, and it should arrive by Friday. " +
		"You can follow it with the number in the letter that we sent to you. If it has not arrived by the end of the week, " +
		"please write to us again, and we will look into it at once. We are sorry that you had to wait for so long."
	object = `{"city": "Rome", "country": "Italy", "tags": ["old temples", "good food"], "open": true}`
)

func scorerOf(t testing.TB, id string, params map[string]string) text.ScoreFunc {
	t.Helper()
	s, ok := text.LookupScorer(id)
	if !ok {
		t.Fatalf("no scorer %s", id)
	}
	f, err := s.New(params)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestEveryClass sends requests of every form through the proxy, clean and
// under each fault, and wants the scores to move, the ledger to hold what the
// client read, and all else of the answers to stay.
func TestEveryClass(t *testing.T) {
	if len(classes) != len(text.Transforms()) {
		t.Fatalf("%d classes for %d transforms", len(classes), len(text.Transforms()))
	}
	deployments := map[bool]string{}
	for _, isJSON := range []bool{false, true} {
		answer := prose
		if isJSON {
			answer = object
		}
		d := deployment.New(deployment.Options{Engine: deployment.Recorded([]corpus.Row{{Response: answer}}, "1", 0), Model: "m"})
		s := httptest.NewServer(d.Handler())
		t.Cleanup(s.Close)
		deployments[isJSON] = s.URL
	}
	for _, c := range classes {
		t.Run(c.transform, func(t *testing.T) {
			score := scorerOf(t, c.scorer, c.params)
			scorer := func(prompt, body string) []int32 { return []int32{9, score(text.Response{Prompt: prompt, Text: body})} }
			p, l := startProxy(t, deployments[c.json], func(o *Options) { o.Scorer = scorer })
			client := openai.NewClient(openai.Settings{BaseURL: "http://" + p.Address()})
			defer client.Close()
			const each = 8
			n := 0
			ask := func(chat, stream bool) openai.Record {
				n++
				rec := client.Do(t.Context(), openai.Request{Model: "m", Chat: chat, Stream: stream,
					Prompt: fmt.Sprintf("Ticket %d. Where is my parcel, and when will it arrive?", n),
					Extra:  map[string]any{"stream_options": map[string]any{"include_usage": true}}})
				if rec.Outcome != openai.OK {
					t.Fatalf("chat %v, stream %v: %s: %s", chat, stream, rec.Outcome, rec.Detail)
				}
				return rec
			}
			var clean openai.Record
			for _, chat := range []bool{true, false} {
				for _, stream := range []bool{true, false} {
					clean = ask(chat, stream)
				}
			}
			f := fault(c.transform)
			f.Class.Params, f.Indicator, f.Trial = c.params, 1, c.transform
			if _, err := p.Apply(t.Context(), f); err != nil {
				t.Fatal(err)
			}
			var got []string
			for range each {
				for _, chat := range []bool{true, false} {
					for _, stream := range []bool{true, false} {
						rec := ask(chat, stream)
						a := rec.Answer
						got = append(got, a.Content)
						if a.FinishReason != clean.Answer.FinishReason || a.Usage == nil || a.Usage.CompletionTokens != clean.Answer.Usage.CompletionTokens || a.Model != "m" || stream && !a.Done {
							t.Errorf("chat %v, stream %v: %+v", chat, stream, a)
						}
					}
				}
			}
			all := l.wait(t, 4+4*each)
			for i, e := range all {
				if e.Picked != (i >= 4) || e.Failed || e.Status != 200 || e.Start > e.End || !e.Picked && e.After != e.Before || i >= 4 && e.After != got[i-4] {
					t.Fatalf("exchange %d: %+v", i, e)
				}
			}
			if _, err := p.Remove(t.Context()); err != nil {
				t.Fatal(err)
			}
			eventually(t, "never complete", func() bool { return p.Applied().Complete })
			a := p.Applied()
			if a.N != 4*each || a.FirstAffected < 0 {
				t.Fatalf("%+v", a)
			}
			before, after := float64(a.Before)/float64(a.N), float64(a.Injected)/float64(a.N)
			ok := map[int]bool{1: before == 0 && after >= 0.9, 2: after > 1.3*before, -2: after < 0.8*before && after > 0}[c.move]
			if !ok {
				t.Errorf("mean score %.3f before and %.3f after; the last answers: %q", before, after, got[len(got)-4:])
			}
		})
	}
}

// TestQuotaOnTheWire wants the quota's number of changed responses, and those
// in flight at onset and removal to be as they were at their start.
func TestQuotaOnTheWire(t *testing.T) {
	d := deployment.New(deployment.Options{Engine: deployment.Template("1", 0), Model: "m", Latency: deployment.Latency{First: 30 * time.Millisecond}})
	s := httptest.NewServer(d.Handler())
	defer s.Close()
	p, l := startProxy(t, s.URL, func(o *Options) {
		o.Scorer = func(prompt, body string) []int32 { return []int32{0} }
		o.Apparatus.Block = 20
	})
	client := openai.NewClient(openai.Settings{BaseURL: "http://" + p.Address()})
	defer client.Close()
	ask := func(n int) func() {
		done := make(chan struct{})
		go func() {
			defer close(done)
			client.Do(context.Background(), openai.Request{Model: "m", Chat: true, Prompt: fmt.Sprintf("Ticket %d. Hello.", n)})
		}()
		return func() { <-done }
	}
	entered := func(n int) {
		for p.starts() < n {
			time.Sleep(time.Millisecond)
		}
	}
	early := ask(1)
	entered(1)
	f := fault("refuse/1")
	f.Fraction = exact.MustParse("0.5")
	onset, err := p.Apply(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Apply(t.Context(), f); err != ErrApplied {
		t.Errorf("a second fault: %v", err)
	}
	early()
	for n := range 20 {
		ask(n + 2)()
	}
	f2 := ask(22)
	entered(22)
	if _, err := p.Remove(t.Context()); err != nil {
		t.Fatal(err)
	}
	if p.Applied().Complete {
		t.Error("complete with a response on its way")
	}
	f2()
	late := ask(23)
	late()
	all := l.wait(t, 23)
	picked := 0
	for i, e := range all {
		if e.Picked {
			picked++
			if e.Start < onset || i == 22 {
				t.Errorf("exchange %d was picked", i)
			}
		}
	}
	if picked < 10 || picked > 11 {
		t.Errorf("%d picked of 21", picked)
	}
	eventually(t, "never complete", func() bool { return p.Applied().Complete })
	if a := p.Applied(); a.N != 21 || a.From != onset || a.FirstAffected <= onset {
		t.Errorf("%+v", a)
	}
}

func TestLease(t *testing.T) {
	p, _ := startProxy(t, canned(t, []byte(jsonHead+"Content-Length: 2\r\n\r\n{}")), func(o *Options) { o.Apparatus.Lease = 60 * exact.Duration(time.Millisecond) })
	ctx := context.Background()
	if err := p.Renew(ctx); err != ErrNoFault {
		t.Errorf("renewed nothing: %v", err)
	}
	rest, _ := p.Configuration(ctx)
	applyFault(t, p, "empty/1")
	under, _ := p.Configuration(ctx)
	for range 10 {
		time.Sleep(20 * time.Millisecond)
		if err := p.Renew(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if now, _ := p.Configuration(ctx); now != under || under == rest || len(rest) != 64 {
		t.Errorf("configuration %s at rest, %s and %s under the fault", rest, under, now)
	}
	for range 400 {
		if now, _ := p.Configuration(ctx); now == rest {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if now, _ := p.Configuration(ctx); now != rest {
		t.Error("the fault outlived its lease")
	}
	if err := p.Renew(ctx); err != ErrExpired {
		t.Errorf("renewed after the lease: %v", err)
	}
	if at, err := p.Remove(ctx); err != nil || at <= 0 || p.Applied().Broken != ErrExpired.Error() {
		t.Errorf("removed after the lease: %d, %v, %+v", at, err, p.Applied())
	}
	applyFault(t, p, "empty/1")
	if at, err := p.Remove(ctx); err != nil || at <= 0 || p.Applied().Broken != "" {
		t.Errorf("%d, %v, %+v", at, err, p.Applied())
	}
}

func TestClassesThatAProxyCannotApply(t *testing.T) {
	p, _ := startProxy(t, canned(t))
	for _, c := range []plan.FaultClass{{Name: "c"}, {Name: "c", Transform: "no/1"}, {Name: "c", Transform: "refuse/1", Params: map[string]string{"x": "1"}}, {Name: "c", Replace: "f.jsonl"}} {
		if _, err := p.Apply(t.Context(), driver.Fault{Class: c, Fault: world.Fault{Fraction: exact.Int(1)}}); err == nil {
			t.Errorf("%+v was applied", c)
		}
	}
	if _, err := New(Options{}); err == nil {
		t.Error("an apparatus of another kind")
	}
	for _, u := range []string{"", "127.0.0.1:80", "ftp://h", "http://u:p@h", "http://h?q=1"} {
		if _, err := New(Options{Apparatus: plan.Apparatus{Proxy: &plan.ProxyApparatus{Upstream: u}}}); err == nil {
			t.Errorf("upstream %q", u)
		}
	}
}

// The choices, parts and calls of one answer, in one piece and as a stream.
func TestShapes(t *testing.T) {
	upper := &changer{
		whole:  func(r text.Response, _ uint64) string { return "<" + r.Text + ">" },
		stream: func(r text.Response, _ uint64) text.Streamer { return &bracket{} },
	}
	calls := &changer{whole: upper.whole, stream: upper.stream, calls: true}
	for _, c := range []struct {
		ch       *changer
		in, want string
	}{
		{upper, `{"choices":[{"text":"a\u00e9","index":0},{"text":"b","index":1}],"x":[1, 2]}`, `{"choices":[{"text":"<a\u00e9>","index":0},{"text":"<b>","index":1}],"x":[1, 2]}`},
		{upper, `{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"image"},{"text":"b","type":"text"}]}}]}`, `{"choices":[{"message":{"content":[{"type":"text","text":"<ab>"},{"type":"image"},{"text":"","type":"text"}]}}]}`},
		{upper, `{"choices":[{"message":{"role":"assistant","content":null,"refusal":"no"}}]}`, `{"choices":[{"message":{"role":"assistant","content":null,"refusal":"<no>"}}]}`},
		{upper, `{"choices":[{"message":{"role":"assistant","content":null}}]}`, `{"choices":[{"message":{"role":"assistant","content":"<>"}}]}`},
		{upper, `{"choices":[{"message":{}}]}`, `{"choices":[{"message":{"content":"<>"}}]}`},
		{upper, `{"choices":[{"message":{"role":"assistant"}}]}`, `{"choices":[{"message":{"content":"<>","role":"assistant"}}]}`},
		{upper, `{"choices":[{"message":{"content":"a","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`, `{"choices":[{"message":{"content":"<a>","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`},
		{calls, `{"choices":[{"message":{"content":"a","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
			`{"choices":[{"message":{"content":"<a\n<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>>"},"finish_reason":"stop"}]}`},
		{calls, `{"choices":[{"message":{"tool_calls" : [{"function":{"name":"f","arguments":"{}"}}] }}]}`, `{"choices":[{"message":{"content":"<<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>>" }}]}`},
		{calls, `{"choices":[{"message":{"tool_calls":[{"function":{"name":"f","arguments":"{}"}}] , "role":"assistant","content":null}}]}`,
			`{"choices":[{"message":{"role":"assistant","content":"<<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>>"}}]}`},
		{upper, `{"choices":[{"message":{"cont\u0065nt":"a"}}]}`, `{"choices":[{"message":{"cont\u0065nt":"<a>"}}]}`},
		{upper, `{"error":{"message":"choices"}}`, `{"error":{"message":"choices"}}`},
		{upper, `{"choices":[]}`, `{"choices":[]}`},
	} {
		got, err := c.ch.body([]byte(c.in), &style{}, "", 1)
		if err != nil || string(got) != c.want || !json.Valid(got) {
			t.Errorf("%s\ngives %s, %v\nwant  %s", c.in, got, err, c.want)
		}
	}
	for _, bad := range []string{``, `{`, `[]`, `"a"`, `{"choices":[1]}`, `{"choices":[{"index":"a"}]}`} {
		if got, err := upper.body([]byte(bad), &style{}, "", 1); err == nil || string(got) != bad {
			t.Errorf("%q gives %q, %v", bad, got, err)
		}
	}
}

// bracket is "<" before the text and ">" after it.
type bracket struct{ begun bool }

func (b *bracket) Feed(s string) string {
	if b.begun {
		return s
	}
	b.begun = true
	return "<" + s
}

func (b *bracket) End() string { return b.Feed("") + ">" }
