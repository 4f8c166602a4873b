package conformance

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/lang/schema"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/measure/example"
	"github.com/fdbench/fdbench/runtime/report/reporttest"
	"github.com/fdbench/fdbench/runtime/stats"
	"github.com/fdbench/fdbench/spec"
)

// scenario gives the arguments of nested blocks of the example's series.
func scenario(block, arguments string) spec.Example {
	return spec.Example{In: spec.InScenario, Text: "series \"example\" {\n  " + block + " { " + strings.ReplaceAll(arguments, "; ", "\n") + " }\n}\n"}
}

// loads gives the example these load points; the first one is representative.
func loads(points string) spec.Example {
	first, _, _ := strings.Cut(points, ",")
	return scenario("load", fmt.Sprintf("\npoints = %q; representative = \"%s req/s\"\n", points+" req/s", first))
}

// window gives the detector of the example a window, and the series a baseline.
func window(w, interval string) spec.Example {
	x := scenario("baseline", fmt.Sprintf("interval = %q", interval))
	x.Text = "detector \"threshold\" \"watch\" {\n  indicator \"refusals\" { window = \"" + w + "\" }\n}\n" + x.Text
	return x
}

// in is an example that edits a journal.
func in(base, text string) spec.Example {
	return spec.Example{In: spec.InJournal, Base: base, Text: text}
}

// The exact boundary values of the rules: the one that is still kept, and the
// one beside it that is not.
func TestBoundaries(t *testing.T) {
	for _, b := range []struct {
		name, id  string
		good, bad spec.Example
	}{
		{"20 trials, 19 trials", "FD-5.1-8", scenario("trials", "count = 20"), scenario("trials", "count = 19")},
		{"20 masking trials, 19", "FD-5.5-5", scenario("masking", "trials = 20"), scenario("masking", "trials = 19")},
		{"timeout of 20 windows, a nanosecond less", "FD-5.1-10", scenario("trials", `timeout = "1200s"`), scenario("trials", `timeout = "1199.999999999s"`)},
		{"baseline of 10 windows, a nanosecond less", "FD-4.2-2", window("60s", "600s"), window("60s", "599.999999999s")},
		{"baseline of 300 s, a nanosecond less", "FD-4.2-3", window("5s", "300s"), window("5s", "299.999999999s")},
		{"both minima of a baseline meet", "FD-4.2-2", window("30s", "300s"), window("30.000000001s", "300s")},
		{"loads 100 apart, 99 apart", "FD-3.3-5", loads("0.7, 5, 21.5, 70"), loads("1, 5, 21.5, 99")},
		{"loads 100 apart, hardly less", "FD-3.3-5", loads("1, 5, 21.5, 100"), loads("1.0000001, 5, 21.5, 100")},
		{"four loads, three", "FD-3.3-4", loads("1, 5, 21.5, 100"), loads("1, 21.5, 100")},
		{"two points, one point with masking", "FD-5.5-8",
			spec.Example{In: spec.InScenario, Text: "environment \"lab\" {\n  inject_at  = \"engine\"\n  observe_at = \"guardrail\"\n}\n"},
			spec.Example{In: spec.InScenario, Text: "environment \"lab\" {\n  inject_at  = \"guardrail\"\n  observe_at = \"guardrail\"\n}\n"}},
		{"onset resolution of 1 ms, of 1.001 ms", "FD-3.4-1", in("real", "open\n  set {\"onset\": {\"resolution_ns\": 1000000}}"), in("real", "open\n  set {\"onset\": {\"resolution_ns\": 1001000}}")},
		{"observed as long as faults were applied, a nanosecond less", "FD-5.4-4", in("", "close\n  set {\"reason\": \"\"}"), in("", "false_detection\n  shift {\"to_ns\": -1}")},
	} {
		for _, x := range []spec.Example{b.good, b.bad} {
			found, err := show(x)
			if err != nil {
				t.Errorf("%s: %v", b.name, err)
				continue
			}
			_, own := worst(found, b.id)
			if broken := x.Text == b.bad.Text; broken != own {
				t.Errorf("%s: found %v, and %s should be there: %t\n%s", b.name, found, b.id, broken, x.Text)
			}
		}
	}
}

// The boundaries that are decided from numbers alone.
func TestExactBoundaries(t *testing.T) {
	num := exact.MustParse
	variance := num("0.0025") // sd 0.05
	ms := exact.Millisecond
	for _, b := range []struct {
		name      string
		good, bad bool
	}{
		{"ten percent above is kept, 0.1101 for 0.10 is not", stats.KeepMagnitude(num("0.10"), num("0.11")), stats.KeepMagnitude(num("0.10"), num("0.1101"))},
		{"ten percent below is kept, 0.0899 for 0.10 is not", stats.KeepMagnitude(num("0.10"), num("0.09")), stats.KeepMagnitude(num("0.10"), num("0.0899"))},
		{"and of a shift downwards", stats.KeepMagnitude(num("-2"), num("-2.2")), stats.KeepMagnitude(num("-2"), num("-2.20000000000000000001"))},
		{"one percent of the latency: equal is not smaller", stats.ClockOK(10*ms, 1000*ms+1), stats.ClockOK(10*ms, 1000*ms)},
		{"two standard deviations are not below two", !stats.BelowTwoSD(num("0.1"), variance), !stats.BelowTwoSD(num("0.09999999999999999999"), variance)},
		{"an interval of the resolution is halved once more", stats.SearchSteps(num("0.1"), num("0.12"), num("0.02")) == 1, stats.SearchSteps(num("0.1"), num("0.12"), num("0.02000000000000000001")) == 1},
		{"18 of 20 meet 9/10, 17 do not", stats.MeetsTarget(18, 20, exact.Frac(9, 10)), stats.MeetsTarget(17, 20, exact.Frac(9, 10))},
		{"19 of 20 meet 0.925, which asks for 18.5", stats.MeetsTarget(19, 20, num("0.925")), stats.MeetsTarget(18, 20, num("0.925"))},
		{"a factor of 100 spans two decades", stats.SpansTwoDecades([]exact.Number{num("0.7"), num("70")}), stats.SpansTwoDecades([]exact.Number{num("1"), num("99")})},
		{"the time under fault is a long enough observation", stats.FalseDetectionPeriod(5, 7) == 7, stats.FalseDetectionPeriod(5, 7) == 6},
		{"one request beside a load is held, two of a hundred are not", stats.LoadHeld(101, num("10"), 10*exact.Second, num("0.01"), false), stats.LoadHeld(102, num("10"), 10*exact.Second, num("0.01"), false)},
	} {
		if !b.good || b.bad {
			t.Errorf("%s: the value on the boundary is kept: %t; the one beside it is kept: %t", b.name, b.good, b.bad)
		}
	}
	if steps := stats.SearchSteps(num("0.03"), num("0.35"), num("0.02")); steps != 5 {
		t.Errorf("from 0.03 to 0.35 by 0.02 takes %d halvings, want 5: in binary floating point it would be 4", steps)
	}
}

// At one point masking is not applicable, and never a number; where nothing was
// detected there is no quantile.
func TestWhatHasNoValue(t *testing.T) {
	raw, err := reporttest.Original("same point")
	if err != nil {
		t.Fatal(err)
	}
	r, err := measure.Decode(raw)
	if err != nil || len(r.Masking) == 0 {
		t.Fatalf("%d rows of masking: %v", len(r.Masking), err)
	}
	for _, m := range r.Masking {
		if m.Status != "not_applicable" || m.Median != nil || m.Magnitude != nil {
			t.Errorf("masking at a single point: %+v", m)
		}
	}
	r, err = example.Result(in("", "trial all {\"combination\": 0, \"detected\": true}\n  null event\n  set {\"detected\": false, \"latency_s\": \"0\"}"))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range r.Latency {
		if l.Detected == 0 && (l.MedianS != nil || l.P95S != nil || l.MeanS != nil || l.Undetected != l.Trials) {
			t.Errorf("no trial was detected, and the row is %+v", l)
		}
	}
	if l := r.Latency[0]; l.Detected != 0 || l.Trials != 20 {
		t.Errorf("the row of no detection has %d of %d", l.Detected, l.Trials)
	}
}

// AMB-13 and AMB-14 ask for error bounds of coarse stamps and of polls. Where
// the only signal is an alert that is delivered, there are none to add.
func TestOneTypeOfSignal(t *testing.T) {
	if types := schema.Top("signal").Attr("type").Enum; !slices.Equal(types, []string{"alert"}) {
		t.Errorf("a signal may be of the types %v: the error of the new ones has to enter the bound (AMB-14)", types)
	}
}
