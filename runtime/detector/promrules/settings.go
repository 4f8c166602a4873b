package promrules

import (
	"github.com/prometheus/prometheus/model/labels"

	"github.com/fdbench/fdbench/runtime/detector"
)

var _ detector.Configured = (*Detector)(nil)

// Settings implements detector.Configured: the groups and rules as they are
// loaded, the target that is scraped, and the Alertmanager.
func (d *Detector) Settings(s *detector.Settings) {
	s.Text("detector", "prometheus rules")
	s.Int("epoch_ns", d.epoch)
	d.target.settings(s)
	for _, g := range d.groups {
		s.Text("group", g.name)
		s.Int("interval_ns", g.interval)
		s.Int("query_offset_ns", int64(g.offset))
		s.Int("limit", int64(g.limit))
		for i := range g.rules {
			if r := &g.rules[i]; r.alert != nil {
				r.alert.settings(s)
			} else {
				r.record.settings(s)
			}
		}
	}
	if d.manager == nil {
		s.Text("manager", "none")
		return
	}
	d.manager.Settings(s)
}

func (a *alertRule) settings(s *detector.Settings) {
	s.Text("alert", a.name)
	s.Text("expr", a.expr)
	s.Int("for_ns", a.hold)
	s.Int("keep_firing_for_ns", a.keep)
	for _, t := range a.templates {
		s.Text("label", t.name)
		s.Text("value", t.text)
	}
}

func (r *recordRule) settings(s *detector.Settings) {
	s.Text("record", r.name)
	s.Text("expr", r.expr)
	labelSettings(s, r.labels)
}

func (t *target) settings(s *detector.Settings) {
	s.Int("scrape_interval_ns", t.interval)
	s.Int("counter_resets_ns", t.reset)
	if t.stream != nil {
		s.Text("scrape_failures", t.missed.Rat().String())
	}
	for _, e := range t.exported {
		s.Text("exports", e.labels.Get(metricName))
		labelSettings(s, e.labels)
	}
}

func labelSettings(s *detector.Settings, l labels.Labels) {
	l.Range(func(l labels.Label) {
		s.Text("label", l.Name)
		s.Text("value", l.Value)
	})
}
