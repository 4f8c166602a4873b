package difftest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/fdbench/fdbench/runtime/random"
)

// experiment is one random comparison.
type experiment struct {
	rules      string
	epoch      int64 // ns
	scrape     time.Duration
	evaluation time.Duration
	phase      time.Duration
	span       time.Duration
	missed     string // probability
	resetEvery time.Duration
	traffic    []stretch
}

// stretch is a part of the traffic with constant gaps and shares.
type stretch struct {
	until time.Duration
	gap   time.Duration // 0: no traffic
	bad   [3]float64    // the chance of each indicator to score
}

// The counters that the deployment exports, in the order of the scores; the
// total comes last.
var counters = []struct {
	name   string
	labels map[string]string
}{
	{"llm_refusals_total", nil},
	{"llm_bad_total", map[string]string{"kind": "json"}},
	{"llm_bad_total", map[string]string{"kind": "tags", "job": "mine"}},
	{"llm_responses_total", nil},
}

func newExperiment(seed uint64) experiment {
	r := &source{rand.New(random.New("rules", fmt.Sprint(seed)))}
	e := experiment{
		epoch:      (1767225600+r.Int64N(100000))*int64(time.Second) + r.Int64N(3)*137*int64(time.Millisecond) + r.Int64N(2)*12345,
		scrape:     pick(r, 15*time.Second, 15*time.Second, 10*time.Second, 30*time.Second),
		evaluation: pick(r, 15*time.Second, 15*time.Second, 30*time.Second, 20*time.Second),
		missed:     pick(r, "0", "0", "0.1", "0.5"),
		resetEvery: pick(r, 0, 0, 7*time.Minute, 11*time.Minute+3*time.Second),
		span:       time.Duration(20+r.IntN(40)) * time.Minute,
	}
	e.phase = time.Duration(r.Int64N(int64(e.scrape)))
	if r.IntN(2) == 0 {
		e.phase = e.phase.Truncate(time.Second)
	}
	for at := time.Duration(0); at < e.span; {
		at += time.Duration(1+r.IntN(8)) * time.Minute
		s := stretch{until: at, gap: pick(r, 0, 300*time.Millisecond, time.Second, 4*time.Second, 20*time.Second)}
		for i := range s.bad {
			s.bad[i] = pick(r, 0, 0, 0.02, 0.1, 0.5, 1)
		}
		e.traffic = append(e.traffic, s)
	}
	e.rules = r.file()
	return e
}

type source struct{ *rand.Rand }

func pick[T any](r *source, options ...T) T { return options[r.IntN(len(options))] }

// file is a random rule file.
func (r *source) file() string {
	var b strings.Builder
	b.WriteString("groups:\n")
	for g := range 1 + r.IntN(3) {
		fmt.Fprintf(&b, "- name: g%d\n", g)
		if r.IntN(3) == 0 {
			fmt.Fprintf(&b, "  interval: %s\n", pick(r, "10s", "20s", "45s", "1m"))
		}
		if r.IntN(5) == 0 {
			fmt.Fprintf(&b, "  query_offset: %s\n", pick(r, "30s", "1m", "20s"))
		}
		if r.IntN(6) == 0 {
			fmt.Fprintf(&b, "  limit: %d\n", 1+r.IntN(2))
		}
		if r.IntN(5) == 0 {
			b.WriteString("  labels: {team: serving, kind: grouped}\n")
		}
		b.WriteString("  rules:\n")
		for range 1 + r.IntN(4) {
			if r.IntN(3) == 0 {
				r.record(&b)
			} else {
				r.alert(&b, g)
			}
		}
	}
	return b.String()
}

func (r *source) record(b *strings.Builder) {
	fmt.Fprintf(b, "  - record: %s\n    expr: %s\n", pick(r, recordedNames...), quote(r.vector(3)))
	if r.IntN(3) == 0 {
		fmt.Fprintf(b, "    labels: {%s}\n", pick(r, `kind: recorded`, `level: "1"`, `instance: ""`))
	}
}

// alert writes an alerting rule. No two groups share a name: the second group of
// a Prometheus that has just started would take over the state of such an alert
// from the first, as if it were its own from before.
func (r *source) alert(b *strings.Builder, group int) {
	fmt.Fprintf(b, "  - alert: %s%d\n    expr: %s\n", pick(r, "High", "Low", "Odd", "Absent"), group, quote(r.condition()))
	if r.IntN(3) > 0 {
		fmt.Fprintf(b, "    for: %s\n", pick(r, "0s", "15s", "20s", "30s", "1m", "2m"))
	}
	if r.IntN(3) == 0 {
		fmt.Fprintf(b, "    keep_firing_for: %s\n", pick(r, "15s", "40s", "1m", "3m"))
	}
	if r.IntN(2) == 0 {
		b.WriteString("    labels:\n")
		for i := range 1 + r.IntN(2) {
			fmt.Fprintf(b, "      %s: %s\n", []string{"severity", "detail"}[i], quote(pick(r, templates...)))
		}
		if r.IntN(8) == 0 {
			b.WriteString("      instance: ''\n")
		}
	}
	if r.IntN(2) == 0 {
		fmt.Fprintf(b, "    annotations:\n      summary: %s\n", quote(pick(r, templates...)))
	}
}

var templates = []string{
	"page",
	"{{ $labels.kind }}",
	"{{ $labels.absent }}",
	`{{ printf "%.3f" $value }}`,
	"{{ if gt $value 0.2 }}critical{{ else }}warning{{ end }}",
	"{{ $value | humanizePercentage }} of {{ $labels.instance }}",
	`{{ with query "up" }}{{ . | first | value }}{{ end }}`,
	`{{ "sum(llm_responses_total offset 1m)" | query | len }}`,
	"{{ $labels.kind | toUpper | title }}",
	"{{ .Labels.job }}-{{ .Value | humanize }}",
	`{{ range query "llm_bad_total" | sortByLabel "kind" }}{{ .Labels.kind }}={{ .Value }};{{ end }}`,
	"{{ .Value.Missing }}",
	"{{ now | humanizeTimestamp }}",
	"{{ range $value }}x{{ end }}",
	`{{ define "t" }}<{{ . }}>{{ end }}{{ template "t" $value }}`,
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

var recordedNames = []string{"job:rate", "job:ratio", "r2", "llm_bad_total"}

func (r *source) metric() string {
	return pick(r,
		"llm_refusals_total", "llm_refusals_total", "llm_responses_total", "llm_responses_total",
		"llm_bad_total", `llm_bad_total{kind="json"}`, `llm_bad_total{kind!~"j.*"}`,
		"up", "job:rate", "job:ratio", "r2", "r2", "missing_total", `{__name__=~"llm_.*_total"}`,
		"scrape_series_added", "scrape_samples_scraped", `{job="llm", __name__!~"scrape_.*"}`)
}

func (r *source) window() string {
	return pick(r, "20s", "30s", "1m", "1m", "90s", "2m", "5m", "5m", "10m", "17m")
}

// condition is what an alert asks.
func (r *source) condition() string {
	bound := pick(r, "0", "0.05", "0.1", "0.5", "1", "3", "1e9")
	switch r.IntN(12) {
	case 0:
		return "absent(" + r.metric() + ")"
	case 1:
		return "absent(rate(llm_bad_total{kind=\"tags\"}[1m]))"
	case 2:
		return "up == 0"
	case 3:
		return r.vector(2) + " " + pick(r, "unless", "and") + " " + r.vector(1)
	case 4:
		return "ALERTS{alertstate=" + pick(r, `"firing"`, `"pending"`) + "}"
	case 5:
		return pick(r, "time() - ALERTS_FOR_STATE > 60", "sum(ALERTS) by (alertname) > 1",
			"vector(1)", "vector(time()) % 240 < 90", "minute() % 2 == 0", "1", "resets(llm_responses_total[5m]) > 0")
	case 6:
		w := r.window()
		return fmt.Sprintf("sum(rate(llm_refusals_total[%s])) / sum(rate(llm_responses_total[%s])) %s %s", w, w, pick(r, ">", ">=", "<"), bound)
	case 7:
		return fmt.Sprintf("rate(llm_refusals_total[5m]) / rate(llm_responses_total[5m]) > %s and rate(llm_refusals_total[1m]) / rate(llm_responses_total[1m]) > %s", bound, bound)
	default:
		return r.vector(3) + " " + pick(r, ">", ">", "<", ">=", "!=", "==", "> bool") + " " + bound
	}
}

// vector is an expression that gives an instant vector.
func (r *source) vector(depth int) string {
	if depth <= 0 {
		return r.metric() + pick(r, "", "", "", " offset 1m", " offset -30s", " @ end()")
	}
	switch r.IntN(14) {
	case 0:
		return r.metric()
	case 1, 2, 3:
		return fmt.Sprintf("%s(%s[%s]%s)", pick(r, "rate", "rate", "increase", "irate", "delta", "changes", "resets", "deriv", "idelta"),
			r.metric(), r.window(), pick(r, "", "", " offset 45s"))
	case 4:
		return fmt.Sprintf("%s(%s[%s])", pick(r, "avg_over_time", "max_over_time", "min_over_time", "sum_over_time", "count_over_time",
			"last_over_time", "present_over_time", "stddev_over_time", "absent_over_time"), r.metric(), r.window())
	case 5:
		return fmt.Sprintf("max_over_time(%s[%s:%s])", r.vector(depth-2), r.window(), pick(r, "", "30s", "7s", "1m"))
	case 6, 7:
		return fmt.Sprintf("%s %s (%s)", pick(r, "sum", "avg", "max", "count", "min", "stddev", "group"),
			pick(r, "", "by (kind)", "without (instance)", "by (job, instance)"), r.vector(depth-1))
	case 8, 9:
		return fmt.Sprintf("(%s %s %s)", r.vector(depth-1), pick(r, "/", "/", "-", "*", "+", "%", "^"), r.vector(depth-1))
	case 10:
		return fmt.Sprintf("(%s / on (instance) group_left () %s)", r.vector(depth-1), r.vector(depth-1))
	case 11:
		return fmt.Sprintf("%s(%s)", pick(r, "abs", "ceil", "sort", "sgn", "-", "timestamp", "absent"), r.vector(depth-1))
	case 12:
		return r.wrapped(depth)
	default:
		return fmt.Sprintf("(%s %s %s)", r.vector(depth-1), pick(r, "or", "and", "unless", "> bool", "or on (kind)"), r.vector(depth-1))
	}
}

func (r *source) wrapped(depth int) string {
	inner := r.vector(depth - 1)
	return fmt.Sprintf(pick(r, `label_replace(%s, "kind", "x$1", "kind", "(j.*)")`, `label_join(%s, "joined", "-", "job", "kind")`,
		"quantile(0.5, %s)", `count_values("v", %s)`, "scalar(%s) + up", "vector(scalar(%s))", "round(%s, 0.1)", "clamp_max(%s, 2)"), inner)
}
