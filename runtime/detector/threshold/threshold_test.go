package threshold

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
)

const second = int64(exact.Second)

func number(s string) *exact.Number { n := exact.MustParse(s); return &n }

func settings(windows string, w plan.Window, evaluate exact.Duration, a plan.Alert) *plan.Detector {
	a.Name, a.Indicator = "A", "x"
	return &plan.Detector{Name: "d", Windows: windows, Evaluate: evaluate, Alerts: []plan.Alert{a},
		Indicators: []plan.DetectorIndicator{{Label: "x", Window: w}}}
}

type observation struct {
	at    int64
	score int32
}

// drive feeds observations and ticks in their order up to an end.
func drive(t *testing.T, d *plan.Detector, obs []observation, end int64) []detector.Signal {
	t.Helper()
	var heard []detector.Signal
	det, err := New(d, func(s detector.Signal) { heard = append(heard, s) })
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range obs {
		for det.Next() < o.at {
			det.Tick(det.Next())
		}
		det.Observe(o.at, []int32{o.score}, 1)
	}
	for det.Next() <= end {
		det.Tick(det.Next())
	}
	return heard
}

// TestSlidingWindowAgainstDefinition recomputes every evaluation from the raw
// observations: the responses in (t-window, t].
func TestSlidingWindowAgainstDefinition(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		window := (1 + rng.Int64N(20)) * second
		every := []int64{second, 2 * second, 3 * second, second / 2}[rng.IntN(4)]
		var obs []observation
		for at := int64(0); at < 200*second; {
			at += rng.Int64N(3*second/2) + 1
			if rng.IntN(5) == 0 {
				at = (at/every + 1) * every // on a boundary
			}
			score := int32(0)
			if rng.IntN(3) == 0 {
				score = 1
			}
			if at <= 200*second {
				obs = append(obs, observation{at, score})
			}
		}
		a := plan.Alert{Comparator: "above", Threshold: number("1/3"), MinResponses: int64(rng.IntN(4))}
		heard := drive(t, settings("sliding", plan.Window{Duration: exact.Duration(window)}, exact.Duration(every), a), obs, 200*second)
		firing := false
		var want []int64
		for at := every; at <= 200*second; at += every {
			var sum, n int64
			for _, o := range obs {
				if o.at > at-window && o.at <= at {
					sum += int64(o.score)
					n++
				}
			}
			if on := n >= max(1, a.MinResponses) && 3*sum > n; on != firing {
				firing = on
				want = append(want, at)
			}
		}
		if len(heard) != len(want) {
			t.Fatalf("seed %d: %d edges, want %d", seed, len(heard), len(want))
		}
		for i := range want {
			if heard[i].At != want[i] {
				t.Fatalf("seed %d: edge %d at %d, want %d", seed, i, heard[i].At, want[i])
			}
		}
	}
}

func TestTumblingEvaluatesAtWindowEnds(t *testing.T) {
	obs := []observation{{second, 1}, {2 * second, 1}, {11 * second, 0}, {12 * second, 0}, {25 * second, 1}}
	d := settings("tumbling", plan.Window{Duration: 10 * exact.Second}, exact.Second, plan.Alert{Comparator: "at_least", Threshold: number("1")})
	heard := drive(t, d, obs, 40*second)
	want := []struct {
		at     int64
		status string
	}{{10 * second, "firing"}, {20 * second, "resolved"}, {30 * second, "firing"}, {40 * second, "resolved"}}
	if len(heard) != len(want) {
		t.Fatalf("heard %+v", heard)
	}
	for i, w := range want {
		if heard[i].At != w.at || heard[i].Status != w.status {
			t.Errorf("edge %d: %s at %d, want %s at %d", i, heard[i].Status, heard[i].At, w.status, w.at)
		}
	}
}

func TestCountWindows(t *testing.T) {
	for _, c := range []struct {
		windows string
		scores  string
		want    []int64 // observations, from 1, at which an edge falls
	}{
		{"sliding", "110010000", []int64{5, 6}},              // full from the fifth on: 3 of 5
		{"tumbling", "1100111000" + "00000", []int64{5, 15}}, // windows 3, 2+... of 5
	} {
		d := settings(c.windows, plan.Window{Requests: 5}, exact.Second, plan.Alert{Comparator: "at_least", Threshold: number("3/5")})
		if c.windows == "tumbling" {
			d.Alerts[0].Threshold = number("2/5")
		}
		var heard []int64
		det, err := New(d, func(s detector.Signal) { heard = append(heard, s.At) })
		if err != nil {
			t.Fatal(err)
		}
		for i, ch := range c.scores {
			det.Observe(int64(i+1), []int32{ch - '0'}, 1)
		}
		if len(heard) != len(c.want) || heard[0] != c.want[0] || heard[1] != c.want[1] {
			t.Errorf("%s %s: edges at %v, want %v", c.windows, c.scores, heard, c.want)
		}
	}
}

func TestAbsurdWindowIsRefused(t *testing.T) {
	d := settings("sliding", plan.Window{Duration: exact.Hour + 1}, exact.Second, plan.Alert{Comparator: "above", Threshold: number("1")})
	if _, err := New(d, func(detector.Signal) {}); err == nil {
		t.Error("no error for a window without a common step")
	}
	d.Indicators[0].Window.Duration = exact.Hour
	d.Alerts[0].Indicator = "y"
	if _, err := New(d, func(detector.Signal) {}); err == nil {
		t.Error("no error for an unknown indicator")
	}
}

// The alerts that are pending or fire are named; those at rest are not.
func TestActive(t *testing.T) {
	alert := func(name, above string, hold exact.Duration) plan.Alert {
		return plan.Alert{Name: name, Indicator: "x", Comparator: "above", Threshold: number(above), For: hold}
	}
	d, err := New(&plan.Detector{Name: "d", Windows: "tumbling", Indicators: []plan.DetectorIndicator{{Label: "x", Window: plan.Window{Requests: 2}}},
		Alerts: []plan.Alert{alert("High", "0.4", 0), alert("Held", "0.4", exact.Minute), alert("Higher", "2", 0)}}, func(detector.Signal) {})
	if err != nil {
		t.Fatal(err)
	}
	var named detector.Named = d
	for i, c := range []struct {
		score int32
		want  []string
	}{{0, nil}, {0, nil}, {1, nil}, {1, []string{"Held", "High"}}, {0, []string{"Held", "High"}}, {0, nil}} {
		d.Observe(int64(i), []int32{c.score}, 1)
		if got := named.Active(); !slices.Equal(got, c.want) {
			t.Errorf("after response %d: %q, want %q", i, got, c.want)
		}
	}
}
