package difftest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
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

// TestTwiceAsFastAsPromtool measures "promtool test rules" and promrules over
// the same rules, samples and span: two days of 10 responses a second, scraped
// and evaluated every 15 s, each on one processor. Processor time is compared,
// because other work on the machine stretches the wall time of either.
func TestTwiceAsFastAsPromtool(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is not on this machine; Debian has it in the package prometheus")
	}
	if testing.Short() {
		t.Skip("a measurement of some seconds")
	}
	const (
		steps = 2 * 24 * 3600 / 15
		span  = steps * 15 * time.Second
	)
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("alerts.yml", twoRules)
	cmd := exec.Command(promtool, "test", "rules", write("test.yml", fmt.Sprintf(`rule_files: [alerts.yml]
evaluation_interval: 15s
tests:
- interval: 15s
  input_series:
  - {series: 'llm_refusals_total{job="llm",instance="deployment:9090"}', values: '0+3x%d'}
  - {series: 'llm_responses_total{job="llm",instance="deployment:9090"}', values: '0+150x%d'}
  alert_rule_test:
  - {eval_time: %s, alertname: RefusalsHigh, exp_alerts: []}
`, steps, steps, span)))
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("promtool: %v\n%s", err, out)
	}
	theirWall := time.Since(start)
	theirs := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()

	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	d, err := promrules.New(promrules.Config{
		FileName: "alerts.yml", Rules: []byte(twoRules),
		Counters:       []promrules.Counter{{Name: "llm_refusals_total"}},
		ScrapeInterval: 15 * exact.Second, EvaluationInterval: 15 * exact.Second,
	}, func(s detector.Signal) { t.Errorf("signal %+v", s) })
	if err != nil {
		t.Fatal(err)
	}
	start = time.Now()
	before := processorTime(t)
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
	ours, ourWall := processorTime(t)-before, time.Since(start)
	if f := d.Failures(); len(f) > 0 {
		t.Fatal(f)
	}
	speed := func(d time.Duration) string { return fmt.Sprintf("%.0f", span.Seconds()/d.Seconds()) }
	ratio := theirs.Seconds() / ours.Seconds()
	t.Logf("promtool %s times real time (%v processor, %v wall); promrules %s times (%v processor, %v wall); ratio %.2f",
		speed(theirs), theirs, theirWall, speed(ours), ours, ourWall, ratio)
	if ratio < 2 {
		t.Errorf("promrules is %.2f times as fast as promtool, want twice", ratio)
	}
}

// processorTime is what this process has used.
func processorTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
