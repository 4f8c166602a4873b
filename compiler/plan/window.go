package plan

import "github.com/fdbench/fdbench/lang/exact"

// At is how long a window lasts at a load in requests per second, as Lasts has
// it; 0 where that is not known.
func (w Window) At(rate exact.Number) exact.Duration {
	d, _ := w.Lasts(rate)
	return d
}

// Lasts is how long a window lasts at a load in requests per second: one of n
// requests lasts n/load, rounded up to the nanosecond, and so longer at a lower
// load (AMB-01). It is false where the load is not positive, or the result does
// not fit into 292 years.
func (w Window) Lasts(rate exact.Number) (exact.Duration, bool) {
	switch {
	case w.Requests == 0:
		return w.Duration, true
	case rate.Sign() <= 0:
		return 0, false
	}
	ns, ok := exact.Int(w.Requests).Mul(exact.Int(int64(exact.Second))).Div(rate).Ceil()
	if !ok {
		return 0, false
	}
	return exact.Duration(ns), true
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
