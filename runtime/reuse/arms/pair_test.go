package arms

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/record"
)

func pair(t testing.TB, r *Runner, n int64, it *manifest.Item) ([]record.Reset, []record.Arm) {
	t.Helper()
	resets, list, err := r.Pair(t.Context(), n, it)
	if err != nil || len(list) != 2 {
		t.Fatal(err, list)
	}
	return resets, list
}

func TestPair(t *testing.T) {
	for _, driver := range []string{"openai chat", "openai completions", "sglang"} {
		t.Run(driver, func(t *testing.T) {
			e := start(t)
			p := planned(e, func(l *plan.ReuseLive) {
				kind, api, _ := strings.Cut(driver, " ")
				l.Driver, l.Endpoint.API, l.Engine = kind, api, "vllm"
				l.Temperature = exact.MustParse("0.25")
			})
			r := runner(t, p, nil)
			it := item("x", "a b c d donor", "unrelated")
			resets, list := pair(t, r, 0, it)
			if got, want := e.order(), "/reset | a b c d e x | /reset | a b c d donor | unrelated | a b c d e x"; got != want {
				t.Errorf("on the wire: %s\nwant         %s", got, want)
			}
			if len(resets) != 2 || !resets[0].OK || resets[0].Arm != record.Cold || resets[1].Arm != record.Warm || resets[0].ItemID != "x" {
				t.Errorf("resets %+v", resets)
			}
			cold, warm := list[0], list[1]
			if cold.Arm != record.Cold || !cold.First || cold.Position != 0 || warm.Arm != record.Warm || warm.First || warm.Position != 1 {
				t.Errorf("arms %+v %+v", cold, warm)
			}
			if *cold.CachedTokens != 0 || *warm.CachedTokens != 4 || *warm.FuzzyTokens != 2 || *warm.PromptTokens != 6 {
				t.Errorf("tokens %d %d %d %d", *cold.CachedTokens, *warm.CachedTokens, *warm.FuzzyTokens, *warm.PromptTokens)
			}
			for _, a := range list {
				if a.Outcome != "ok" || a.Output != "one two" || a.Finish != "length" || a.Reset != "ok" || a.Detail != "" || a.Quality == nil || !a.Quality.Pass {
					t.Errorf("%+v", a)
				}
				if a.TTFT == nil || a.Latency == nil || *a.TTFT <= 0 || *a.Latency < *a.TTFT || *a.Latency > int64(5*time.Second) {
					t.Errorf("times %v %v", a.TTFT, a.Latency)
				}
				if !strings.HasSuffix(a.EngineID, a.RequestID) {
					t.Errorf("the engine answers %q to %q", a.EngineID, a.RequestID)
				}
				if kind, _, _ := strings.Cut(driver, " "); kind == OpenAI && (*a.EngineTTFT != 1.5 || *a.Queue != 2) {
					t.Errorf("engine times %v %v", *a.EngineTTFT, *a.Queue)
				}
			}
			if warm.Donors != 2 || warm.DonorsFailed != 0 || cold.Donors != 0 {
				t.Errorf("donors %d %d", warm.Donors, cold.Donors)
			}
			ids := map[string]bool{}
			for _, c := range e.seen() {
				if c.path == "/reset" {
					continue
				}
				if ids[c.id] || c.id == "" {
					t.Errorf("request id %q", c.id)
				}
				ids[c.id] = true
				limit, body := c.body["max_tokens"], c.body
				if driver == SGLang {
					body = c.body["sampling_params"].(map[string]any)
					limit = body["max_new_tokens"]
					if c.body["rid"] != c.id || body["ignore_eos"] != true {
						t.Errorf("body %v", c.body)
					}
				} else if c.body["request_id"] != c.id || c.body["model"] != "m" {
					t.Errorf("body %v", c.body)
				}
				want := 16.0
				if c.prompt == "unrelated" || strings.HasSuffix(c.prompt, "donor") {
					want = 1
				}
				if limit != want || body["temperature"] != 0.25 || c.body["stream"] != true {
					t.Errorf("%s: %v", c.prompt, c.body)
				}
			}
		})
	}
}

// Which member names the limit, and whether an id stands in the body, is by
// what the endpoint understands; what is declared for every body is in it.
func TestBodies(t *testing.T) {
	e := start(t)
	r := runner(t, planned(e, func(l *plan.ReuseLive) {
		l.Endpoint.Body = `{"max_completion_tokens":1,"seed":12345678901234567890,"temperature":9}`
		l.Endpoint.Headers = map[string]string{"x-tenant-id": "default", "x-other": "o"}
	}), nil)
	it := item("x")
	it.Metadata = map[string]json.RawMessage{"tenant": json.RawMessage(`"blue"`), "template_id": json.RawMessage(`"t"`)}
	pair(t, r, 0, it)
	for _, c := range e.seen() {
		if c.path == "/reset" {
			continue
		}
		b, h := c.body, c.header
		if b["max_completion_tokens"] != 16.0 || b["max_tokens"] != nil || b["request_id"] != nil || b["temperature"] != 0.0 || b["seed"] == nil {
			t.Errorf("body %v", b)
		}
		if h.Get("X-Tenant-Id") != "blue" || h.Get("X-Other") != "o" || h.Get("X-Chat-Template-Id") != "" {
			t.Errorf("headers %v", h)
		}
	}
}

func TestCounterbalancedOnTheWire(t *testing.T) {
	e := start(t)
	p := planned(e, func(l *plan.ReuseLive) { l.Order = Counterbalanced })
	r := runner(t, p, func(o *Options) { o.Items = 8 })
	warm := 0
	for n := range int64(8) {
		_, list := pair(t, r, n, item(fmt.Sprint("i", n), "a b c donor"))
		first := list[0].Arm == record.Warm
		if first != WarmFirst(p, n) || !list[0].First || list[1].First || list[0].Position != 2*n || list[1].Position != 2*n+1 {
			t.Errorf("pair %d: %+v", n, list)
		}
		if first {
			warm++
		}
		for _, a := range list { // a reset before either arm: the order changes no count
			if want := map[string]int64{record.Cold: 0, record.Warm: 3}[a.Arm]; *a.CachedTokens != want {
				t.Errorf("pair %d, %s: %d cached tokens, want %d", n, a.Arm, *a.CachedTokens, want)
			}
		}
	}
	if warm != 4 {
		t.Errorf("%d of 8 pairs begin with the warm arm", warm)
	}
	if _, _, err := r.Pair(t.Context(), 8, item("y")); err == nil {
		t.Error("a ninth pair of eight was carried out")
	}
}

func TestWithoutReset(t *testing.T) {
	e := start(t)
	r := runner(t, planned(e, func(l *plan.ReuseLive) { l.Reset = nil }), nil)
	pair(t, r, 0, item("x"))
	resets, list := pair(t, r, 1, item("x"))
	if len(resets) != 0 || list[0].Reset != "none" || list[1].Reset != "none" || *list[0].CachedTokens == 0 {
		t.Errorf("%v %+v", resets, list)
	}
}

func TestResets(t *testing.T) {
	for _, x := range []struct {
		name   string
		status []int // of the tries
		ok     bool
		tries  int
		detail string
	}{
		{"at once", []int{200}, true, 1, ""},
		{"any 2xx", []int{204}, true, 1, ""},
		{"busy, then done", []int{400, 409, 200}, true, 3, ""},
		{"busy for long", []int{400, 400, 400}, false, 3, "status 400: still busy"},
		{"not there", []int{404, 200}, false, 1, "status 404"},
		{"refused", []int{403, 200}, false, 1, "status 403"},
		{"elsewhere", []int{302, 302, 302}, false, 3, "status 302"},
	} {
		t.Run(x.name, func(t *testing.T) {
			e := start(t)
			tries := 0
			e.answer = func(w http.ResponseWriter, c call) bool {
				if c.path != "/second" {
					return false
				}
				s := x.status[tries]
				tries++
				if s == 302 {
					w.Header().Set("Location", e.URL+"/reset")
				}
				w.WriteHeader(s)
				if s >= 400 {
					fmt.Fprintf(w, "still busy\n  with %s", strings.TrimPrefix(c.auth, "Bearer "))
				}
				return true
			}
			r := runner(t, planned(e, func(l *plan.ReuseLive) {
				l.Reset = append(l.Reset, e.URL+"/second")
				l.ResetTokenEnv = "TOKEN"
			}), func(o *Options) { o.Secret = func(string) (string, error) { return "tok-secret", nil } })
			reset, a, err := r.Arm(t.Context(), Step{Item: item("x"), Arm: record.Cold})
			if err != nil || reset == nil {
				t.Fatal(err)
			}
			want := map[bool]string{true: "ok", false: "failed"}[x.ok]
			if reset.OK != x.ok || a.Reset != want || tries != x.tries || !strings.Contains(reset.Detail, x.detail) || strings.Contains(reset.Detail, "secret") {
				t.Errorf("%+v, arm %q, %d tries", reset, a.Reset, tries)
			}
			if a.Outcome != "ok" {
				t.Errorf("the request was not sent: %+v", a)
			}
			if first := e.seen()[0]; first.path != "/reset" || first.auth != "Bearer tok-secret" {
				t.Errorf("first call %+v", first)
			}
		})
	}
}

func TestOutcomes(t *testing.T) {
	event := func(w http.ResponseWriter, s string) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, s)
		w.(http.Flusher).Flush()
	}
	half := `data: {"choices":[{"index":0,"delta":{"content":"one"}}]}` + "\n\n"
	for _, x := range []struct {
		name    string
		answer  func(w http.ResponseWriter, c call)
		outcome string
		detail  string
		output  string
	}{
		{"refused", func(w http.ResponseWriter, c call) {
			w.WriteHeader(500)
			io.WriteString(w, `{"error":{"message":"out of memory"}}`)
		}, "http_error", "status 500: out of memory", ""},
		{"an error in the stream", func(w http.ResponseWriter, c call) {
			event(w, half+`data: {"error":{"message":"engine dead"}}`+"\n\n")
		}, "stream_error", "engine dead", "one"},
		{"broken off", func(w http.ResponseWriter, c call) {
			event(w, half)
			panic(http.ErrAbortHandler)
		}, "cut", "", "one"},
		{"ended early", func(w http.ResponseWriter, c call) { event(w, half) }, "cut", "", "one"},
		{"too slow", func(w http.ResponseWriter, c call) {
			event(w, half)
			time.Sleep(300 * time.Millisecond)
		}, "timeout", "", "one"},
		{"another protocol", func(w http.ResponseWriter, c call) { event(w, "data: <html>\n\n") }, "malformed", "", ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			e := start(t)
			e.answer = func(w http.ResponseWriter, c call) bool {
				if c.path != "/reset" {
					x.answer(w, c)
				}
				return true
			}
			r := runner(t, planned(e, func(l *plan.ReuseLive) { l.Endpoint.Gap = exact.Duration(100 * time.Millisecond) }), nil)
			_, list := pair(t, r, 0, item("x", "donor"))
			for _, a := range list {
				if a.Outcome != x.outcome || !strings.Contains(a.Detail, x.detail) || a.Output != x.output {
					t.Errorf("%+v", a)
				}
				if a.TTFT != nil || a.Latency != nil || a.Quality != nil || a.CachedTokens != nil || a.PromptTokens != nil {
					t.Errorf("a request that failed has figures: %+v", a)
				}
			}
			if w := list[1]; w.Donors != 1 || w.DonorsFailed != 1 || !strings.HasPrefix(w.Detail, "donor 1 (") {
				t.Errorf("donors %+v", w)
			}
		})
	}
}

func TestWithoutCounts(t *testing.T) {
	for _, driver := range []string{OpenAI, SGLang} {
		e := start(t)
		e.silent = true
		r := runner(t, planned(e, func(l *plan.ReuseLive) { l.Driver = driver }), nil)
		_, list := pair(t, r, 0, item("x", "a b c d"))
		for _, a := range list {
			if a.CachedTokens != nil || a.FuzzyTokens != nil || a.PromptTokens == nil || a.Outcome != "ok" {
				t.Errorf("%s: %+v", driver, a)
			}
		}
	}
	e := start(t)
	e.answer = func(w http.ResponseWriter, c call) bool {
		if strings.HasSuffix(c.path, "completions") {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"choices":[{"index":0,"message":{"content":""}}],"usage":{"prompt_tokens":0,"prompt_tokens_details":{"cached_tokens":-1}}}`)
			return true
		}
		return false
	}
	r := runner(t, planned(e, nil), nil)
	_, list := pair(t, r, 0, item("x"))
	for _, a := range list { // an empty answer is one, and is scored
		if a.Outcome != "ok" || a.TTFT != nil || a.Latency == nil || a.PromptTokens != nil || a.CachedTokens != nil || a.Quality == nil || a.Quality.Score != 0 {
			t.Errorf("%+v", a)
		}
	}
}

func TestDonorWorkers(t *testing.T) {
	main, one, two := start(t), start(t), start(t)
	r := runner(t, planned(main, func(l *plan.ReuseLive) { l.Donors, l.Warmup = []string{one.URL, two.URL}, 2 }), nil)
	if err := r.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	it := &manifest.Item{ItemID: "x", Recipient: "r"}
	want := map[int][]string{}
	for i := range 9 {
		id := fmt.Sprint("d", i)
		it.Donors = append(it.Donors, manifest.Donor{DonorID: id, Text: id})
		want[Worker(id, 2)] = append(want[Worker(id, 2)], id)
	}
	pair(t, r, 0, it)
	warm := warmup + " | " + warmup
	for i, e := range []*engine{one, two} {
		if got, want := e.order(), strings.Join(append([]string{warm}, want[i]...), " | "); got != want {
			t.Errorf("worker %d got %s, want %s", i, got, want)
		}
	}
	if got, want := main.order(), warm+" | /reset | r | /reset | r"; got != want {
		t.Errorf("the endpoint got %s, want %s", got, want)
	}
	if n := len(r.Targets()); n != 4 {
		t.Errorf("targets %+v", r.Targets())
	}
}

func TestWarmFails(t *testing.T) {
	e := start(t)
	e.answer = func(w http.ResponseWriter, c call) bool { w.WriteHeader(503); return true }
	r := runner(t, planned(e, func(l *plan.ReuseLive) { l.Warmup = 3 }), nil)
	if err := r.Warm(t.Context()); err == nil || !strings.Contains(err.Error(), "1 of 3") || len(e.seen()) != 1 {
		t.Errorf("%v after %d requests", err, len(e.seen()))
	}
}

func TestPauses(t *testing.T) {
	e := start(t)
	var at []time.Time
	e.answer = func(w http.ResponseWriter, c call) bool { at = append(at, time.Now()); return false }
	r := runner(t, planned(e, func(l *plan.ReuseLive) {
		l.Reset = nil
		l.Cooldown, l.DonorDelay = exact.Duration(60*time.Millisecond), exact.Duration(120*time.Millisecond)
	}), nil)
	pair(t, r, 0, item("x", "d"))
	if a, b := at[1].Sub(at[0]), at[2].Sub(at[1]); a < 60*time.Millisecond || b < 120*time.Millisecond {
		t.Errorf("pauses of %v and %v", a, b)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	began := time.Now()
	if resets, list, err := r.Pair(ctx, 1, item("x", "d")); !errors.Is(err, context.Canceled) || resets != nil || list != nil || time.Since(began) > 100*time.Millisecond {
		t.Errorf("%v %v %v after %v", resets, list, err, time.Since(began))
	}
}

func TestCancelled(t *testing.T) {
	for _, path := range []string{"/reset", "/v1/chat/completions"} {
		e := start(t)
		ctx, cancel := context.WithCancel(t.Context())
		e.answer = func(w http.ResponseWriter, c call) bool {
			if c.path == path {
				cancel()
				time.Sleep(50 * time.Millisecond)
			}
			return false
		}
		r := runner(t, planned(e, nil), nil)
		if _, list, err := r.Pair(ctx, 0, item("x")); !errors.Is(err, context.Canceled) || list != nil {
			t.Errorf("%s: %v %v", path, list, err)
		}
		cancel()
	}
}

func TestConcurrentPairs(t *testing.T) {
	e := start(t)
	r := runner(t, planned(e, func(l *plan.ReuseLive) { l.Reset, l.Concurrency = nil, 4 }), nil)
	var all sync.WaitGroup
	for n := range int64(8) {
		all.Go(func() {
			if _, list, err := r.Pair(t.Context(), n, item(fmt.Sprint(n), "d")); err != nil || list[0].Outcome != "ok" || list[0].Position != 2*n {
				t.Errorf("%v %+v", err, list)
			}
		})
	}
	all.Wait()
	if len(e.seen()) != 24 {
		t.Errorf("%d requests", len(e.seen()))
	}
}
