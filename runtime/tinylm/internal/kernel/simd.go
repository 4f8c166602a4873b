//go:build goexperiment.simd && amd64

package kernel

import "simd/archsimd"

// Dot is the inner product. The slices have the same length.
func Dot(a, b []float32) float32 {
	b = b[:len(a)]
	var acc0, acc1 archsimd.Float32x8
	i := 0
	for ; i+16 <= len(a); i += 16 {
		acc0 = archsimd.LoadFloat32x8Slice(a[i:]).MulAdd(archsimd.LoadFloat32x8Slice(b[i:]), acc0)
		acc1 = archsimd.LoadFloat32x8Slice(a[i+8:]).MulAdd(archsimd.LoadFloat32x8Slice(b[i+8:]), acc1)
	}
	var lanes [8]float32
	acc0.Add(acc1).Store(&lanes)
	s := ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))
	for ; i < len(a); i++ {
		s += a[i] * b[i]
	}
	return s
}

// Add adds f times x to y. The slices have the same length.
func Add(y []float32, f float32, x []float32) {
	x = x[:len(y)]
	v := archsimd.BroadcastFloat32x8(f)
	i := 0
	for ; i+8 <= len(y); i += 8 {
		archsimd.LoadFloat32x8Slice(x[i:]).MulAdd(v, archsimd.LoadFloat32x8Slice(y[i:])).StoreSlice(y[i:])
	}
	for ; i < len(y); i++ {
		y[i] += f * x[i]
	}
}
