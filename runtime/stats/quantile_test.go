package stats

import (
	"math"
	"slices"
	"testing"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/random"
)

func seq(n int) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(i + 1)
	}
	return out
}

func TestQuantile(t *testing.T) {
	tests := []struct {
		n        int
		num, den int64
		want     string
	}{
		{20, 95, 100, "19.5"}, // the mean of the 19th and the 20th
		{19, 95, 100, "19"},   // below twenty values the 95th percentile is the largest
		{21, 95, 100, "20"},
		{40, 19, 20, "38.5"},
		{20, 1, 2, "10.5"},
		{19, 1, 2, "10"},
		{1, 1, 2, "1"},
		{5, 0, 1, "1"},
		{5, 1, 1, "5"},
		{10, 29, 100, "3"}, // 0.29*10 is 2.9; 0.29*100 in binary64 is 28.999...
		{100, 29, 100, "29.5"},
		{3, 1 << 62, 1<<62 + 1, "3"}, // no overflow in n*num
	}
	for _, tt := range tests {
		got, ok := Quantile(seq(tt.n), tt.num, tt.den)
		if !ok || got.Cmp(num(tt.want)) != 0 {
			t.Errorf("quantile %d/%d of 1..%d = %v, %v; want %s", tt.num, tt.den, tt.n, got, ok, tt.want)
		}
	}
	for _, bad := range []struct {
		data     []int64
		num, den int64
	}{{nil, 1, 2}, {seq(3), -1, 2}, {seq(3), 3, 2}, {seq(3), 1, 0}, {seq(3), 1, -2}} {
		if v, ok := Quantile(bad.data, bad.num, bad.den); ok {
			t.Errorf("quantile %d/%d of %v = %v", bad.num, bad.den, bad.data, v)
		}
	}
}

func TestQuantileLeavesDataAlone(t *testing.T) {
	data := []exact.Duration{3, math.MaxInt64, 1, math.MaxInt64 - 1}
	before := slices.Clone(data)
	got, _ := Quantile(data, 3, 4)
	want := exact.Int(math.MaxInt64).Sub(exact.Frac(1, 2))
	if got.Cmp(want) != 0 {
		t.Errorf("%v, want %v", got, want)
	}
	if !slices.Equal(data, before) {
		t.Errorf("data became %v", data)
	}
}

// TestQuantileLaws checks what must hold for any data: the three forms agree,
// quantiles do not fall, at least q of the data is at or below, and mirroring
// the data mirrors the quantile.
func TestQuantileLaws(t *testing.T) {
	r := random.New("quantile laws")
	for range 300 {
		n := 1 + int(r.Uint64()%60)
		data, mirrored := make([]int64, n), make([]int64, n)
		var fractions []exact.Number
		for i := range data {
			data[i] = int64(r.Uint64() % 50)
			mirrored[i] = -data[i]
			fractions = append(fractions, exact.Int(data[i]))
		}
		den := int64(1 + r.Uint64()%100)
		q := int64(r.Uint64() % uint64(den+1))
		got, ok := Quantile(data, q, den)
		other, ok2 := QuantileNumbers(fractions, q, den)
		third, ok3 := QuantileOfType(fractions, 2, q, den)
		if !ok || !ok2 || !ok3 || got.Cmp(other) != 0 || got.Cmp(third) != 0 {
			t.Fatalf("%v, %v and %v for %d/%d of %v", got, other, third, q, den, data)
		}
		mirror, _ := Quantile(mirrored, den-q, den)
		if mirror.Neg().Cmp(got) != 0 {
			t.Fatalf("mirror of %v is %v for %d/%d of %v", got, mirror, q, den, data)
		}
		below := 0
		for _, f := range fractions {
			if f.Cmp(got) <= 0 {
				below++
			}
		}
		if int64(below)*den < q*int64(n) {
			t.Fatalf("%d of %d are at or below %v for %d/%d", below, n, got, q, den)
		}
		if q < den {
			if next, _ := Quantile(data, q+1, den); next.Cmp(got) < 0 {
				t.Fatalf("quantile falls from %v to %v", got, next)
			}
		}
	}
}

func TestQuantileOfType(t *testing.T) {
	if _, ok := QuantileOfType(nums("1"), 3, 1, 2); ok {
		t.Error("type 3 is not offered")
	}
	if _, ok := QuantileOfType(nil, 7, 1, 2); ok {
		t.Error("no data")
	}
	data := nums("4", "1", "3", "2")
	for typ, want := range map[int]string{1: "2", 2: "2.5", 6: "2.5", 7: "2.5"} {
		if got, ok := QuantileOfType(data, typ, 1, 2); !ok || got.Cmp(num(want)) != 0 {
			t.Errorf("type %d: %v", typ, got)
		}
	}
	for _, typ := range []int{1, 2, 6, 7} {
		lo, _ := QuantileOfType(data, typ, 0, 1)
		hi, _ := QuantileOfType(data, typ, 1, 1)
		if lo.Cmp(num("1")) != 0 || hi.Cmp(num("4")) != 0 {
			t.Errorf("type %d ends at %v and %v", typ, lo, hi)
		}
	}
}

func TestAllTrialsQuantile(t *testing.T) {
	tests := []struct {
		detected   []exact.Duration
		undetected int
		num, den   int64
		value      exact.Duration
		rank       int
		ok         bool
	}{
		{[]exact.Duration{30, 10, 20}, 0, 1, 2, 20, 2, true},
		{[]exact.Duration{30, 10, 20}, 3, 1, 2, 30, 3, true},
		{[]exact.Duration{30, 10, 20}, 4, 1, 2, 0, 4, false},
		{nil, 4, 1, 2, 0, 2, false},
		{nil, 0, 1, 2, 0, 0, false},
		{[]exact.Duration{5}, -1, 1, 2, 0, 0, false},
		{[]exact.Duration{5, 6}, 0, 0, 1, 5, 1, true},
	}
	for _, tt := range tests {
		v, rank, ok := AllTrialsQuantile(tt.detected, tt.undetected, tt.num, tt.den)
		if v != tt.value || rank != tt.rank || ok != tt.ok {
			t.Errorf("%v and %d undetected: %v, rank %d, %v", tt.detected, tt.undetected, v, rank, ok)
		}
	}
}

// FuzzQuantile looks for a fraction or a length that breaks the integer
// arithmetic.
func FuzzQuantile(f *testing.F) {
	f.Add(int64(1), int64(2), uint16(20))
	f.Add(int64(math.MaxInt64-1), int64(math.MaxInt64), uint16(7))
	f.Fuzz(func(t *testing.T, a, b int64, n uint16) {
		data := seq(int(n % 512))
		v, ok := Quantile(data, a, b)
		if valid := len(data) > 0 && b > 0 && a >= 0 && a <= b; ok != valid {
			t.Fatalf("ok is %v for %d/%d of %d", ok, a, b, len(data))
		}
		if !ok {
			return
		}
		// On 1..n the estimate lies within one of n*q, and inside the data.
		at := exact.Int(int64(len(data))).Mul(exact.Frac(a, b))
		if v.Sub(at).Abs().Cmp(exact.Int(1)) > 0 || v.Cmp(exact.Int(1)) < 0 || v.Cmp(exact.Int(int64(len(data)))) > 0 {
			t.Fatalf("%d/%d of 1..%d is %v", a, b, len(data), v)
		}
	})
}
