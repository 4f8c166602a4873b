package promrules

import (
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
)

// twoRules is what the speed of the detector is measured with: a short and a
// long window of one ratio.
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

// BenchmarkTwoRules runs an hour of virtual time an iteration: two rules with
// windows of 5 minutes and 1 hour, scraped and evaluated every 15 seconds, over
// 10 responses a second of which every fiftieth is refused, and every fifth
// while a fault is applied, which is 10 minutes of every 2 hours.
func BenchmarkTwoRules(b *testing.B) {
	const (
		second = int64(exact.Second)
		span   = 3600 * second
		gap    = second / 10
	)
	signals := 0
	d, err := New(Config{
		FileName: "alerts.yml", Rules: []byte(twoRules),
		Counters:       []Counter{{Name: "llm_refusals_total"}},
		ScrapeInterval: 15 * exact.Second, EvaluationInterval: 15 * exact.Second,
	}, func(detector.Signal) { signals++ })
	if err != nil {
		b.Fatal(err)
	}
	at, n := int64(0), 0
	run := func(until int64) {
		for ; at < until; at += gap {
			for d.Next() < at {
				d.Tick(d.Next())
			}
			every := 50
			if at/second%7200 < 600 {
				every = 5
			}
			score := int32(0)
			if n++; n%every == 0 {
				score = 1
			}
			d.Observe(at, []int32{score}, 1)
		}
	}
	run(2 * span) // the long window is full
	b.ReportAllocs()
	b.ResetTimer()
	for i := range int64(b.N) {
		run((i + 3) * span)
	}
	b.StopTimer()
	b.ReportMetric(float64(b.N)*3600/b.Elapsed().Seconds(), "x-realtime")
	if signals == 0 {
		b.Fatal("no rule ever fired")
	}
	if f := d.Failures(); len(f) > 0 {
		b.Fatal(f)
	}
}
