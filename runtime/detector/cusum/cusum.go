// Package cusum is the built-in cumulative sum detector: Page's chart on
// standardised window means (reference value k, decision interval h), or an
// integer walk on single responses (up for a bad one, down for a good one),
// after Reynolds and Stoumbos.
//
// An alarm is a statistic that is not below the decision interval. The
// statistic is capped there, so that the alert clears when the evidence does.
//
// It imports compiler/plan, runtime/detector and runtime/detector/alerting.
package cusum

import (
	"errors"
	"math"
	"strconv"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/alerting"
)

// New makes the detector that the plan declares.
func New(d *plan.Detector, sink detector.Sink) (detector.Virtual, error) {
	return alerting.NewCharts(d, sink, newChart)
}

func newChart(a plan.Alert) (alerting.Chart, error) {
	if a.Up > 0 {
		decision, fits := a.Decision.Ceil()
		if !fits {
			return nil, errors.New("the decision interval does not fit into 63 bits")
		}
		return &walk{up: a.Up, down: a.Down, decision: decision}, nil
	}
	return &page{k: a.Reference.Float64(), h: a.Decision.Float64(), upper: a.Sides != "down", lower: a.Sides != "up"}, nil
}

// page is Page's chart.
type page struct {
	k, h         float64
	upper, lower bool
	high, low    float64
}

func (p *page) Sample(z float64) bool {
	if p.upper {
		p.high = math.Min(math.Max(0, p.high+(z-p.k)), p.h)
	}
	if p.lower {
		p.low = math.Min(math.Max(0, p.low-(z+p.k)), p.h)
	}
	return p.high >= p.h || p.low >= p.h
}

func (p *page) Value() string { return alerting.Statistic(math.Max(p.high, p.low)) }
func (p *page) Reset()        { p.high, p.low = 0, 0 }

func (p *page) Settings(s *detector.Settings) {
	s.Text("chart", "cusum")
	s.Float("reference", p.k)
	s.Float("decision", p.h)
	s.Bool("upper", p.upper)
	s.Bool("lower", p.lower)
}

// walk is the integer chart on single responses.
type walk struct{ up, down, decision, at int64 }

func (w *walk) Response(bad bool) bool {
	if bad {
		w.at = min(w.at+w.up, w.decision)
	} else {
		w.at = max(w.at-w.down, 0)
	}
	return w.at >= w.decision
}

func (w *walk) Sample(float64) bool { return false }
func (w *walk) Value() string       { return strconv.FormatInt(w.at, 10) }
func (w *walk) Reset()              { w.at = 0 }

func (w *walk) Settings(s *detector.Settings) {
	s.Text("chart", "cusum of responses")
	s.Int("up", w.up)
	s.Int("down", w.down)
	s.Int("decision", w.decision)
}
