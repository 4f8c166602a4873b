// Package ewma is the built-in exponentially weighted moving average detector:
// Roberts' chart on standardised window means, with the asymptotic limits of
// Lucas and Saccucci.
//
// It imports compiler/plan, runtime/detector and runtime/detector/alerting.
package ewma

import (
	"math"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/alerting"
)

// New makes the detector that the plan declares.
func New(d *plan.Detector, sink detector.Sink) (detector.Virtual, error) {
	return alerting.NewCharts(d, sink, func(a plan.Alert) (alerting.Chart, error) {
		lambda := a.Lambda.Float64()
		return &chart{lambda: lambda, limit: a.Limit.Float64() * math.Sqrt(lambda/(2-lambda)),
			upper: a.Sides != "down", lower: a.Sides != "up"}, nil
	})
}

type chart struct {
	lambda, limit float64
	upper, lower  bool
	z             float64
}

func (c *chart) Sample(x float64) bool {
	c.z += float64(c.lambda * (x - c.z))
	return c.upper && c.z >= c.limit || c.lower && c.z <= -c.limit
}

func (c *chart) Value() string { return alerting.Statistic(c.z) }
func (c *chart) Reset()        { c.z = 0 }

func (c *chart) Settings(s *detector.Settings) {
	s.Text("chart", "ewma")
	s.Float("lambda", c.lambda)
	s.Float("limit", c.limit)
	s.Bool("upper", c.upper)
	s.Bool("lower", c.lower)
}
