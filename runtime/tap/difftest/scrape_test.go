package difftest

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"

	"github.com/fdbench/fdbench/runtime/listen"
	"github.com/fdbench/fdbench/runtime/tap"
	"github.com/fdbench/fdbench/stdlib/text"
)

// scrape reads a page as Prometheus does.
func scrape(t *testing.T, url, accept string) (samples map[string]float64, contentType string) {
	t.Helper()
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", accept)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	page, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	contentType = resp.Header.Get("Content-Type")
	p, err := textparse.New(page, contentType, labels.NewSymbolTable(), textparse.ParserOptions{})
	if err != nil {
		t.Fatal(err)
	}
	samples = map[string]float64{}
	for {
		entry, err := p.Next()
		if err == io.EOF {
			return samples, contentType
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, page)
		}
		if entry != textparse.EntrySeries {
			continue
		}
		_, _, v := p.Series()
		var l labels.Labels
		p.Labels(&l)
		if _, twice := samples[l.String()]; twice {
			t.Errorf("%s stands twice", l)
		}
		samples[l.String()] = v
	}
}

// letters are those that formats have to escape, and some others.
var letters = []string{"a", "B", " ", `"`, `\`, "\n", "\t", "{", "}", ",", "=", "#", "é", "\u2028", "\xff", "0"}

func random(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(8) {
		b.WriteString(letters[r.IntN(len(letters))])
	}
	return b.String()
}

// TestPrometheusReadsBack: Prometheus reads the counts that were made, under
// the labels that were given, in both formats.
func TestPrometheusReadsBack(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		value, n := random(r), 1+r.IntN(50)
		models := map[string]int{}
		var log strings.Builder
		for range n {
			m := fmt.Sprintf("m%d %s", r.IntN(3), `\"x`)
			models[m]++
			fmt.Fprintf(&log, "{\"response\": \"one two\", \"model\": %q}\n", m)
		}
		e, err := tap.New(context.Background(), tap.Options{
			Indicators: []tap.Indicator{{Name: "words", Unit: "words", Score: func(x text.Response) int32 { return int32(len(strings.Fields(x.Text))) }}},
			Labels:     map[string]string{"l": value}, ModelLabel: "model", FirstToken: true,
			In: strings.NewReader(log.String()), Metrics: listen.Options{Address: "127.0.0.1:0"},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Start(); err != nil {
			t.Fatal(err)
		}
		deadline := time.Now().Add(5 * time.Second)
		for total := int64(0); total < int64(n); {
			total = 0
			for _, c := range e.Snapshot().Series {
				total += c.Total
			}
			if time.Now().After(deadline) {
				t.Fatalf("%d of %d responses", total, n)
			}
			time.Sleep(time.Millisecond)
		}
		for accept, want := range map[string]string{
			"text/plain;version=0.0.4": "text/plain",
			"application/openmetrics-text;version=1.0.0,text/plain;q=0.5,*/*;q=0.1": "application/openmetrics-text",
		} {
			samples, contentType := scrape(t, "http://"+e.MetricsAddr()+"/metrics", accept)
			if !strings.HasPrefix(contentType, want) {
				t.Errorf("%s gives %s", accept, contentType)
			}
			for m, count := range models {
				for name, v := range map[string]int{"llm_responses_total": count, "llm_words_total": 2 * count, "llm_time_to_first_token_seconds_count": 0} {
					l := labels.FromStrings("__name__", name, "model", m, "l", strings.ToValidUTF8(value, "\uFFFD"))
					if got, ok := samples[l.String()]; !ok || got != float64(v) {
						t.Errorf("seed %d: %s is %v, %v, want %d", seed, l, got, ok, v)
					}
				}
			}
		}
		e.Close()
	}
}
