package plan

import "github.com/fdbench/fdbench/lang/exact"

// At is how long a window lasts at a load in requests per second: one counted
// in requests lasts longer at a lower load (AMB-01).
func (w Window) At(rate exact.Number) exact.Duration {
	if w.Requests == 0 {
		return w.Duration
	}
	d, _ := exact.DurationOf(exact.Int(w.Requests).Div(rate))
	return d
}

// WindowOf is the window over which the detector aggregates an indicator at a
// load point, the largest where it has several, and W for an indicator that
// it does not compute. Baselines are measured over it (AMB-02).
func (d *Declaration) WindowOf(indicator string, point LoadPoint) exact.Duration {
	var own exact.Duration
	for _, ind := range d.Detector.Indicators {
		if ind.Indicator == indicator {
			own = max(own, ind.Window.At(point.Rate))
		}
	}
	if own == 0 {
		return point.Window
	}
	return own
}
