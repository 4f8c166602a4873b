package openai

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/fdbench/fdbench/spec/refdata"
)

func TestReadEngineTimes(t *testing.T) {
	const none = -1.0
	for _, x := range []struct {
		raw         string
		ttft, queue float64
	}{
		{`{"time_to_first_token_ms":1527.5,"queue_time_ms":0.25}`, 1527.5, 0.25},
		{`{"time_to_first_token":1.5,"time_in_queue":0.25}`, 1500, 250},
		{`{"ttft":2,"queue_time":0}`, 2000, 0},
		{`{"ttft_ms":2,"time_in_queue_ms":3}`, 2, 3},
		{`{"ttft":9,"time_to_first_token_ms":7}`, 7, none},
		{`{"arrival_time":10,"first_scheduled_time":10.5,"first_token_time":12}`, 1500, 500},
		{`{"arrival_time":10,"first_scheduled_time":9,"first_token_time":12,"ttft_ms":1}`, 1, none},
		{`{"ttft_ms":-1,"ttft":"fast","queue_time_ms":null,"queue_time":2}`, none, 2000},
		{`{"ttft_ms":1e308,"queue_time":1e308}`, 1e308, none},
		{`{"tokens_per_second":3}`, none, none}, {`null`, none, none}, {`[]`, none, none}, {``, none, none},
	} {
		ttft, queue := none, none
		if e := ReadEngineTimes(json.RawMessage(x.raw)); e != nil {
			if e.TTFT != nil {
				ttft = *e.TTFT
			}
			if e.Queue != nil {
				queue = *e.Queue
			}
		}
		if ttft != x.ttft || queue != x.queue {
			t.Errorf("%s: %v, %v", x.raw, ttft, queue)
		}
	}
}

// A chunk as an engine sent it.
func TestCapturedChunk(t *testing.T) {
	raw, err := os.ReadFile(refdata.Path(t, "data/reuse/vllm_0290_stream_chunk_captured.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Raw string `json:"raw_sse_data"`
	}
	if err := json.Unmarshal(raw, &file); err != nil || file.Raw == "" {
		t.Fatal(err)
	}
	a := streamed(t, "data: "+file.Raw+"\n\n")
	if a.Failure != nil || a.Usage == nil || a.Usage.PromptTokens != 4030 || a.Usage.CachedTokens == nil || *a.Usage.CachedTokens != 0 || a.Usage.FuzzyTokens != nil {
		t.Errorf("%+v %+v", a, a.Usage)
	}
	if a.Times == nil || *a.Times.TTFT != 1527.546024000003 || *a.Times.Queue != 0.020990000052734104 {
		t.Errorf("times %+v", a.Times)
	}
}

func TestCachedTokens(t *testing.T) {
	usage := func(s string) string { return `data: {"choices":[],"usage":{"prompt_tokens":9` + s + "}}\n\n" }
	for _, x := range []struct {
		name          string
		chunks        []string
		cached, fuzzy int64 // -1: not known
	}{
		{"left out", []string{usage("")}, -1, -1},
		{"null", []string{usage(`,"prompt_tokens_details":null`)}, -1, -1},
		{"zero", []string{usage(`,"prompt_tokens_details":{"cached_tokens":0,"fuzzy":0}`)}, 0, 0},
		{"split below", []string{usage(`,"prompt_tokens_details":{"cached_tokens":8,"cached_tokens_details":{"device":3,"fuzzy":5}}`)}, 8, 5},
		{"split beside", []string{usage(`,"prompt_tokens_details":{"cached_tokens":8},"cached_tokens_details":{"fuzzy":5}`)}, 8, 5},
		{"a split of another sort", []string{usage(`,"prompt_tokens_details":{"cached_tokens":8,"fuzzy":"some","cached_tokens_details":[1]},"cached_tokens_details":{"fuzzy":-2}`)}, 8, -1},
		{"a later zero", []string{usage(`,"prompt_tokens_details":{"cached_tokens":8,"fuzzy":5}`), usage(`,"prompt_tokens_details":{"cached_tokens":0,"fuzzy":0}`)}, 8, 5},
		{"later left out", []string{usage(`,"prompt_tokens_details":{"cached_tokens":8}`), usage("")}, 8, -1},
		{"below zero", []string{usage(`,"prompt_tokens_details":{"cached_tokens":-1}`)}, -1, -1},
		{"later below zero", []string{usage(`,"prompt_tokens_details":{"cached_tokens":8}`), usage(`,"prompt_tokens_details":{"cached_tokens":-1}`)}, 8, -1},
		{"a later value", []string{usage(`,"prompt_tokens_details":{"cached_tokens":0}`), usage(`,"prompt_tokens_details":{"cached_tokens":4}`)}, 4, -1},
	} {
		u := streamed(t, x.chunks...).Usage
		if u == nil {
			t.Errorf("%s: no usage", x.name)
			continue
		}
		got := func(n *int64) int64 {
			if n == nil {
				return -1
			}
			return *n
		}
		if got(u.CachedTokens) != x.cached || got(u.FuzzyTokens) != x.fuzzy || u.PromptTokens != 9 {
			t.Errorf("%s: %d cached, %d fuzzy", x.name, got(u.CachedTokens), got(u.FuzzyTokens))
		}
	}
}

// FuzzReadEngineTimes: whatever an engine sends, a time that is read is one.
func FuzzReadEngineTimes(f *testing.F) {
	f.Add([]byte(`{"time_to_first_token_ms":1.5,"queue_time":2}`))
	f.Add([]byte(`{"arrival_time":1,"first_scheduled_time":-1e308,"first_token_time":1e308}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		e := ReadEngineTimes(b)
		if e == nil {
			return
		}
		if e.TTFT == nil && e.Queue == nil {
			t.Error("there are times without a time")
		}
		for _, v := range []*float64{e.TTFT, e.Queue} {
			if v != nil && !(*v >= 0 && !math.IsInf(*v, 0)) {
				t.Errorf("%s: a time of %v ms", b, *v)
			}
		}
	})
}
