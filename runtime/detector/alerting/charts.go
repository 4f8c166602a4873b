package alerting

import (
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/detector"
)

// Chart is the statistic of a control chart.
type Chart interface {
	// Sample takes a standardised window mean and tells whether to alarm.
	Sample(z float64) bool
	// Value prints the statistic.
	Value() string
	// Reset puts the statistic to its start.
	Reset()
	// Settings writes what the statistic and its limits are made with.
	Settings(*detector.Settings)
}

// ResponseChart is a chart that reads single responses instead of windows.
type ResponseChart interface {
	Chart
	// Response takes one response and tells whether to alarm.
	Response(bad bool) bool
}

// Charts is a detector made of control charts; it implements detector.Virtual,
// detector.Named and detector.Configured.
type Charts struct {
	notifier *Notifier
	charts   []*chart
	series   []series
}

type series struct {
	windows   *Windows
	windowed  []*chart
	responses []*chart
}

type chart struct {
	Chart
	perResponse ResponseChart
	alert       *Alert
	standard    *Standard
	reset       bool
}

// NewCharts makes a detector with a chart for each alert that the plan
// declares.
func NewCharts(d *plan.Detector, sink detector.Sink, newChart func(plan.Alert) (Chart, error)) (*Charts, error) {
	det := &Charts{notifier: NewNotifier(d.Manager, sink), series: make([]series, len(d.Indicators))}
	byLabel := map[string]*series{}
	for i, ind := range d.Indicators {
		det.series[i].windows = NewWindows(ind.Window)
		byLabel[ind.Label] = &det.series[i]
	}
	for _, a := range d.Alerts {
		s, ok := byLabel[a.Indicator]
		if !ok {
			return nil, fmt.Errorf("detector %q: alert %q names the unknown indicator %q", d.Name, a.Name, a.Indicator)
		}
		statistic, err := newChart(a)
		if err != nil {
			return nil, fmt.Errorf("detector %q: alert %q: %w", d.Name, a.Name, err)
		}
		c := &chart{Chart: statistic, alert: NewAlert(det.notifier, a, a.Indicator), standard: NewStandard(a), reset: a.Reset}
		det.charts = append(det.charts, c)
		if r, ok := statistic.(ResponseChart); ok {
			c.perResponse = r
			s.responses = append(s.responses, c)
		} else {
			s.windowed = append(s.windowed, c)
		}
	}
	return det, nil
}

// Observe feeds the charts of single responses, and those whose window of
// requests is complete.
func (d *Charts) Observe(at int64, scores []int32, sampled uint64) {
	for i := range d.series {
		if sampled&(1<<i) == 0 {
			continue
		}
		s := &d.series[i]
		for _, c := range s.responses {
			if alarm := c.perResponse.Response(scores[i] != 0); alarm || !c.alert.Quiet() {
				c.evaluate(at, alarm)
			}
		}
		if len(s.windowed) == 0 {
			continue
		}
		if mean, complete := s.windows.Add(scores[i]); complete {
			s.sample(at, mean)
		}
	}
}

func (s *series) sample(at int64, mean float64) {
	for _, c := range s.windowed {
		if z, ok := c.standard.Of(mean); ok {
			c.evaluate(at, c.Sample(z))
		}
	}
}

func (c *chart) evaluate(at int64, alarm bool) {
	c.alert.Evaluate(at, alarm, c.Value)
	if alarm && c.reset {
		c.Reset()
	}
}

// Next is the end of the earliest open window of time, or a notification.
func (d *Charts) Next() int64 {
	next := d.notifier.Next()
	for i := range d.series {
		if s := &d.series[i]; s.windows.Duration > 0 && len(s.windowed) > 0 {
			next = min(next, s.windows.End)
		}
	}
	return next
}

// Tick closes the windows that end now.
func (d *Charts) Tick(at int64) {
	if d.notifier.Next() <= at {
		d.notifier.Tick(at)
	}
	for i := range d.series {
		s := &d.series[i]
		if s.windows.Duration == 0 || len(s.windowed) == 0 || s.windows.End > at {
			continue
		}
		if mean, defined := s.windows.Close(); defined {
			s.sample(at, mean)
		}
	}
}

// State counts the alerts and the notification groups.
func (d *Charts) State() detector.State {
	s := detector.State{Groups: d.notifier.Groups()}
	for _, c := range d.charts {
		c.alert.AddTo(&s)
	}
	return s
}

// Active implements detector.Named.
func (d *Charts) Active() []string {
	return Active(func(yield func(*Alert) bool) {
		for _, c := range d.charts {
			if !yield(c.alert) {
				return
			}
		}
	})
}
