package tap

import (
	"bytes"
	"math"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/fdbench/fdbench/runtime/openai"
)

// Content types of the two formats.
const (
	textFormat  = "text/plain; version=0.0.4; charset=utf-8"
	openMetrics = "application/openmetrics-text; version=1.0.0; charset=utf-8"
)

// firstTokenName is the histogram's.
const firstTokenName = "llm_time_to_first_token_seconds"

// metric describes a family.
type metric struct {
	name string // of a counter, with its _total
	kind string // counter, gauge, histogram
	help string
}

func (m metric) family() string { return strings.TrimSuffix(m.name, "_total") }

// own are the metrics of a tap about itself.
var own = []metric{
	{"tap_scored_total", "counter", "Responses that were sampled and scored, by indicator."},
	{"tap_unscored_total", "counter", "Responses that could not be scored and do not count as responses. The detector sees fewer than declared."},
	{"tap_errors_total", "counter", "Requests without a whole answer, by outcome."},
	{"tap_bad_lines_total", "counter", "Lines of the log that hold no response."},
	{"tap_waiting", "gauge", "Responses that wait to be scored."},
	{"tap_otlp_exports_total", "counter", "Exports by OTLP that were taken in, by signal."},
	{"tap_otlp_failures_total", "counter", "Attempts to export by OTLP that failed, by signal."},
	{"tap_otlp_dropped_total", "counter", "Points and events that OTLP lost, by signal."},
	{"process_start_time_seconds", "gauge", "When the tap began, in seconds since 1970."},
}

type label struct{ name, value string }

// page writes metrics in one of the formats.
type page struct {
	bytes.Buffer
	open bool // OpenMetrics
}

func (p *page) head(m metric) {
	name, kind := m.name, m.kind
	if p.open && kind == "counter" {
		if strings.HasSuffix(name, "_total") {
			name = m.family()
		} else {
			// OpenMetrics knows no counter of another name.
			kind = "unknown"
		}
	}
	p.WriteString("# HELP " + name + " ")
	help := strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	if p.open {
		help = escaper
	}
	help.WriteString(p, m.help)
	p.WriteString("\n# TYPE " + name + " " + kind + "\n")
}

var escaper = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

func (p *page) sample(name string, labels []label, value string) {
	p.WriteString(name)
	for i, l := range labels {
		p.WriteByte("{,"[min(i, 1)])
		p.WriteString(l.name + `="`)
		escaper.WriteString(p, strings.ToValidUTF8(l.value, "\uFFFD"))
		p.WriteByte('"')
	}
	if len(labels) > 0 {
		p.WriteByte('}')
	}
	p.WriteString(" " + value + "\n")
}

func (p *page) count(name string, labels []label, n int64) {
	p.sample(name, labels, strconv.FormatInt(n, 10))
}

// bound writes an upper bound as the format has it.
func (p *page) bound(f float64) string {
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if math.IsInf(f, 1) {
		return "+Inf"
	}
	if p.open && !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// labels are those of a series of responses.
func (e *Exporter) labels(model string) []label {
	var out []label
	for name, value := range e.o.Labels {
		out = append(out, label{name, value})
	}
	if e.o.ModelLabel != "" && model != "" {
		out = append(out, label{e.o.ModelLabel, model})
	}
	slices.SortFunc(out, func(a, b label) int { return strings.Compare(a.name, b.name) })
	return out
}

// exposition is the page of metrics.
func (e *Exporter) exposition(open bool) []byte {
	s := e.Snapshot()
	p := &page{open: open}
	p.head(metric{e.o.Total, "counter", "Responses."})
	for _, c := range s.Series {
		p.count(e.o.Total, e.labels(c.Model), c.Total)
	}
	for i, ind := range e.o.Indicators {
		p.head(metric{ind.Counter, "counter", ind.help()})
		for _, c := range s.Series {
			p.count(ind.Counter, e.labels(c.Model), c.Sums[i])
		}
	}
	if e.o.FirstToken {
		p.head(metric{firstTokenName, "histogram", "From the start of a request to the first content of its streamed answer."})
		for _, c := range s.Series {
			p.histogram(firstTokenName, e.labels(c.Model), &c)
		}
	}
	e.self(p, &s)
	if open {
		p.WriteString("# EOF\n")
	}
	return p.Bytes()
}

func (p *page) histogram(name string, labels []label, c *Counts) {
	sum := int64(0)
	for i, n := range c.FirstToken {
		sum += n
		bound := math.Inf(1)
		if i < len(firstTokenBounds) {
			bound = firstTokenBounds[i]
		}
		p.count(name+"_bucket", append(slices.Clone(labels), label{"le", p.bound(bound)}), sum)
	}
	p.sample(name+"_sum", labels, strconv.FormatFloat(c.FirstTokenSeconds, 'g', -1, 64))
	p.count(name+"_count", labels, sum)
}

// self writes the metrics of the tap about itself.
func (e *Exporter) self(p *page, s *Snapshot) {
	for _, m := range own {
		switch m.name {
		case "tap_scored_total":
			p.head(m)
			for i, ind := range e.o.Indicators {
				n := int64(0)
				for _, c := range s.Series {
					n += c.Scored[i]
				}
				labels := []label{{"indicator", ind.Name}}
				if e.o.twice(ind.Name) {
					labels = append(labels, label{"counter", ind.Counter})
				}
				p.count(m.name, labels, n)
			}
		case "tap_unscored_total":
			p.head(m)
			for _, why := range []string{"encoding", "memory", "queue"} {
				p.count(m.name, []label{{"reason", why}}, s.Unscored[why])
			}
		case "tap_errors_total":
			p.head(m)
			for _, o := range openai.Outcomes() {
				if n, ok := s.Errors[o]; ok {
					p.count(m.name, []label{{"outcome", string(o)}}, n)
				}
			}
		case "tap_bad_lines_total":
			if e.forward == nil {
				p.head(m)
				p.count(m.name, nil, s.BadLines)
			}
		case "tap_waiting":
			p.head(m)
			p.count(m.name, nil, int64(len(e.queue.jobs)))
		case "tap_otlp_exports_total", "tap_otlp_failures_total", "tap_otlp_dropped_total":
			if e.pusher != nil {
				p.head(m)
				for _, c := range e.pusher.counters(m.name) {
					p.count(m.name, []label{{"signal", c.signal}}, c.n)
				}
			}
		case "process_start_time_seconds":
			p.head(m)
			p.sample(m.name, nil, strconv.FormatFloat(float64(e.began.UnixMilli())/1000, 'f', 3, 64))
		}
	}
}

func (i *Indicator) help() string {
	if i.Unit == "" || i.Unit == "1" {
		return "Responses with " + i.Name + ", among those sampled."
	}
	return "Sum of " + i.Name + " in " + i.Unit + ", over the responses sampled."
}

// Metrics serves the page at /metrics: OpenMetrics to whom asks for it, and the
// text format to others.
func (e *Exporter) Metrics() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		open := wantsOpen(r.Header["Accept"])
		kind := textFormat
		if open {
			kind = openMetrics
		}
		w.Header().Set("Content-Type", kind)
		w.Write(e.exposition(open))
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Write([]byte("fdbench tap: the metrics are at /metrics\n"))
	})
	return mux
}

// wantsOpen tells whether OpenMetrics is liked at least as much as the text
// format.
func wantsOpen(accept []string) bool {
	best := map[string]float64{}
	for _, part := range strings.Split(strings.Join(accept, ","), ",") {
		media, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		q := 1.0
		if v, err := strconv.ParseFloat(params["q"], 64); err == nil {
			q = v
		}
		if v := params["version"]; media == "application/openmetrics-text" && v != "" && v != "1.0.0" && v != "0.0.1" {
			continue
		}
		best[media] = max(best[media], q)
	}
	q := best["application/openmetrics-text"]
	return q > 0 && q >= max(best["text/plain"], 0)
}
