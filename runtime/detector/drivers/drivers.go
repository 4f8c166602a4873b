package drivers

import (
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/alerting"
	"github.com/fdbench/fdbench/runtime/detector/cusum"
	"github.com/fdbench/fdbench/runtime/detector/ewma"
	"github.com/fdbench/fdbench/runtime/detector/promrules"
	"github.com/fdbench/fdbench/runtime/detector/threshold"
	"github.com/fdbench/fdbench/runtime/random"
)

// New makes the detector under test for one segment, for a world in virtual
// time. stream names random numbers by their purpose.
func New(p *plan.Plan, stream func(string) *random.Stream, sink detector.Sink) (detector.Virtual, error) {
	d := &p.Declaration.Detector
	switch d.Kind {
	case "threshold":
		return threshold.New(d, sink)
	case "ewma":
		return ewma.New(d, sink)
	case "cusum":
		return cusum.New(d, sink)
	case "prometheus_rules":
		return newPrometheus(p, stream, sink)
	}
	return nil, fmt.Errorf("detector %q: no driver for kind %q in virtual time", d.Name, d.Kind)
}

// newPrometheus keeps the phase of scrapes the same in every segment of a
// series, as a running Prometheus keeps it for a target.
func newPrometheus(p *plan.Plan, stream func(string) *random.Stream, sink detector.Sink) (detector.Virtual, error) {
	d := &p.Declaration.Detector
	c := promrules.Config{
		FileName:           d.Prometheus.RulesFile,
		Rules:              []byte(d.Prometheus.Rules),
		Total:              promrules.Counter{Name: d.Prometheus.Total},
		ScrapeInterval:     d.Prometheus.ScrapeInterval,
		EvaluationInterval: d.Prometheus.EvaluationInterval,
		MissedScrapes:      d.Prometheus.ScrapeFailures,
		ResetEvery:         d.Prometheus.CounterResets,
		Stream:             stream("scrapes"),
		Job:                d.Prometheus.Job,
		Instance:           d.Prometheus.Instance,
		Labels:             d.Prometheus.Labels,
	}
	phase := random.New(p.Declaration.Seed, d.Name, "scrape phase").Below(uint64(c.ScrapeInterval))
	c.ScrapePhase = exact.Duration(phase)
	for _, ind := range d.Indicators {
		c.Counters = append(c.Counters, promrules.Counter{Name: ind.Exports})
	}
	if d.Manager != nil {
		m := alerting.ManagerConfig(d.Manager)
		c.Alertmanager = &m
	}
	return promrules.New(c, sink)
}
