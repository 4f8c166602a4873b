package alerting

import (
	"math"
	"strconv"

	"github.com/fdbench/fdbench/compiler/plan"
)

// Windows groups an indicator's scores into consecutive windows of time or of
// requests, the samples of a control chart.
type Windows struct {
	Duration, Requests int64
	End                int64 // of the open window, where Duration is set
	sum, n             int64
}

// NewWindows starts at instant 0.
func NewWindows(w plan.Window) *Windows {
	return &Windows{Duration: int64(w.Duration), Requests: w.Requests, End: int64(w.Duration)}
}

// Add counts a score. It reports the mean of a window of requests that this
// score completes.
func (w *Windows) Add(score int32) (mean float64, complete bool) {
	w.sum += int64(score)
	w.n++
	if w.Requests > 0 && w.n == w.Requests {
		return w.take()
	}
	return 0, false
}

// Close ends the open window of time. An empty one has no mean.
func (w *Windows) Close() (mean float64, defined bool) {
	w.End += w.Duration
	if w.n == 0 {
		return 0, false
	}
	return w.take()
}

func (w *Windows) take() (float64, bool) {
	mean := float64(w.sum) / float64(w.n)
	w.sum, w.n = 0, 0
	return mean, true
}

// Standard turns window means into distances from the centre in standard
// deviations. Where the plan gives no centre and deviation it learns them from
// the first windows and reports nothing until then.
type Standard struct {
	center, sd float64
	learn      int64
	n          int64
	mean, m2   float64
}

// NewStandard prepares the scale that an alert declares.
func NewStandard(a plan.Alert) *Standard {
	s := &Standard{learn: a.Learn}
	if a.Center != nil && a.SD != nil {
		s.center, s.sd, s.learn = a.Center.Float64(), a.SD.Float64(), 0
	}
	return s
}

// Of is x on the scale, and false while the scale is being learned. A learned
// deviation of 0 makes every other value infinitely far.
func (s *Standard) Of(x float64) (float64, bool) {
	if s.n < s.learn {
		s.n++
		d := x - s.mean
		s.mean += d / float64(s.n)
		s.m2 += d * (x - s.mean)
		if s.n == s.learn {
			s.center, s.sd = s.mean, math.Sqrt(s.m2/float64(s.n-1))
		}
		return 0, false
	}
	if x == s.center {
		return 0, true
	}
	return (x - s.center) / s.sd, true
}

// Statistic prints a chart's statistic for a signal's value.
func Statistic(v float64) string { return strconv.FormatFloat(v, 'g', 9, 64) }
