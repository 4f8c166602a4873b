package measure

import (
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/stats"
)

// baselineState gathers the windows of one indicator at one point.
type baselineState struct {
	indicator, point string
	width            exact.Duration // of the detector's window of the indicator at this load
	windows          []stats.Window
	base             stats.Baseline
	ok, done         bool
	lost             bool // its windows are missing in the record, which is a violation already
}

func (c *computer) baseline(e journal.Entry, r *journal.BaselineRecord) error {
	l, err := c.load(e, r.Load)
	if err != nil {
		return err
	}
	if c.segment.Phase != "baseline" {
		return reject(e, "a Baseline Interval in a segment of %q", c.segment.Phase)
	}
	if c.lacks("indicators") {
		for i := range l.baselines {
			l.baselines[i].lost = true
		}
	}
	if r.To < r.From && !c.lacks("to_ns") {
		return reject(e, "an interval ends before it begins")
	}
	l.based, l.twins = true, r.Twins
	c.segment.reached(r.To)
	if !c.lacks("from_ns") && r.From < c.segment.rested {
		c.breach("FD-4.2-1", l.label, "a Baseline Interval began before the quiet period in front of it was over", e.Line)
	}
	if !c.lacks("requests", "from_ns", "to_ns") && !c.trafficHeld(r.Load, r.Requests, r.To-r.From) {
		c.breach("FD-4.2-1", l.label, "the load was not offered throughout the Baseline Interval", e.Line)
	}
	l.unclear = l.unclear || c.lacks("from_ns", "to_ns")
	if want := plan.EnvironmentDigest(c.p); r.Environment != want && !c.lacks("environment") {
		c.breach("FD-1.2-2", l.label, "the baseline is not of the environment that the plan declares", e.Line)
	}
	if c.applied {
		c.breach("FD-4.2-1", l.label, "a Baseline Interval was run after the first fault of the series", e.Line)
	}
	l.interval += r.To - r.From
	c.requests += r.Requests
	for _, ind := range r.Indicators {
		b := l.find(ind.Indicator, ind.Point)
		if b == nil {
			return reject(e, "it names indicator %q at point %q, which the plan does not have", ind.Indicator, ind.Point)
		}
		if b.done {
			return reject(e, "a baseline at %s goes on after trials that rest on it", l.label)
		}
		if want := c.indicators[ind.Indicator].Method(); ind.Method != want && !c.lacks("indicators.method") {
			c.breach("FD-5.5-3", l.label+", "+ind.Indicator, fmt.Sprintf("the indicator was measured by %q at the %s point, and by the plan it is %q at both points",
				ind.Method, ind.Point, want), e.Line)
		}
		b.lost = ind.Windows == nil
		switch {
		case l.unclear || b.lost:
		case ind.Width != int64(b.width):
			c.breach("FD-4.2-2", l.label+", "+ind.Indicator, fmt.Sprintf("the baseline is summed over windows of %s, and the detector aggregates over %s",
				exact.Duration(ind.Width), b.width), e.Line)
		case ind.Width <= 0 || (r.To-r.From)/ind.Width != int64(len(ind.Windows)):
			c.breach("FD-4.2-2", l.label+", "+ind.Indicator, "the windows on record are not those of the whole Baseline Interval", e.Line)
		}
		for _, w := range ind.Windows {
			if w[1] < 0 {
				return reject(e, "a window has %d responses", w[1])
			}
			b.windows = append(b.windows, stats.Window{Sum: w[0], N: w[1]})
		}
	}
	return nil
}

func (l *loadState) find(indicator, point string) *baselineState {
	for i := range l.baselines {
		if b := &l.baselines[i]; b.indicator == indicator && b.point == point {
			return b
		}
	}
	return nil
}

// base returns the baseline of a class's indicator at a point, and false where
// there is none.
func (c *computer) base(load int, class, point string) (stats.Baseline, bool) {
	b := c.loads[load].find(c.classes[class].Indicator, point)
	if b == nil {
		return stats.Baseline{}, false
	}
	b.finish()
	return b.base, b.ok
}

func (b *baselineState) finish() {
	if !b.done && len(b.windows) > 0 {
		b.base, b.ok = stats.BaselineOf(b.windows)
		b.done, b.windows = true, nil
	}
}
