package stats

import (
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/random"
)

var (
	sinkFloat  float64
	sinkBool   bool
	sinkNumber exact.Number
)

func BenchmarkKeepMagnitude(b *testing.B) {
	intended, achieved := exact.MustParse("0.1"), exact.Frac(631, 6000)
	for b.Loop() {
		sinkBool = KeepMagnitude(intended, achieved)
	}
}

func BenchmarkQuantile20(b *testing.B) {
	r := random.New("bench")
	data := make([]exact.Duration, 20)
	for i := range data {
		data[i] = exact.Duration(r.Below(1e12))
	}
	for b.Loop() {
		sinkNumber, _ = Quantile(data, 19, 20)
	}
}

// poissonWindows have nearly all different sizes, the dear case.
func poissonWindows(k int) []Window {
	r := random.New("bench windows")
	ws := make([]Window, k)
	for i := range ws {
		ws[i] = Window{Sum: int64(100 + r.Below(50)), N: int64(5700 + r.Below(600))}
	}
	return ws
}

func BenchmarkBaselineOf600(b *testing.B) {
	ws := poissonWindows(600)
	for b.Loop() {
		base, _ := BaselineOf(ws)
		sinkNumber = base.Variance
	}
}

func BenchmarkBaselineOf600Constant(b *testing.B) {
	ws := poissonWindows(600)
	for i := range ws {
		ws[i].N = 6000
	}
	for b.Loop() {
		base, _ := BaselineOf(ws)
		sinkNumber = base.Variance
	}
}

func BenchmarkQuietGate(b *testing.B) {
	ws := poissonWindows(50)
	base, _ := BaselineOf(ws)
	for b.Loop() {
		m, _ := MeanOfWindows(ws[:4])
		sinkBool = base.WithinOneSD(m)
	}
}

func BenchmarkClopperPearson20(b *testing.B) {
	for b.Loop() {
		sinkFloat, _ = ClopperPearson(18, 20, 0.95)
	}
}

func BenchmarkGarwood(b *testing.B) {
	for b.Loop() {
		sinkFloat, _ = Garwood(20, 0.95)
	}
}

func BenchmarkMedianRanks20(b *testing.B) {
	for b.Loop() {
		sinkFloat = MedianRanks(20, 0.95).Coverage
	}
}

func BenchmarkDiscardQuota300(b *testing.B) {
	for b.Loop() {
		sinkFloat = DiscardQuota(300, 0.02, 0.1)
	}
}

func BenchmarkDiscardQuota1e6(b *testing.B) {
	for b.Loop() {
		sinkFloat = DiscardQuota(1_000_000, 0.02, 0.01)
	}
}

func BenchmarkDiscardPaired1e6(b *testing.B) {
	for b.Loop() {
		sinkFloat = DiscardPaired(1_000_000, 0.02, 0.01, true)
	}
}

func BenchmarkEvidenceFloor(b *testing.B) {
	for b.Loop() {
		sinkFloat = EvidenceFloor(0.02, 0.07, 1e4)
	}
}

func BenchmarkEvidenceFloorSmallChange(b *testing.B) {
	for b.Loop() {
		sinkFloat = EvidenceFloor(0.02, 0.023, 1e6)
	}
}

func BenchmarkMannWhitney20(b *testing.B) {
	r := random.New("bench ranks")
	x, y := make([]float64, 20), make([]float64, 20)
	for i := range x {
		x[i], y[i] = r.Float64(), r.Float64()
	}
	for b.Loop() {
		t, _ := MannWhitneyExact(x, y)
		sinkFloat = t.P
	}
}
