package calibrate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/reuse/arms"
	"github.com/fdbench/fdbench/runtime/reuse/floor"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
)

// engine answers the n-th completion, from 0, of each prompt by a function.
type engine struct {
	*httptest.Server
	order []string
	asked map[string]int
	reply func(prompt string, n int) reply
	reset int // status
	dead  bool
}

type reply struct {
	text   string
	cached string // JSON; "" for no report
	prompt string // tokens; "" for 1500
	status int
}

func start(t *testing.T, f func(prompt string, n int) reply) *engine {
	e := &engine{asked: map[string]int{}, reply: f, reset: 200}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Prompt string }
		b, _ := io.ReadAll(r.Body)
		json.Unmarshal(b, &q)
		if e.dead {
			panic(http.ErrAbortHandler)
		}
		switch r.URL.Path {
		case "/reset":
			e.order = append(e.order, "reset")
			if len(e.asked) > 1 { // the preflight's own is answered
				w.WriteHeader(e.reset)
			}
			return
		case "/v1/models":
			io.WriteString(w, `{"data":[{"id":"m"}]}`)
			return
		case "/version":
			io.WriteString(w, `{"version":"1"}`)
			return
		}
		n := e.asked[q.Prompt]
		e.asked[q.Prompt]++
		x := reply{text: "hello", cached: "0"}
		if strings.HasPrefix(q.Prompt, "item ") {
			e.order = append(e.order, q.Prompt)
			x = f(q.Prompt, n)
		}
		if x.status != 0 {
			w.WriteHeader(x.status)
			return
		}
		details := ""
		if x.cached != "" {
			details = `,"prompt_tokens_details":{"cached_tokens":` + x.cached + `}`
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"text\":%q,\"finish_reason\":\"length\"}]}\n\n", x.text)
		fmt.Fprintf(w, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":%s%s}}\n\ndata: [DONE]\n\n", cmp.Or(x.prompt, "1500"), details)
	}))
	t.Cleanup(e.Close)
	return e
}

// options are of a manifest of n items, two of each document.
func options(t *testing.T, e *engine, n int) Options {
	t.Helper()
	var b []byte
	for i := range n {
		var err error
		it := &manifest.Item{ItemID: fmt.Sprint("i", i), Dataset: "d", SourceID: fmt.Sprint("s", i/2), Transform: "exact_repeat", Recipient: fmt.Sprint("item ", i), Control: i == 1}
		if b, err = manifest.Append(b, it); err != nil {
			t.Fatal(err)
		}
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "m.jsonl"), b, 0o644); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b)
	p := &plan.Reuse{Name: "rag", Declaration: plan.ReuseDeclaration{BlockSize: 16, Seed: "1",
		Manifest: plan.ReuseManifest{File: "m.jsonl", SHA256: "sha256:" + hex.EncodeToString(sum[:]), Items: int64(n)},
		Live: &plan.ReuseLive{Driver: arms.OpenAI, Model: "m", Engine: "vllm", EngineVersion: "1", Reset: []string{e.URL + "/reset"}, Contamination: "any",
			Endpoint: plan.Endpoint{BaseURL: e.URL, API: "completions", Stream: true}, MaxTokens: 8, Concurrency: 1, Temperature: exact.Frac(1, 2)}}}
	return Options{Plan: p, Folder: folder}
}

func TestRun(t *testing.T) {
	e := start(t, func(prompt string, n int) reply {
		if prompt == "item 2" && n == 1 {
			return reply{text: "one two five six", cached: "0"}
		}
		return reply{text: "one two three four", cached: "0"}
	})
	o := options(t, e, 4)
	var events []Event
	o.Progress = func(e Event) { events = append(events, e) }
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Pairs) != 4 || r.Contaminated+r.Errored+r.Unchecked != 0 || r.Why != "" {
		t.Fatalf("%+v", r)
	}
	for i, got := range r.Pairs {
		want := floor.Pair{SourceID: fmt.Sprint("s", i/2), RougeL: 1, Tokens: 1500}
		if i == 2 {
			want.RougeL = 0.5 // two of four words in common
		}
		if got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	a, err := r.Artifact(o.Plan, at)
	if err != nil {
		t.Fatal(err)
	}
	if a.Mean.String() != "0.875" || a.Pairs != 4 || a.CreatedAt != "2026-01-02T03:04:05Z" || a.Interval.Clusters != 2 {
		t.Errorf("%+v", a)
	}
	if list := floor.Mismatch(a.Protocol, o.Plan.Declaration.Live, o.Plan.Declaration.Manifest.SHA256); len(list) != 0 {
		t.Errorf("the noise floor is not of the block that it was measured with: %v", list)
	}
	// The preflight resets, and so does either run of either item.
	want := []string{"reset"}
	for i := range 4 {
		want = append(want, "reset", fmt.Sprint("item ", i), "reset", fmt.Sprint("item ", i))
	}
	if got := strings.Join(e.order, " "); got != strings.Join(want, " ") {
		t.Errorf("on the wire: %s", got)
	}
	if len(events) != 4 || events[3].Done != 4 || events[3].Total != 4 || events[0].Verdict != Used {
		t.Errorf("%+v", events)
	}
}

func TestVerdicts(t *testing.T) {
	second := func(x reply) func(string, int) reply {
		return func(_ string, n int) reply {
			if n%2 == 1 {
				return x
			}
			return reply{text: "one", cached: "0"}
		}
	}
	for _, x := range []struct {
		name    string
		reply   func(string, int) reply
		change  func(*engine, *Options)
		verdict Verdict
		detail  string
		check   func(*Result) bool
	}{
		{"one cached token", second(reply{text: "one", cached: "1"}), nil, Contaminated, "reports 1 cached tokens", nil},
		{"a block, where a block is allowed", second(reply{text: "one", cached: "16"}), func(_ *engine, o *Options) { o.Plan.Declaration.Live.Contamination = "block" }, Used, "", nil},
		{"more than a block", second(reply{text: "one", cached: "17"}), func(_ *engine, o *Options) { o.Plan.Declaration.Live.Contamination = "block" }, Contaminated, "17", nil},
		{"a larger block", second(reply{text: "one", cached: "17"}), func(_ *engine, o *Options) {
			o.Plan.Declaration.Live.Contamination, o.Plan.Declaration.BlockSize = "block", 17
		}, Used, "", nil},
		{"a reset fails", second(reply{text: "one", cached: "0"}), func(e *engine, _ *Options) { e.reset = 403 }, Contaminated, "the reset failed: ", nil},
		{"a request fails", second(reply{status: 500}), nil, Errored, "http_error", nil},
		{"not told", second(reply{text: "one"}), nil, Used, "", func(r *Result) bool { return r.Unchecked == 2 && r.Pairs[0].RougeL == 1 }},
		{"one without a word", second(reply{text: " . ", cached: "0"}), nil, Used, "", func(r *Result) bool { return r.Pairs[0].Empty == 1 && r.Pairs[0].RougeL == 0 }},
		{"both without a word", func(string, int) reply { return reply{text: "", cached: "0"} }, nil, Used, "", func(r *Result) bool { return r.Pairs[0].Empty == 2 && r.Pairs[0].RougeL == 1 }},
	} {
		t.Run(x.name, func(t *testing.T) {
			e := start(t, x.reply)
			o := options(t, e, 2)
			if x.change != nil {
				x.change(e, &o)
			}
			var last Event
			o.Progress = func(e Event) { last = e }
			r, err := Run(t.Context(), o)
			var unusable *UnusableError
			if x.verdict == Used && err != nil || x.verdict != Used && !errors.As(err, &unusable) {
				t.Fatal(err)
			}
			if last.Verdict != x.verdict || !strings.Contains(last.Detail, x.detail) {
				t.Errorf("%+v", last)
			}
			if unusable != nil {
				counts := [2]int64{unusable.Result.Errored, unusable.Result.Contaminated}
				if want := map[Verdict][2]int64{Errored: {2, 0}, Contaminated: {0, 2}}[x.verdict]; counts != want || !strings.Contains(err.Error(), "none of the 2 pairs") || !strings.Contains(err.Error(), "item i0, ") {
					t.Errorf("%v: %v", counts, err)
				}
			}
			if x.check != nil && !x.check(r) {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	e := start(t, func(string, int) reply { return reply{text: "one", cached: "0"} })
	var reset *ResetError
	o := options(t, e, 2)
	o.Plan.Declaration.Live.Reset = nil
	if _, err := Run(t.Context(), o); !errors.As(err, &reset) || len(e.order) != 0 {
		t.Errorf("%v, %v", err, e.order)
	}
	o = options(t, e, 2)
	o.Plan.Declaration.Live.Model = "n"
	var problem *arms.Problem
	if _, err := Run(t.Context(), o); !errors.As(err, &problem) || len(e.order) != 1 {
		t.Errorf("%v, %v", err, e.order)
	}
	o = options(t, e, 2)
	if err := os.WriteFile(filepath.Join(o.Folder, "m.jsonl"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), o); err == nil {
		t.Error("another manifest was taken")
	}
}

func TestMaxItems(t *testing.T) {
	e := start(t, func(string, int) reply { return reply{text: "one", cached: "0"} })
	o := options(t, e, 6)
	o.MaxItems = 2
	total := int64(0)
	o.Progress = func(e Event) { total = e.Total }
	r, err := Run(t.Context(), o)
	if err != nil || len(r.Pairs) != 2 || total != 2 || e.asked["item 2"] != 0 {
		t.Errorf("%v %+v of %d", err, r, total)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := start(t, func(prompt string, n int) reply {
		if prompt == "item 1" {
			cancel()
		}
		return reply{text: "one", cached: "0"}
	})
	o := options(t, e, 4)
	o.Plan.Declaration.Live.Cooldown = exact.Duration(time.Millisecond)
	if r, err := Run(ctx, o); !errors.Is(err, context.Canceled) || r != nil {
		t.Errorf("%+v, %v", r, err)
	}
}

// A prompt of unknown length is in no band, and not in the shortest.
func TestUnknownLength(t *testing.T) {
	for _, tokens := range []string{"1500", "0"} {
		e := start(t, func(prompt string, n int) reply {
			x := reply{text: "one", cached: "0"}
			if prompt == "item 1" {
				x.prompt = tokens
			}
			return x
		})
		o := options(t, e, 2)
		r, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		a, err := r.Artifact(o.Plan, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		b, err := floor.Encode(a)
		if err != nil {
			t.Fatal(err)
		}
		if bands := strings.Count(string(b), `"band"`); bands != map[string]int{"1500": 1, "0": 0}[tokens] {
			t.Errorf("%s tokens: %s", tokens, b)
		}
		if _, err := floor.Read(b); err != nil {
			t.Error(err)
		}
	}
}
