package alertmanager

import "github.com/fdbench/fdbench/runtime/detector"

// Settings writes the configuration that the model works with.
func (m *Model) Settings(s *detector.Settings) {
	s.Text("manager", "alertmanager")
	for _, name := range m.config.GroupBy {
		s.Text("group_by", name)
	}
	s.Int("group_wait_ns", int64(m.config.GroupWait))
	s.Int("group_interval_ns", int64(m.config.GroupInterval))
	s.Int("repeat_interval_ns", int64(m.config.RepeatInterval))
	s.Bool("send_resolved", m.config.SendResolved)
	s.Int("maintenance_ns", int64(m.config.Maintenance))
}
