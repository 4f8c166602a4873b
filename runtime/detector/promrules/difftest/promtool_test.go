package difftest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/promrules"
)

const twoRules = `groups:
- name: llm
  rules:
  - alert: RefusalsHigh
    expr: sum(rate(llm_refusals_total[5m])) / sum(rate(llm_responses_total[5m])) > 0.1
    for: 1m
    labels: {severity: page}
  - alert: RefusalsHighLong
    expr: sum(rate(llm_refusals_total[1h])) / sum(rate(llm_responses_total[1h])) > 0.06
    for: 5m
    labels: {severity: ticket}
`

const (
	steps = 2 * 24 * 3600 / 15
	span  = steps * 15 * time.Second
)

// TestTwoDays runs the rules over two days of 10 responses a second, scraped
// and evaluated every 15 s, in which nothing fires. It is also the process that
// the benchmark measures.
func TestTwoDays(t *testing.T) { twoDays(t) }

// BenchmarkAgainstPromtool measures "promtool test rules" and promrules over
// the same rules, samples and span, in turns. Each is a process of its own on
// one processor. What is compared is the least processor time of all turns,
// because other work on the machine stretches the wall time, and some of the
// processor time, of either.
func BenchmarkAgainstPromtool(t *testing.B) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is not on this machine; Debian has it in the package prometheus")
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("alerts.yml", twoRules)
	suite := write("test.yml", fmt.Sprintf(`rule_files: [alerts.yml]
evaluation_interval: 15s
tests:
- interval: 15s
  input_series:
  - {series: 'llm_refusals_total{job="llm",instance="deployment:9090"}', values: '0+3x%d'}
  - {series: 'llm_responses_total{job="llm",instance="deployment:9090"}', values: '0+150x%d'}
  alert_rule_test:
  - {eval_time: %s, alertname: RefusalsHigh, exp_alerts: []}
`, steps, steps, span))
	least := func(d *time.Duration, args ...string) {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		if *d == 0 || used < *d {
			*d = used
		}
	}
	var theirs, ours time.Duration
	for t.Loop() {
		least(&theirs, promtool, "test", "rules", suite)
		least(&ours, os.Args[0], "-test.run", "^TestTwoDays$")
	}
	t.ReportMetric(span.Seconds()/theirs.Seconds(), "promtool-x-realtime")
	t.ReportMetric(span.Seconds()/ours.Seconds(), "x-realtime")
	t.ReportMetric(theirs.Seconds()/ours.Seconds(), "x-promtool")
}

// twoDays runs what promtool runs, and makes the samples itself.
func twoDays(t *testing.T) {
	d, err := promrules.New(promrules.Config{
		FileName: "alerts.yml", Rules: []byte(twoRules),
		Counters:       []promrules.Counter{{Name: "llm_refusals_total"}},
		ScrapeInterval: 15 * exact.Second, EvaluationInterval: 15 * exact.Second,
	}, func(s detector.Signal) { t.Errorf("signal %+v", s) })
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for at := int64(0); at < int64(span); at += int64(100 * time.Millisecond) {
		for d.Next() < at {
			d.Tick(d.Next())
		}
		score := int32(0)
		if n++; n%50 == 0 {
			score = 1
		}
		d.Observe(at, []int32{score}, 1)
	}
	if f := d.Failures(); len(f) > 0 {
		t.Fatal(f)
	}
	v, err := d.Query("sum(increase(llm_responses_total[1h]))", int64(span))
	if err != nil || len(v) != 1 || v[0].F < 35000 || v[0].F > 37000 {
		t.Errorf("36000 responses an hour are counted as %v, %v", v, err)
	}
}
