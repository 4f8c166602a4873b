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

func TestBeginMovesAll(t *testing.T) {
	for _, make := range []func() *Schedule{
		func() *Schedule { return Constant(exact.MustParse("7")) },
		func() *Schedule { return Poisson(exact.MustParse("7"), random.New("b")) },
	} {
		a, b := make(), make()
		b.Begin(12345)
		for range 1000 {
			x, _ := a.Next()
			if y, _ := b.Next(); y != x+12345 {
				t.Fatalf("%d and %d", x, y)
			}
			a.Advance()
			b.Advance()
		}
	}
}

func TestMeans(t *testing.T) {
	for rate, want := range map[string]int64{"7": 142857142, "0.3": 3333333333, "3000000000": 1, "8": 125000000} {
		s := Constant(exact.MustParse(rate))
		if s.Mean() != want || math.Abs(s.Gap()*exact.MustParse(rate).Float64()-1e9) > 1e-3 {
			t.Errorf("%s req/s: mean %d, gap %g", rate, s.Mean(), s.Gap())
		}
	}
}
