package tap

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fdbench/fdbench/runtime/openai"
)

// collector is a small receiver of OTLP. It reads the protocol's JSON by its
// own types, strictly.
type collector struct {
	mu      sync.Mutex
	status  func(signal string, n int) int // of the n-th request of a signal
	answer  string
	seen    map[string]int
	headers []http.Header
	sums    map[string]int64 // by name and attributes, the last value
	events  []map[string]string
	counts  []string // of the histogram, the last ones
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil {
		c.seen, c.sums = map[string]int{}, map[string]int64{}
	}
	signal := strings.TrimPrefix(r.URL.Path, "/base/v1/")
	c.seen[signal]++
	c.headers = append(c.headers, r.Header.Clone())
	if c.status != nil {
		if s := c.status(signal, c.seen[signal]); s != 200 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(s)
			return
		}
	}
	body, _ := io.ReadAll(r.Body)
	if err := c.take(signal, body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	io.WriteString(w, c.answer)
}

type attributes []struct {
	Key   string
	Value struct {
		StringValue *string
		DoubleValue *float64
		ArrayValue  *struct {
			Values []struct{ StringValue string }
		}
	}
}

func (a attributes) texts() map[string]string {
	out := map[string]string{}
	for _, x := range a {
		switch v := x.Value; {
		case v.StringValue != nil:
			out[x.Key] = *v.StringValue
		case v.DoubleValue != nil:
			out[x.Key] = strconv.FormatFloat(*v.DoubleValue, 'g', -1, 64)
		case v.ArrayValue != nil:
			for _, e := range v.ArrayValue.Values {
				out[x.Key] += e.StringValue + ";"
			}
		}
	}
	return out
}

type resource struct{ Attributes attributes }

type scope struct{ Name, Version string }

func (c *collector) take(signal string, body []byte) error {
	d := json.NewDecoder(strings.NewReader(string(body)))
	d.DisallowUnknownFields()
	type point struct {
		Attributes                      attributes
		StartTimeUnixNano, TimeUnixNano string
		AsInt, Count                    string
		Sum                             float64
		BucketCounts                    []string
		ExplicitBounds                  []float64
	}
	switch signal {
	case "metrics":
		var m struct {
			ResourceMetrics []struct {
				Resource     resource
				ScopeMetrics []struct {
					Scope   scope
					Metrics []struct {
						Name, Description, Unit string
						Sum                     *struct {
							DataPoints             []point
							AggregationTemporality int
							IsMonotonic            bool
						}
						Histogram *struct {
							DataPoints             []point
							AggregationTemporality int
						}
					}
				}
			}
		}
		if err := d.Decode(&m); err != nil {
			return err
		}
		for _, x := range m.ResourceMetrics[0].ScopeMetrics[0].Metrics {
			if h := x.Histogram; h != nil {
				if h.AggregationTemporality != 2 || len(h.DataPoints[0].ExplicitBounds)+1 != len(h.DataPoints[0].BucketCounts) {
					return fmt.Errorf("histogram %s", x.Name)
				}
				c.counts = append(h.DataPoints[0].BucketCounts, h.DataPoints[0].Count)
				continue
			}
			if x.Sum.AggregationTemporality != 2 || !x.Sum.IsMonotonic {
				return fmt.Errorf("%s is no cumulative counter", x.Name)
			}
			for _, p := range x.Sum.DataPoints {
				v, err := strconv.ParseInt(p.AsInt, 10, 64)
				if err != nil || p.StartTimeUnixNano == "" || p.StartTimeUnixNano > p.TimeUnixNano {
					return fmt.Errorf("point of %s: %v", x.Name, err)
				}
				c.sums[fmt.Sprint(x.Name, p.Attributes.texts())] = v
			}
		}
	case "logs":
		var m struct {
			ResourceLogs []struct {
				Resource  resource
				ScopeLogs []struct {
					Scope      scope
					LogRecords []struct {
						TimeUnixNano, ObservedTimeUnixNano string
						SeverityNumber                     int
						EventName                          string
						Attributes                         attributes
					}
				}
			}
		}
		if err := d.Decode(&m); err != nil {
			return err
		}
		for _, r := range m.ResourceLogs[0].ScopeLogs[0].LogRecords {
			if r.EventName != "gen_ai.evaluation.result" || r.TimeUnixNano > r.ObservedTimeUnixNano {
				return fmt.Errorf("event %q", r.EventName)
			}
			c.events = append(c.events, r.Attributes.texts())
		}
	default:
		return fmt.Errorf("path %q", signal)
	}
	return nil
}

// pushing runs a tap that pushes to a collector.
func pushing(t *testing.T, c *collector, o Options, p OTLP) *Exporter {
	t.Helper()
	up := serve(t, c.ServeHTTP)
	p.Endpoint = up.URL + "/base/"
	if p.Interval == 0 {
		p.Interval = 5 * time.Millisecond
	}
	if p.Backoff == 0 {
		p.Backoff = time.Millisecond
	}
	o.OTLP = &p
	return idle(t, o)
}

func TestPush(t *testing.T) {
	c := &collector{}
	e := pushing(t, c, Options{ModelLabel: "model", Labels: map[string]string{"team": "blue"}, FirstToken: true}, OTLP{Header: http.Header{"Api-Key": {"k"}}})
	e.count(&response{operation: "chat", model: "m", id: "a1", finish: "stop", text: "No no", outcome: openai.OK, firstToken: 3 * time.Millisecond, end: time.Now()})
	e.count(&response{operation: "chat", model: "m", text: "Yes", outcome: openai.OK, firstToken: -1, end: time.Now()})
	e.Close() // the last push has all
	c.mu.Lock()
	defer c.mu.Unlock()
	want := map[string]int64{
		"llm_responses_totalmap[gen_ai.response.model:m team:blue]":                              2,
		"llm_no_rate_totalmap[gen_ai.evaluation.name:no_rate gen_ai.response.model:m team:blue]": 1,
		"llm_words_totalmap[gen_ai.evaluation.name:words gen_ai.response.model:m team:blue]":     3,
		"tap_scored_totalmap[gen_ai.evaluation.name:no_rate gen_ai.response.model:m team:blue]":  2,
		"tap_scored_totalmap[gen_ai.evaluation.name:words gen_ai.response.model:m team:blue]":    2,
	}
	if d := cmp.Diff(want, c.sums); d != "" {
		t.Errorf("sums (-want +got):\n%s", d)
	}
	common := func(name, score string, more map[string]string) map[string]string {
		m := map[string]string{
			"gen_ai.evaluation.name": name, "gen_ai.evaluation.score.value": score,
			"gen_ai.operation.name": "chat", "gen_ai.response.model": "m", "team": "blue",
		}
		for k, v := range more {
			m[k] = v
		}
		return m
	}
	first := map[string]string{"gen_ai.response.id": "a1", "gen_ai.response.finish_reasons": "stop;"}
	wantEvents := []map[string]string{common("no_rate", "1", first), common("words", "2", first), common("no_rate", "0", nil), common("words", "1", nil)}
	if d := cmp.Diff(wantEvents, c.events); d != "" {
		t.Errorf("events (-want +got):\n%s", d)
	}
	if n := len(firstTokenBounds) + 2; len(c.counts) != n || c.counts[1] != "1" || c.counts[n-1] != "1" {
		t.Errorf("histogram %v", c.counts)
	}
	for _, h := range c.headers {
		if h.Get("Api-Key") != "k" || h.Get("Content-Type") != "application/json" {
			t.Errorf("headers %v", h)
		}
	}
}

// TestPushIsRepeated: a busy collector gets every event once it takes them.
func TestPushIsRepeated(t *testing.T) {
	c := &collector{status: func(_ string, n int) int {
		return map[int]int{1: 503, 2: 429, 3: 502, 4: 504}[n] + map[bool]int{true: 200}[n > 4]
	}}
	var said warnings
	e := pushing(t, c, Options{Warn: said.add}, OTLP{Interval: 20 * time.Millisecond})
	for k := range uint64(10) {
		e.count(&response{ordinal: k, text: "No", outcome: openai.OK})
	}
	until(t, "all events", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.events) == 20
	})
	// The collector has them before the answer to the last push is counted.
	until(t, "an export that is counted", func() bool { return e.pusher.logsCount.taken.Load() > 0 })
	if f := e.pusher.logsCount.failures.Load(); f < 4 {
		t.Errorf("%d failures", f)
	}
	if e.pusher.logsCount.dropped.Load() != 0 || !said.has("does not take logs: status 503") {
		t.Errorf("said %q", said.said)
	}
	samples, _ := scrape(t, e.exposition(true), true)
	if samples[`{__name__="tap_otlp_exports_total", signal="logs"}`] < 1 || samples[`{__name__="tap_otlp_failures_total", signal="logs"}`] < 4 {
		t.Errorf("%v", samples)
	}
}

// TestPushIsRefused: what a repetition does not change is lost at once, and
// counted.
func TestPushIsRefused(t *testing.T) {
	c := &collector{status: func(signal string, _ int) int { return 400 }}
	e := pushing(t, c, Options{}, OTLP{})
	e.count(&response{text: "No", outcome: openai.OK})
	until(t, "2 lost events", func() bool { return e.pusher.logsCount.dropped.Load() == 2 })
	if n := e.pusher.logsCount.failures.Load(); n != 1 {
		t.Errorf("%d attempts", n)
	}
}

func TestPushPartly(t *testing.T) {
	c := &collector{answer: `{"partialSuccess":{"rejectedLogRecords":"1","errorMessage":"x"}}`}
	e := pushing(t, c, Options{}, OTLP{})
	e.count(&response{text: "No", outcome: openai.OK})
	until(t, "a lost event", func() bool { return e.pusher.logsCount.dropped.Load() == 1 })
}

// TestPushQueueIsBounded: with a collector that is away responses are scored
// none the slower, and events that find no room are counted.
func TestPushQueueIsBounded(t *testing.T) {
	c := &collector{status: func(string, int) int { return 503 }}
	var said warnings
	e := pushing(t, c, Options{Warn: said.add}, OTLP{Queue: 4, Interval: time.Hour, Backoff: time.Hour})
	const n = 2000
	begin := time.Now()
	for k := range uint64(n) {
		e.count(&response{ordinal: k, text: "No", outcome: openai.OK})
	}
	if d := time.Since(begin); d > 2*time.Second {
		t.Errorf("took %v", d)
	}
	if e.Snapshot().Series[0].Total != n || e.pusher.logsCount.dropped.Load() == 0 || !said.has("an evaluation event was lost") {
		t.Errorf("%d dropped, said %q", e.pusher.logsCount.dropped.Load(), said.said)
	}
	begin = time.Now()
	e.Close()
	if d := time.Since(begin); d > lastPush+2*time.Second {
		t.Errorf("the end took %v", d)
	}
	// Every event was taken or counted as lost.
	if got := e.pusher.logsCount.dropped.Load(); got != 2*n {
		t.Errorf("%d dropped of %d", got, 2*n)
	}
}

func TestRetryAfter(t *testing.T) {
	for v, want := range map[string]time.Duration{
		"": 0, "2": 2 * time.Second, "0.5": time.Second / 2, "-1": 0, "NaN": 0, "99999999999": maxBackoff, "Wed, 21 Oct 2015 07:28:00 GMT": 0,
	} {
		if got := retryAfter(v); got != want {
			t.Errorf("%q: %v, want %v", v, got, want)
		}
	}
}

// TestSecretsStayInside: neither a warning nor a metric repeats a header.
func TestSecretsStayInside(t *testing.T) {
	c := &collector{status: func(string, int) int { return 401 }}
	var said warnings
	e := pushing(t, c, Options{Warn: said.add}, OTLP{Header: http.Header{"Authorization": {"Bearer sesame"}}})
	e.count(&response{text: "No", outcome: openai.OK})
	until(t, "a warning", func() bool { return said.has("401") })
	if slices.ContainsFunc(said.said, func(s string) bool { return strings.Contains(s, "sesame") }) || strings.Contains(string(e.exposition(true)), "sesame") {
		t.Errorf("said %q", said.said)
	}
}
