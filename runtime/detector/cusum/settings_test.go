package cusum

import (
	"testing"

	"github.com/fdbench/fdbench/runtime/detector"
)

func TestSettingsAreThoseInUse(t *testing.T) {
	read := func(c interface{ Settings(*detector.Settings) }) string {
		var s detector.Settings
		c.Settings(&s)
		return string(s.Bytes())
	}
	p := page{k: 0.5, h: 5, upper: true}
	q := p
	q.Sample(3)
	if q.high == 0 || read(&q) != read(&p) {
		t.Errorf("the statistic is taken for configuration: %q", read(&q))
	}
	for _, other := range []page{{k: 0.4, h: 5, upper: true}, {k: 0.5, h: 4, upper: true}, {k: 0.5, h: 5}, {k: 0.5, h: 5, upper: true, lower: true}} {
		if read(&other) == read(&p) {
			t.Errorf("%+v reads as %+v", other, p)
		}
	}
	w := walk{up: 5, down: 1, decision: 20}
	v := w
	v.Response(true)
	if v.at == 0 || read(&v) != read(&w) {
		t.Errorf("the walk's place is taken for configuration: %q", read(&v))
	}
	for _, other := range []walk{{up: 4, down: 1, decision: 20}, {up: 5, down: 2, decision: 20}, {up: 5, down: 1, decision: 21}} {
		if read(&other) == read(&w) {
			t.Errorf("%+v reads as %+v", other, w)
		}
	}
}
