package stats

import (
	"math"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

func num(s string) exact.Number { return exact.MustParse(s) }

func nums(texts ...string) []exact.Number {
	var out []exact.Number
	for _, s := range texts {
		out = append(out, num(s))
	}
	return out
}

func TestKeepMagnitude(t *testing.T) {
	tests := []struct {
		intended, achieved string
		keep               bool
	}{
		{"0.1", "0.1", true},
		{"0.1", "0.11", true}, // exactly ten percent
		{"0.1", "0.09", true},
		{"0.1", "0.1100000000000000000000000001", false},
		{"0.1", "0.0899", false},
		{"-0.2", "-0.22", true},
		{"-0.2", "-0.2201", false},
		{"-0.2", "0.2", false}, // the wrong direction
		{"1/3", "11/30", true},
		{"1/3", "111/300", false},
		{"0", "0.001", false},
	}
	for _, tt := range tests {
		if got := KeepMagnitude(num(tt.intended), num(tt.achieved)); got != tt.keep {
			t.Errorf("KeepMagnitude(%s, %s) = %v", tt.intended, tt.achieved, got)
		}
	}
}

func TestBelowTwoSD(t *testing.T) {
	tests := []struct {
		magnitude, variance string
		below               bool
	}{
		{"0.02", "0.0001", false}, // exactly two standard deviations
		{"-0.02", "0.0001", false},
		{"0.01999999999999999999", "0.0001", true},
		{"-0.01", "0.0001", true},
		{"0", "0", false},
		{"0.0001", "0", false},
	}
	for _, tt := range tests {
		if got := BelowTwoSD(num(tt.magnitude), num(tt.variance)); got != tt.below {
			t.Errorf("BelowTwoSD(%s, %s) = %v", tt.magnitude, tt.variance, got)
		}
	}
}

func TestTimingMinima(t *testing.T) {
	tests := []struct{ w, baseline, timeout exact.Duration }{
		{5 * exact.Second, 300 * exact.Second, 100 * exact.Second},
		{30 * exact.Second, 300 * exact.Second, 600 * exact.Second},
		{30*exact.Second + 1, 300*exact.Second + 10, 600*exact.Second + 20},
		{exact.Hour, 10 * exact.Hour, 20 * exact.Hour},
		{0, 300 * exact.Second, 0},
		{math.MaxInt64 / 15, math.MaxInt64 / 15 * 10, math.MaxInt64},
	}
	for _, tt := range tests {
		if got := MinBaseline(tt.w); got != tt.baseline {
			t.Errorf("MinBaseline(%v) = %v, want %v", tt.w, got, tt.baseline)
		}
		if got := MinTimeout(tt.w); got != tt.timeout {
			t.Errorf("MinTimeout(%v) = %v, want %v", tt.w, got, tt.timeout)
		}
	}
}

func TestSpansTwoDecades(t *testing.T) {
	tests := []struct {
		loads []exact.Number
		want  bool
	}{
		{nums("1", "10", "100"), true},
		{nums("100", "1"), true},
		{nums("1", "99.999999999999999999"), false},
		{nums("0.1", "10"), true}, // binary64 has 0.1*100 right only by luck
		{nums("0.07", "7"), true},
		{nums("5"), false},
		{nil, false},
		{nums("0", "100"), false},
		{nums("-1", "100"), false},
	}
	for _, tt := range tests {
		if got := SpansTwoDecades(tt.loads); got != tt.want {
			t.Errorf("SpansTwoDecades(%v) = %v", tt.loads, got)
		}
	}
}

func TestLoadHeld(t *testing.T) {
	tests := []struct {
		n       int64
		span    exact.Duration
		poisson bool
		want    bool
	}{
		// One percent of 1000, inclusive.
		{1010, 100 * exact.Second, false, true}, {1011, 100 * exact.Second, false, false},
		{990, 100 * exact.Second, false, true}, {989, 100 * exact.Second, false, false},
		// One request of 10, where one percent is less.
		{11, exact.Second, false, true}, {12, exact.Second, false, false}, {9, exact.Second, false, true}, {8, exact.Second, false, false},
		// Four standard deviations of 100.
		{140, 10 * exact.Second, true, true}, {141, 10 * exact.Second, true, false},
		{60, 10 * exact.Second, true, true}, {59, 10 * exact.Second, true, false},
	}
	for _, tt := range tests {
		if got := LoadHeld(tt.n, num("10"), tt.span, num("0.01"), tt.poisson); got != tt.want {
			t.Errorf("%d requests at 10 req/s over %s, poisson %v: %v", tt.n, tt.span, tt.poisson, got)
		}
	}
}

func TestGranularity(t *testing.T) {
	if g, ok := Granularity(exact.Minute, num("0.5")); !ok || g.Cmp(exact.Frac(1, 30)) != 0 {
		t.Errorf("%v, %v", g, ok)
	}
	if _, ok := Granularity(0, num("1")); ok {
		t.Error("a window of nothing has no step")
	}
	if _, ok := Granularity(exact.Second, num("0")); ok {
		t.Error("no load has no step")
	}
}

func TestInjectionFraction(t *testing.T) {
	tests := []struct{ p0, d, want string }{
		{"0.02", "0.1", "5/49"},
		{"0.02", "0.98", "1"},
		{"0.02", "0.981", ""},
		{"0.9", "-0.3", "1/3"},
		{"0.3", "-0.3", "1"},
		{"0.3", "-0.31", ""},
		{"0.3", "0", ""},
		{"1.1", "0.1", ""},
		{"-0.1", "0.1", ""},
		{"1", "0.1", ""},
		{"0", "-0.1", ""},
	}
	for _, tt := range tests {
		f, ok := InjectionFraction(num(tt.p0), num(tt.d))
		if ok != (tt.want != "") || ok && f.Cmp(num(tt.want)) != 0 {
			t.Errorf("InjectionFraction(%s, %s) = %v, %v; want %s", tt.p0, tt.d, f, ok, tt.want)
		}
	}
}

func TestMasking(t *testing.T) {
	for _, tt := range []struct{ fip, op, want string }{
		{"0.1", "0.08", "0.2"}, {"0.1", "0.11", "-0.1"}, {"-0.2", "-0.05", "0.75"}, {"0.3", "0", "1"}, {"0.1", "-0.1", "2"},
	} {
		if got := Masking(num(tt.fip), num(tt.op)); got.Cmp(num(tt.want)) != 0 {
			t.Errorf("Masking(%s, %s) = %v", tt.fip, tt.op, got)
		}
	}
}

func TestSearchSteps(t *testing.T) {
	tests := []struct {
		lower, upper, resolution string
		want                     int
	}{
		{"0.03", "0.35", "0.02", 5}, // a width equal to the resolution is halved again; binary64 says 4
		{"0", "1", "1", 1},
		{"0", "1", "1.0001", 0},
		{"0", "1", "0.5", 2},
		{"0.3", "0.3", "0.1", 0},
		{"0.4", "0.3", "0.1", 0},
		{"0", "1", "0", -1},
		{"0", "1", "-0.1", -1},
		{"0", "1", "1e-60", 200},
	}
	for _, tt := range tests {
		got := SearchSteps(num(tt.lower), num(tt.upper), num(tt.resolution))
		if got != tt.want {
			t.Errorf("SearchSteps(%s, %s, %s) = %d, want %d", tt.lower, tt.upper, tt.resolution, got, tt.want)
		}
		e, ok := SearchEffortOf(num(tt.lower), num(tt.upper), num(tt.resolution), 20)
		if ok != (got >= 0) {
			t.Errorf("effort %+v, %v", e, ok)
		}
		if ok && got > 0 && (e.FinalWidth.Cmp(num(tt.resolution)) >= 0 || two.Mul(e.FinalWidth).Cmp(num(tt.resolution)) < 0) {
			t.Errorf("%s..%s by %s ends at %v", tt.lower, tt.upper, tt.resolution, e.FinalWidth)
		}
	}
}

func TestTarget(t *testing.T) {
	tests := []struct {
		target   string
		n        int
		required int
	}{
		{"0.9", 20, 18}, {"0.95", 20, 19}, {"0.925", 20, 19}, {"18/20", 20, 18}, {"1", 20, 20},
		{"2/3", 3, 2}, {"0.1", 30, 3}, {"0", 20, 0}, {"1.5", 20, 30}, {"0.7", 10, 7},
	}
	for _, tt := range tests {
		k := RequiredDetections(num(tt.target), tt.n)
		if k != tt.required {
			t.Errorf("%s of %d needs %d, want %d", tt.target, tt.n, k, tt.required)
		}
		if !MeetsTarget(k, tt.n, num(tt.target)) || k > 0 && MeetsTarget(k-1, tt.n, num(tt.target)) {
			t.Errorf("%d of %d is not the boundary of %s", k, tt.n, tt.target)
		}
	}
	if MeetsTarget(0, 0, num("0")) {
		t.Error("no trials meet no target")
	}
	if got := SearchOC(num("0.9"), 20, 1.2); !math.IsNaN(got) {
		t.Errorf("coverage above 1: %v", got)
	}
	if got := SearchOC(num("1.5"), 20, 0.9); got != 0 {
		t.Errorf("an impossible target passes with %v", got)
	}
}

func TestMagnitudesMaySwap(t *testing.T) {
	if MagnitudesMaySwap(num("0.11"), num("0.09")) { // 0.1*(0.2) = 0.02, equal
		t.Error("0.09 kept at most as 0.099, 0.11 at least as 0.099")
	}
	if !MagnitudesMaySwap(num("0.11"), num("0.1")) || !MagnitudesMaySwap(num("-0.11"), num("-0.1")) {
		t.Error("0.10 may be kept as 0.11")
	}
}

func TestClockOK(t *testing.T) {
	tests := []struct {
		offset, latency exact.Duration
		ok              bool
	}{
		{9_999_999, exact.Second, true},
		{10 * exact.Millisecond, exact.Second, false}, // equal is not smaller
		{-10 * exact.Millisecond, exact.Second, false},
		{-9_999_999, exact.Second, true},
		{0, 1, true},
		{0, 0, false},
		{1, 100, false},
		{1, 101, true},
		{math.MaxInt64, math.MaxInt64, false},
		{math.MinInt64, math.MaxInt64, false},
		{math.MaxInt64 / 100, math.MaxInt64, true},
	}
	for _, tt := range tests {
		if got := ClockOK(tt.offset, tt.latency); got != tt.ok {
			t.Errorf("ClockOK(%d, %d) = %v", tt.offset, tt.latency, got)
		}
	}
}

func TestClockProbe(t *testing.T) {
	// The remote clock is 1 ms ahead, the way takes 2 ms there and 1 ms back.
	p := ClockProbe{Sent: 0, Received: 3e6, Replied: 4e6, Returned: 4e6}
	if p.Offset() != 1_500_000 || p.Delay() != 3_000_000 || p.MaxOffset() != 3_000_000 {
		t.Errorf("offset %d, delay %d, bound %d", p.Offset(), p.Delay(), p.MaxOffset())
	}
	odd := ClockProbe{Sent: 0, Received: 1, Replied: 1, Returned: 1}
	if odd.Offset() != 0 || odd.MaxOffset() != 1 {
		t.Errorf("half nanoseconds: offset %d, bound %d", odd.Offset(), odd.MaxOffset())
	}
	if got := HostClockBound(-5, 10, 3); got != 17 {
		t.Errorf("host bound %d", got)
	}
}

func TestSignificant(t *testing.T) {
	for _, tt := range []struct {
		x      float64
		digits int
		want   string
	}{
		{0.064833161607, 4, "0.06483"}, {101480.0196, 6, "101480"}, {0, 3, "0"}, {-1.5, 1, "-2"}, {1e-120, 2, "1e-120"}, {2, 0, "2"},
	} {
		got, ok := Significant(tt.x, tt.digits)
		if !ok || tt.want != "1e-120" && got.String() != tt.want {
			t.Errorf("Significant(%v, %d) = %v, %v", tt.x, tt.digits, got, ok)
		}
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if v, ok := Significant(bad, 3); ok {
			t.Errorf("%v became %v", bad, v)
		}
	}
}
