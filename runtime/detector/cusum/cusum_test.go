package cusum

import (
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
)

func number(s string) *exact.Number { n := exact.MustParse(s); return &n }

func detectorOf(t *testing.T, w plan.Window, a plan.Alert) (detector.Virtual, *[]detector.Signal) {
	t.Helper()
	var heard []detector.Signal
	a.Name, a.Indicator = "A", "x"
	d, err := New(&plan.Detector{Alerts: []plan.Alert{a}, Indicators: []plan.DetectorIndicator{{Label: "x", Window: w}}},
		func(s detector.Signal) { heard = append(heard, s) })
	if err != nil {
		t.Fatal(err)
	}
	return d, &heard
}

// TestPageByHand follows k = 0.5, h = 2 through samples worked out on paper:
// the sums are 0.5, 2 (alarm, capped), 1.5, 1, 0.5.
func TestPageByHand(t *testing.T) {
	d, heard := detectorOf(t, plan.Window{Requests: 1}, plan.Alert{Reference: number("0.5"), Decision: number("2"), Center: number("10"), SD: number("2"), Sides: "up"})
	for i, score := range []int32{12, 15, 10, 10, 10} {
		d.Observe(int64(i), []int32{score}, 1)
	}
	if len(*heard) != 2 || (*heard)[0].At != 1 || (*heard)[0].Value != "2" || (*heard)[1].At != 2 || (*heard)[1].Status != "resolved" {
		t.Errorf("heard %+v", *heard)
	}
}

func TestSides(t *testing.T) {
	for sides, want := range map[string]int{"up": 0, "down": 1, "both": 1} {
		d, heard := detectorOf(t, plan.Window{Requests: 1}, plan.Alert{Reference: number("0.5"), Decision: number("2"), Center: number("10"), SD: number("2"), Sides: sides})
		for i := range int64(3) {
			d.Observe(i, []int32{6}, 1)
		}
		if len(*heard) != want {
			t.Errorf("%s: %d signals for a fall, want %d", sides, len(*heard), want)
		}
	}
}

// TestWalk takes +3 for bad and -1 for good to an alarm at 6.
func TestWalk(t *testing.T) {
	for _, c := range []struct {
		reset  bool
		scores string
		want   []int64
	}{
		{false, "1011", []int64{3}},               // 3 2 5 6
		{false, "00101110001", []int64{5, 7, 10}}, // 0 0 3 2 5 6 6 5 4 3 6
		{true, "11001111", []int64{1, 2, 5, 6, 7}},
	} {
		d, heard := detectorOf(t, plan.Window{Requests: 1}, plan.Alert{Up: 3, Down: 1, Decision: number("6"), Reset: c.reset})
		for i, ch := range c.scores {
			d.Observe(int64(i), []int32{ch - '0'}, 1)
		}
		var at []int64
		for _, s := range *heard {
			at = append(at, s.At)
		}
		if len(at) != len(c.want) {
			t.Errorf("%s reset %t: edges at %v, want %v", c.scores, c.reset, at, c.want)
			continue
		}
		for i := range at {
			if at[i] != c.want[i] {
				t.Errorf("%s reset %t: edges at %v, want %v", c.scores, c.reset, at, c.want)
			}
		}
	}
}

func TestTimeWindowsSkipEmptyOnes(t *testing.T) {
	s := int64(exact.Second)
	d, heard := detectorOf(t, plan.Window{Duration: 10 * exact.Second}, plan.Alert{Reference: number("0"), Decision: number("3"), Center: number("0"), SD: number("1"), Sides: "up"})
	d.Observe(5*s, []int32{2}, 1)
	for d.Next() <= 30*s { // windows end at 10, 20 and 30; two of them empty
		d.Tick(d.Next())
	}
	if len(*heard) != 0 {
		t.Fatalf("an empty window counted: %+v", *heard)
	}
	d.Observe(31*s, []int32{2}, 1)
	d.Tick(d.Next())
	if len(*heard) != 1 || (*heard)[0].At != 40*s {
		t.Errorf("heard %+v", *heard)
	}
}
