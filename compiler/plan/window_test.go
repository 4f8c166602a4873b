package plan

import (
	"math"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

// AMB-01: a window of n requests lasts n/load, rounded up to the nanosecond.
func TestWindowAt(t *testing.T) {
	for _, x := range []struct {
		w    Window
		rate string
		want exact.Duration
		ok   bool
	}{
		{Window{Duration: 5}, "3", 5, true},
		{Window{Duration: 5}, "0", 5, true},
		{Window{Requests: 200}, "0.5", 400 * exact.Second, true},
		{Window{Requests: 1}, "3", 333_333_334, true},
		{Window{Requests: 2}, "3", 666_666_667, true},
		{Window{Requests: 1}, "0", 0, false},
		{Window{Requests: 1}, "-1", 0, false},
		{Window{Requests: math.MaxInt64}, "0.001", 0, false},
	} {
		rate, err := exact.Parse(x.rate)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := x.w.Lasts(rate)
		if got != x.want || ok != x.ok || x.w.At(rate) != x.want {
			t.Errorf("%+v at %s req/s lasts %d, %v", x.w, x.rate, got, ok)
		}
	}
}

// The window of an indicator is no shorter at a load than the largest one is,
// where it is the largest one.
func TestWindowOfIsTheLargest(t *testing.T) {
	rate := exact.Int(3)
	d := &Declaration{Detector: Detector{Indicators: []DetectorIndicator{{Indicator: "a", Window: Window{Requests: 1}}, {Indicator: "b", Window: Window{Duration: 7}}}}}
	point := LoadPoint{Rate: rate, Window: 333_333_334}
	for name, want := range map[string]exact.Duration{"a": point.Window, "b": 7, "c": point.Window} {
		if got := d.WindowOf(name, point); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}
