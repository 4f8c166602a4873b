package measure

import (
	"fmt"

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
}

func (c *computer) baseline(e journal.Entry, r *journal.BaselineRecord) error {
	l, err := c.load(e, r.Load)
	if err != nil {
		return err
	}
	if r.To < r.From {
		return reject(e, "an interval ends before it begins")
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
		switch {
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

// measured tells whether any baseline of the load is on record.
func (l *loadState) measured() bool {
	for i := range l.baselines {
		if b := &l.baselines[i]; b.done || len(b.windows) > 0 {
			return true
		}
	}
	return false
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
