package threshold

import (
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/alerting"
)

// TestSettingsAreThoseInUse changes one value that a decision reads at a time.
func TestSettingsAreThoseInUse(t *testing.T) {
	d := settings("sliding", plan.Window{Duration: 10 * exact.Second}, exact.Second, plan.Alert{Comparator: "above", Threshold: number("0.08"), MinResponses: 3})
	d.Indicators = append(d.Indicators, plan.DetectorIndicator{Label: "y", Window: plan.Window{Requests: 50}})
	fresh := func() *Detector {
		det, err := New(d, func(detector.Signal) {})
		if err != nil {
			t.Fatal(err)
		}
		return det
	}
	read := func(det *Detector) string {
		var s detector.Settings
		det.Settings(&s)
		return string(s.Bytes())
	}
	want := read(fresh())
	used := fresh()
	for i := range int64(30) {
		used.Observe(i*second+1, []int32{1, 1}, 3)
		used.Tick(used.Next())
	}
	if used.State() == (detector.State{}) {
		t.Error("the detector never left its rest")
	}
	if got := read(used); got != want {
		t.Errorf("state is taken for configuration: %s", detector.Difference([]byte(want), []byte(got)))
	}
	for name, change := range map[string]func(*Detector){
		"threshold":          func(d *Detector) { d.rules[0].threshold = alerting.NewThreshold("above", exact.MustParse("0.09")) },
		"comparator":         func(d *Detector) { d.rules[0].threshold = alerting.NewThreshold("at_least", exact.MustParse("0.08")) },
		"minimum":            func(d *Detector) { d.rules[0].minimum++ },
		"hold":               func(d *Detector) { d.rules[0].alert.Hold++ },
		"keep":               func(d *Detector) { d.rules[0].alert.Keep++ },
		"evaluation":         func(d *Detector) { d.every *= 2 },
		"step":               func(d *Detector) { d.step *= 2 },
		"window":             func(d *Detector) { d.series[0].perWindow++ },
		"window of requests": func(d *Detector) { d.series[1].scores = make([]int32, 49) },
		"kind of window":     func(d *Detector) { d.series[1].tumbling = true },
		"a rule less":        func(d *Detector) { d.rules = nil },
		"the manager": func(d *Detector) {
			d.notifier = alerting.NewNotifier(&plan.Alertmanager{GroupInterval: 1, RepeatInterval: 1}, nil)
		},
	} {
		det := fresh()
		change(det)
		if read(det) == want {
			t.Errorf("a changed %s does not show", name)
		}
	}
}
