package promrules

import (
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"go.yaml.in/yaml/v3"

	"github.com/fdbench/fdbench/lang/exact"
)

// A mistake is marked with the byte before which the error must point, and the
// text that it must hold: «^text^» is taken out of the file before parsing.
func TestParseErrors(t *testing.T) {
	for name, marked := range map[string]string{
		"unknown field": `groups:
- name: a
  ^did you mean "interval"?^intervall: 15s
`,
		"unknown field of a rule": `groups:
- name: a
  rules:
  - alert: A
    ^did you mean "expr"?^exp: up == 0
`,
		"unknown top field": `^unknown field "group"^group: []
`,
		"unknown beyond guessing": `groups:
- name: a
  rules:
  - alert: A
    expr: up == 0
    ^unknown field "receiver" in a rule^receiver: me
`,
		"field twice": `groups:
- name: a
  ^given twice^name: b
`,
		"literal block": `groups:
- name: a
  rules:
  - alert: A
    expr: |
      sum(rate(a[5m])) /
        sum(rate(b[5m])) ^unexpected character^& 0.1
`,
		"folded block": `groups:
- name: a
  rules:
  - alert: A
    expr: >-
      foo

        + ^binary expression must contain only scalar and instant vector types^bar[5m]
`,
		"plain": `groups:
- name: a
  rules:
  - alert: A
    expr: up{job="x"} == ^unexpected^> 1
`,
		"single quotes": `groups:
- name: a
  rules:
  - alert: A
    expr: 'rate(^expected type range vector^up)'
`,
		"escapes give the whole text": `groups:
- name: a
  rules:
  - alert: A
    expr: ^unexpected^"up{job=\"x\"} == )"
`,
		"flow": `groups:
- {name: a, rules: [{alert: A, expr: 'up == ^unexpected^> 1'}]}
`,
		"range vector": `groups:
- name: a
  rules:
  - alert: A
    expr: ^needs a vector or a scalar^up[5m]
`,
		"fixed time": `groups:
- name: a
  rules:
  - alert: A
    expr: sum(up) + ^fixed time^up @ 1767225600 > 1
`,
		"duration": `groups:
- name: a
  rules:
  - alert: A
    expr: up == 0
    for: ^"5 minutes" is not a duration^5 minutes
`,
		"interval": `groups:
- name: a
  interval: ^not a duration^15
`,
		"limit": `groups:
- name: a
  limit: ^whole number^many
`,
		"no name": `groups:
- ^without a name^rules: []
`,
		"name twice": `groups:
- name: a
- name: ^in this file twice^a
`,
		"both": `groups:
- name: a
  rules:
  - record: a
    alert: ^either "record" or "alert"^A
    expr: "1"
`,
		"neither": `groups:
- name: a
  rules:
  - ^without "record" and "alert"^expr: "1"
`,
		"no expression": `groups:
- name: a
  rules:
  - ^without "expr"^alert: A
`,
		"for in a recording rule": `groups:
- name: a
  rules:
  - record: a
    expr: "1"
    for: ^no "for"^1m
`,
		"braces": `groups:
- name: a
  rules:
  - record: ^holds braces^a{b="c"}
    expr: "1"
`,
		"label name": `groups:
- name: a
  rules:
  - alert: A
    expr: up == 0
    labels: {^not a name for a label^__name__: x}
`,
		"label list": `groups:
- name: a
  rules:
  - alert: A
    expr: up == 0
    labels: ^mapping of names^[x]
`,
		"template": `groups:
- name: a
  rules:
  - alert: A
    expr: up == 0
    labels:
      severity: ^unclosed action^"{{ $labels.x"
`,
		"template function": `groups:
- name: a
  rules:
  - alert: A
    expr: up == 0
    annotations:
      summary: ^function "nope" not defined^'{{ nope }}'
`,
		"template of a group label": `groups:
- name: a
  labels:
    x: ^unclosed action^'{{'
  rules:
  - alert: A
    expr: up == 0
`,
		"external labels": `groups:
- name: a
  rules:
  - alert: A
    expr: up == 0
    labels: {x: ^external labels^'{{ $externalLabels.region }}'}
`,
		"external URL": `groups:
- name: a
  rules:
  - alert: A
    expr: up == 0
    labels: {x: ^external labels or URL^'{{ if true }}{{ externalURL }}{{ end }}'}
`,
		"computed query": `groups:
- name: a
  rules:
  - alert: A
    expr: up == 0
    labels: {x: ^only a constant expression^'{{ with printf "up" | query }}1{{ end }}'}
`,
		"query that does not parse": `groups:
- name: a
  rules:
  - alert: A
    expr: up == 0
    labels: {x: ^cannot be parsed^'{{ query "up(" }}'}
`,
		"the same record twice": `groups:
- name: a
  rules:
  - record: r
    expr: up + up
    labels: {a: b, c: d}
- name: b
  rules:
  - ^stands in line 4 already^record: r
    expr: up+up
    labels: {c: d, a: b}
`,
		"field cut short": `groups:
- name: a
  rules:
  - alert: A
    expr: up == 0
    ^did you mean "keep_firing_for"?^keep_firing: 1m
`,
		"field written out": `groups:
- name: a
  rules:
  - alert: A
    ^did you mean "expr"?^expression: up == 0
`,
		"PrometheusRule": `^Kubernetes PrometheusRule manifest; a rule file is what stands under its "spec:", here from line 5 on^apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: {name: a}
spec:
  groups:
  - name: a
    rules:
    - alert: A
      exp: nonsense (
`,
		"ConfigMap": `^Kubernetes ConfigMap; a rule file is the text of one entry under its "data:" (alerts.yml)^apiVersion: v1
kind: ConfigMap
data:
  alerts.yml: |
    groups: []
`,
		"other manifest": `^a Kubernetes manifest of kind Deployment, not a rule file^kind: Deployment
spec: {}
`,
		"second document": "groups: []\n---\n^second YAML document^groups: []\n",
		"not a mapping":   "^mapping of groups^- a\n",
		"rules no list":   "groups:\n- name: a\n  rules: ^is a list^5\n",
		"broken YAML":     "groups:\n- name: a\n^did not find^ rules: x\n",
	} {
		t.Run(name, func(t *testing.T) {
			before, rest, _ := strings.Cut(marked, "^")
			message, after, ok := strings.Cut(rest, "^")
			if !ok {
				t.Fatal("no mark")
			}
			line := strings.Count(before, "\n") + 1
			column := len(before) - strings.LastIndex(before, "\n")
			f, errs := Parse("alerts.yml", []byte(before+after))
			if f != nil || len(errs) != 1 {
				t.Fatalf("%d errors, want 1: %v", len(errs), errs)
			}
			var e *RuleError
			if !errors.As(errs[0], &e) {
				t.Fatalf("%T is not a RuleError", errs[0])
			}
			if e.Column == 0 && name == "broken YAML" {
				column, line = 0, line-1 // the YAML reader knows lines only, and names the entry's
			}
			if e.Line != line || e.Column != column || !strings.Contains(e.Message, message) {
				t.Errorf("%v\nwant %d:%d with %q", e, line, column, message)
			}
			if !strings.HasPrefix(e.Error(), fmt.Sprintf("alerts.yml:%d:", line)) {
				t.Errorf("the text %q does not begin with the place", e)
			}
		})
	}
}

func TestParseErrorsInOrder(t *testing.T) {
	_, errs := Parse("f", []byte("groups:\n- name: a\n  rules:\n  - alert: A\n    expr: )\n    fro: 1m\n- name: a\n  limit: x\n"))
	var lines []int
	for _, err := range errs {
		lines = append(lines, err.(*RuleError).Line)
	}
	if !reflect.DeepEqual(lines, []int{5, 6, 7, 8}) {
		t.Errorf("errors in lines %v, want 5, 6, 7, 8: %v", lines, errs)
	}
}

func TestParse(t *testing.T) {
	f, errs := Parse("alerts.yml", []byte(`groups:
- name: first
  interval: 30s
  query_offset: 1m
  limit: 10
  labels: {team: serving}
  rules:
  - record: job:ratio
    expr: sum(rate(llm_refusals_total[5m])) / sum(rate(llm_responses_total[5m]))
  - alert: High
    expr: job:ratio > 0.10 and 5 < sum(increase(llm_responses_total[1h] offset 10m))
    for: 2m
    keep_firing_for: 90s
    labels: {severity: page}
    annotations: {summary: "{{ $value }}"}
- name: second
  rules:
  - alert: Long
    expr: max_over_time(job:ratio[30m:1m]) >= bool (0.05) or ALERTS{alertname="High"} == 1 or absent(up)
    labels: {history: '{{ query "other[2h]" }}'}
`))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	want := &RuleFile{
		Groups: []Group{
			{Name: "first", Interval: 30 * exact.Second, QueryOffset: exact.Minute, Limit: 10, Rules: 2, Line: 2},
			{Name: "second", Rules: 1, Line: 16},
		},
		Records: []RecordRule{{
			Group: "first", Name: "job:ratio", Line: 8, Labels: map[string]string{"team": "serving"},
			Expr: "sum(rate(llm_refusals_total[5m])) / sum(rate(llm_responses_total[5m]))",
		}},
		Alerts: []AlertRule{{
			Group: "first", Name: "High", Line: 10, For: 2 * exact.Minute, KeepFiringFor: 90 * exact.Second,
			Expr:        "job:ratio > 0.10 and 5 < sum(increase(llm_responses_total[1h] offset 10m))",
			Labels:      map[string]string{"team": "serving", "severity": "page"},
			Annotations: map[string]string{"summary": "{{ $value }}"},
			Thresholds:  []string{"> 0.1", "> 5"},
			Range:       71 * exact.Minute,
		}, {
			Group: "second", Name: "Long", Line: 18,
			Expr:       `max_over_time(job:ratio[30m:1m]) >= bool (0.05) or ALERTS{alertname="High"} == 1 or absent(up)`,
			Labels:     map[string]string{"history": `{{ query "other[2h]" }}`},
			Thresholds: []string{">= 0.05", "== 1"},
			Range:      120 * exact.Minute,
		}},
		MaxRange: 120 * exact.Minute,
		Metrics:  []string{"llm_refusals_total", "llm_responses_total", "other"},
	}
	if d := cmp.Diff(want, f, cmp.FilterPath(func(p cmp.Path) bool {
		return p.String() == "file" || p.String() == "retention" || p.String() == "graph"
	}, cmp.Ignore())); d != "" {
		t.Errorf("(- want, + got)\n%s", d)
	}
}

func TestMaxRange(t *testing.T) {
	for _, tc := range []struct {
		rules string
		want  exact.Duration
	}{
		{`[{alert: A, expr: up == 0}]`, 0},
		{`[{alert: A, expr: "rate(a[5m]) > 1"}]`, 5 * exact.Minute},
		{`[{alert: A, expr: "rate(a[5m] offset 1h) > 1"}]`, 65 * exact.Minute},
		{`[{alert: A, expr: "rate(a[5m] offset -1h) > 1"}]`, 0},
		{`[{alert: A, expr: "max_over_time(rate(a[5m])[1h:1m] offset 10m) > 1"}]`, 75 * exact.Minute},
		{`[{record: r, expr: "rate(a[1h])"}, {alert: A, expr: "avg_over_time(r[10m]) > 1"}]`, 70 * exact.Minute},
		{`[{record: r, expr: "rate(a[1h])"}, {record: s, expr: "r offset 5m"}, {alert: A, expr: "s > 1"}]`, 65 * exact.Minute},
		{`[{record: unread, expr: "rate(a[1d])"}, {alert: A, expr: "up == 0"}]`, 0},
		{`[{record: r, expr: "r offset 1m + rate(a[5m])"}, {alert: A, expr: "r > 1"}]`, 5 * exact.Minute},
		{`[{record: "job:r", expr: "rate(a[1h])"}, {alert: A, expr: '{__name__=~"job:.*"} > 1'}]`, exact.Hour},
		{`[{alert: B, expr: "rate(a[1h]) > 1"}, {alert: A, expr: "ALERTS == 1"}]`, exact.Hour},
	} {
		f, errs := Parse("f", []byte("groups: [{name: a, rules: "+tc.rules+"}]"))
		if len(errs) > 0 {
			t.Fatalf("%s: %v", tc.rules, errs)
		}
		if f.MaxRange != tc.want {
			t.Errorf("%s: %s, want %s", tc.rules, f.MaxRange, tc.want)
		}
	}
}

// A file without rules is what Prometheus loads too.
func TestParseEmpty(t *testing.T) {
	for _, text := range []string{"", "\n", "groups:\n", "groups: []\n", "# nothing\n", "null\n", "groups:\n- name: a\n"} {
		f, errs := Parse("f", []byte(text))
		if len(errs) > 0 || f == nil || len(f.Alerts) > 0 {
			t.Errorf("%q: %v", text, errs)
		}
	}
}

func TestInspect(t *testing.T) {
	for text, want := range map[string]traits{
		"plain":                                    {},
		"{{ $labels.job }}":                        {},
		"{{ $value }}":                             {value: true},
		"{{ .Value | humanize }}":                  {value: true},
		"{{ if gt $value 1.0 }}a{{ end }}":         {value: true},
		"{{ $ }}":                                  {value: true},
		"{{ $.Value }}":                            {value: true},
		"{{ with $labels.job }}{{ . }}{{ end }}":   {value: true}, // cannot tell, so it may
		"{{ now }}":                                {volatile: true},
		`{{ query "up" | len }}`:                   {volatile: true, queries: []string{"up"}},
		`{{ "up" | query | len }}`:                 {volatile: true, queries: []string{"up"}},
		`{{ range query "up" }}x{{ end }}`:         {volatile: true, queries: []string{"up"}},
		`{{ query (printf "up") }}`:                {volatile: true, computed: true},
		`{{ define "t" }}{{ now }}{{ end }}`:       {volatile: true},
		`{{ pathPrefix }}{{ $externalURL }}`:       {external: true},
		`{{ .ExternalLabels.x }}`:                  {external: true},
		`{{ $externalLabels.x }}{{ $labels.y }}`:   {external: true},
		`{{ if false }}{{ else }}{{ now }}{{end}}`: {volatile: true},
	} {
		if got := inspect(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

// FuzzParse holds Parse against Prometheus's loader: neither accepts what the
// other refuses, but for what is said to be unsupported here.
func FuzzParse(f *testing.F) {
	f.Add(twoRules)
	f.Add("groups:\n- name: a\n  rules:\n  - record: r\n    expr: >\n      up\n      + up\n    labels: {a: b}\n")
	f.Add("groups:\n- &x {name: a, limit: 1}\n- {<<: *x, name: b, interval: 1m}\n")
	f.Add("groups:\n- name: a\n  rules:\n  - alert: A\n    expr: \"up == \\u0031\"\n    labels: {a: '{{ $value }}'}\n    annotations: {}\n    for: 0s\n")
	f.Add("groups:\n- &x {<<: *x}\n- {name: a, labels: &y {<<: *y}}\n")
	f.Add("kind: PrometheusRule\nspec: {groups: []}\n")
	f.Add("groups:\n- name: a\n  rules:\n  - record: r\n    expr: sum by (x, job) (r) / on(x) group_left(y) s or absent(r{job=\"a\"})\n  - record: s\n    expr: label_replace(r, \"a\", \"b\", \"\", \"\")\n  - alert: A\n    expr: ALERTS{alertname=\"B\"} unless s\n")
	f.Add("groups: [{name: a, rules: [{record: r, expr: \"up[5m]\", annotations: {}, for: 0s}]}]\n---\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, errs := Parse("f", []byte(text))
		if (file == nil) == (len(errs) == 0) {
			t.Fatal("both or neither of a result and errors")
		}
		mine := 0
		for _, err := range errs {
			e := err.(*RuleError)
			if e.Message == "" || e.Line < 0 || e.Line > strings.Count(text, "\n")+1 {
				t.Fatalf("error %+v in a text of %d lines", e, strings.Count(text, "\n")+1)
			}
			if !e.Unsupported {
				mine++
			}
		}
		_, theirs := rulefmt.Parse([]byte(text), false, utf8Names, parser.NewParser(parser.Options{}), slog.New(slog.DiscardHandler))
		if file != nil && len(theirs) > 0 {
			t.Fatalf("Prometheus refuses the file: %v", theirs)
		}
		if mine > 0 && len(theirs) == 0 {
			t.Fatalf("Prometheus loads the file, here: %v", errs)
		}
		if file == nil {
			return
		}
		r, err := file.Review(reviewConfig(nil), []bool{true})
		if err != nil || len(r.Rules) != len(file.Alerts)+len(file.Records) {
			t.Fatalf("%v, a review of %d rules of %d", err, len(r.Rules), len(file.Alerts)+len(file.Records))
		}
		for i, rule := range r.Rules {
			if needed := r.Needs(func(a int) bool { return a == rule.Alert }); needed[i] != (rule.Alert >= 0) {
				t.Fatalf("%+v needs %v", rule, needed)
			}
			for _, e := range rule.Empty {
				if e.Text == "" || e.Line < 0 || e.Line > strings.Count(text, "\n")+1 || e.Unknown != (e.Has == "") {
					t.Fatalf("%+v", e)
				}
			}
		}
	})
}

// The place of each character that YAML did not escape is that character.
func TestPlace(t *testing.T) {
	for _, text := range []string{
		"k: a + bc * d\n", "k:   'a + bc * d'\n", "k: |\n    a +\n      bc\n    * d\n", "k: >-\n  a\n\n  + bc * d\n", "- k: a +\n    bc\n    * d\n", "{k: \"a + bc * d\"}\n",
	} {
		c := &checker{lines: strings.Split(text, "\n")}
		n := scalar(t, text)
		for i, b := range []byte(n.Value) {
			if isSpace(b) {
				continue
			}
			line, column := c.place(n, i)
			if c.lines[line-1][column-1] != b {
				t.Errorf("%q: byte %d, %q, is placed at %d:%d", text, i, b, line, column)
			}
		}
	}
}

// scalar finds the value of the field k.
func scalar(t *testing.T, text string) *yaml.Node {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	n := doc.Content[0]
	if n.Kind == yaml.SequenceNode {
		n = n.Content[0]
	}
	return n.Content[1]
}
