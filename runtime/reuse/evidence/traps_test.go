package evidence

import (
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// read reads a log that a test spells out.
func read(t *testing.T, engine, log string, own ...string) (record.Evidence, []record.Joined) {
	t.Helper()
	e, joined, err := Read(engine, strings.NewReader(log), Options{Log: "test.log", Requests: func(id string) (Request, bool) {
		for _, o := range own {
			if o == id {
				return Request{"item of " + id, record.Warm}, true
			}
		}
		return Request{}, false
	}})
	if err != nil {
		t.Fatal(err)
	}
	return e, joined
}

const (
	vHit  = "INFO c.py:1: SemBlend semantic lookup hit request_id=%1 donor_id=d similarity=0.9 kind=span reusable_tokens=%2 reason=x\n"
	vDone = "INFO c.py:2: SemBlend materialized request_id=%1 donor_id=d tokens=%2\n"
)

func fill(template string, args ...string) string {
	for i, a := range args {
		template = strings.ReplaceAll(template, "%"+string(rune('1'+i)), a)
	}
	return template
}

// A lookup that says that it did not hit is no hit.
func TestNoHitIsNoHit(t *testing.T) {
	for _, line := range []string{
		"semantic lookup: no hit for rid=r, best score=0.31 prompt_tokens=2100 tokens=64",
		"semantic lookup: not a hit rid=r score=0.31 tokens=64",
		"[FUZZY] cache miss rid=r (a hit needs similarity=0.9) tokens=64",
		"[FUZZY] not matched rid=r similarity=0.2 tokens=64",
		"[FUZZY] unmatched rid=r similarity=0.2 tokens=64",
		"semantic lookup rid=r hit=false score=0.2 tokens=64",
		"semantic lookup rid=r hit=0 score=0.2 tokens=64",
		"semantic cache hit_rate=0.5 score=0.2 tokens=64",
		"semantic lookup found no usable hit rid=r similarity=0.2 tokens=64",
	} {
		e, joined := read(t, SGLang, line, "r")
		if e.SemanticHits != 0 || e.MaterializedReuse != 0 || len(joined) > 0 && joined[0].Hits != 0 {
			t.Errorf("%q: %d hits", line, e.SemanticHits)
		}
	}
	for _, line := range []string{
		"[FUZZY] semantic hit similarity=0.93 matched_tokens=64 request_id=r",
		"SEMANTIC lookup HIT rid=r score=0.93 tokens=64",
		"semantic lookup: no exact entry, fuzzy hit similarity=0.93 tokens=64 rid=r",
		"fuzzy matched rid=r similarity=9.3e-1 tokens=64",
		"semantic lookup rid=r hit=true score=0.93 tokens=64",
	} {
		e, joined := read(t, SGLang, line, "r")
		if e.SemanticHits != 1 || len(joined) != 1 || joined[0].Hits != 1 || joined[0].Similarity == nil || *joined[0].Similarity != 0.93 {
			t.Errorf("%q: %d hits, %+v", line, e.SemanticHits, joined)
		}
	}
	// The contract's own reading falls for it.
	if e, _ := read(t, SGLang, "semantic lookup: no hit for rid=r, best score=0.31 prompt_tokens=2100"); e.SemanticHitsWhole != 1 {
		t.Errorf("whole log: %d hits", e.SemanticHitsWhole)
	}
}

func TestQualityCosineIsRead(t *testing.T) {
	e, joined := read(t, SGLang, "[FUZZY RADIX] Fuzzy match success: rid=r cached=1024, prompt=2100, offset=0, quality_cosine=0.931", "r")
	if len(joined) != 1 || joined[0].Similarity == nil || *joined[0].Similarity != 0.931 || *e.SimilarityMax != 0.931 || *e.SimilarityMin != 0.931 {
		t.Errorf("%+v", joined)
	}
}

// The length of the prompt is not what matched.
func TestPromptTokensDoNotMatch(t *testing.T) {
	e, joined := read(t, SGLang, "[FUZZY] semantic hit similarity=0.93 prompt_tokens=2100 matched_tokens=0 request_id=r\n", "r")
	if e.SemanticHits != 1 || e.DiscoveryOnly != 1 || joined[0].Hits != 0 || joined[0].Discovery != 1 {
		t.Errorf("%+v %+v", e, joined)
	}
}

// A hit that offers nothing is a discovery, and no half of a reuse.
func TestDiscoveryIsNoReuse(t *testing.T) {
	discovery := strings.Replace(fill(vHit, "r", "64"), "kind=span", "kind=discovery_only", 1)
	for name, log := range map[string]string{
		"no tokens":      fill(vHit, "r", "0"),
		"discovery only": discovery,
		"both":           strings.Replace(discovery, "=64", "=0", 1),
	} {
		e, joined := read(t, VLLM, log+fill(vDone, "r", "64"), "r")
		if e.SemanticHits != 1 || e.DiscoveryOnly != 1 || e.MaterializedReuse != 0 || e.MaterializedAlone != 1 || !e.WholeLog || joined[0].Hits != 0 || joined[0].Discovery != 1 {
			t.Errorf("%s: %+v %+v", name, e, joined)
		}
	}
	// A materialisation of nothing is none either.
	e, _ := read(t, VLLM, fill(vHit, "r", "64")+fill(vDone, "r", "0"))
	if e.MaterializedReuse != 0 || e.HitsAlone != 1 || e.Materializations != 1 || !e.WholeLog {
		t.Errorf("%+v", e)
	}
	// A later hit that offers tokens makes the request a hit.
	e, _ = read(t, VLLM, fill(vHit, "r", "0")+fill(vHit, "r", "1")+fill(vDone, "r", "1"))
	if e.MaterializedReuse != 1 || e.SemanticHits != 1 || e.DiscoveryOnly != 0 || e.SemanticHitsWhole != 2 {
		t.Errorf("%+v", e)
	}
}

// Exponents, signs and another order of fields do not make a hit unseen.
func TestSimilarityInAnyNotation(t *testing.T) {
	for text, want := range map[string]float64{"9.1e-01": 0.91, "-0.05": -0.05, "1E0": 1, "+0.5": 0.5} {
		line := strings.Replace(fill(vHit, "r", "64"), "similarity=0.9", "similarity="+text, 1)
		e, joined := read(t, VLLM, line, "r")
		if e.SemanticHits != 1 || joined[0].Hits != 1 || joined[0].Similarity == nil || *joined[0].Similarity != want {
			t.Errorf("%s: %+v", text, joined)
		}
		if e.SemanticHitsWhole != 0 {
			t.Errorf("%s: the whole log's reading counts %d", text, e.SemanticHitsWhole)
		}
	}
	for _, text := range []string{"nan", "inf", "-Infinity", "?"} {
		line := strings.Replace(fill(vHit, "r", "64"), "similarity=0.9", "similarity="+text, 1)
		if e, joined := read(t, VLLM, line, "r"); e.SemanticHits != 1 || joined[0].Similarity != nil || e.SimilarityMax != nil {
			t.Errorf("%s: %+v", text, joined)
		}
	}
	e, _ := read(t, VLLM, "SemBlend semantic lookup hit reusable_tokens=64 request_id=r similarity=0.9")
	if e.SemanticHits != 1 || e.SemanticHitsWhole != 0 {
		t.Errorf("%+v", e)
	}
}

// A hit of one request and a materialisation of another prove nothing.
func TestAcrossRequests(t *testing.T) {
	e, joined := read(t, VLLM, fill(vHit, "a", "64")+fill(vDone, "b", "64"), "a", "b")
	if e.MaterializedReuse != 0 || !e.WholeLog || e.HitsAlone != 1 || e.MaterializedAlone != 1 {
		t.Errorf("%+v", e)
	}
	if len(joined) != 2 || joined[0].Hits != 1 || joined[0].Tokens != 0 || joined[1].Hits != 0 || joined[1].Tokens != 64 {
		t.Errorf("%+v", joined)
	}
	e, _ = read(t, TRTLLM, `{"event":"lookup","request_id":1,"found":true}`+"\n"+`{"event":"materialized","request_id":2,"materialized":3}`)
	if e.MaterializedReuse != 0 || !e.WholeLog {
		t.Errorf("%+v", e)
	}
	// Ids that one begins with are two.
	e, _ = read(t, VLLM, fill(vHit, "r-1", "64")+fill(vDone, "r-10", "64"))
	if e.MaterializedReuse != 0 {
		t.Errorf("%+v", e)
	}
}

func TestUnitsAreNoTokens(t *testing.T) {
	e, joined := read(t, TRTLLM, `{"event":"lookup","request_id":1,"found":true}`+"\n"+`{"event":"materialized","request_id":"1","materialized":3}`, "1")
	if e.MaterializedTokens != 0 || e.TokensWhole != 0 || e.MaterializedUnits != 3 || e.MaterializedReuse != 1 || joined[0].Units != 3 || joined[0].Tokens != 0 {
		t.Errorf("%+v %+v", e, joined)
	}
}

// A boundary of the engine is apart: with a materialisation of the same request
// it proves the execution of a suffix, and neither does alone.
func TestBoundaryIsApart(t *testing.T) {
	const boundary, done = `{"event":"engine_blend_boundary","request_id":1,"boundary_layer":20}` + "\n", `{"event":"materialized","request_id":1,"materialized":3}` + "\n"
	for log, want := range map[string]int64{boundary: 0, done: 0, boundary + done: 1, boundary + strings.Replace(done, ":1,", ":2,", 1): 0} {
		if e, _ := read(t, TRTLLM, log); e.BoundariesProven != want || e.MaterializedReuse != 0 {
			t.Errorf("%s: %+v", log, e)
		}
	}
}

// found has to be true, and not something that counts as true.
func TestFoundIsTrue(t *testing.T) {
	for found, want := range map[string]int64{"true": 1, "false": 0, `"true"`: 0, "1": 0, "null": 0} {
		if e, _ := read(t, TRTLLM, `{"event":"lookup","request_id":1,"found":`+found+`}`); e.SemanticHits != want || e.SemanticHitsWhole != want {
			t.Errorf("found %s: %+v", found, e)
		}
	}
}

// JSON that is no object is malformed, and nothing breaks.
func TestLinesThatAreNoObjects(t *testing.T) {
	for _, engine := range []string{TRTLLM, Audit} {
		for _, line := range []string{"[]", "1", `"text"`, "null", "true", "{", `{"event":}`, "{} {}", "Loading weights", strings.Repeat("[", 10000)} {
			e, _ := read(t, engine, line+"\n\n  \n")
			if e.Malformed != 1 || e.Lines != 3 || e.Errors != 0 || e.Requests != 0 {
				t.Errorf("%s %.20q: %+v", engine, line, e)
			}
		}
	}
	e, _ := read(t, TRTLLM, "no JSON\n[TensorRT-LLM][ERROR] out of memory\n2026 [E:onnxruntime:, x] Non-zero status code returned\n")
	if e.Malformed != 2 || e.Errors != 1 || e.ErrorsWhole != 2 || e.Warnings != 1 {
		t.Errorf("%+v", e)
	}
}

// The two lines that tell of one request's hit count once.
func TestTwoLinesOfOneHit(t *testing.T) {
	const log = "[FUZZY] semantic hit similarity=0.93 matched_tokens=1024 request_id=r\n[FUZZY RADIX] Fuzzy match success: rid=r cached=1024, prompt=2100, quality_cosine=0.931\n"
	e, joined := read(t, SGLang, log, "r")
	if e.SemanticHits != 1 || e.SemanticHitsWhole != 2 || joined[0].Hits != 1 {
		t.Errorf("%+v %+v", e, joined)
	}
	if _, joined = read(t, SGLang, log+log, "r"); joined[0].Hits != 2 {
		t.Errorf("two lookups: %+v", joined)
	}
	if e, _ = read(t, SGLang, log+strings.ReplaceAll(log, "=r", "=s")); e.SemanticHits != 2 {
		t.Errorf("two requests: %+v", e)
	}
}

// Phases of one request do not swallow what another realised without phases.
func TestPhasesAndRealizedLines(t *testing.T) {
	phase := func(rid, n string) string {
		return fill("[FUZZY RADIX] segmented prefill realized donor phase: backend=b rid=%1 donor_tokens=%2 target=[0,%2) direct_paged_kv=True\n", rid, n)
	}
	realized := func(n, more string) string { return "[FUZZY] Realized " + n + " fuzzy tokens" + more + "\n" }
	tests := []struct {
		name           string
		log            string
		events, tokens int64
		whole          int64
	}{
		{"phases and their sum", phase("a", "500") + phase("a", "524") + realized("1024", " (2 segments)"), 2, 1024, 1024},
		{"without phases", realized("700", ""), 1, 700, 700},
		{"two requests", phase("a", "500") + realized("500", "") + realized("700", ""), 2, 1200, 500},
		{"two requests, mixed", phase("a", "500") + phase("b", "300") + phase("a", "524") + realized("1024", "") + realized("300", "") + realized("64", ""), 4, 1388, 1324},
		{"a sum settles once", phase("a", "500") + realized("500", "") + realized("500", ""), 2, 1000, 500},
		{"a sum that differs, by its segments", phase("a", "500") + phase("a", "524") + realized("1020", " (2 segments)"), 2, 1024, 1024},
		{"a sum goes by its tokens before its segments", phase("a", "100") + phase("a", "200") + phase("b", "250") + phase("b", "250") + realized("500", " (2 segments)") + realized("300", " rid=a"), 4, 800, 800},
		{"a sum that names its request", phase("a", "500") + phase("b", "300") + realized("300", " rid=a") + realized("300", " rid=b"), 2, 800, 800},
	}
	for _, test := range tests {
		e, _ := read(t, SGLang, test.log)
		if e.Materializations != test.events || e.MaterializedTokens != test.tokens || e.TokensWhole != test.whole || e.Malformed != 0 {
			t.Errorf("%s: %d events, %d tokens, %d in the whole log's reading", test.name, e.Materializations, e.MaterializedTokens, e.TokensWhole)
		}
	}
}

// What an engine tells without a request is counted, and proves nothing of one.
func TestWithoutRequest(t *testing.T) {
	e, joined := read(t, SGLang, "[FUZZY] semantic hit similarity=0.93 matched_tokens=64\n[FUZZY] Realized 64 fuzzy tokens\n", "r")
	if e.SemanticHits != 1 || e.Materializations != 1 || e.MaterializedReuse != 0 || e.Requests != 0 || !e.WholeLog || joined != nil {
		t.Errorf("%+v", e)
	}
	if e.Unattributed != (record.Unattributed{Hits: 1, Materializations: 1}) {
		t.Errorf("%+v", e.Unattributed)
	}
}

// ERROR is a level, and not a part of a name.
func TestErrorsAndWarnings(t *testing.T) {
	tests := []struct {
		line             string
		errors, warnings int64
	}{
		{"ERROR 01-15 10:00:00 core.py:1: boom", 1, 0},
		{"(EngineCore pid=7) ERROR 01-15 [core.py:1] boom", 1, 0},
		{"[ERROR] boom", 1, 0},
		{"2026-01-15 10:00:00 ERROR: boom", 1, 0},
		{"worker: ERROR", 1, 0},
		{"a fatal ERROR.", 1, 0},
		{`{"level": "ERROR", "msg": "boom"}`, 1, 0},
		{"levelname=ERROR msg=boom", 1, 0},
		{"Traceback (most recent call last):", 1, 0},
		{"INFO request_id=ERROR-7 finished", 0, 0},
		{"INFO request_id=ERROR finished", 0, 0},
		{`INFO {"request_id": "ERROR"}`, 0, 0},
		{"INFO request_id=req-ERROR-7 finished", 0, 0},
		{"INFO NO_ERROR", 0, 0},
		{"INFO TERRORS", 0, 0},
		{"INFO /var/log/ERROR.log opened", 0, 0},
		{"INFO error", 0, 0},
		{"x [E:onnxruntime:, a.cc:1] boom", 0, 1},
		{"Non-zero status code returned", 0, 1},
		{"Shape mismatch attempting to re-use buffer", 0, 1},
		{"ERROR Non-zero status code returned", 1, 0},
		{"INFO request_id=ERROR-7 Non-zero status code returned", 0, 1},
	}
	for _, engine := range []string{VLLM, SGLang, LMCache} {
		for _, test := range tests {
			e, _ := read(t, engine, test.line)
			if e.Errors != test.errors || e.Warnings != test.warnings {
				t.Errorf("%s %q: %d errors, %d warnings, want %d, %d", engine, test.line, e.Errors, e.Warnings, test.errors, test.warnings)
			}
			whole := int64(0)
			if strings.Contains(test.line, "ERROR") || strings.Contains(test.line, "Traceback") {
				whole = 1
			}
			if e.ErrorsWhole != whole {
				t.Errorf("%s %q: %d errors in the whole log's reading", engine, test.line, e.ErrorsWhole)
			}
		}
	}
}

// What carries the mark and has no known form is named.
func TestUnknownIsNamed(t *testing.T) {
	e, _ := read(t, VLLM, "SemBlend connector ready version=3\nSemBlend connector ready\nSemBlend 7\nSemBlend materialized request_id=r\nSemBlend donor registered\n"+
		"SemBlend semantic lookup hit request_id=r reusable_tokens=many\nSemBlend materialized request_id=r tokens=99999999999\n")
	want := []record.Reason{{Reason: "(unnamed)", N: 1}, {Reason: "connector ready", N: 2}}
	if len(e.Unknown) != 2 || e.Unknown[0] != want[0] || e.Unknown[1] != want[1] || e.Malformed != 4 || e.Materializations != 0 {
		t.Errorf("%+v", e)
	}
	e, _ = read(t, TRTLLM, `{"event":"compacted"}`+"\n"+`{}`+"\n"+`{"event":"materialized","materialized":"many"}`+"\n"+`{"event":"materialized","materialized":-1}`)
	if len(e.Unknown) != 2 || e.Malformed != 2 || e.Materializations != 0 {
		t.Errorf("%+v", e)
	}
}
