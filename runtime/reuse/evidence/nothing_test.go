package evidence

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// What is written where there is no id is no id: the evidence of all that have
// none is not that of one request.
func TestNoIDJoinsNothing(t *testing.T) {
	for _, id := range []string{"None", "none", "NULL", "nil", "undefined", "unknown", "N/A", "-", "?", "nan", `"None"`, "'null'"} {
		e, joined := read(t, VLLM, fill(vHit, id, "64")+fill(vDone, id, "64"), id)
		if e.MaterializedReuse != 0 || e.Requests != 0 || joined != nil || e.Unattributed != (record.Unattributed{Hits: 1, Materializations: 1}) {
			t.Errorf("request_id=%s: %+v", id, e)
		}
		e, _ = read(t, SGLang, fill("[FUZZY] semantic hit similarity=0.9 matched_tokens=64 rid=%1\n[FUZZY] Realized 64 fuzzy tokens rid=%1\n", id))
		if e.MaterializedReuse != 0 || e.Requests != 0 {
			t.Errorf("rid=%s: %+v", id, e)
		}
	}
	for _, id := range []string{"null", "true", "false", "NaN", "Infinity", "-Infinity", `""`, `"None"`, `"null"`, "{}", "[]", `["r"]`} {
		e, _ := read(t, TRTLLM, fill(`{"event":"lookup","request_id":%1,"found":true}`+"\n"+`{"event":"materialized","request_id":%1,"materialized":3}`+"\n"+`{"event":"engine_blend_boundary","request_id":%1}`, id))
		if e.MaterializedReuse != 0 || e.BoundariesProven != 0 || e.Requests != 0 || e.Unattributed.Materializations != 1 {
			t.Errorf("request_id %s: %+v", id, e)
		}
		e, _ = read(t, Audit, fill(`{"schema_version":2,"event":"semantic_span_load_advertised","request_id":%1,"token_count":64}`+"\n"+`{"schema_version":2,"event":"runtime_materialized","request_id":%1,"tokens":64}`, id))
		if e.MaterializedReuse != 0 || e.Requests != 0 || e.Connector.EngineEvents != 2 {
			t.Errorf("audit, request_id %s: %+v", id, e)
		}
	}
	// An id that has such a word in it is one.
	for _, id := range []string{"none-1", "unknown2", "--", "0", "-7"} {
		if e, _ := read(t, VLLM, fill(vHit, id, "64")+fill(vDone, id, "64")); e.MaterializedReuse != 1 {
			t.Errorf("%s: %+v", id, e)
		}
	}
}

// A log of requests repeats prompts and answers, which may be about logs.
func TestWhatIsRepeatedSaysNothing(t *testing.T) {
	for _, engine := range []string{VLLM, SGLang, LMCache} {
		lines := strings.Split(strings.TrimSpace(samples[engine]), "\n")
		all := strings.Join(lines, `\n`)
		for _, form := range []string{
			"INFO Received request cmpl-7: prompt: '%s', params: SamplingParams(n=1)",
			`DEBUG Request cmpl-7 details: prompt: "it's %s", prompt_token_ids: [1]`,
			"INFO Generated response cmpl-7 (streaming complete): output: '%s', finish_reason: stop",
			"Receive: obj=GenerateReqInput(rid='7', text='%s', sampling_params={})",
			`Receive: obj=GenerateReqInput(rid='7', text=["%s"])`,
			"Finish: obj=GenerateReqInput(rid='7'), out={'text': '%s', 'meta_info': {}}",
			"messages: [{'role': 'user', 'content': '%s'}]",
			"input_text='%s'",
		} {
			line := fmt.Sprintf(form, all)
			e, joined := read(t, engine, line, "r", "1")
			if e.SemanticHits+e.Materializations+e.DonorRegistrations+e.LoadAdvertisements+e.ExactHits+e.Errors+e.Warnings+e.Malformed != 0 || e.Requests != 0 || e.WholeLog || joined != nil || len(e.Unknown) != 0 {
				t.Errorf("%s %s: %+v", engine, form, e)
			}
		}
		// What merely looks like it is what the engine says.
		for _, form := range []string{
			"context='x' %s", "a prompt: %s", `{"message": "%s"}`, `{"text": "%s"}`, `{"log":"%s\n","stream":"stderr"}`, "reason='prompt too long' %s", "[prompt] '%s'",
		} {
			for _, line := range lines {
				bare, _ := read(t, engine, line)
				e, _ := read(t, engine, strings.Replace(form, "%s", line, 1))
				if e.SemanticHits != bare.SemanticHits || e.Materializations != bare.Materializations || e.MaterializedTokens != bare.MaterializedTokens ||
					e.DonorRegistrations != bare.DonorRegistrations || e.ExactHitTokens != bare.ExactHitTokens || e.Requests != bare.Requests || e.Malformed != bare.Malformed {
					t.Errorf("%s %s with %q: %+v", engine, form, line, e)
				}
			}
		}
	}
}

// Lines of a container's runtime, in JSON, name the same requests.
func TestLinesInJSON(t *testing.T) {
	log := ""
	for i, line := range strings.Split(strings.TrimSpace(fill(vHit, "r", "64")+fill(vDone, "r", "64")), "\n") {
		log += fmt.Sprintf(`{"log":"%s\n","stream":"stderr","time":"2026-01-01T00:00:0%dZ"}`+"\n", line, i)
	}
	if e, joined := read(t, VLLM, log, "r"); e.MaterializedReuse != 1 || e.Malformed != 0 || len(joined) != 1 || joined[0].Tokens != 64 {
		t.Errorf("%+v %+v", e, joined)
	}
	e, _ := read(t, LMCache, `{"log":"Reusing 4/8 tokens for request 8\n","time":"1"}`+"\n"+`{"log":"Reusing 4/8 tokens for request 8\n","time":"2"}`)
	if e.Requests != 1 || e.Materializations != 2 {
		t.Errorf("%+v", e)
	}
}

// An event with further words is another one, and may say the contrary.
func TestFurtherWords(t *testing.T) {
	hit, done := strings.TrimSpace(fill(vHit, "r", "64")), strings.TrimSpace(fill(vDone, "r", "64"))
	for _, log := range []string{
		strings.Replace(hit, "hit", "hit rejected", 1) + "\n" + done,
		hit + "\n" + strings.Replace(done, "materialized", "materialized nothing of", 1),
		hit + "\n" + strings.Replace(done, "materialized", "materialized: no", 1),
	} {
		if e, joined := read(t, VLLM, log, "r"); e.MaterializedReuse != 0 || len(e.Unknown) != 1 || e.WholeLog || joined[0].Hits > 0 && joined[0].Tokens > 0 {
			t.Errorf("%q: %+v %+v", log, e, joined)
		}
	}
}

// The letters of a field inside a value are no field, and a comma inside an id
// is a part of it.
func TestValues(t *testing.T) {
	e, joined := read(t, VLLM, fill(vHit, "r", "64")+"SemBlend materialized request_id=r donor_id=tokens=64 tokens=0\n", "r")
	if e.MaterializedReuse != 0 || e.MaterializedTokens != 0 || joined[0].Tokens != 0 {
		t.Errorf("%+v", e)
	}
	e, _ = read(t, VLLM, fill(vHit, "a,b", "64")+fill(vDone, "a,c", "64"))
	if e.MaterializedReuse != 0 || e.Requests != 2 {
		t.Errorf("%+v", e)
	}
	for line, want := range map[string]string{
		"request_id=a, tokens=1": "a", "request_id=a,tokens=1": "a", "request_id=a;": "a", "request_id=a,b;c": "a,b;c", "request_id=a,": "a",
		"(request_id=a) x": "a", "[request_id=a]": "a", `request_id="a", b`: "a", "request_id='a,b',c=d": "a,b", `request_id=a\n","x"`: "a", "request_id=a\x1b[0m": "a",
		`request_id=a,\n`: "a", "x-request_id=b request_id=a": "a", "request_id=a," + strings.Repeat("b", 40) + "=": "a," + strings.Repeat("b", 40) + "=",
	} {
		if got, _ := field([]byte(line), []byte(line), "request_id="); string(got) != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// Figures over many lookups are no hits, and neither is one that is denied.
func TestStatisticsAreNoHits(t *testing.T) {
	for _, line := range []string{
		"[FUZZY] hit rate similarity=0.9 matched_tokens=64 rid=r", "semantic cache: hit ratio=0.5 tokens=64 rid=r", "fuzzy hit-count: 7 tokens=64 rid=r", "semantic hit threshold similarity=0.9 rid=r",
		"semantic lookup hit: false score=0.9 rid=r", "semantic lookup hit: no, tokens=64 rid=r", "fuzzy matched: 0 tokens=64 rid=r",
	} {
		if e, joined := read(t, SGLang, line+"\n[FUZZY] Realized 64 fuzzy tokens rid=r", "r"); e.SemanticHits != 0 || e.MaterializedReuse != 0 || joined[0].Hits != 0 {
			t.Errorf("%q: %+v", line, e)
		}
	}
	for _, line := range []string{"semantic lookup hit: similarity=0.9 tokens=64 rid=r", "semantic hit: true score=0.9 rid=r", "fuzzy hit: donor d similarity=0.9 rid=r"} {
		if e, _ := read(t, SGLang, line); e.SemanticHits != 1 {
			t.Errorf("%q: %+v", line, e)
		}
	}
}

// Phases without the name of a request are not counted again with the lines
// that sum them up, whoever's they are.
func TestUnnamedPhases(t *testing.T) {
	phase := func(n string) string {
		return fill("[FUZZY RADIX] segmented prefill realized donor phase: donor_tokens=%1\n", n)
	}
	for _, test := range []struct {
		name                         string
		log                          string
		events, tokens, unattributed int64
	}{
		{"one after the other", phase("100") + phase("200") + "[FUZZY] Realized 300 fuzzy tokens (2 segments)\n" + phase("50") + "[FUZZY] Realized 50 fuzzy tokens\n", 3, 350, 3},
		{"mixed", phase("100") + phase("300") + phase("200") + "[FUZZY] Realized 300 fuzzy tokens (2 segments)\n[FUZZY] Realized 300 fuzzy tokens (1 segments)\n", 3, 600, 3},
		{"beside a request without segments", phase("100") + phase("200") + "[FUZZY] Realized 64 fuzzy tokens\n", 3, 364, 3},
		{"summed up by name", phase("100") + phase("200") + "[FUZZY] Realized 300 fuzzy tokens (2 segments) rid=r\n", 2, 300, 0},
		{"mixed, by name", phase("100") + phase("300") + phase("200") + "[FUZZY] Realized 300 fuzzy tokens (2 segments) rid=r\n", 3, 600, 1},
	} {
		e, joined := read(t, SGLang, test.log, "r")
		if e.Materializations != test.events || e.MaterializedTokens != test.tokens || e.Unattributed.Materializations != test.unattributed {
			t.Errorf("%s: %d events, %d tokens, %d unattributed", test.name, e.Materializations, e.MaterializedTokens, e.Unattributed.Materializations)
		}
		if len(joined) > 0 && (joined[0].Tokens != 300 || joined[0].Materialized != 2 || e.MaterializedAlone != 1) {
			t.Errorf("%s: %+v", test.name, joined)
		}
	}
}

// A file that is no text says so, and not that it has no evidence.
func TestForeignFiles(t *testing.T) {
	hit := fill(vHit, "r", "64")
	wide := func(text string, first bool) string {
		var b strings.Builder
		for i := range len(text) {
			if first {
				b.WriteString("\x00" + text[i:i+1])
			} else {
				b.WriteString(text[i:i+1] + "\x00")
			}
		}
		return b.String()
	}
	for name, x := range map[string]struct{ log, what string }{
		"gzip": {"\x1f\x8b\x08\x00", "gzip"}, "zstd": {"\x28\xb5\x2f\xfd\x04", "zstd"}, "xz": {"\xfd7zXZ\x00\x00", "xz"}, "bzip2": {"BZh91AY&SY", "bzip2"}, "zip": {"PK\x03\x04", "zip"},
		"UTF-16, marked": {"\xff\xfe" + wide(hit, false), "UTF-16"}, "UTF-16 the other way": {"\xfe\xff" + wide(hit, true), "UTF-16"}, "UTF-16": {wide(hit, false), "UTF-16"}, "UTF-16 without a mark": {wide(hit, true), "UTF-16"},
	} {
		for _, engine := range Engines() {
			for _, r := range []*strings.Reader{strings.NewReader(x.log)} {
				_, _, err := Read(engine, iotest.OneByteReader(r), Options{Log: "a.log"})
				var f *FormatError
				if !errors.As(err, &f) || !strings.Contains(err.Error(), x.what) || !strings.HasPrefix(err.Error(), "a.log: ") || f.Remedy == "" {
					t.Errorf("%s as %s: %v", name, engine, err)
				}
			}
		}
	}
	for name, log := range map[string]string{
		"zeros of a rotation": strings.Repeat("\x00", 4096) + "\n" + hit, "a mark of UTF-8": "\ufeff" + hit, "one byte": "S", "two letters": "PK", "BZh": "BZh9 is no archive\n" + hit,
	} {
		e, _, err := Read(VLLM, strings.NewReader(log), Options{})
		if want := int64(strings.Count(log, "lookup hit")); err != nil || e.SemanticHits != want {
			t.Errorf("%s: %d hits, %v", name, e.SemanticHits, err)
		}
	}
}

// The totals of an audit are those of its lines, whatever numbers they bear.
func TestAdvertisedTotals(t *testing.T) {
	line := `{"schema_version":2,"event":"semantic_span_load_advertised","request_id":"r","token_count":%d}` + "\n"
	e, _ := read(t, Audit, fmt.Sprintf(line, 999_999_999)+fmt.Sprintf(line, 5)+fmt.Sprintf(line, 4_294_967_296+7))
	if e.AdvertisedTokens != 5 || e.Malformed != 1 || e.Connector.Tokens.Denominator != 5 {
		t.Errorf("%+v %+v", e, *e.Connector)
	}
}

// A line costs no more than its length, whatever it repeats.
func TestNoQuadraticLine(t *testing.T) {
	for name, x := range map[string][2]string{
		"scores":  {SGLang, "fuzzy hit " + strings.Repeat("score=x", MaxLine/8)},
		"tokens":  {SGLang, "fuzzy hit score=1 " + strings.Repeat("tokens=x", MaxLine/9)},
		"fields":  {SGLang, "fuzzy hit " + strings.Repeat("xtokens=1 ", MaxLine/11)},
		"commas":  {SGLang, "fuzzy hit tokens=" + strings.Repeat(",a", MaxLine/3)},
		"commas2": {SGLang, "fuzzy hit tokens=" + strings.Repeat(",", MaxLine/2) + strings.Repeat("a", MaxLine/4)},
		"quotes":  {VLLM, "SemBlend " + strings.Repeat("='", MaxLine/3)},
		"marks":   {VLLM, strings.Repeat("SemBlend ", MaxLine/10)},
		"errors":  {VLLM, strings.Repeat("=ERROR", MaxLine/7)},
		"stores":  {LMCache, strings.Repeat("Stored 4 ", MaxLine/10)},
	} {
		began := time.Now()
		if _, _, err := Read(x[0], strings.NewReader(x[1]), Options{}); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > 3*time.Second { // linear it takes some 10 ms
			t.Errorf("%s: %v", name, took)
		}
	}
}

func TestTruthOfTRTLLM(t *testing.T) {
	for value, want := range map[string]int64{"true": 1, "1": 1, "0.5": 1, `"yes"`: 1, "[0]": 1, `{"a":1}`: 1, "false": 0, "0": 0, "0.0": 0, "null": 0, `""`: 0, "[ ]": 0, "{}": 0} {
		if e, _ := read(t, TRTLLM, `{"event":"materialized","request_id":1,"materialized":3,"requires_rope_correction":`+value+`}`); e.RopeCorrections != want || e.Materializations != 1 {
			t.Errorf("%s: %+v", value, e)
		}
	}
	for reason, want := range map[string]int{`"x"`: 1, `""`: 0, "null": 0, "7": 0} {
		if e, _ := read(t, TRTLLM, `{"event":"lookup","request_id":1,"found":false,"rejection_reason":`+reason+`}`); len(e.Rejections) != want || e.SemanticHits != 0 {
			t.Errorf("%s: %+v", reason, e)
		}
	}
}

func TestSGLangNames(t *testing.T) {
	e, joined := read(t, SGLang, "[FUZZY] register_donor: ok request_id=r tokens=4\n[FUZZY] register_donor: ok tokens=4", "r")
	if e.DonorRegistrations != 2 || e.Requests != 1 || len(joined) != 1 {
		t.Errorf("%+v %+v", e, joined)
	}
	for line, whole := range map[string]int64{"semantic hit score=.9 tokens=4": 1, "semantic hit score=0.9": 0, "semantic hit score=0.9 tokens=.4": 0, "semantic hit tokens=4 score=0.9": 0, "hit semantic score=0.9 tokens=4": 0, "semantic hit xscore=x similarity=1 tokens= tokens=4": 1} {
		if e, _ := read(t, SGLang, line); e.SemanticHitsWhole != whole {
			t.Errorf("%s: %d", line, e.SemanticHitsWhole)
		}
	}
}

// What is taken for an object is one, and what is one is taken for it.
func TestMembersAreThoseOfJSON(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	seeds := []string{`{"a":"x\u12aFé\n\"","b":[1,-2.5e+3,0,0.5E-1,{}],"c":{"d":null},"e":true,"f":false}`, ` { "a" : [ ] , "b" : "" } `, `{}`, `{"a":{"b":[[{"c":1}]]}}`}
	const letters = "{}[]\",:\\u0123456789abcefn+-.eE \t\nxtruls"
	for _, seed := range seeds {
		for range 20_000 {
			b := []byte(seed)
			for range rng.IntN(3) {
				switch i := rng.IntN(len(b)); rng.IntN(3) {
				case 0:
					b[i] = letters[rng.IntN(len(letters))]
				case 1:
					b = slices.Delete(b, i, i+1)
				case 2:
					b = slices.Insert(b, i, letters[rng.IntN(len(letters))])
				}
				if len(b) == 0 {
					break
				}
			}
			var want map[string]json.RawMessage
			valid := json.Unmarshal(b, &want) == nil && want != nil
			got := map[string]string{}
			if ok := members(b, func(name, value []byte) { got[string(name)] = string(value) }); ok != valid {
				t.Fatalf("%q: %v, want %v", b, ok, valid)
			}
			for name, v := range want {
				if got[name] != string(v) {
					t.Fatalf("%q: %q is %q, want %q", b, name, got[name], v)
				}
			}
		}
	}
}
