package tap

import (
	"context"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/stdlib/text"
)

// TestSampling: whether a request is sampled depends on the seed, the
// indicator and the request's number alone, and the share is as declared.
func TestSampling(t *testing.T) {
	make := func(seed string, shares ...string) *Exporter {
		o := Options{In: strings.NewReader(""), Seed: seed}
		for i, s := range shares {
			ind := no([]string{"a", "b"}[i])
			ind.Sampling = exact.MustParse(s)
			o.Indicators = append(o.Indicators, ind)
		}
		e, err := New(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	const n = 20000
	draw := func(e *Exporter, i int) []bool {
		out := []bool{}
		for k := range uint64(n) {
			out = append(out, e.sampled(i, k))
		}
		return out
	}
	e := make("s", "0.1", "1/4")
	a := draw(e, 0)
	hits, both := 0, 0
	for k, hit := range draw(e, 1) {
		if a[k] {
			hits++
		}
		if a[k] && hit {
			both++
		}
	}
	within := func(got int, p float64) bool { return math.Abs(float64(got)-n*p) < 4*math.Sqrt(n*p*(1-p)) }
	if !within(hits, .1) || !within(both, .025) {
		t.Errorf("%d sampled of %d, %d for both indicators", hits, n, both)
	}
	if !cmp.Equal(a, draw(make("s", "0.1"), 0)) {
		t.Error("the sample depends on another indicator")
	}
	if cmp.Equal(a, draw(make("t", "0.1"), 0)) {
		t.Error("the sample does not depend on the seed")
	}
	// A larger share holds the smaller one.
	for k, hit := range draw(make("s", "0.5"), 0) {
		if a[k] && !hit {
			t.Fatalf("request %d is in a sample of 0.1 and not in one of 0.5", k)
		}
	}
}

// TestSampledCounts: a response that is not sampled counts, and adds nothing.
func TestSampledCounts(t *testing.T) {
	half := no("half")
	half.Sampling = exact.Frac(1, 2)
	e := idle(t, Options{Indicators: []Indicator{half, no("all")}})
	want := Counts{Sums: []int64{0, 0}, Scored: []int64{0, 0}}
	for k := range uint64(100) {
		e.count(&response{ordinal: k, text: "No", outcome: openai.OK})
		want.Total++
		want.Sums[1]++
		want.Scored[1]++
		if e.sampled(0, k) {
			want.Sums[0]++
			want.Scored[0]++
		}
	}
	if d := cmp.Diff(want, e.Snapshot().Series[0]); d != "" {
		t.Errorf("counts (-want +got):\n%s", d)
	}
}

func TestCountErrors(t *testing.T) {
	for _, counts := range []bool{false, true} {
		e := idle(t, Options{CountErrors: counts})
		e.count(&response{outcome: openai.Cut})
		e.count(&response{outcome: openai.OK, text: "No"})
		want := int64(1)
		if counts {
			want = 2
		}
		if s := e.Snapshot(); s.Series[0].Total != want || s.Errors[openai.Cut] != 1 || s.Series[0].Scored[0] != 1 {
			t.Errorf("CountErrors %v: %+v", counts, s)
		}
	}
}

// TestFullQueue: responses pass although nothing is scored, and what is lost is
// counted and said.
func TestFullQueue(t *testing.T) {
	block, blocked := make(chan bool), make(chan bool, 100)
	slow := no("slow")
	score := slow.Score
	slow.Score = func(r text.Response) int32 {
		blocked <- true
		<-block
		return score(r)
	}
	up := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, answer("No"))
	})
	var said warnings
	e := begin(t, Options{Upstream: up.URL, Indicators: []Indicator{slow}, Queue: 3, Warn: said.add})
	t.Cleanup(func() { close(block) })
	ask := func() { post(t, "http://"+e.ProxyAddr()+"/v1/chat/completions", `{"messages":[]}`) }
	for range workers {
		ask()
		<-blocked
	}
	for range 3 + 5 {
		ask()
	}
	until(t, "5 lost responses", func() bool { return e.Snapshot().Unscored["queue"] == 5 })
	if !said.has("sees fewer than declared") {
		t.Errorf("said %q", said.said)
	}
	for range workers + 3 {
		block <- true
	}
	if s := settledTally(t, e, 10); s.Series[0].Total != workers+3 {
		t.Errorf("%+v", s)
	}
	until(t, "free memory", func() bool { return e.memory.used.Load() == 0 })
}

// TestMemory: a response that finds no room passes whole and is not scored.
func TestMemory(t *testing.T) {
	long := answer(strings.Repeat("No ", 10000))
	for _, c := range []struct {
		name, request, response string
	}{
		{"response", `{}`, long},
		{"request", `{"prompt":"` + strings.Repeat("x", 30000) + `"}`, answer("No")},
	} {
		up := serve(t, func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, c.response)
		})
		e := begin(t, Options{Upstream: up.URL, Memory: 20000})
		if _, got := post(t, "http://"+e.ProxyAddr()+"/v1/completions", c.request); string(got) != c.response {
			t.Errorf("%s: %d bytes passed of %d", c.name, len(got), len(c.response))
		}
		s := settledTally(t, e, 1)
		if s.Unscored["memory"] != 1 || s.Series[0].Total != 0 || e.memory.used.Load() != 0 {
			t.Errorf("%s: %+v, %d bytes held", c.name, s, e.memory.used.Load())
		}
	}
}

func TestUnknownEncoding(t *testing.T) {
	up := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Encoding", "br")
		io.WriteString(w, "\x0b\x02\x80{}\x03")
	})
	var said warnings
	e := begin(t, Options{Upstream: up.URL, Warn: said.add})
	if _, got := post(t, "http://"+e.ProxyAddr()+"/v1/completions", `{}`); string(got) != "\x0b\x02\x80{}\x03" {
		t.Errorf("%q passed", got)
	}
	if s := settledTally(t, e, 1); s.Unscored["encoding"] != 1 || !said.has("Content-Encoding") {
		t.Errorf("%+v, said %q", s, said.said)
	}
}

// TestCloseScoresWhatIsOnItsWay: a request that is being answered ends well, and
// counts.
func TestCloseScoresWhatIsOnItsWay(t *testing.T) {
	half := make(chan bool)
	up := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, event("No"))
		w.(http.Flusher).Flush()
		<-half
		io.WriteString(w, event(" way")+stop+done)
	})
	e := begin(t, Options{Upstream: up.URL})
	resp, err := http.Post("http://"+e.ProxyAddr()+"/v1/completions", "application/json", strings.NewReader(`{"stream":true}`))
	if err != nil {
		t.Fatal(err)
	}
	closed := make(chan bool)
	go func() { e.Close(); close(closed) }()
	half <- true
	b, err := io.ReadAll(resp.Body)
	if err != nil || string(b) != event("No")+event(" way")+stop+done {
		t.Errorf("%q, %v", b, err)
	}
	<-closed
	if s := e.Snapshot(); s.Series[0].Total != 1 || s.Series[0].Sums[1] != 2 {
		t.Errorf("%+v", s)
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	e, err := New(t.Context(), Options{Indicators: []Indicator{no("no_rate")}, In: strings.NewReader(logLine("No")), Metrics: loopback})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := e.Run(ctx, cancel); err != nil {
		t.Error(err)
	}
	e.Close()
}

// TestFromDetector takes names, sampling and labels as a scenario declares them.
func TestFromDetector(t *testing.T) {
	words := plan.Indicator{Name: "words", Kind: "mean", Unit: "words", Scorer: "verbosity/1"}
	rude := plan.Indicator{Name: "rude", Kind: "rate", Unit: "1", Predicate: "response.words > 2"}
	d := &plan.Declaration{
		Indicators: []plan.Indicator{rude, words, {Name: "other", Kind: "rate", Scorer: "refusal/1"}},
		Detector: plan.Detector{
			Name: "alerts",
			Indicators: []plan.DetectorIndicator{
				{Label: "w", Indicator: "words", Sampling: exact.Frac(1, 3), Exports: "my_words"},
				{Label: "r", Indicator: "rude", Sampling: exact.Int(1)},
				{Label: "r, longer", Indicator: "rude", Sampling: exact.Int(1)},
			},
			Prometheus: &plan.Prometheus{Total: "my_total", Labels: map[string]string{"team": "blue"}},
		},
	}
	o := Options{In: strings.NewReader(""), ModelLabel: "model", Labels: map[string]string{"site": "lab"}}
	if err := o.FromDetector(d); err != nil {
		t.Fatal(err)
	}
	e, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	e.count(&response{text: "one two three", outcome: openai.OK})
	samples, _ := scrape(t, e.exposition(false), false)
	for name, want := range map[string]float64{
		`{__name__="my_total", site="lab", team="blue"}`:       1,
		`{__name__="llm_rude_total", site="lab", team="blue"}`: 1,
	} {
		if got, ok := samples[name]; !ok || got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if len(e.o.Indicators) != 2 || e.o.Indicators[0].Counter != "my_words" || e.o.Indicators[0].Sampling.String() != "1/3" {
		t.Errorf("indicators %+v", e.o.Indicators)
	}
	if len(d.Detector.Prometheus.Labels) != 1 {
		t.Error("the plan was changed")
	}
	d.Detector.Indicators[0].Indicator = "gone"
	if err := o.FromDetector(d); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("error %v", err)
	}
}
