package stats

import (
	"math"
	"testing"

	"github.com/fdbench/fdbench/runtime/random"
)

// relaxedARL solves the chain by repeated substitution.
func relaxedARL(p float64, up, down, threshold int) float64 {
	l := make([]float64, threshold)
	for range 1_000_000 {
		change := 0.0
		for i := threshold - 1; i >= 0; i-- {
			v := 1 + (1-p)*l[max(i-down, 0)]
			if i+up < threshold {
				v += p * l[i+up]
			}
			change = max(change, math.Abs(v-l[i])/v)
			l[i] = v
		}
		if change < 1e-15 {
			break
		}
	}
	return l[0]
}

func TestBernoulliCUSUM(t *testing.T) {
	// After Reynolds and Stoumbos: up 19, down 1, threshold 95.
	near(t, "ARL0", BernoulliCUSUM(0.02, 19, 1, 95), 101480.01964657419, 1e-5)
	near(t, "ARL1", BernoulliCUSUM(0.1, 19, 1, 95), 90.57309553585344, 1e-9)
	for _, tt := range []struct {
		p                   float64
		up, down, threshold int
	}{{0.1, 5, 1, 12}, {0.3, 7, 3, 20}, {0.3, 3, 7, 20}, {0.5, 1, 1, 6}, {0.9, 1, 4, 9}, {0.2, 30, 2, 20}, {1, 2, 1, 7}} {
		want := relaxedARL(tt.p, tt.up, tt.down, tt.threshold)
		near(t, "chain", BernoulliCUSUM(tt.p, tt.up, tt.down, tt.threshold), want, 1e-9*want)
	}
	near(t, "run of one", BernoulliCUSUM(0.25, 3, 1, 2), 4, 1e-12)
	near(t, "two in a row", BernoulliCUSUM(0.5, 1, 2, 2), 6, 1e-12)
	for _, bad := range []float64{
		BernoulliCUSUM(0, 1, 1, 1), BernoulliCUSUM(1.1, 1, 1, 1), BernoulliCUSUM(0.5, 0, 1, 1),
		BernoulliCUSUM(0.5, 1, 0, 1), BernoulliCUSUM(0.5, 1, 1, 0),
	} {
		if !math.IsNaN(bad) {
			t.Errorf("meaningless arguments gave %v", bad)
		}
	}
}

func TestInformation(t *testing.T) {
	near(t, "0.1 to 0.02", Information(0.1, 0.02), 0.084302, 1e-6)
	near(t, "equal", Information(0.3, 0.3), 0, 0)
	near(t, "certain", Information(1, 0.5), math.Ln2, 1e-15)
	if !math.IsInf(Information(0.5, 0), 1) || !math.IsNaN(Information(1.5, 0.5)) {
		t.Error("excluded and meaningless")
	}
	near(t, "SPRT", SPRTResponses(0.02, 0.1, 0.01, 0.05), 49.54699362115025, 1e-9)
	if !math.IsNaN(SPRTResponses(0, 0.1, 0.01, 0.05)) || !math.IsNaN(SPRTResponses(0.1, 0.1, 0.01, 0.05)) {
		t.Error("no test exists")
	}
}

// TestEvidenceFloorTable has the figures of exact chains at a baseline of 0.02.
func TestEvidenceFloorTable(t *testing.T) {
	p1 := []float64{0.03, 0.05, 0.07, 0.12, 0.22, 0.32, 0.52}
	for arl0, row := range map[float64][]float64{
		1e3: {324, 114, 64, 28.7, 12.6, 7.7, 4.2},
		1e4: {997, 238, 119, 47, 19.1, 11.3, 6.0},
		1e5: {1948, 377, 178, 66, 25.6, 14.9, 7.7},
	} {
		for i, want := range row {
			near(t, "floor", EvidenceFloor(0.02, p1[i], arl0), want, 0.015*want)
		}
	}
}

// TestEvidenceFloorScaling compares the three ways to a floor where more than
// one is open.
func TestEvidenceFloorScaling(t *testing.T) {
	for _, tt := range []struct{ p0, p1, arl0 float64 }{
		{0.004, 0.01, 1e4}, {0.001, 0.01, 1e5}, {0.001, 0.015, 1e4}, {0.01, 0.004, 1e4}, {0.01, 0.002, 1e6}, {0.99, 0.996, 1e5},
	} {
		r := rates{tt.p0, tt.p1, 1 - tt.p0, 1 - tt.p1}
		if tt.p1 < tt.p0 {
			r = rates{1 - tt.p0, 1 - tt.p1, tt.p0, tt.p1}
		}
		want := r.floor(tt.arl0)
		near(t, "extrapolated from larger rates", EvidenceFloor(tt.p0, tt.p1, tt.arl0), want, 0.003*want)
	}
	// A change of one fifth, small enough for the diffusion to be good.
	b := diffusionBarrier(Information(0.05, 0.06) * 1e4)
	near(t, "diffusion", EvidenceFloor(0.05, 0.06, 1e4), (math.Expm1(-b)+b)/Information(0.06, 0.05), 30)
}

func TestEvidenceFloorEdges(t *testing.T) {
	near(t, "no false alarm budget", EvidenceFloor(0.02, 0.1, 1), 1, 0)
	near(t, "no change", EvidenceFloor(0.02, 0.02, 1e4), 1e4, 0)
	near(t, "never before", EvidenceFloor(0, 0.05, 1e6), 20, 1e-12)
	near(t, "never before, generous", EvidenceFloor(0, 0.05, 7), 7, 0)
	near(t, "always before", EvidenceFloor(1, 0.95, 1e6), 20, 1e-9)
	near(t, "every bad response alarms", EvidenceFloor(0.02, 0.1, 50), 10, 1e-9)
	near(t, "half of that", EvidenceFloor(0.02, 0.1, 25.5), 5.5, 1e-9)
	for _, bad := range []float64{
		EvidenceFloor(-0.1, 0.5, 10), EvidenceFloor(0.1, 1.5, 10), EvidenceFloor(math.NaN(), 0.5, 10),
		EvidenceFloor(0.1, 0.5, math.NaN()),
	} {
		if !math.IsNaN(bad) {
			t.Errorf("meaningless arguments gave %v", bad)
		}
	}
	// With every response bad after the change, a run of k alarms after k:
	// ARL0 of runs of 3 at 1/2 is 14, and of 4 is 30.
	near(t, "run of three", EvidenceFloor(0.5, 1, 14), 3, 0.02)
	near(t, "run of four", EvidenceFloor(0.5, 1, 30), 4, 0.02)
}

// TestEvidenceFloorLaws: at any rates the floor lies between one response and
// the false alarm budget and grows with that budget.
func TestEvidenceFloorLaws(t *testing.T) {
	r := random.New("floor laws")
	for range 400 {
		p0 := math.Pow(10, -6*r.Float64())
		p1 := r.Float64()
		switch r.Below(3) {
		case 0:
			p1 = p0 * (0.8 + 0.4*r.Float64())
		case 1:
			p1 = p0 * math.Pow(10, 4*r.Float64()-2)
		}
		if p1 > 1 {
			continue
		}
		arl0 := math.Pow(10, 9*r.Float64())
		floor := EvidenceFloor(p0, p1, arl0)
		if !(floor >= 1-1e-9 && floor <= arl0*(1+1e-9)) {
			t.Errorf("EvidenceFloor(%v, %v, %v) = %v", p0, p1, arl0, floor)
		}
		if more := EvidenceFloor(p0, p1, 2*arl0); more < 0.99*floor {
			t.Errorf("EvidenceFloor(%v, %v, ...) falls from %v at %v to %v at twice that", p0, p1, floor, arl0, more)
		}
	}
}

func TestSimplestRatio(t *testing.T) {
	for _, tt := range []struct {
		x, tolerance float64
		num, den     int
	}{
		{18.9, 0.01, 19, 1}, {18.9, 1e-6, 189, 10}, {math.Pi, 1e-3, 22, 7}, {math.Pi, 1e-6, 355, 113},
		{1 / math.Pi, 1e-3, 7, 22}, {0.00101, 1e-3, 1, 990}, {6931.2, 1e-4, 6931, 1}, {1, 0.01, 1, 1},
	} {
		num, den := simplestRatio(tt.x, tt.tolerance)
		if num != tt.num || den != tt.den {
			t.Errorf("%v within %v is %d/%d, want %d/%d", tt.x, tt.tolerance, num, den, tt.num, tt.den)
		}
	}
}
