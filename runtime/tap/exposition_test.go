package tap

import (
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/fdbench/fdbench/runtime/openai"
)

// scrape reads a page, strictly: every line is one that both formats know,
// samples stand under the type of their family, and none stands twice. The
// module in difftest reads pages with Prometheus's own parser.
func scrape(t testing.TB, page []byte, open bool) (samples map[string]float64, types map[string]string) {
	t.Helper()
	samples, types = map[string]float64{}, map[string]string{}
	text, ok := strings.CutSuffix(string(page), "# EOF\n")
	if ok != open || !strings.HasSuffix(text, "\n") {
		t.Fatalf("the page ends wrongly:\n%s", page)
	}
	family := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "# HELP "); ok {
			family, _, _ = strings.Cut(rest, " ")
			continue
		}
		if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
			name, kind, _ := strings.Cut(rest, " ")
			if name != family || types[name] != "" {
				t.Errorf("type of %s after the help of %s", name, family)
			}
			types[name] = kind
			continue
		}
		key, rest := series(t, line)
		v, err := strconv.ParseFloat(rest, 64)
		if err != nil || !strings.HasPrefix(key, `{__name__="`+family) {
			t.Errorf("line %q in the family %s: %v", line, family, err)
		}
		if _, twice := samples[key]; twice {
			t.Errorf("%s stands twice", key)
		}
		samples[key] = v
	}
	return samples, types
}

// series reads a sample's name and labels, and gives them in one notation.
func series(t testing.TB, line string) (key, rest string) {
	t.Helper()
	end := strings.IndexAny(line, "{ ")
	if end < 0 || !metricName.MatchString(line[:end]) {
		t.Fatalf("line %q has no name", line)
	}
	key, rest = `{__name__="`+line[:end]+`"`, line[end:]
	if rest[0] == ' ' {
		return key + "}", rest[1:]
	}
	var pairs []string
	for rest[0] != '}' {
		name, value, ok := strings.Cut(rest[1:], `="`)
		if !ok || !labelName.MatchString(name) {
			t.Fatalf("line %q has no label", line)
		}
		var b strings.Builder
		i := 0
		for ; i < len(value) && value[i] != '"'; i++ {
			c := value[i]
			if c == '\\' {
				i++
				c = map[byte]byte{'n': '\n', '"': '"', '\\': '\\'}[value[i]]
			}
			b.WriteByte(c)
		}
		pairs = append(pairs, ", "+name+"="+strconv.Quote(b.String()))
		rest = value[i+1:]
	}
	slices.Sort(pairs)
	return key + strings.Join(pairs, "") + "}", strings.TrimPrefix(rest, "} ")
}

func get(t testing.TB, url, accept string) (body []byte, contentType string) {
	t.Helper()
	req, _ := http.NewRequest("GET", url, nil)
	if accept != "" {
		req.Header.Set("Accept", accept)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return body, resp.Header.Get("Content-Type")
}

// idle is a tap that reads an empty log.
func idle(t testing.TB, o Options) *Exporter {
	o.In = strings.NewReader("")
	return begin(t, o)
}

const prometheusAccepts = "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2"

func TestScrape(t *testing.T) {
	odd := no("odd_rate")
	odd.Counter = "odd"
	e := idle(t, Options{
		Indicators: []Indicator{no("no_rate"), words("words"), odd}, ModelLabel: "model", Models: []string{`a "b" \c` + "\n"},
		Labels: map[string]string{"team": "blue"}, FirstToken: true,
	})
	for i, text := range []string{"No no", "Yes", "Yes yes yes"} {
		e.count(&response{ordinal: uint64(i), model: "m", text: text, outcome: openai.OK, firstToken: time.Duration(i*30) * time.Millisecond})
	}
	e.count(&response{outcome: openai.Cut})
	e.unscored("queue")
	for _, c := range []struct{ accept, contentType string }{
		{"", textFormat},
		{"text/plain;version=0.0.4;q=1,*/*;q=0.1", textFormat},
		{"application/openmetrics-text;version=2.0.0", textFormat},
		{prometheusAccepts, openMetrics},
		{"application/openmetrics-text", openMetrics},
	} {
		page, contentType := get(t, "http://"+e.MetricsAddr()+"/metrics", c.accept)
		if contentType != c.contentType {
			t.Errorf("Accept %q gives %q", c.accept, contentType)
		}
		samples, types := scrape(t, page, contentType == openMetrics)
		open := contentType == openMetrics
		bucket := func(le string) string {
			if open && !strings.ContainsAny(le, ".I") {
				le += ".0"
			}
			return `{__name__="llm_time_to_first_token_seconds_bucket", le="` + le + `", model="m", team="blue"}`
		}
		for name, want := range map[string]float64{
			`{__name__="llm_responses_total", model="m", team="blue"}`:                   3,
			`{__name__="llm_no_rate_total", model="m", team="blue"}`:                     1,
			`{__name__="llm_words_total", model="m", team="blue"}`:                       6,
			`{__name__="odd", model="m", team="blue"}`:                                   1,
			`{__name__="llm_responses_total", model="a \"b\" \\c\n", team="blue"}`:       0,
			`{__name__="llm_no_rate_total", model="a \"b\" \\c\n", team="blue"}`:         0,
			`{__name__="tap_scored_total", indicator="words"}`:                           3,
			`{__name__="tap_unscored_total", reason="queue"}`:                            1,
			`{__name__="tap_unscored_total", reason="memory"}`:                           0,
			`{__name__="tap_errors_total", outcome="cut"}`:                               1,
			`{__name__="tap_waiting"}`:                                                   0,
			`{__name__="tap_bad_lines_total"}`:                                           0,
			`{__name__="llm_time_to_first_token_seconds_count", model="m", team="blue"}`: 3,
			bucket("0.001"): 1, bucket("0.02"): 1, bucket("0.04"): 2, bucket("0.06"): 3, bucket("1"): 3, bucket("+Inf"): 3,
		} {
			if got, ok := samples[name]; !ok || got != want {
				t.Errorf("%s is %v, want %v", name, got, want)
			}
		}
		if got := samples[`{__name__="llm_time_to_first_token_seconds_sum", model="m", team="blue"}`]; math.Abs(got-.09) > 1e-9 {
			t.Errorf("sum %v", got)
		}
		if now := float64(time.Now().Unix()); math.Abs(samples[`{__name__="process_start_time_seconds"}`]-now) > 60 {
			t.Error("wrong start time")
		}
		want := "counter"
		if open {
			want = "unknown"
			if types["llm_responses"] != "counter" {
				t.Errorf("types %v", types)
			}
		} else if types["llm_responses_total"] != "counter" {
			t.Errorf("types %v", types)
		}
		if types["odd"] != want || types[firstTokenName] != "histogram" {
			t.Errorf("types %v", types)
		}
	}
}

// TestZeroFromTheBeginning: where models are not told apart every counter is
// there before the first response, so that rate() misses nothing.
func TestZeroFromTheBeginning(t *testing.T) {
	e := idle(t, Options{Indicators: []Indicator{no("no_rate")}})
	samples, _ := scrape(t, e.exposition(true), true)
	for _, name := range []string{`{__name__="llm_responses_total"}`, `{__name__="llm_no_rate_total"}`} {
		if v, ok := samples[name]; !ok || v != 0 {
			t.Errorf("%s is %v, %v", name, v, ok)
		}
	}
}

// TestModelsAreBounded: names come from outside.
func TestModelsAreBounded(t *testing.T) {
	e := idle(t, Options{ModelLabel: "model"})
	for i := range 3 * maxModels {
		e.count(&response{model: strings.Repeat("x", i), outcome: openai.OK})
	}
	s := e.Snapshot()
	total := int64(0)
	for _, c := range s.Series {
		total += c.Total
	}
	if len(s.Series) != maxModels+1 || total != 3*maxModels {
		t.Errorf("%d series with %d responses", len(s.Series), total)
	}
	scrape(t, e.exposition(false), false)
}

// TestPromtool asks Prometheus's own checker, where it is installed.
func TestPromtool(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is not installed")
	}
	e := idle(t, Options{Indicators: []Indicator{no("no_rate"), words("words")}, FirstToken: true})
	file := filepath.Join(t.TempDir(), "page")
	if err := os.WriteFile(file, e.exposition(false), 0o644); err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	cmd := exec.Command(promtool, "check", "metrics")
	cmd.Stdin = in
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestOtherPaths(t *testing.T) {
	e := idle(t, Options{})
	if b, _ := get(t, "http://"+e.MetricsAddr()+"/", ""); !strings.Contains(string(b), "/metrics") {
		t.Errorf("%s", b)
	}
	resp, err := http.Post("http://"+e.MetricsAddr()+"/metrics", "text/plain", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("status %d", resp.StatusCode)
	}
}

func FuzzLabels(f *testing.F) {
	f.Add("m", "v")
	f.Add("a\"\\\n", "\xff")
	f.Fuzz(func(t *testing.T, model, value string) {
		o := Options{Indicators: []Indicator{no("no_rate")}, ModelLabel: "model", Models: []string{model}, In: strings.NewReader("")}
		if value != "" {
			o.Labels = map[string]string{"l": value}
		}
		e, err := New(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, open := range []bool{false, true} {
			samples, _ := scrape(t, e.exposition(open), open)
			l := `{__name__="llm_responses_total", `
			if value != "" {
				l += "l=" + strconv.Quote(strings.ToValidUTF8(value, "\uFFFD")) + ", "
			}
			l += "model=" + strconv.Quote(strings.ToValidUTF8(model, "\uFFFD")) + "}"
			if model == "" {
				l = strings.ReplaceAll(strings.Replace(l, `, model=""`, "", 1), ", }", "}")
			}
			if _, ok := samples[l]; !ok {
				t.Errorf("no %s among %v", l, samples)
			}
		}
	})
}

func TestOptions(t *testing.T) {
	good := func() Options {
		return Options{Indicators: []Indicator{no("no_rate")}, In: strings.NewReader("")}
	}
	for _, c := range []struct {
		name   string
		change func(*Options)
		want   string
	}{
		{"no source", func(o *Options) { o.In = nil }, "one source"},
		{"two sources", func(o *Options) { o.Log = "x" }, "one source"},
		{"no indicator", func(o *Options) { o.Indicators = nil }, "an indicator to compute"},
		{"a counter twice", func(o *Options) { o.Indicators = append(o.Indicators, no("no_rate")) }, "a name of its own"},
		{"a counter like the total", func(o *Options) { o.Indicators[0].Counter = "llm_responses_total" }, "a name of its own"},
		{"one family in OpenMetrics", func(o *Options) { o.Indicators[0].Counter = "llm_responses" }, "a name of its own"},
		{"a counter of the tap", func(o *Options) { o.Indicators[0].Counter = "tap_errors_total" }, "the tap itself"},
		{"no counter", func(o *Options) { o.Indicators[0].Counter = "a-b" }, "no name for a counter"},
		{"label", func(o *Options) { o.Labels = map[string]string{"__x": "1"} }, "no name for a label"},
		{"le", func(o *Options) { o.Labels = map[string]string{"le": "1"} }, "no name for a label"},
		{"empty label", func(o *Options) { o.Labels = map[string]string{"x": ""} }, "has no value"},
		{"two model labels", func(o *Options) { o.Labels, o.ModelLabel = map[string]string{"model": "m"}, "model" }, "tell models apart"},
		{"model label", func(o *Options) { o.ModelLabel = "a b" }, "no name for a label"},
		{"upstream", func(o *Options) { o.In, o.Upstream = nil, "127.0.0.1:80" }, "http://127.0.0.1:8001"},
		{"path", func(o *Options) { o.In, o.Upstream = nil, "http://127.0.0.1:80/v1" }, "leave it away"},
		{"password", func(o *Options) { o.In, o.Upstream = nil, "http://u:secret@127.0.0.1:80" }, "credentials do not belong"},
		{"outside", func(o *Options) { o.In, o.Upstream = nil, "http://8.8.8.8" }, "FD-7-1"},
		{"OTLP outside", func(o *Options) { o.OTLP = &OTLP{Endpoint: "http://8.8.8.8:4318"} }, "FD-7-1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := good()
			c.change(&o)
			_, err := New(t.Context(), o)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
	e, err := New(t.Context(), good())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff("llm_no_rate_total", e.o.Indicators[0].Counter); d != "" {
		t.Error(d)
	}
}

func TestListenersAreChecked(t *testing.T) {
	e := idle(t, Options{})
	other, err := New(t.Context(), Options{Indicators: []Indicator{no("no_rate")}, In: strings.NewReader("")})
	if err != nil {
		t.Fatal(err)
	}
	other.o.Metrics.Address = e.MetricsAddr()
	if err := other.Start(); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("error %v", err)
	}
	other.Close()
	other.o.Metrics.Address = "0.0.0.0:0"
	if err := other.Start(); err == nil || !strings.Contains(err.Error(), "loopback") {
		t.Errorf("error %v", err)
	}
}
