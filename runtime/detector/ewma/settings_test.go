package ewma

import (
	"testing"

	"github.com/fdbench/fdbench/runtime/detector"
)

func TestSettingsAreThoseInUse(t *testing.T) {
	read := func(c *chart) string {
		var s detector.Settings
		c.Settings(&s)
		return string(s.Bytes())
	}
	base := chart{lambda: 0.2, limit: 0.9, upper: true}
	used := base
	used.Sample(2)
	if used.z == 0 || read(&used) != read(&base) {
		t.Errorf("the statistic is taken for configuration: %q", read(&used))
	}
	for _, other := range []chart{{lambda: 0.1, limit: 0.9, upper: true}, {lambda: 0.2, limit: 0.8, upper: true}, {lambda: 0.2, limit: 0.9},
		{lambda: 0.2, limit: 0.9, upper: true, lower: true}} {
		if read(&other) == read(&base) {
			t.Errorf("%+v reads as %+v", other, base)
		}
	}
}
