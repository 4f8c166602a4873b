package main

import (
	"math"
	"sync"

	"github.com/fdbench/fdbench/runtime/tinylm"
)

// lanes is the number of gradients that are summed apart and then together in
// a fixed order, so that the result does not depend on the number of cores.
const lanes = 4

type trainer struct {
	shape   tinylm.Shape
	weights [][]float32
	passes  [lanes]*pass
	m, v    [][]float32
	steps   int
}

// parameters lists all of them in a fixed order.
func parameters(w *tinylm.Weights) [][]float32 {
	out := [][]float32{w.Embedding, w.Norm}
	for i := range w.Layers {
		l := &w.Layers[i]
		out = append(out, l.AttnNorm, l.Q, l.K, l.V, l.O, l.FFNNorm, l.Gate, l.Up, l.Down)
	}
	return out
}

func newTrainer(s tinylm.Shape, w *tinylm.Weights) *trainer {
	t := &trainer{shape: s, weights: parameters(w)}
	for i := range t.passes {
		t.passes[i] = newPass(s, w, tinylm.NewWeights(s))
	}
	for _, x := range t.weights {
		t.m = append(t.m, make([]float32, len(x)))
		t.v = append(t.v, make([]float32, len(x)))
	}
	return t
}

// step learns from a batch and returns its mean loss for each token of an
// answer, in nats.
func (t *trainer) step(batch []example, rate float64) float64 {
	predicted := 0
	for _, e := range batch {
		predicted += len(e.tokens) - e.answer
	}
	var losses [lanes]float64
	var wg sync.WaitGroup
	for lane := range lanes {
		wg.Go(func() {
			p := t.passes[lane]
			for _, g := range parameters(p.grad) {
				clear(g)
			}
			for i := lane; i < len(batch); i += lanes {
				losses[lane] += p.run(batch[i], 1/float32(predicted))
			}
		})
	}
	wg.Wait()
	first := parameters(t.passes[0].grad)
	for _, p := range t.passes[1:] {
		for i, g := range parameters(p.grad) {
			add(first[i], 1, g)
		}
	}
	t.adam(first, rate)
	return (losses[0] + losses[1] + losses[2] + losses[3]) / float64(predicted)
}

func (t *trainer) adam(grad [][]float32, rate float64) {
	const beta1, beta2, tiny, clip = 0.9, 0.98, 1e-8, 1.0
	t.steps++
	var square float64
	for _, g := range grad {
		for _, x := range g {
			square += float64(x) * float64(x)
		}
	}
	scale := float32(1)
	if n := math.Sqrt(square); n > clip {
		scale = float32(clip / n)
	}
	c1, c2 := 1-math.Pow(beta1, float64(t.steps)), 1-math.Pow(beta2, float64(t.steps))
	for i, g := range grad {
		w, m, v := t.weights[i], t.m[i], t.v[i]
		for j := range g {
			x := g[j] * scale
			m[j] = beta1*m[j] + (1-beta1)*x
			v[j] = beta2*v[j] + (1-beta2)*x*x
			w[j] -= float32(rate * (float64(m[j]) / c1) / (math.Sqrt(float64(v[j])/c2) + tiny))
		}
	}
}
