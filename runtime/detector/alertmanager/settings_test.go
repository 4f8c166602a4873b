package alertmanager

import (
	"testing"

	"github.com/fdbench/fdbench/runtime/detector"
)

func TestSettingsAreThoseInUse(t *testing.T) {
	read := func(m *Model) string {
		var s detector.Settings
		m.Settings(&s)
		return string(s.Bytes())
	}
	want := read(New(Default(), nil))
	for name, change := range map[string]func(*Config){
		"group_by":        func(c *Config) { c.GroupBy = []string{"alertname"} },
		"group_wait":      func(c *Config) { c.GroupWait++ },
		"group_interval":  func(c *Config) { c.GroupInterval++ },
		"repeat_interval": func(c *Config) { c.RepeatInterval++ },
		"send_resolved":   func(c *Config) { c.SendResolved = false },
		"maintenance":     func(c *Config) { c.Maintenance++ },
	} {
		m := New(Default(), nil)
		change(&m.config)
		if read(m) == want {
			t.Errorf("a changed %s does not show", name)
		}
	}
}
