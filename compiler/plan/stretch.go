package plan

import "github.com/fdbench/fdbench/lang/exact"

// LongestStretch is how long false detections are observed in real time before
// that is committed, where the quiet period before it does not take longer: an
// interruption costs no more than one stretch.
const LongestStretch = 10 * exact.Minute

// Stretch is how long one stretch of the observation of false detections at a
// load lasts in real time, the last one excepted. It is a whole number of
// windows W: in part of a window nobody can tell whether answers were lacking
// or only not due yet.
func (p *Plan) Stretch(load int) exact.Duration {
	w, q := p.Declaration.Load.Points[load].Window, p.Declaration.Quiet
	gate := max(q.AtLeast, exact.Duration(q.Windows)*w) + w
	return wholeWindows(max(LongestStretch, gate), w)
}

// Stretches is how many stretches it takes to observe a period in real time
// where all of it counts, and how long they are together. Each begins with a
// quiet period, which comes on top.
func (p *Plan) Stretches(load int, period exact.Duration) (n int, length exact.Duration) {
	if period <= 0 {
		return 0, 0
	}
	s := p.Stretch(load)
	length = wholeWindows(period, p.Declaration.Load.Points[load].Window)
	return int((length + s - 1) / s), length
}

// NextStretch is how long the next stretch lasts where so much is left to
// observe.
func (p *Plan) NextStretch(load int, left exact.Duration) exact.Duration {
	return min(p.Stretch(load), wholeWindows(left, p.Declaration.Load.Points[load].Window))
}

// wholeWindows is the shortest whole number of windows that is no shorter.
func wholeWindows(d, window exact.Duration) exact.Duration {
	if window <= 0 || d%window == 0 {
		return d
	}
	return d + window - d%window
}
