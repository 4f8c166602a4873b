package kernel

import (
	"math"
	"testing"
)

func TestKernels(t *testing.T) {
	for _, n := range []int{0, 1, 3, 4, 7, 8, 15, 16, 17, 31, 32, 128, 352} {
		a, b, y := make([]float32, n), make([]float32, n), make([]float32, n)
		var want float64
		for i := range n {
			a[i], b[i], y[i] = float32(i%7)-3, float32(i%5)/4, float32(i)
			want += float64(a[i]) * float64(b[i])
		}
		if got := float64(Dot(a, b)); math.Abs(got-want) > 1e-3 {
			t.Errorf("n = %d: dot %v, want %v", n, got, want)
		}
		Add(y, 2, a)
		for i := range y {
			if w := float32(i) + 2*a[i]; y[i] != w {
				t.Errorf("n = %d: y[%d] = %v, want %v", n, i, y[i], w)
			}
		}
	}
}

func BenchmarkDot128(b *testing.B) {
	x, y := make([]float32, 128), make([]float32, 128)
	for b.Loop() {
		Dot(x, y)
	}
}
