package main

import (
	"math"
	"testing"

	"github.com/fdbench/fdbench/runtime/tinylm"
)

// The gradient is the slope of the loss, as moving each sort of parameter a
// little shows.
func TestGradient(t *testing.T) {
	s := tinylm.Shape{Dim: 32, Layers: 2, Heads: 2, FFN: 64, Vocab: 40, Context: 32}
	w, g := tinylm.NewWeights(s), tinylm.NewWeights(s)
	initialise(w)
	p := newPass(s, w, g)
	e := example{tokens: []int{1, 5, 9, 2, 7, 30, 12, 0}, answer: 4}
	p.run(e, 1)
	all := parameters(w)
	for i, grad := range parameters(g) {
		for _, j := range []int{0, len(grad) / 3, len(grad) - 1} {
			const h = 1e-2
			old := all[i][j]
			loss := func(x float32) float64 {
				all[i][j] = x
				return newPass(s, w, tinylm.NewWeights(s)).run(e, 1)
			}
			slope := (loss(old+h) - loss(old-h)) / (2 * h)
			all[i][j] = old
			if d := math.Abs(slope - float64(grad[j])); d > 2e-3+0.03*math.Abs(slope) {
				t.Errorf("parameter %d, element %d: gradient %.5f, slope %.5f", i, j, grad[j], slope)
			}
		}
	}
}
