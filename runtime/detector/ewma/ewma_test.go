package ewma

import (
	"math"
	"slices"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
)

func number(s string) *exact.Number { n := exact.MustParse(s); return &n }

func run(t *testing.T, a plan.Alert, scores []int32) []detector.Signal {
	t.Helper()
	var heard []detector.Signal
	a.Name, a.Indicator = "A", "x"
	d, err := New(&plan.Detector{Alerts: []plan.Alert{a}, Indicators: []plan.DetectorIndicator{{Label: "x", Window: plan.Window{Requests: 1}}}},
		func(s detector.Signal) { heard = append(heard, s) })
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range scores {
		d.Observe(int64(i), []int32{s}, 1)
	}
	return heard
}

// TestByHand uses lambda 1/2, where the limit is L/sqrt(3), and a constant
// shift of two deviations: z is 1, 1.5, 1.75, 1.875, ...
func TestByHand(t *testing.T) {
	a := plan.Alert{Lambda: number("0.5"), Center: number("10"), SD: number("1"), Sides: "both"}
	for _, c := range []struct {
		limit string
		want  int64 // sample of the alarm
	}{{"1.7", 0}, {"1.8", 1}, {"2.6", 2}, {"3.1", 3}} {
		a.Limit = number(c.limit)
		heard := run(t, a, []int32{12, 12, 12, 12, 12})
		if len(heard) != 1 || heard[0].At != c.want {
			t.Errorf("limit %s (%.3f): heard %+v, want an alarm at %d", c.limit, a.Limit.Float64()/math.Sqrt(3), heard, c.want)
		}
	}
}

func TestSides(t *testing.T) {
	for sides, want := range map[string]int{"up": 0, "down": 1, "both": 1} {
		a := plan.Alert{Lambda: number("0.5"), Limit: number("2"), Center: number("10"), SD: number("1"), Sides: sides}
		if heard := run(t, a, []int32{8, 8, 8}); len(heard) != want {
			t.Errorf("%s: %d signals for a fall, want %d", sides, len(heard), want)
		}
	}
}

func TestLearnedScale(t *testing.T) {
	a := plan.Alert{Lambda: number("1"), Limit: number("3"), Learn: 4, Sides: "both"}
	// Mean 10, sd sqrt(8/3): 14.9 is just above three deviations, 14.8 below.
	if heard := run(t, a, []int32{8, 10, 10, 12, 14}); len(heard) != 0 {
		t.Errorf("14 alarmed: %+v", heard)
	}
	if heard := run(t, a, []int32{8, 10, 10, 12, 15}); len(heard) != 1 {
		t.Errorf("15 did not alarm")
	}
	// A silent baseline makes any other value infinitely far.
	if heard := run(t, a, []int32{0, 0, 0, 0, 0, 1}); len(heard) != 1 || heard[0].At != 5 {
		t.Errorf("heard %+v after a silent baseline", heard)
	}
}

func TestActive(t *testing.T) {
	a := plan.Alert{Name: "A", Indicator: "x", Lambda: number("1"), Limit: number("3"), Center: number("10"), SD: number("1"), Sides: "up"}
	b := a
	b.Name, b.Sides = "B", "down"
	d, err := New(&plan.Detector{Alerts: []plan.Alert{b, a}, Indicators: []plan.DetectorIndicator{{Label: "x", Window: plan.Window{Requests: 1}}}}, func(detector.Signal) {})
	if err != nil {
		t.Fatal(err)
	}
	named := d.(detector.Named)
	for i, c := range []struct {
		score int32
		want  []string
	}{{10, nil}, {20, []string{"A"}}, {0, []string{"B"}}, {10, nil}} {
		d.Observe(int64(i), []int32{c.score}, 1)
		if got := named.Active(); !slices.Equal(got, c.want) {
			t.Errorf("after score %d: %q, want %q", c.score, got, c.want)
		}
	}
}
