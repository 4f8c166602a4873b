package threshold

import "github.com/fdbench/fdbench/runtime/detector"

// Settings implements detector.Configured.
func (d *Detector) Settings(s *detector.Settings) {
	s.Text("detector", "threshold")
	s.Int("evaluate_ns", d.every)
	for i := range d.series {
		series := &d.series[i]
		s.Int("series", int64(i))
		s.Bool("tumbling", series.tumbling)
		s.Int("window_ns", series.perWindow*d.step)
		s.Int("window_requests", int64(len(series.scores)))
	}
	for _, r := range d.rules {
		r.alert.Settings(s)
		r.threshold.Settings(s)
		s.Int("min_responses", r.minimum)
	}
	d.notifier.Settings(s)
}
