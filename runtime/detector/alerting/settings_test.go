package alerting

import (
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
)

// fixed is a chart with one setting.
type fixed struct{ bound int64 }

func (*fixed) Sample(float64) bool             { return true }
func (*fixed) Value() string                   { return "" }
func (*fixed) Reset()                          {}
func (f *fixed) Settings(s *detector.Settings) { s.Int("bound", f.bound) }

func TestChartsSettings(t *testing.T) {
	five, one := exact.Int(5), exact.Int(1)
	fresh := func() *Charts {
		d, err := NewCharts(&plan.Detector{Indicators: []plan.DetectorIndicator{{Label: "x", Window: plan.Window{Requests: 2}}},
			Alerts: []plan.Alert{{Name: "A", Indicator: "x", Center: &five, SD: &one}, {Name: "B", Indicator: "x", Learn: 3}}},
			func(detector.Signal) {}, func(plan.Alert) (Chart, error) { return &fixed{1}, nil })
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	read := func(d *Charts) string {
		var s detector.Settings
		d.Settings(&s)
		return string(s.Bytes())
	}
	want := read(fresh())
	used := fresh()
	for i := range int64(20) {
		used.Observe(i, []int32{int32(i % 3)}, 1)
	}
	if used.State().Firing != 2 || read(used) != want {
		t.Errorf("after use, in %+v: %s", used.State(), detector.Difference([]byte(want), []byte(read(used))))
	}
	for name, change := range map[string]func(*Charts){
		"chart":           func(d *Charts) { d.charts[0].Chart.(*fixed).bound++ },
		"declared centre": func(d *Charts) { d.charts[0].standard.center++ },
		"declared sd":     func(d *Charts) { d.charts[0].standard.sd++ },
		"learning":        func(d *Charts) { d.charts[1].standard.learn++ },
		"reset":           func(d *Charts) { d.charts[0].reset = true },
		"hold":            func(d *Charts) { d.charts[0].alert.Hold++ },
		"window":          func(d *Charts) { d.series[0].windows.Requests++ },
		"routing":         func(d *Charts) { d.series[0].windowed = d.series[0].windowed[:1] },
		"the manager": func(d *Charts) {
			d.notifier = NewNotifier(&plan.Alertmanager{GroupInterval: 1, RepeatInterval: 1}, nil)
		},
	} {
		d := fresh()
		change(d)
		if read(d) == want {
			t.Errorf("a changed %s does not show", name)
		}
	}
}
