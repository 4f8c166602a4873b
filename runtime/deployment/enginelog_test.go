package deployment

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// lines keep what is written to a log.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lines) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(strings.SplitSeq(strings.TrimSuffix(l.text.String(), "\n"), "\n"))
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func contextOf(t *testing.T) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	return ctx, stop
}

// post sends a prompt with a request id.
func post(t *testing.T, url, id, prompt string) {
	t.Helper()
	r, _ := http.NewRequest("POST", url+"/v1/completions", strings.NewReader(`{"model":"m","temperature":0,"prompt":"`+prompt+`"}`))
	r.Header.Set("X-Request-Id", id)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 200 {
		t.Fatalf("status %d", resp.StatusCode)
	}
}

// Each engine's log tells of the same requests: a donor, a recipient that
// reuses three blocks of it in two stretches, and a prompt that has nothing.
func TestEngineLogs(t *testing.T) {
	donor := document("alpha", 48)
	words := strings.Fields(donor)
	recipient := "One two. " + strings.Join(words[:38], " ") + " " + document("mid", 12) + " " + strings.Join(words[:30], " ") // 82 words
	for flavour, want := range map[Flavour][]string{
		VLLM: {
			"INFO connector: SemBlend donor registered request_id=cmpl-don namespace=fdbench tokens=48 blocks=3",
			"INFO connector: SemBlend semantic lookup hit request_id=cmpl-rec donor_id=cmpl-don similarity=0.3902 kind=span reusable_tokens=32 reason=content_match",
			"INFO connector: SemBlend request-local experimental load advertised request_id=cmpl-rec donor_id=cmpl-don tokens=32",
			"INFO connector: SemBlend materializing request_id=cmpl-rec donor_id=cmpl-don tokens=32",
			"INFO connector: SemBlend materialized request_id=cmpl-rec donor_id=cmpl-don tokens=32",
			"INFO connector: SemBlend donor registered request_id=cmpl-rec namespace=fdbench tokens=82 blocks=5",
			"INFO connector: SemBlend donor registered request_id=cmpl-no namespace=fdbench tokens=20 blocks=1",
		},
		SGLang: {
			"semantic lookup: no hit for rid=don, best score=0.00 prompt_tokens=48",
			"[FUZZY] register_donor: ok request_id=don tokens=48",
			"[FUZZY] semantic hit similarity=0.3902 matched_tokens=32 request_id=rec donor_id=don",
			"[FUZZY RADIX] Fuzzy match success: rid=rec cached=32, prompt=82, offset=0, quality_cosine=0.390",
			"[FUZZY RADIX] segmented prefill realized donor phase: backend=fdbench rid=rec donor_tokens=16 target=[16,32) prefix_len=32 direct_paged_kv=True",
			"[FUZZY RADIX] segmented prefill realized donor phase: backend=fdbench rid=rec donor_tokens=16 target=[64,80) prefix_len=80 direct_paged_kv=True",
			"[FUZZY] Realized 32 fuzzy tokens (2 segments)",
			"[FUZZY] register_donor: ok request_id=rec tokens=82",
			"semantic lookup: no hit for rid=no, best score=0.00 prompt_tokens=20",
			"[FUZZY] register_donor: ok request_id=no tokens=20",
		},
		TRTLLM: {
			`{"event":"lookup","request_id":"don","found":false,"rejection_reason":"no_donor_match"}`,
			`{"event":"donor_registered","request_id":"don"}`,
			`{"event":"lookup","request_id":"rec","found":true,"similarity":0.3902439024390244}`,
			`{"event":"engine_blend_boundary","request_id":"rec","boundary_layer":0}`,
			`{"event":"materialized","request_id":"rec","materialized":2,"requires_rope_correction":true}`,
			`{"event":"donor_registered","request_id":"rec"}`,
			`{"event":"lookup","request_id":"no","found":false,"rejection_reason":"no_donor_match"}`,
			`{"event":"donor_registered","request_id":"no"}`,
		},
	} {
		var log lines
		_, s, _ := start(t, Options{Flavour: flavour, Log: &log, Engine: Extract("1", Reuse{Mode: Semantic, Keep: 1000})})
		post(t, s.URL, "don", donor)
		post(t, s.URL, "rec", recipient)
		post(t, s.URL, "no", document("none", 20))
		if got := log.all(); !slices.Equal(got, want) {
			t.Errorf("%s:\n%s", flavour, strings.Join(got, "\n"))
		}
	}
}

// What the cache does not keep is no donor: a prompt of less than a block, and
// one that is longer than the whole cache.
func TestEngineLogOfNoDonor(t *testing.T) {
	for flavour, registered := range map[Flavour]string{VLLM: "donor registered", SGLang: "register_donor", TRTLLM: "donor_registered"} {
		var log lines
		_, s, _ := start(t, Options{Flavour: flavour, Log: &log, Engine: Extract("1", Reuse{Mode: Semantic, Keep: 2})})
		post(t, s.URL, "short", document("short", 15))
		post(t, s.URL, "long", document("long", 48))
		post(t, s.URL, "fits", document("fits", 47))
		var ids []string
		for _, l := range log.all() {
			if strings.Contains(l, registered) {
				ids = append(ids, l)
			}
		}
		if len(ids) != 1 || !strings.Contains(ids[0], "fits") {
			t.Errorf("%s: registered are\n%s", flavour, strings.Join(ids, "\n"))
		}
	}
}

// A miss by a fault is found, and not materialised.
func TestEngineLogOfAMiss(t *testing.T) {
	donor := document("alpha", 48)
	for flavour, want := range map[Flavour]string{
		VLLM:   "INFO connector: SemBlend semantic lookup hit request_id=cmpl-rec donor_id=cmpl-don similarity=0.6400 kind=discovery_only reusable_tokens=0 reason=fault_miss",
		SGLang: "semantic lookup: no hit for rid=rec, best score=0.64 prompt_tokens=50",
		TRTLLM: `{"event":"lookup","request_id":"rec","found":false,"rejection_reason":"fault_miss"}`,
	} {
		var log lines
		_, s, _ := start(t, Options{Flavour: flavour, Log: &log, Faults: Faults{Miss: 1}, Engine: Extract("1", Reuse{Mode: Semantic, Keep: 1000})})
		post(t, s.URL, "don", donor)
		registered := len(log.all())
		post(t, s.URL, "rec", "Read this. "+donor)
		if got := log.all()[registered:]; len(got) != 2 || got[0] != want {
			t.Errorf("%s:\n%s\nwant\n%s, and a registration", flavour, strings.Join(got, "\n"), want)
		}
	}
}

// A client that goes away before its first token leaves a hit, and no
// materialisation.
func TestEngineLogOfAClientThatWent(t *testing.T) {
	var log lines
	donor := document("alpha", 48)
	d, s, _ := start(t, Options{Log: &log, Latency: Latency{First: 300 * time.Millisecond}, Engine: Extract("1", Reuse{Mode: Semantic, Keep: 1000})})
	post(t, s.URL, "don", donor)
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	r, _ := http.NewRequestWithContext(ctx, "POST", s.URL+"/v1/completions", strings.NewReader(`{"model":"m","prompt":"Read this. `+donor+`"}`))
	r.Header.Set("X-Request-Id", "gone")
	if _, err := http.DefaultClient.Do(r); err == nil {
		t.Fatal("the answer came")
	}
	for range 100 {
		if d.counters.failed.Load() == 1 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	got := log.String()
	if !strings.Contains(got, "lookup hit request_id=cmpl-gone") || strings.Contains(got, "materialized request_id=cmpl-gone") || strings.Contains(got, "registered request_id=cmpl-gone") {
		t.Error(got)
	}
}
