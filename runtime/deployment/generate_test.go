package deployment

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/runtime/listen"
)

type generatedEvent struct {
	Text      string   `json:"text"`
	OutputIDs []uint32 `json:"output_ids"`
	Meta      struct {
		ID     string `json:"id"`
		Finish *struct {
			Type   string `json:"type"`
			Length int    `json:"length"`
		} `json:"finish_reason"`
		Prompt     *int `json:"prompt_tokens"`
		Completion int  `json:"completion_tokens"`
		Cached     *int `json:"cached_tokens"`
		Details    *struct {
			Device int  `json:"device"`
			Host   int  `json:"host"`
			Fuzzy  *int `json:"fuzzy"`
		} `json:"cached_tokens_details"`
		TTFT  float64  `json:"time_to_first_token_ms"`
		Queue *float64 `json:"queue_time_ms"`
	} `json:"meta_info"`
}

// generate asks and reads every event of the answer, and the times at which
// they came.
func generate(t *testing.T, s *httptest.Server, body map[string]any) (events []generatedEvent, at []time.Duration) {
	t.Helper()
	b, _ := json.Marshal(body)
	begin := time.Now()
	resp, err := http.Post(s.URL+"/generate", "application/json", strings.NewReader(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 {
		t.Fatalf("status %d", resp.StatusCode)
	}
	sc := bufio.NewScanner(resp.Body)
	sc.Buffer(nil, 1<<20)
	done := false
	for sc.Scan() {
		line := strings.TrimPrefix(sc.Text(), "data: ")
		if line == "[DONE]" {
			done = true
		}
		if line == "" || line == "[DONE]" {
			continue
		}
		var e generatedEvent
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		events, at = append(events, e), append(at, time.Since(begin))
	}
	if body["stream"] == true && !done {
		t.Error("the stream has no end")
	}
	return events, at
}

func TestGenerate(t *testing.T) {
	l := Latency{First: 5 * time.Millisecond, Prefill: 200 * time.Microsecond, Token: 3 * time.Millisecond}
	_, s, _ := start(t, Options{Flavour: SGLang, FlushOpen: true, EngineTimes: true, Latency: l,
		Engine: Extract("1", Reuse{Mode: Semantic, Keep: 1000})})
	donor := document("alpha", 160)
	ask := func(text string) map[string]any {
		return map[string]any{"text": text, "rid": "r-1", "stream": true,
			"sampling_params": map[string]any{"temperature": 0, "max_new_tokens": 5, "top_k": -1, "ignore_eos": true}}
	}
	generate(t, s, ask(donor))
	for _, x := range []struct {
		text          string
		device, fuzzy int
	}{
		{donor + " one more", 160, 0},
		{"Read this. " + donor, 0, 144},
		{document("beta", 160), 0, 0},
	} {
		events, at := generate(t, s, ask(x.text))
		if len(events) != 6 {
			t.Fatalf("%d events", len(events))
		}
		for i, e := range events[:5] {
			if len(e.OutputIDs) != i+1 || !strings.HasPrefix(events[5].Text, e.Text) || e.Meta.Finish != nil || e.Meta.ID != "r-1" || len(pieces(e.Text)) != i+1 {
				t.Errorf("event %d: %+v", i, e)
			}
		}
		m := events[5].Meta
		p := len(pieces(x.text))
		if *m.Prompt != p || m.Completion != 5 || *m.Cached != x.device+x.fuzzy || m.Details.Device != x.device || *m.Details.Fuzzy != x.fuzzy || m.Details.Host != 0 ||
			m.Finish.Type != "length" || m.Finish.Length != 5 || m.Queue == nil || *m.Queue != 0 {
			t.Errorf("%+v", m)
		}
		want := l.First + time.Duration(p-x.device-x.fuzzy)*l.Prefill
		if at[0] < want || at[0] > want+100*time.Millisecond || at[4] < want+4*l.Token || m.TTFT < milliseconds(want) {
			t.Errorf("events at %v and %v, and by the engine %v ms; want %v", at[0], at[4], m.TTFT, want)
		}
	}
	if code := admin(t, s, "POST", "/flush_cache", "", "{}"); code != 200 {
		t.Errorf("flush: %d", code)
	}
	body := ask(donor)
	delete(body, "stream")
	delete(body["sampling_params"].(map[string]any), "max_new_tokens")
	events, _ := generate(t, s, body)
	if m := events[0].Meta; len(events) != 1 || *m.Cached != 0 || m.Finish.Type != "stop" || len(events[0].OutputIDs) != m.Completion || events[0].Text != extract(donor) {
		t.Errorf("after the flush, in one piece: %+v", events)
	}
}

func TestGenerateWithoutSemanticReuse(t *testing.T) {
	_, s, _ := start(t, Options{Faults: Faults{Silent: true}, Engine: Extract("1", Reuse{Keep: 100})})
	events, _ := generate(t, s, map[string]any{"text": "One two."})
	if m := events[0].Meta; m.Cached != nil || m.Details != nil || *m.Prompt != 2 {
		t.Errorf("silent: %+v", m)
	}
	_, s, _ = start(t, Options{Engine: Extract("1", Reuse{Keep: 100})})
	events, _ = generate(t, s, map[string]any{"text": "One two."})
	if m := events[0].Meta; *m.Cached != 0 || m.Details.Fuzzy != nil || m.ID != "fdb-0" {
		t.Errorf("a prefix cache tells of semantic reuse: %+v", m)
	}
}

func TestGenerateErrors(t *testing.T) {
	_, s, _ := start(t, Options{Key: "k", Admin: "token"})
	for _, x := range []struct {
		body   string
		status int
		says   string
	}{
		{`{"text": ""}`, 400, "text"},
		{`{"text": ["a"]}`, 400, "text"},
		{`{}`, 400, "text"},
		{`{`, 400, "JSON"},
		{`{"text": "a", "return_logprob": true}`, 400, "return_logprob"},
		{`{"text": "a", "sampling_params": {"n": 2}}`, 400, "n is 1"},
		{`{"text": "a", "sampling_params": {"max_new_tokens": 0}}`, 400, "max_tokens"},
		{`{"text": "a", "sampling_params": {"top_k": -2}}`, 400, "top_k"},
	} {
		r, _ := http.NewRequest("POST", s.URL+"/generate", strings.NewReader(x.body))
		r.Header.Set("Authorization", "Bearer k")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		var body struct{ Error struct{ Message string } }
		json.NewDecoder(resp.Body).Decode(&body)
		resp.Body.Close()
		if resp.StatusCode != x.status || !strings.Contains(body.Error.Message, x.says) {
			t.Errorf("%s: %d %q", x.body, resp.StatusCode, body.Error.Message)
		}
	}
	if code := admin(t, s, "POST", "/generate", "wrong", `{"text": "a"}`); code != 401 {
		t.Errorf("with a wrong key: %d", code)
	}
	if code := admin(t, s, "POST", "/flush_cache", "", ""); code != 401 {
		t.Errorf("flush without the token: %d", code)
	}
	if code := admin(t, s, "POST", "/flush_cache", "token", ""); code != 200 {
		t.Errorf("flush with the token: %d", code)
	}
}

func TestServerInfo(t *testing.T) {
	_, s, _ := start(t, Options{Engine: Extract("1", Reuse{BlockSize: 8, Keep: 10})})
	for path, want := range map[string][]string{
		"/get_server_info": {`"model_path":"m"`, `"page_size":8`, `"disable_radix_cache":false`, `"version":"fdbench extract/1"`},
		"/get_model_info":  {`"model_path":"m"`, `"is_generation":true`},
	} {
		got := page(t, s, path)
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: no %s in %s", path, w, got)
			}
		}
	}
}

// Where it is opened the cache can be emptied without a token, as with the
// engines that the paths come from; what else changes state needs it always.
func TestFlushOpen(t *testing.T) {
	for _, path := range []string{"/flush_cache", "/reset_prefix_cache"} {
		_, s, _ := start(t, Options{Engine: Extract("1", Reuse{Keep: 10}), Model: "m", Admin: "token"})
		resp, err := http.Post(s.URL+path, "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s without a token, on loopback: %d", path, resp.StatusCode)
		}
	}
	ready := make(chan string, 1)
	ended := make(chan error, 1)
	d := New(Options{Engine: Extract("1", Reuse{Keep: 10}), Model: "m", Admin: "token", FlushOpen: true})
	ctx, stop := contextOf(t)
	go func() {
		ended <- d.Serve(ctx, listen.Options{Address: "127.0.0.1:0"}, func(a string) { ready <- a })
	}()
	address := <-ready
	for path, want := range map[string]int{"/flush_cache": 200, "/reset_prefix_cache": 200} {
		resp, err := http.Post("http://"+address+path, "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, resp.StatusCode, want)
		}
	}
	for path, want := range map[string]int{"/flush_cache": 200, "/reset_prefix_cache": 401} {
		req, err := http.NewRequest("POST", "http://"+address+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer wrong")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s with a wrong token: %d, want %d", path, resp.StatusCode, want)
		}
	}
	resp, err := http.Get("http://" + address + "/admin/defaults")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 401 {
		t.Errorf("the defaults are shown to everybody: %d", resp.StatusCode)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
