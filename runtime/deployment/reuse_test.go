package deployment

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/stdlib/corpus"
	"github.com/fdbench/fdbench/stdlib/tokens"
)

// document is a text of so many words, all of them its own, in sentences of 12
// and without a space at either end.
func document(name string, words int) string {
	var b strings.Builder
	for i := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%s%d", name, i)
		if i%12 == 11 {
			b.WriteByte('.')
		}
	}
	return b.String()
}

func stable(t testing.TB) Tokenizer {
	t.Helper()
	x, err := tokens.Lookup("stable")
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func greedy(prompt string, more ...any) openai.Request {
	extra := map[string]any{"temperature": 0}
	for i := 0; i+1 < len(more); i += 2 {
		extra[more[i].(string)] = more[i+1]
	}
	return openai.Request{Prompt: prompt, Chat: true, Stream: true, Extra: extra}
}

// The cached tokens and the time of a recipient are the ones that the package
// comment gives, over HTTP and by a client's own clock.
func TestTrueValues(t *testing.T) {
	doc, other := document("alpha", 240), document("beta", 240)
	for _, x := range []struct {
		name             string
		mode             Mode
		size             int
		donor, recipient string
		cached           int64 // tokens of the stable tokenizer
	}{
		// 240 words and 20 full stops are 260 tokens: 16 blocks of 16 and 4 tokens.
		{"the same", Prefix, 16, doc, doc, 256},
		{"the same", Semantic, 16, doc, doc, 256},
		{"the same", None, 16, doc, doc, 0},
		{"unrelated", Prefix, 16, other, doc, 0},
		{"unrelated", Semantic, 16, other, doc, 0},
		{"behind a preamble", Prefix, 16, doc, "Read this. " + doc, 0},
		{"behind a preamble", Semantic, 16, doc, "Read this. " + doc, 240},
		{"before an instruction", Semantic, 16, doc, doc + " Now sum it up.", 256},
		{"two in another order", Semantic, 16, doc + " " + other, other + " " + doc, 496},
		{"two in another order", Prefix, 16, doc + " " + other, other + " " + doc, 0},
		{"blocks of 13", Semantic, 13, doc, "Read this. " + doc, 247}, // 260 tokens behind 3: blocks 1 to 19, the last of which ends before the end
		{"blocks of 1", Semantic, 1, doc, "Read this. " + doc, 260},   // the full stop of the preamble too, the last token not
	} {
		t.Run(fmt.Sprintf("%s, %s, %d", x.name, x.mode, x.size), func(t *testing.T) {
			l := Latency{First: 4 * time.Millisecond, Prefill: 100 * time.Microsecond}
			_, _, c := start(t, Options{Latency: l, Engine: Extract("1", Reuse{Mode: x.mode, BlockSize: x.size, Keep: 10000, Tokenizer: stable(t)})})
			ask(t, c, greedy(x.donor))
			rec := ask(t, c, greedy(x.recipient))
			u := rec.Answer.Usage
			p := int64(len(stable(t).Append(nil, x.recipient)))
			if u.PromptTokens != p || *u.CachedTokens != x.cached {
				t.Errorf("usage has %d and %d cached tokens, want %d and %d", u.PromptTokens, *u.CachedTokens, p, x.cached)
			}
			want := l.First + time.Duration(p-x.cached)*l.Prefill
			if got := time.Duration(rec.Stamps.FirstContent - rec.Stamps.Scheduled); got < want || got > want+100*time.Millisecond {
				t.Errorf("the first token came after %v, want %v", got, want)
			}
		})
	}
}

// The first token is late by what it takes to wake up and to send it.
func TestLatencyIsAccurate(t *testing.T) {
	l := Latency{First: 10 * time.Millisecond, Token: 2 * time.Millisecond}
	_, _, c := start(t, Options{Latency: l, EngineTimes: true, Engine: Extract("1", Reuse{})})
	best, bestEngine := time.Hour, time.Hour
	for range 15 {
		rec := ask(t, c, greedy(document("a", 30)))
		late := time.Duration(rec.Stamps.FirstContent-rec.Stamps.Scheduled) - l.First
		// All further tokens wait on the clock of the first one.
		whole := time.Duration(rec.Stamps.LastContent-rec.Stamps.Scheduled) - l.First - time.Duration(rec.Answer.Usage.CompletionTokens-1)*l.Token
		if late < 0 || whole < 0 {
			t.Fatalf("a token came %v too early", -min(late, whole))
		}
		best, bestEngine = min(best, late), min(bestEngine, whole)
	}
	if best > 2*time.Millisecond || bestEngine > 2*time.Millisecond {
		t.Errorf("the earliest of the first tokens was %v late, of the last ones %v", best, bestEngine)
	}
}

// At temperature 0 every answer to a prompt is the same, whoever else asks.
func TestGreedyAnswers(t *testing.T) {
	rows := []corpus.Row{{Response: "one"}, {Response: "two"}, {Response: "three"}, {Response: "four"}}
	for _, e := range []Engine{Template("1", 0), Recorded(rows, "1", 0), Extract("1", Reuse{})} {
		_, _, c := start(t, Options{Engine: e, Sampling: Sampling{Temperature: 1}})
		var mu sync.Mutex
		seen := map[string]map[string]bool{}
		var wg sync.WaitGroup
		for i := range 200 {
			wg.Go(func() {
				prompt := fmt.Sprintf("Ticket %d. Tell me about Rome. What is it known for?", i%20)
				if i%2 == 0 {
					prompt = fmt.Sprintf("Ticket %d. Tell me about Oslo.", i%20)
				}
				rec := ask(t, c, greedy(prompt))
				mu.Lock()
				defer mu.Unlock()
				if seen[prompt] == nil {
					seen[prompt] = map[string]bool{}
				}
				seen[prompt][rec.Answer.Content] = true
			})
		}
		wg.Wait()
		different := map[string]bool{}
		for p, list := range seen {
			if len(list) != 1 {
				t.Errorf("%s, %q: %v", e.Name(), p, list)
			}
			for a := range list {
				different[a] = true
			}
		}
		if len(different) < 2 {
			t.Errorf("%s answers everything with %v", e.Name(), different)
		}
		// Above 0 answers differ, where they are drawn.
		if e.Name() == "recorded" {
			drawn := map[string]bool{}
			for range 40 {
				drawn[ask(t, c, openai.Request{Prompt: "Ticket 1. x", Chat: true}).Answer.Content] = true
			}
			if len(drawn) != 4 {
				t.Errorf("drawn: %v", drawn)
			}
		}
	}
}

func TestExtract(t *testing.T) {
	for in, want := range map[string]string{
		"": "",
		"The mill stands in Brunn. The bridge was built in 1881. When was the bridge built?": "The bridge was built in 1881.",
		"When was the bridge built?\nThe mill stands there.\nThe bridge was built in 1881.":  "The bridge was built in 1881.",
		"Only this.": "Only this.",
		"Short one. A much longer sentence stands here. Sum up!":    "A much longer sentence stands here.",
		"Bridge, bridge, bridge. A bridge crosses water. Bridges?":  "Bridge, bridge, bridge.",
		"It cost 3.5 million. Nobody paid. How many million was it": "It cost 3.5 million.",
	} {
		if got := extract(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// What each fault does to a pair as a reuse run sends it.
func TestFaults(t *testing.T) {
	donor, unrelated := document("alpha", 320), document("beta", 320)
	recipient := "Read this first, please. " + donor
	pair := func(t *testing.T, f Faults, warmWith string) (cold, warm openai.Record) {
		t.Helper()
		_, s, c := start(t, Options{Admin: "token", Faults: f, Seed: "1", Latency: Latency{Prefill: 200 * time.Microsecond},
			Engine: Extract("1", Reuse{Mode: Semantic, Keep: 10000})})
		reset := func() {
			if code := admin(t, s, "POST", "/reset_prefix_cache", "token", ""); code != 200 {
				t.Fatalf("reset: %d", code)
			}
		}
		ask(t, c, greedy(document("before", 100)))
		ask(t, c, greedy(recipient)) // an item is run more than once
		reset()
		cold = ask(t, c, greedy(recipient))
		reset()
		ask(t, c, greedy(warmWith))
		return cold, ask(t, c, greedy(recipient))
	}
	ttft := func(r openai.Record) time.Duration { return time.Duration(r.Stamps.FirstContent - r.Stamps.Scheduled) }
	for _, x := range []struct {
		name       string
		f          Faults
		donor      string
		cold, warm int64 // cached tokens, of 324 words; -1 for nothing said
		same       bool
		faster     bool
	}{
		{"none", Faults{}, donor, 0, 304, true, true},
		{"none, a control", Faults{}, unrelated, 0, 0, true, false},
		{"leak of a control", Faults{Leak: 1}, unrelated, 0, 288, false, true},
		{"no leak of what is related", Faults{Leak: 1}, donor, 0, 304, true, true},
		{"miss", Faults{Miss: 1}, donor, 0, 0, true, false},
		{"sticky", Faults{Sticky: true}, donor, 320, 320, true, false},
		{"silent", Faults{Silent: true}, donor, -1, -1, true, true},
	} {
		t.Run(x.name, func(t *testing.T) {
			cold, warm := pair(t, x.f, x.donor)
			for _, y := range []struct {
				arm  string
				rec  openai.Record
				want int64
			}{{"cold", cold, x.cold}, {"warm", warm, x.warm}} {
				got := int64(-1)
				if n := y.rec.Answer.Usage.CachedTokens; n != nil {
					got = *n
				}
				if got != y.want {
					t.Errorf("%s: %d cached tokens, want %d", y.arm, got, y.want)
				}
			}
			if same := cold.Answer.Content == warm.Answer.Content; same != x.same {
				t.Errorf("answers %q and %q", cold.Answer.Content, warm.Answer.Content)
			}
			if d := ttft(cold) - ttft(warm); x.faster != (d > 20*time.Millisecond) {
				t.Errorf("%v cold and %v warm", ttft(cold), ttft(warm))
			}
		})
	}
}

// The true hit rate of a run with misses is the share that Misses tells.
func TestMissedShareIsKnown(t *testing.T) {
	f := Faults{Miss: 0.3}
	_, _, c := start(t, Options{Faults: f, Seed: "s", Engine: Extract("s", Reuse{Mode: Semantic, Keep: 100000})})
	want, got := 0, 0
	for i := range 60 {
		doc := document(fmt.Sprintf("d%d_", i), 80)
		ask(t, c, greedy(doc))
		recipient := fmt.Sprintf("Task %d. ", i) + doc
		if !f.Misses("s", recipient) {
			want++
		}
		if *ask(t, c, greedy(recipient)).Answer.Usage.CachedTokens > 0 {
			got++
		}
	}
	if got != want || got == 60 || got == 0 {
		t.Errorf("%d hits, want %d", got, want)
	}
}

func TestEngineTimesAndQueue(t *testing.T) {
	l := Latency{First: 60 * time.Millisecond}
	_, s, _ := start(t, Options{Latency: l, EngineTimes: true, InFlight: 1, Engine: Extract("1", Reuse{})})
	type times struct {
		TTFT  *float64 `json:"time_to_first_token_ms"`
		Queue *float64 `json:"queue_time_ms"`
	}
	var mu sync.Mutex
	var queues []float64
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			resp, err := http.Post(s.URL+"/v1/chat/completions", "application/json",
				strings.NewReader(`{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"One two three."}]}`))
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			body, _ := io.ReadAll(resp.Body)
			lines := strings.Split(strings.TrimSpace(string(body)), "\n\n")
			var last struct {
				Choices []any
				Metrics times
			}
			if err := json.Unmarshal([]byte(strings.TrimPrefix(lines[len(lines)-2], "data: ")), &last); err != nil || last.Metrics.TTFT == nil || last.Metrics.Queue == nil || len(last.Choices) != 0 {
				t.Errorf("%v in %s", err, lines[len(lines)-2])
				return
			}
			// Each is held for the whole time, however long it waited.
			if got := *last.Metrics.TTFT; got < 60 || got > 160 {
				t.Errorf("to the first token %v ms", got)
			}
			mu.Lock()
			queues = append(queues, *last.Metrics.Queue)
			mu.Unlock()
		})
	}
	wg.Wait()
	slices.Sort(queues)
	if len(queues) != 3 || queues[0] != 0 || queues[1] < 40 || queues[2] < 100 {
		t.Errorf("queue times %v ms", queues)
	}
}

func TestPlacementHeaders(t *testing.T) {
	donor := document("alpha", 64)
	for _, x := range []struct {
		f                   Faults
		prompt              string
		outcome, similarity string
	}{
		{Faults{}, document("beta", 32), "cold_route", "0.0000"},
		{Faults{}, donor + " and more", "exact_route", "0.9697"},          // 64 of 66
		{Faults{}, "Read this. " + donor, "semantic_placement", "0.7273"}, // blocks 1 to 3 of 66
		// Placed for what is there, whether it is then used or not.
		{Faults{Miss: 1}, "Read this. " + donor, "semantic_placement", "0.7273"},
		{Faults{Miss: 1}, donor + " and more", "exact_route", "0.9697"},
		{Faults{Leak: 1}, document("beta", 320), "semantic_placement", "0.9000"},
	} {
		_, s, c := start(t, Options{Faults: x.f, Worker: "w-1", Engine: Extract("1", Reuse{Mode: Semantic, Keep: 1000})})
		ask(t, c, greedy(donor))
		body, _ := json.Marshal(map[string]any{"model": "m", "prompt": x.prompt})
		resp, err := http.Post(s.URL+"/v1/completions", "application/json", strings.NewReader(string(body)))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		h := resp.Header
		if h.Get("x-semantic-route") != x.outcome || h.Get("x-semantic-route-similarity") != x.similarity || h.Get("x-semantic-route-worker") != "w-1" {
			t.Errorf("%+v, %.20q: %v", x.f, x.prompt, h)
		}
	}
	_, s, _ := start(t, Options{})
	resp, err := http.Post(s.URL+"/v1/completions", "application/json", strings.NewReader(`{"model":"m","prompt":"a"}`))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if h := resp.Header.Get(RouteHeader); h != "" {
		t.Errorf("a placement without a router: %q", h)
	}
}

func TestRequestIDs(t *testing.T) {
	for _, x := range []struct {
		flavour            Flavour
		header, body, want string
	}{
		{VLLM, "abc-1", "", "chatcmpl-abc-1"},
		{VLLM, "abc-1", "other", "chatcmpl-abc-1"},
		{VLLM, "", "other", "chatcmpl-other"},
		{SGLang, "abc-1", "", "abc-1"},
		{TRTLLM, "abc-1", "", "abc-1"},
		{VLLM, "", "", "fdb-0"},
		{VLLM, "two words", "", "fdb-0"},
		{VLLM, strings.Repeat("a", 201), "b\nc", "fdb-0"},
	} {
		_, s, _ := start(t, Options{Flavour: x.flavour})
		body, _ := json.Marshal(map[string]any{"model": "m", "request_id": x.body, "messages": []any{map[string]any{"role": "user", "content": "a"}}})
		r, _ := http.NewRequest("POST", s.URL+"/v1/chat/completions", strings.NewReader(string(body)))
		if x.header != "" {
			r.Header.Set("X-Request-Id", x.header)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ ID string }
		json.NewDecoder(resp.Body).Decode(&got)
		resp.Body.Close()
		if got.ID != x.want {
			t.Errorf("%s, header %.20q, body %q: %q, want %q", x.flavour, x.header, x.body, got.ID, x.want)
		}
	}
}

func page(t *testing.T, s *httptest.Server, path string) string {
	t.Helper()
	resp, err := http.Get(s.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 {
		t.Fatalf("%s: %d, %v", path, resp.StatusCode, err)
	}
	return string(b)
}

func TestMetricsOfReuse(t *testing.T) {
	f := Faults{Miss: 0.5, Sticky: true}
	_, s, c := start(t, Options{Faults: f, Seed: "1", Engine: Extract("1", Reuse{Mode: Semantic, BlockSize: 8, Keep: 1000, Tokenizer: stable(t)})})
	donor := document("alpha", 95) // 95 words and 7 full stops: 102 tokens
	hit, missed := "", ""
	for i := 0; hit == "" || missed == ""; i++ {
		p := fmt.Sprintf("Task %d. ", i) + donor // 105 tokens, 12 blocks from the donor
		if f.Misses("1", p) {
			missed = p
		} else {
			hit = p
		}
	}
	ask(t, c, greedy(donor))
	ask(t, c, greedy(hit))
	ask(t, c, greedy(missed))
	got := page(t, s, "/metrics")
	for _, want := range []string{
		`fdbench_serve_reuse_info{mode="semantic",block_size="8",keep="1000",tokenizer="stable"} 1`,
		`fdbench_serve_fault{kind="miss"} 0.5`,
		`fdbench_serve_fault{kind="sticky"} 1`,
		"fdbench_serve_missed_total 1",
		"fdbench_serve_leaked_total 0",
		"fdbench_serve_prompt_tokens_total 312",
		"fdbench_serve_prompt_tokens_cached_total 96",
		`vllm:prefix_cache_queries_total{model_name="m"} 312`,
		`vllm:prefix_cache_hits_total{model_name="m"} 0`,
		`vllm:external_prefix_cache_queries_total{model_name="m"} 312`,
		`vllm:external_prefix_cache_hits_total{model_name="m"} 96`,
		`vllm:prompt_tokens_by_source_total{model_name="m",source="external_kv_transfer"} 96`,
		`vllm:prompt_tokens_by_source_total{model_name="m",source="local_compute"} 216`,
	} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	// What the prefix cache had is not looked up beyond it.
	_, s, c = start(t, Options{Engine: Extract("1", Reuse{Mode: Semantic, BlockSize: 8, Keep: 1000, Tokenizer: stable(t)})})
	ask(t, c, greedy(donor))
	ask(t, c, greedy(donor))
	got = page(t, s, "/metrics")
	for _, want := range []string{
		`vllm:prefix_cache_queries_total{model_name="m"} 204`,
		`vllm:prefix_cache_hits_total{model_name="m"} 96`,
		`vllm:external_prefix_cache_queries_total{model_name="m"} 108`,
		`vllm:external_prefix_cache_hits_total{model_name="m"} 0`,
		`vllm:prompt_tokens_by_source_total{model_name="m",source="local_cache_hit"} 96`,
		`vllm:prompt_tokens_by_source_total{model_name="m",source="local_compute"} 108`,
	} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	_, s, _ = start(t, Options{Flavour: SGLang})
	if got := page(t, s, "/metrics"); strings.Contains(got, "vllm:") || strings.Contains(got, "fault") {
		t.Errorf("another engine without a fault has\n%s", got)
	}
}

// Concurrent requests of all kinds do not disturb each other's counts.
func TestConcurrentReuse(t *testing.T) {
	var log lines
	_, s, c := start(t, Options{FlushOpen: true, Log: &log, Faults: Faults{Leak: 0.2, Miss: 0.2}, Engine: Extract("1", Reuse{Mode: Semantic, Keep: 500})})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			r := random.New("test", fmt.Sprint(i))
			for range 25 {
				if r.Below(20) == 0 {
					admin(t, s, "POST", "/flush_cache", "", "")
				}
				rec := ask(t, c, greedy(fmt.Sprintf("Task %d. ", r.Below(1000))+document(fmt.Sprintf("d%d_", r.Below(10)), 20+int(r.Below(200)))))
				if u := rec.Answer.Usage; *u.CachedTokens < 0 || *u.CachedTokens >= u.PromptTokens {
					t.Errorf("%+v", u)
				}
			}
		})
	}
	wg.Wait()
	for _, l := range log.all() {
		if !strings.HasPrefix(l, "INFO connector: SemBlend ") {
			t.Errorf("a line of the log is %q", l)
		}
	}
}

func FuzzExtract(f *testing.F) {
	f.Add("The bridge was built in 1881. When was the bridge built?")
	f.Add("a.\n\n? b! ")
	f.Fuzz(func(t *testing.T, text string) {
		if got := extract(text); !strings.Contains(text, got) || got == "" && strings.TrimSpace(text) != "" {
			t.Errorf("%q is answered with %q", text, got)
		}
		if got := strings.Join(pieces(text), ""); got != text {
			t.Errorf("the pieces of %q are %q", text, got)
		}
	})
}
