package arms

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
)

func TestCheck(t *testing.T) {
	respond := func(path string, status int, contentType, body string) func(http.ResponseWriter, call) bool {
		return func(w http.ResponseWriter, c call) bool {
			if c.path != path {
				return false
			}
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(status)
			io.WriteString(w, body)
			return true
		}
	}
	const chat, json, events = "/v1/chat/completions", "application/json", "text/event-stream"
	const one = `data: {"choices":[{"index":0,"finish_reason":"stop","delta":{"content":"hi"}}]}` + "\n\n"
	type live = plan.ReuseLive
	for _, x := range []struct {
		name   string
		change func(*live)
		answer func(http.ResponseWriter, call) bool
		want   string // "" for nothing to say
		remedy string
	}{
		{"well", nil, nil, "", ""},
		{"well, in SGLang's way", func(l *live) { l.Driver, l.Engine, l.Model, l.EngineVersion = SGLang, "sglang", "ORG/m", "0.5.16" }, nil, "", ""},
		{"a build of the declared version", func(l *live) { l.Engine, l.EngineVersion = "vllm", "0.29.0" }, nil, "", ""},
		{"no list of models", nil, respond("/v1/models", 404, json, "{}"), "", ""},
		{"nobody", func(l *live) { l.Endpoint.BaseURL = "http://127.0.0.1:1" }, nil, "nothing answers at http://127.0.0.1:1", "start the engine"},
		{"nobody, in SGLang's way", func(l *live) { l.Driver, l.Endpoint.BaseURL = SGLang, "http://127.0.0.1:1" }, nil, "nothing answers", "start the engine"},
		{"a wrong key", func(l *live) { l.Endpoint.KeyEnv = "K" }, respond("/v1/models", 401, json, `{"error":{"message":"no"}}`), "refuses the key (status 401", "set the environment variable K"},
		{"no key", nil, respond(chat, 403, json, `{"error":{"message":"no"}}`), "refuses the key", "key_env"},
		{"a wrong model", func(l *live) { l.Model = "n" }, nil, `has no model "n"`, `there is "other", "m"`},
		{"a wrong model that no list names", nil, func(w http.ResponseWriter, c call) bool {
			return respond("/v1/models", 200, json, `{"data":[]}`)(w, c) || respond(chat, 404, json, `{"error":{"message":"The model m does not exist"}}`)(w, c)
		}, `refuses the model "m"`, "correct model"},
		{"a wrong model, in SGLang's way", func(l *live) { l.Driver, l.Model = SGLang, "org/m2" }, nil, `serves the model "/models/org/m", and not "org/m2"`, "correct model"},
		{"no model among several", func(l *live) { l.Model = "" }, nil, "names no model, and the endpoint", `there is "other", "m"`},
		{"no model and no list", func(l *live) { l.Model = "" }, respond("/v1/models", 404, json, "{}"), "lists none", "write model"},
		{"the one model of the endpoint", func(l *live) { l.Model = "" }, respond("/v1/models", 200, json, `{"data":[{"id":"only"}]}`), "", ""},
		{"the model of the server, in SGLang's way", func(l *live) { l.Driver, l.Engine, l.Model, l.EngineVersion = SGLang, "sglang", "", "0.5.16" }, nil, "", ""},
		{"no SGLang", func(l *live) { l.Driver = SGLang }, func(w http.ResponseWriter, c call) bool {
			return respond("/get_model_info", 404, json, "{}")(w, c)
		}, "does not tell its model", "openai driver"},
		{"another version", func(l *live) { l.Engine, l.EngineVersion = "vllm", "0.2" }, nil, `version "0.29.0+cu129", and "0.2" is declared`, "engine_version"},
		{"no OpenAI", nil, respond(chat, 404, "text/html", "no"), "does not speak the protocol", "base_url"},
		{"no events", nil, respond(chat, 200, "text/html", "<html>"), "does not answer as the openai driver expects", "base_url"},
		{"a gateway without an engine", nil, respond(chat, 503, json, "{}"), "cannot reach the engine", "start"},
		{"an error in the answer", nil, respond(chat, 200, events, "data: {\"error\":{\"message\":\"dead\"}}\n\n"), "answers with an error: dead", "log"},
		{"in one piece", nil, respond(chat, 200, json, `{"choices":[{"index":0,"message":{"content":"hi"}}],"usage":{"prompt_tokens":1}}`), "answers in one piece", "stream"},
		{"no text", nil, respond(chat, 200, events, `data: {"choices":[{"index":0,"finish_reason":"length","delta":{"reasoning":"hm"}}]}`+"\n\ndata: [DONE]\n\n"), "answered without any text", "max_tokens"},
		{"no usage", nil, respond(chat, 200, events, one+"data: [DONE]\n\n"), "reports no usage", "include_usage"},
		{"usage without cached tokens", nil, respond(chat, 200, events, one+"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3}}\n\ndata: [DONE]\n\n"), "", ""},
		{"no reset", func(l *live) { l.Reset = []string{l.Endpoint.BaseURL + "/none"} }, nil, "there is no reset at", "/reset_prefix_cache"},
		{"nobody at the reset", func(l *live) { l.Reset = []string{"http://127.0.0.1:1/reset"} }, nil, "gets no answer", "start the engine"},
		{"a reset refused", nil, respond("/reset", 401, json, ""), "is refused (status 401)", "reset_token_env"},
		{"a busy reset", nil, respond("/reset", 400, json, "busy"), "failed (status 400: busy)", "wait"},
		{"no counters", func(l *live) { l.Metrics = []string{l.Endpoint.BaseURL + "/none"} }, nil, "cannot be read: status 404", "metrics"},
		{"a donor's endpoint", func(l *live) { l.Donors = []string{"http://127.0.0.1:1"} }, nil, "nothing answers at http://127.0.0.1:1", "start"},
	} {
		t.Run(x.name, func(t *testing.T) {
			e := start(t)
			e.answer = x.answer
			r := runner(t, planned(e, x.change), func(o *Options) { o.Secret = func(string) (string, error) { return "key", nil } })
			err := r.Check(t.Context())
			if x.want == "" {
				if err != nil {
					t.Fatalf("%v", err)
				}
				if e.seen()[len(e.seen())-1].path != "/reset" {
					t.Errorf("a preflight leaves its prompt in the cache: %s", e.order())
				}
				return
			}
			var p *Problem
			if err == nil || !strings.Contains(err.Error(), x.want) || !errors.As(err, &p) || p.Part == "" || !strings.Contains(p.Remedy, x.remedy) {
				t.Fatalf("%v, %+v", err, p)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("one mistake gives several messages: %v", err)
			}
		})
	}
}

// The one model of an endpoint is asked for where none is declared, and every
// request says so. An endpoint for donors has to have it too.
func TestUndeclaredModel(t *testing.T) {
	e := start(t)
	e.answer = func(w http.ResponseWriter, c call) bool {
		if c.path == "/v1/models" {
			io.WriteString(w, `{"data":[{"id":"only"}]}`)
		}
		return c.path == "/v1/models"
	}
	undeclared := func(l *plan.ReuseLive) { l.Model = "" }
	r := runner(t, planned(e, undeclared), nil)
	if err := r.Check(t.Context()); err != nil || r.Model() != "only" {
		t.Fatalf("%q, %v", r.Model(), err)
	}
	if err := r.Check(t.Context()); err != nil {
		t.Errorf("a second look: %v", err)
	}
	_, done, err := r.Pair(t.Context(), 0, item("i"))
	if err != nil || len(done) != 2 || done[0].Model != "only" || done[1].Model != "only" {
		t.Errorf("%+v, %v", done, err)
	}
	for _, c := range e.seen() {
		if c.path == "/v1/chat/completions" && c.body["model"] != "only" {
			t.Errorf("a request asks for the model %v", c.body["model"])
		}
	}
	donors := start(t)
	r = runner(t, planned(e, func(l *plan.ReuseLive) { l.Model, l.Donors = "", []string{donors.URL} }), nil)
	if err := r.Check(t.Context()); err == nil || !strings.Contains(err.Error(), `has no model "only"; write the model that is meant into the live block; there is "other", "m"`) {
		t.Errorf("%v", err)
	}
	r = runner(t, planned(start(t), func(l *plan.ReuseLive) { l.Driver, l.Engine, l.Model = SGLang, "sglang", "" }), nil)
	if err := r.Check(t.Context()); err != nil || r.Model() != "/models/org/m" {
		t.Errorf("%q, %v", r.Model(), err)
	}
}

func TestCheckCancelled(t *testing.T) {
	e := start(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := runner(t, planned(e, nil), nil).Check(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestModelNames(t *testing.T) {
	for _, x := range []struct {
		have, want string
		same       bool
	}{
		{"org/Model-7B", "org/model-7b", true}, {"/data/org/Model-7B/", "other/Model-7B", true}, {`C:\m\Model`, "Model", true},
		{"Model-72B", "Model-7", false}, {"", "", false}, {"Model-7B", "Model-7B-Instruct", false},
	} {
		if got := sameModel(x.have, x.want); got != x.same {
			t.Errorf("%q and %q: %v", x.have, x.want, got)
		}
	}
	for _, x := range []struct {
		have, want string
		same       bool
	}{{"0.5.16", "0.5.16", true}, {"v0.5.16", "0.5.16", true}, {"0.5.16+cu1", "0.5.16", true}, {"0.5.16", "0.5.1", false}, {"0.5.1", "0.5.16", false}, {"0.5.16.1", "0.5.16", false}} {
		if got := sameVersion(x.have, x.want); got != x.same {
			t.Errorf("%q and %q: %v", x.have, x.want, got)
		}
	}
}

func TestCounters(t *testing.T) {
	e := start(t)
	r := runner(t, planned(e, func(l *plan.ReuseLive) { l.Metrics = []string{e.URL + "/none", e.URL + "/metrics"} }), nil)
	list := r.Counters(t.Context(), Before)
	if len(list) != 2 || list[0].URL != e.URL+"/none" || list[0].Moment != Before || list[0].Values != nil || !strings.HasPrefix(list[0].Detail, "status 404") {
		t.Fatalf("%+v", list)
	}
	if v := list[1].Values; len(v) != 1 || v[0].Value != 3 || list[1].Detail != "" {
		t.Errorf("%+v", list[1])
	}
}

func TestPlacement(t *testing.T) {
	e := start(t)
	declared := []plan.RouteHeader{{Header: "x-outcome", Tells: TellsOutcome}, {Header: "x-route", Tells: TellsOutcome}, {Header: "x-worker", Tells: TellsEndpoint},
		{Header: "x-sim", Tells: TellsSemanticScore}, {Header: "x-total", Tells: TellsTotalScore}, {Header: "x-why", Tells: TellsReason}}
	r := runner(t, planned(e, func(l *plan.ReuseLive) { l.Route = declared }), nil)
	for _, x := range []struct {
		headers string // name=value,...
		want    string // outcome endpoint semantic total reason header; nil
	}{
		{"", "nil"},
		{"x-elsewhere=semantic", "nil"},
		{"x-route=Semantic", "semantic_placement  - -  x-route: Semantic"},
		{"x-route=COLD,x-worker=w-3", "cold_route w-3 - -  x-route: COLD; x-worker: w-3"},
		{"x-outcome=fail_open,x-route=semantic", "error_fallback  - -  x-outcome: fail_open; x-route: semantic"},
		{"x-outcome=exact,x-sim=0.930,x-total=1.5,x-why=same tenant", "exact_route  0.93 1.5 same tenant x-outcome: exact; x-sim: 0.930; x-total: 1.5; x-why: same tenant"},
		{"x-outcome=Other_Way,x-sim=high,x-total=1/2", "other_way  - -  x-outcome: Other_Way; x-sim: high; x-total: 1/2"},
		{"x-sim=0.5", "  0.5 -  x-sim: 0.5"},
	} {
		h := http.Header{}
		for pair := range strings.SplitSeq(x.headers, ",") {
			if name, v, ok := strings.Cut(pair, "="); ok {
				h.Set(name, v)
			}
		}
		got := "nil"
		if p := r.placement(h); p != nil {
			scores := []string{"-", "-"}
			if p.SemanticScore != nil {
				scores[0] = p.SemanticScore.String()
			}
			if p.TotalScore != nil {
				scores[1] = p.TotalScore.String()
			}
			got = strings.Join(slices.Concat([]string{p.Outcome, p.Endpoint}, scores, []string{p.Reason, strings.ReplaceAll(p.Header, "\n", "; ")}), " ")
		}
		if got != x.want {
			t.Errorf("%s: %q, want %q", x.headers, got, x.want)
		}
	}
	// A placement says nothing of tokens, and tokens nothing of a placement.
	_, list := pair(t, r, 0, item("x"))
	if p := list[0].Route; p == nil || p.Outcome != "semantic_placement" || *list[0].CachedTokens != 0 {
		t.Errorf("%+v", list[0])
	}
	long := r.placement(http.Header{"X-Why": {fmt.Sprintf("%05000d", 1)}})
	if len(long.Reason) != maxHeader {
		t.Errorf("%d bytes of a header are kept", len(long.Reason))
	}
}
