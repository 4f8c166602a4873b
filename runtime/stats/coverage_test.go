package stats

import (
	"math"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
)

func TestChanceCorrected(t *testing.T) {
	chance, corrected := ChanceCorrected(18, 20, 0.5, 1200)
	near(t, "chance", chance, 0.153518275109, 1e-10)
	near(t, "corrected", corrected, 0.881863958713, 1e-10)
	chance, corrected = ChanceCorrected(7, 20, 0, 1200)
	near(t, "no false detections", chance, 0, 0)
	near(t, "nothing to correct", corrected, 0.35, 1e-15)
	if _, c := ChanceCorrected(1, 20, 4, 1200); c >= 0 {
		t.Errorf("fewer detections than chance gives: %v", c)
	}
	chance, _ = ChanceCorrected(1, 20, 1e-12, 1)
	near(t, "a tiny chance keeps its digits", chance*3600, 1e-12, 1e-24)
	for _, k := range []int{0, 20} {
		if chance, corrected = ChanceCorrected(k, 20, 1e9, 3600); chance != 1 || !math.IsNaN(corrected) {
			t.Errorf("certain chance: %v, %v", chance, corrected)
		}
	}
	_, corrected = ChanceCorrected(20, 20, 2, 3600)
	near(t, "all detected", corrected, 1, 0)
	for _, bad := range [][4]float64{{1, 0, 1, 1}, {-1, 5, 1, 1}, {6, 5, 1, 1}, {1, 5, -1, 1}, {1, 5, 1, -1}, {1, 5, math.NaN(), 1}} {
		if a, b := ChanceCorrected(int(bad[0]), int(bad[1]), bad[2], bad[3]); !math.IsNaN(a) || !math.IsNaN(b) {
			t.Errorf("%v gave %v, %v", bad, a, b)
		}
	}
}

func TestZeroMiss(t *testing.T) {
	tests := []struct {
		target, confidence float64
		want               int
	}{
		{0.8, 0.95, 14}, {0.9, 0.95, 29}, {0.95, 0.95, 59}, {0.99, 0.95, 299},
		{0.5, 0.75, 2}, // 0.5^2 is exactly the limit
		{0.01, 0.5, 1}, {1, 0.95, 0}, {0, 0.95, 0}, {0.9, 1, 0}, {math.NaN(), 0.95, 0},
	}
	for _, tt := range tests {
		n := ZeroMiss(tt.target, tt.confidence)
		if n != tt.want {
			t.Errorf("ZeroMiss(%v, %v) = %d, want %d", tt.target, tt.confidence, n, tt.want)
		}
		if n == 0 {
			continue
		}
		if lo := ClopperPearsonLower(n, n, tt.confidence); lo < tt.target-1e-12 {
			t.Errorf("%d of %d shows only %v", n, n, lo)
		}
		if lo := ClopperPearsonLower(n-1, n-1, tt.confidence); n > 1 && lo >= tt.target {
			t.Errorf("%d would do for %v", n-1, tt.target)
		}
	}
}

func TestEffectiveWindows(t *testing.T) {
	asymptotic, mean := EffectiveWindows(4, 0.5)
	near(t, "asymptotic", asymptotic, 4./3, 1e-12)
	near(t, "mean", mean, 64./33, 1e-12)
	_, mean = EffectiveWindows(7, 0)
	near(t, "independent", mean, 7, 0)
	_, mean = EffectiveWindows(2, -0.5)
	near(t, "alternating", mean, 4, 1e-12) // variance of the mean is s^2 (1-0.5)/2
	asymptotic, mean = EffectiveWindows(1_000_000, 0.5)
	near(t, "many", mean/asymptotic, 1, 1e-5)
	for _, bad := range []struct {
		k   int
		rho float64
	}{{0, 0.5}, {4, 1}, {4, -1}, {4, math.NaN()}} {
		if a, b := EffectiveWindows(bad.k, bad.rho); !math.IsNaN(a) || !math.IsNaN(b) {
			t.Errorf("%+v gave %v, %v", bad, a, b)
		}
	}
}

func TestQuietPass(t *testing.T) {
	near(t, "one window at rest", QuietPass(1, 0), 0.682689492137, 1e-12)
	near(t, "four at rest", QuietPass(4, 0), 0.954499736104, 1e-12)
	near(t, "four, two sd away", QuietPass(4, 2), 0.022750130962, 1e-9)
	near(t, "symmetric", QuietPass(4, -2), QuietPass(4, 2), 0)
	if far := QuietPass(4, 10); !(far > 0 && far < 1e-70) {
		t.Errorf("ten sd away: %v", far)
	}
	if !math.IsNaN(QuietPass(0, 1)) {
		t.Error("no windows")
	}
}

func TestResponses(t *testing.T) {
	if got := Responses(90*exact.Second+500*exact.Millisecond, num("0.2")); got.Cmp(num("18.1")) != 0 {
		t.Errorf("%v", got)
	}
}
