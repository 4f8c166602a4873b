package tap

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// The messages of OTLP 1.x that a tap sends, as the protocol's JSON mapping
// has them: 64-bit whole numbers are texts.

type otlpMetrics struct {
	ResourceMetrics []otlpResourceMetrics `json:"resourceMetrics"`
}

type otlpResourceMetrics struct {
	Resource     otlpResource       `json:"resource"`
	ScopeMetrics []otlpScopeMetrics `json:"scopeMetrics"`
}

type otlpScopeMetrics struct {
	Scope   otlpScope    `json:"scope"`
	Metrics []otlpMetric `json:"metrics"`
}

type otlpMetric struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	Unit        string         `json:"unit,omitempty"`
	Sum         *otlpSum       `json:"sum,omitempty"`
	Histogram   *otlpHistogram `json:"histogram,omitempty"`
}

type otlpSum struct {
	DataPoints             []otlpPoint `json:"dataPoints"`
	AggregationTemporality int         `json:"aggregationTemporality"`
	IsMonotonic            bool        `json:"isMonotonic"`
}

type otlpHistogram struct {
	DataPoints             []otlpPoint `json:"dataPoints"`
	AggregationTemporality int         `json:"aggregationTemporality"`
}

type otlpPoint struct {
	Attributes        []otlpAttribute `json:"attributes,omitempty"`
	StartTimeUnixNano string          `json:"startTimeUnixNano"`
	TimeUnixNano      string          `json:"timeUnixNano"`
	AsInt             string          `json:"asInt,omitempty"`

	Count          string    `json:"count,omitempty"`
	Sum            *float64  `json:"sum,omitempty"`
	BucketCounts   []string  `json:"bucketCounts,omitempty"`
	ExplicitBounds []float64 `json:"explicitBounds,omitempty"`
}

type otlpLogs struct {
	ResourceLogs []otlpResourceLogs `json:"resourceLogs"`
}

type otlpResourceLogs struct {
	Resource  otlpResource    `json:"resource"`
	ScopeLogs []otlpScopeLogs `json:"scopeLogs"`
}

type otlpScopeLogs struct {
	Scope      otlpScope    `json:"scope"`
	LogRecords []otlpRecord `json:"logRecords"`
}

type otlpRecord struct {
	TimeUnixNano         string          `json:"timeUnixNano"`
	ObservedTimeUnixNano string          `json:"observedTimeUnixNano"`
	SeverityNumber       int             `json:"severityNumber"`
	EventName            string          `json:"eventName"`
	Attributes           []otlpAttribute `json:"attributes"`
}

type otlpResource struct {
	Attributes []otlpAttribute `json:"attributes"`
}

type otlpScope struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

type otlpAttribute struct {
	Key   string    `json:"key"`
	Value otlpValue `json:"value"`
}

type otlpValue struct {
	String *string    `json:"stringValue,omitempty"`
	Double *float64   `json:"doubleValue,omitempty"`
	Array  *otlpArray `json:"arrayValue,omitempty"`
}

type otlpArray struct {
	Values []otlpValue `json:"values"`
}

const (
	cumulative   = 2 // AGGREGATION_TEMPORALITY_CUMULATIVE
	severityInfo = 9 // SEVERITY_NUMBER_INFO
)

func textAttribute(key, value string) otlpAttribute {
	return otlpAttribute{key, otlpValue{String: &value}}
}

func nanos(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }

func decimals(n []int64) []string {
	out := make([]string, len(n))
	for i, v := range n {
		out[i] = strconv.FormatInt(v, 10)
	}
	return out
}

// resource says who exports.
func (p *pusher) resource() otlpResource {
	return otlpResource{[]otlpAttribute{textAttribute("service.name", p.o.service()), textAttribute("service.instance.id", p.instance)}}
}

func (p *pusher) scope() otlpScope {
	return otlpScope{"github.com/fdbench/fdbench/runtime/tap", p.o.Version}
}

// attributes are those of a series: the declared labels, and the model by the
// name that the semantic conventions have for it.
func (p *pusher) attributes(model string, more ...otlpAttribute) []otlpAttribute {
	var out []otlpAttribute
	for name, value := range p.e.o.Labels {
		out = append(out, textAttribute(name, value))
	}
	slices.SortFunc(out, func(a, b otlpAttribute) int { return strings.Compare(a.Key, b.Key) })
	if model != "" {
		out = append(out, textAttribute("gen_ai.response.model", model))
	}
	return append(out, more...)
}

// metrics are the counters as they are now. The sums have the names that they
// have for Prometheus, which leaves them as they are where they end in _total.
func (p *pusher) metrics(now time.Time) (m otlpMetrics, points int) {
	s := p.e.Snapshot()
	start, at := nanos(p.e.began), nanos(now)
	sum := func(name, help, unit string, value func(*Counts) int64, more ...otlpAttribute) otlpMetric {
		out := otlpMetric{Name: name, Description: help, Unit: unit, Sum: &otlpSum{AggregationTemporality: cumulative, IsMonotonic: true, DataPoints: []otlpPoint{}}}
		for i := range s.Series {
			c := &s.Series[i]
			out.Sum.DataPoints = append(out.Sum.DataPoints, otlpPoint{
				Attributes: p.attributes(c.Model, more...), StartTimeUnixNano: start, TimeUnixNano: at,
				AsInt: strconv.FormatInt(value(c), 10),
			})
			points++
		}
		return out
	}
	all := []otlpMetric{sum(p.e.o.Total, "Responses.", "{response}", func(c *Counts) int64 { return c.Total })}
	for i, ind := range p.e.o.Indicators {
		name := textAttribute("gen_ai.evaluation.name", ind.Name)
		all = append(all, sum(ind.Counter, ind.help(), "", func(c *Counts) int64 { return c.Sums[i] }, name))
		scored := []otlpAttribute{name}
		if p.e.o.twice(ind.Name) {
			scored = append(scored, textAttribute("counter", ind.Counter))
		}
		all = append(all, sum("tap_scored_total", own[0].help, "{response}", func(c *Counts) int64 { return c.Scored[i] }, scored...))
	}
	if p.e.o.FirstToken {
		h := otlpMetric{
			Name: "gen_ai.client.operation.time_to_first_chunk", Unit: "s",
			Description: "From the start of a request to the first content of its streamed answer.",
			Histogram:   &otlpHistogram{AggregationTemporality: cumulative, DataPoints: []otlpPoint{}},
		}
		for i := range s.Series {
			c := &s.Series[i]
			n := int64(0)
			for _, b := range c.FirstToken {
				n += b
			}
			h.Histogram.DataPoints = append(h.Histogram.DataPoints, otlpPoint{
				Attributes: p.attributes(c.Model), StartTimeUnixNano: start, TimeUnixNano: at,
				Count: strconv.FormatInt(n, 10), Sum: &c.FirstTokenSeconds,
				BucketCounts: decimals(c.FirstToken), ExplicitBounds: firstTokenBounds,
			})
			points++
		}
		all = append(all, h)
	}
	all = slices.DeleteFunc(merged(all), func(m otlpMetric) bool { return m.Sum != nil && len(m.Sum.DataPoints) == 0 })
	return otlpMetrics{[]otlpResourceMetrics{{p.resource(), []otlpScopeMetrics{{p.scope(), all}}}}}, points
}

// merged puts the points of metrics of one name together.
func merged(in []otlpMetric) []otlpMetric {
	var out []otlpMetric
	for _, m := range in {
		i := slices.IndexFunc(out, func(o otlpMetric) bool { return o.Name == m.Name })
		if i < 0 {
			out = append(out, m)
			continue
		}
		out[i].Sum.DataPoints = append(out[i].Sum.DataPoints, m.Sum.DataPoints...)
	}
	return out
}

// record is the event gen_ai.evaluation.result of the semantic conventions: one
// score of one response.
func (p *pusher) record(r *response, name string, value int32, observed time.Time) otlpRecord {
	v := float64(value)
	out := otlpRecord{
		TimeUnixNano: nanos(r.end), ObservedTimeUnixNano: nanos(observed), SeverityNumber: severityInfo,
		EventName: "gen_ai.evaluation.result",
	}
	a := []otlpAttribute{
		textAttribute("gen_ai.evaluation.name", name),
		{"gen_ai.evaluation.score.value", otlpValue{Double: &v}},
		textAttribute("gen_ai.operation.name", r.operation),
	}
	if r.id != "" {
		a = append(a, textAttribute("gen_ai.response.id", r.id))
	}
	if r.finish != "" {
		a = append(a, otlpAttribute{"gen_ai.response.finish_reasons", otlpValue{Array: &otlpArray{[]otlpValue{{String: &r.finish}}}}})
	}
	out.Attributes = p.attributes(r.model, a...)
	return out
}

func (p *pusher) logs(records []otlpRecord) otlpLogs {
	return otlpLogs{[]otlpResourceLogs{{p.resource(), []otlpScopeLogs{{p.scope(), records}}}}}
}
