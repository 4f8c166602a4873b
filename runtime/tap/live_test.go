package tap

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/runtime/deployment"
	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/stdlib/text"
)

// TestAgreesWithTheHarness: the tap counts of a deployment what the client of
// the harness reads and scores itself.
func TestAgreesWithTheHarness(t *testing.T) {
	d := deployment.New(deployment.Options{Engine: deployment.Template("1", 0), Model: "t"})
	up := serve(t, d.Handler().ServeHTTP)
	defs := compiler.Define(nil, compiler.Options{})
	var o Options
	for _, name := range []string{"refusal_rate", "response_words", "json_invalid_rate"} {
		i, ok := defs.Indicator(name)
		if !ok {
			t.Fatal(defs.Diagnostics())
		}
		ind, err := Of(i)
		if err != nil {
			t.Fatal(err)
		}
		o.Indicators = append(o.Indicators, ind)
	}
	o.Upstream, o.FirstToken = up.URL, true
	e := begin(t, o)
	client := openai.NewClient(openai.Settings{BaseURL: "http://" + e.ProxyAddr()})
	defer client.Close()
	want := make([]int64, len(o.Indicators))
	const n = 60
	for k := range n {
		r := openai.Request{Model: "t", Prompt: fmt.Sprintf("Tell me about Rome. (%d)", k), Chat: k%2 == 0, Stream: k%3 != 0}
		rec := client.Do(context.Background(), r)
		if rec.Outcome != openai.OK {
			t.Fatalf("%s: %s", rec.Outcome, rec.Detail)
		}
		for i := range o.Indicators {
			want[i] += int64(o.Indicators[i].Score(text.Response{Prompt: r.Prompt, Text: rec.Answer.Content}))
		}
	}
	s := settledTally(t, e, n).Series[0]
	streams := int64(0)
	for _, k := range s.FirstToken {
		streams += k
	}
	if s.Total != n || fmt.Sprint(s.Sums) != fmt.Sprint(want) || streams != n*2/3 {
		t.Errorf("%d responses with %v and %d first tokens; the harness has %v", s.Total, s.Sums, streams, want)
	}
}

// TestFirstToken is the time of the first content, not of a role or a comment.
func TestFirstToken(t *testing.T) {
	const pause = 60 * time.Millisecond
	up := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for _, part := range []string{": ping\n\n", `data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}` + "\n\n", "", event("No"), "", stop + done} {
			if part == "" {
				time.Sleep(pause)
			}
			io.WriteString(w, part)
			w.(http.Flusher).Flush()
		}
	})
	e := begin(t, Options{Upstream: up.URL, FirstToken: true})
	post(t, "http://"+e.ProxyAddr()+"/v1/completions", `{"stream":true}`)
	s := settledTally(t, e, 1).Series[0].FirstTokenSeconds
	if s < pause.Seconds() || s > 2*pause.Seconds() {
		t.Errorf("%v s, want somewhat more than %v", s, pause)
	}
}

// benchStream is a deployment that sends an event for every byte that it is
// told to, over one connection.
func benchStream(b *testing.B, next <-chan bool) string {
	ev := []byte(event("word "))
	up := serve(b, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		for range next {
			w.Write(ev)
			w.(http.Flusher).Flush()
		}
	})
	return up.URL
}

// BenchmarkEvent is the way of one event from the deployment to the client,
// without a tap and through one. The difference is what a tap adds.
func BenchmarkEvent(b *testing.B) {
	for _, tapped := range []bool{false, true} {
		b.Run(map[bool]string{false: "direct", true: "tap"}[tapped], func(b *testing.B) {
			next := make(chan bool)
			url := benchStream(b, next)
			if tapped {
				url = "http://" + begin(b, Options{Upstream: url, FirstToken: true}).ProxyAddr()
			}
			resp, err := http.Post(url+"/v1/completions", "application/json", strings.NewReader(`{"stream":true}`))
			if err != nil {
				b.Fatal(err)
			}
			defer resp.Body.Close()
			in := bufio.NewReader(resp.Body)
			b.ResetTimer()
			for range b.N {
				next <- true
				for range 2 { // an event and its blank line
					if _, err := in.ReadSlice('\n'); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.StopTimer()
			close(next)
		})
	}
}

// BenchmarkResponse is a whole streamed response of 40 events, with its
// scoring.
func BenchmarkResponse(b *testing.B) {
	body := strings.Repeat(event("word "), 40) + stop + done
	up := serve(b, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, body)
	})
	for _, tapped := range []bool{false, true} {
		b.Run(map[bool]string{false: "direct", true: "tap"}[tapped], func(b *testing.B) {
			url := up.URL
			if tapped {
				url = "http://" + begin(b, Options{Upstream: url}).ProxyAddr()
			}
			for range b.N {
				resp, err := http.Post(url+"/v1/completions", "application/json", strings.NewReader(`{"stream":true}`))
				if err != nil {
					b.Fatal(err)
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
}

// BenchmarkRead is what a response of 40 events costs off its path.
func BenchmarkRead(b *testing.B) {
	j := &job{status: 200, header: http.Header{"Content-Type": {"text/event-stream"}}}
	j.request.data = []byte(`{"stream":true,"prompt":"p"}`)
	j.response.data, j.response.end = []byte(strings.Repeat(event("word "), 40)+stop+done), io.EOF
	b.ReportAllocs()
	for range b.N {
		if r, _ := j.read(); r.outcome != openai.OK {
			b.Fatal(r.outcome)
		}
	}
}

func BenchmarkExposition(b *testing.B) {
	e := idle(b, Options{ModelLabel: "model", Models: []string{"a", "b"}})
	for range b.N {
		e.exposition(true)
	}
}
