package alerting

import "github.com/fdbench/fdbench/runtime/detector"

// Settings writes the configuration of the notification stage.
func (n *Notifier) Settings(s *detector.Settings) {
	if n.manager == nil {
		s.Text("manager", "none")
		return
	}
	n.manager.Settings(s)
}

// Settings writes what decides when the alert fires and clears.
func (a *Alert) Settings(s *detector.Settings) {
	s.Text("alert", a.Labels["alertname"])
	s.Text("indicator", a.Labels["indicator"])
	s.Int("for_ns", a.Hold)
	s.Int("keep_firing_for_ns", a.Keep)
}

// Settings writes the comparison.
func (t Threshold) Settings(s *detector.Settings) {
	s.Text("comparator", t.comparator)
	s.Ratio("threshold", t.num, t.den)
}

// Settings writes the windows of the samples.
func (w *Windows) Settings(s *detector.Settings) {
	s.Int("window_ns", w.Duration)
	s.Int("window_requests", w.Requests)
}

// Settings writes the declared scale. What it learns is state.
func (st *Standard) Settings(s *detector.Settings) {
	s.Int("learn", st.learn)
	if st.learn == 0 {
		s.Float("center", st.center)
		s.Float("sd", st.sd)
	}
}

// Settings implements detector.Configured.
func (d *Charts) Settings(s *detector.Settings) {
	s.Text("detector", "charts")
	for i := range d.series {
		s.Int("series", int64(i))
		d.series[i].windows.Settings(s)
		s.Int("charts_of_windows", int64(len(d.series[i].windowed)))
		s.Int("charts_of_responses", int64(len(d.series[i].responses)))
	}
	for _, c := range d.charts {
		c.alert.Settings(s)
		c.Chart.Settings(s)
		c.standard.Settings(s)
		s.Bool("reset_on_alarm", c.reset)
	}
	d.notifier.Settings(s)
}
