package evidence

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/reuse/record"
)

func TestLMCache(t *testing.T) {
	e, joined := read(t, LMCache, `LMCache INFO: Reqid: chatcmpl-7, Total tokens 2048, Inference Engine computed tokens: 0, LMCache hit tokens: 1024, need to load: 1024
LMCache INFO: [req_id=chatcmpl-7] Retrieved 1024 out of total 2048 tokens. size: 0.1 gb
LMCache INFO: [req_id=chatcmpl-7] Retrieved 512 out of 768 required tokens (from 2048 total tokens).
LMCache INFO: Reusing 256/512 tokens for request 8
LMCache INFO: Retrieved 3 chunks
LMCache INFO: Stored 2048 out of total 2048 tokens. size: 0.1 gb
LMCache INFO: Storing 64 new tokens
LMCache INFO: Storing KV cache for 64 out of 128 tokens (skip_leading_tokens=64) for request 8
LMCache INFO: Reqid: 9, Total tokens 20, Inference Engine computed tokens: 0, LMCache hit tokens: 0, need to load: 0
`, "chatcmpl-7")
	if e.EventsWhole != 3 || e.TokensWhole != 1792 || e.Materializations != 3 || e.MaterializedTokens != 1792 || e.DonorRegistrations != 2 || e.ExactHits != 1 || e.ExactHitTokens != 1024 || e.Requests != 3 {
		t.Errorf("%+v", e)
	}
	// Semantic it is never, in neither reading.
	if e.SemanticHits != 0 || e.SemanticHitsWhole != 0 || e.WholeLog || e.MaterializedReuse != 0 || e.MaterializedAlone != 0 || joined[0].Hits != 0 || joined[0].Tokens != 1536 {
		t.Errorf("%+v %+v", e, joined)
	}
}

func TestVLLM(t *testing.T) {
	e, joined := read(t, VLLM, `(APIServer pid=1) INFO 02-03 04:05:06 [conn.py:9] SemBlend donor registered request_id=chatcmpl-d namespace=n tokens=96 blocks=6`+"\r\n"+
		`INFO SemBlend semantic lookup hit request_id=chatcmpl-own-0 donor_id=chatcmpl-d similarity=0.75 kind=span reusable_tokens=80 reason=ok`+"\r\n"+
		`INFO SemBlend request-local experimental load advertised request_id=chatcmpl-own-0 donor_id=chatcmpl-d tokens=80 attempt=1`+"\r\n"+
		`INFO SemBlend materializing request_id=chatcmpl-own-0 donor_id=chatcmpl-d tokens=80`+"\r\n"+
		`INFO SemBlend materialized request_id=chatcmpl-own-0 donor_id=chatcmpl-d tokens=72 SemBlend materialized request_id=chatcmpl-own-0 donor_id=e tokens=8`, "own")
	if e.DonorRegistrations != 1 || e.LoadAdvertisements != 1 || e.AdvertisedTokens != 80 || e.Started != 1 || e.Materializations != 2 || e.MaterializedTokens != 80 ||
		e.Requests != 2 || e.MaterializedReuse != 1 || e.Malformed != 0 || e.Lines != 5 {
		t.Errorf("%+v", e)
	}
	similarity := 0.75
	want := record.Joined{Log: "test.log", RequestID: "chatcmpl-own-0", ItemID: "item of own", Arm: record.Warm, Hits: 1, Advertised: 80, Materialized: 2, Tokens: 80}
	if len(joined) != 1 || *joined[0].Similarity != similarity {
		t.Fatalf("%+v", joined)
	}
	joined[0].Similarity = nil
	if joined[0] != want {
		t.Errorf("%+v", joined[0])
	}
}

// Of several advertisements the last one counts, in the scheduler's order; a
// boundary in the middle of a span is not aligned.
func TestAuditOrder(t *testing.T) {
	advert := func(seq, boundary, start, n int, spans string) string {
		return fmt.Sprintf(`{"schema_version":2,"event":"semantic_span_load_advertised","request_id":"r","connector_id":"s","request_seq":1,"event_seq":%d,"boundary":%d,"target_start":%d,"token_count":%d,"snapped_spans":[%s]}`+"\n",
			seq, boundary, start, n, spans)
	}
	const done = `{"schema_version":2,"event":"runtime_materialized","request_id":"r","tokens":60}` + "\n"
	tests := []struct {
		name               string
		log                string
		advertised, tokens int64
		aligned            int64
		hits               int64
	}{
		{"in order", advert(1, 32, 32, 100, "") + advert(2, 48, 32, 64, "") + done, 64, 60, 0, 1},
		{"mixed up", advert(2, 48, 32, 64, "") + advert(1, 32, 32, 100, "") + done, 64, 60, 0, 1},
		{"at another span's start", advert(1, 48, 32, 64, `{"target_start": 16}, {"target_end": 48, "target_start": 48}`) + done, 64, 60, 1, 1},
		{"at a span's end", advert(1, 48, 32, 64, `{"target_start": 16, "target_end": 48}`) + done, 64, 60, 0, 1},
		{"a mark of UTF-8", "\ufeff" + advert(1, 32, 32, 64, "") + "\r\n" + done, 64, 60, 1, 1},
		{"taken back", advert(1, 32, 32, 64, "") + advert(2, 32, 32, 0, "") + done, 0, 0, 1, 0},
	}
	for _, test := range tests {
		e, joined := read(t, Audit, test.log, "r")
		c := e.Connector
		if e.AdvertisedTokens != test.advertised || c.Tokens.Denominator != test.advertised || c.Tokens.Numerator != test.tokens ||
			c.Aligned != (record.Share{Numerator: test.aligned, Denominator: 1}) || joined[0].Advertised != test.advertised || joined[0].Hits != test.hits || e.MaterializedReuse != test.hits {
			t.Errorf("%s: %+v %+v %+v", test.name, e, *c, joined)
		}
	}
	e, _ := read(t, Audit, `{"schema_version":2,"event":"runtime_materialization_declined","request_id":"r","declined_reason":"no room"}
{"schema_version":2,"event":"lookup_skipped_too_short","request_id":"r"}
{"schema_version":2,"event":"paged_out","request_id":"r"}
{"schema_version":2,"event":"load_allocated","request_id":"r","tokens":"x"}
`)
	if len(e.Rejections) != 2 || e.Rejections[0].Reason != "lookup_skipped_too_short" || e.Connector.Declined != 1 || len(e.Unknown) != 1 || e.Malformed != 1 {
		t.Errorf("%+v", e)
	}
	// Nothing to divide by stays visible as a denominator of 0.
	if e.Connector.Reused != (record.Share{}) || e.Connector.Aligned != (record.Share{}) {
		t.Errorf("%+v", *e.Connector)
	}
}

func TestForms(t *testing.T) {
	for id, want := range map[string]string{
		"r":                  "r",
		"chatcmpl-r":         "chatcmpl-r r",
		"cmpl-run-7":         "cmpl-run-7 run-7 cmpl-run run",
		"chatcmpl-x-0a1b2c3": "chatcmpl-x-0a1b2c3 x-0a1b2c3",
		"x-0a1b2c3d":         "x-0a1b2c3d x",
		"x_12":               "x_12 x",
		"cmpl-x-0-0a1b2c3d":  "cmpl-x-0-0a1b2c3d x-0-0a1b2c3d cmpl-x-0 cmpl-x x-0 x",
		"x_3-0a1b2c3d":       "x_3-0a1b2c3d x_3 x",
		"x-a-0a1b2c3d":       "x-a-0a1b2c3d x-a",
		"x-1-2":              "x-1-2 x-1",
		"-1-0a1b2c3d":        "-1-0a1b2c3d -1",
		"-1":                 "-1",
		"chatcmpl-":          "chatcmpl-",
	} {
		if got := strings.Join(forms(id), " "); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}

// Two ids that stand for one request are no evidence of it, and are counted.
func TestAmbiguity(t *testing.T) {
	e, joined := read(t, VLLM, fill(vHit, "chatcmpl-r", "64")+fill(vDone, "r-1", "64")+fill(vHit, "s-0", "64"), "r", "s")
	if e.Ambiguous != 1 || len(joined) != 1 || joined[0].ItemID != "item of s" {
		t.Errorf("%d ambiguous, %+v", e.Ambiguous, joined)
	}
	// An id that is the run's own as it stands is not shortened.
	e, joined = read(t, VLLM, fill(vHit, "r-1", "64")+fill(vHit, "r-2", "64"), "r-1", "r-2")
	if e.Ambiguous != 0 || len(joined) != 2 {
		t.Errorf("%d ambiguous, %+v", e.Ambiguous, joined)
	}
}

// An id that several requests have is evidence of none of them, in whatever form
// the log has it, and neither is a shorter form of it.
func TestIDOfSeveralRequests(t *testing.T) {
	own := map[string]Request{"chatcmpl-1": {}, "1": {"item of 1", "warm"}, "r": {"item of r", "warm"}}
	log := fill(vHit, "chatcmpl-1", "64") + fill(vDone, "chatcmpl-1", "64") + fill(vHit, "r", "64")
	e, joined, err := Read(VLLM, strings.NewReader(log), Options{Requests: func(id string) (Request, bool) { q, ok := own[id]; return q, ok }})
	if err != nil || e.Ambiguous != 1 || e.Requests != 2 || len(joined) != 1 || joined[0].ItemID != "item of r" {
		t.Errorf("%v, %d ambiguous of %d, %+v", err, e.Ambiguous, e.Requests, joined)
	}
}

func TestCanonical(t *testing.T) {
	for name, want := range map[string]string{"vLLM": VLLM, "TRT_LLM": TRTLLM, "tensorrt-llm": TRTLLM, "trtllm": TRTLLM, "SGLang": SGLang, "lmcache": LMCache, "audit": Audit, "v-llm": "", "": ""} {
		if got, ok := Canonical(name); got != want || ok != (want != "") {
			t.Errorf("%s: %s %v", name, got, ok)
		}
	}
	if _, _, err := Read("llama", strings.NewReader(""), Options{}); err == nil || !strings.Contains(err.Error(), "vllm, sglang, trtllm") {
		t.Error(err)
	}
}

func TestStatements(t *testing.T) {
	const sglang = "[FUZZY] semantic hit similarity=0.93 matched_tokens=64 request_id=r\n"
	for _, test := range []struct{ engine, log, proven, not string }{
		{VLLM, "", "", "no evidence"},
		{VLLM, fill(vHit, "a", "1") + fill(vDone, "a", "1"), "1 request reused", "suffix alone is not shown"},
		{VLLM, fill(vHit, "a", "1") + fill(vDone, "b", "1"), "", "of different requests"},
		{VLLM, fill(vHit, "a", "0"), "", "discovery only"},
		{SGLang, sglang, "1 semantic hit: donors were found, which is no reuse yet.", "this one has no materialisation"},
		{SGLang, sglang, "", "it is the cached tokens that the server reports"},
		{TRTLLM, `{"event":"lookup","request_id":1,"found":true}` + "\n" + `{"event":"materialized","request_id":1,"materialized":3}` + "\n" + `{"event":"engine_blend_boundary","request_id":1}`, "executed the suffix alone", "no token figure"},
		{LMCache, "Retrieved 5 tokens", "LMCache loaded KV: 5 tokens in 1 load.", "nothing here is semantic"},
	} {
		e, _ := read(t, test.engine, test.log)
		proven, not := Statements(e)
		if p := strings.Join(proven, "\n"); !strings.Contains(p, test.proven) || test.proven == "" && strings.Contains(p, "reused") {
			t.Errorf("%s %q: proven %q", test.engine, test.log, p)
		}
		if n := strings.Join(not, "\n"); !strings.Contains(n, test.not) {
			t.Errorf("%s %q: not proven %q", test.engine, test.log, n)
		}
	}
}
