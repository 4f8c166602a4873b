package tap

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fdbench/fdbench/lang/exact"
)

// TestIndicatorTwice exports one indicator under two names, with two shares:
// each series is there once.
func TestIndicatorTwice(t *testing.T) {
	var events atomic.Int64
	up := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if r.URL.Path == "/v1/logs" {
			events.Add(int64(strings.Count(string(b), `"gen_ai.evaluation.result"`)))
		}
		w.Write([]byte(answer("No")))
	})
	all, tenth := no("no_rate"), no("no_rate")
	all.Counter, tenth.Counter, tenth.Sampling = "a_total", "b_total", exact.Frac(1, 1000)
	e := begin(t, Options{Upstream: up.URL, Indicators: []Indicator{all, tenth, words("words")}, OTLP: &OTLP{Endpoint: up.URL, Interval: time.Hour}})
	for range 3 {
		post(t, "http://"+e.ProxyAddr()+"/v1/chat/completions", `{}`)
	}
	settledTally(t, e, 3)
	for _, open := range []bool{false, true} {
		page := string(e.exposition(open))
		seen := map[string]bool{}
		for line := range strings.Lines(page) {
			series, _, _ := strings.Cut(line, "} ")
			if seen[series] {
				t.Errorf("a series stands twice: %s", line)
			}
			seen[series] = true
		}
		for _, want := range []string{`tap_scored_total{indicator="no_rate",counter="a_total"} 3`, `tap_scored_total{indicator="no_rate",counter="b_total"} 0`, `tap_scored_total{indicator="words"} 3`} {
			if !strings.Contains(page, want+"\n") {
				t.Errorf("there is no %s", want)
			}
		}
	}
	m, _ := e.pusher.metrics(e.o.now())
	seen := map[string]bool{}
	for _, metric := range m.ResourceMetrics[0].ScopeMetrics[0].Metrics {
		for _, p := range metric.Sum.DataPoints {
			b, _ := json.Marshal(p.Attributes)
			if key := metric.Name + string(b); seen[key] {
				t.Errorf("a point stands twice: %s", key)
			} else {
				seen[key] = true
			}
		}
	}
	e.Close()
	if n := events.Load(); n != 6 { // two indicators of three responses
		t.Errorf("%d evaluation events", n)
	}
}
