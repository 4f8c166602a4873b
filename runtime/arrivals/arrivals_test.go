package arrivals

import (
	"math"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/random"
)

func TestConstantNeverDrifts(t *testing.T) {
	for _, rate := range []string{"1", "3", "7", "21.5", "0.3", "999.7", "5000"} {
		r := exact.MustParse(rate)
		s := Constant(r)
		for n := range int64(5000) {
			at, i := s.Next()
			want, _ := exact.Int(n).Div(r).Mul(exact.Int(1_000_000_000)).Rat().Float64()
			if i != uint64(n) || math.Abs(float64(at)-want) > 1 {
				t.Fatalf("rate %s: arrival %d at %d, want %.1f", rate, i, at, want)
			}
			s.Advance()
		}
	}
}

func TestPoisson(t *testing.T) {
	rate := exact.Int(100)
	a, b := Poisson(rate, random.New("a")), Poisson(rate, random.New("a"))
	const seconds = 400
	counts := make([]float64, seconds)
	for {
		at, _ := a.Next()
		if again, _ := b.Next(); again != at {
			t.Fatal("equal streams give different arrivals")
		}
		if at >= seconds*1e9 {
			break
		}
		counts[at/1e9]++
		a.Advance()
		b.Advance()
	}
	var sum, square float64
	for _, c := range counts {
		sum += c
		square += c * c
	}
	mean := sum / seconds
	dispersion := (square/seconds - mean*mean) / mean
	// The mean of 400 counts has a standard deviation of 0.5; the index of
	// dispersion one of 0.07.
	if math.Abs(mean-100) > 2 || math.Abs(dispersion-1) > 0.28 {
		t.Errorf("mean %.2f, index of dispersion %.3f", mean, dispersion)
	}
}
