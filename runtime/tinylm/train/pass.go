package main

import (
	"math"

	"github.com/fdbench/fdbench/runtime/tinylm"
)

// pass computes the loss of one example and its gradient. The rows of a slice
// are the tokens.
type pass struct {
	s       tinylm.Shape
	w, grad *tinylm.Weights
	layers  []layer
	cos     []float32
	sin     []float32
}

// layer keeps what the way back needs of the way there.
type layer struct {
	in, h1, q, k, v, p, att []float32 // p: attention, by head, token, token
	mid, h2, gate, up, act  []float32
	f1, f2                  []float32 // factors of the norms
}

func newPass(s tinylm.Shape, w, grad *tinylm.Weights) *pass {
	p := &pass{s: s, w: w, grad: grad, layers: make([]layer, s.Layers)}
	half := s.Dim / s.Heads / 2
	for pos := range s.Context {
		for i := range half {
			a := float64(pos) * math.Pow(10000, -float64(i)/float64(half))
			p.cos, p.sin = append(p.cos, float32(math.Cos(a))), append(p.sin, float32(math.Sin(a)))
		}
	}
	return p
}

func (p *pass) run(e example, weight float32) float64 {
	s, w, g := p.s, p.w, p.grad
	n, d := len(e.tokens)-1, s.Dim
	x := make([]float32, n*d)
	for t := range n {
		copy(x[t*d:(t+1)*d], w.Embedding[e.tokens[t]*d:])
	}
	for i := range p.layers {
		x = p.forward(&p.layers[i], &w.Layers[i], x, n)
	}
	last := x
	final := make([]float32, n*d)
	f := norms(final, last, w.Norm, n, d)

	var loss float64
	dfinal := make([]float32, n*d)
	logits := make([]float32, s.Vocab)
	for t := e.answer - 1; t < n; t++ {
		h := final[t*d : (t+1)*d]
		for v := range logits {
			logits[v] = dot(w.Embedding[v*d:(v+1)*d], h)
		}
		want := e.tokens[t+1]
		loss -= math.Log(math.Max(softmax(logits, want), 1e-30))
		logits[want]--
		dh := dfinal[t*d : (t+1)*d]
		for v, x := range logits {
			x *= weight
			add(dh, x, w.Embedding[v*d:(v+1)*d])
			add(g.Embedding[v*d:(v+1)*d], x, h)
		}
	}
	dx := make([]float32, n*d)
	backNorms(dx, g.Norm, dfinal, last, w.Norm, f, n, d)
	for i := len(p.layers) - 1; i >= 0; i-- {
		dx = p.backward(&p.layers[i], &w.Layers[i], &g.Layers[i], dx, n)
	}
	for t := range n {
		add(g.Embedding[e.tokens[t]*d:(e.tokens[t]+1)*d], 1, dx[t*d:(t+1)*d])
	}
	return loss
}

func (p *pass) forward(l *layer, w *tinylm.LayerWeights, x []float32, n int) []float32 {
	d, ffn, heads := p.s.Dim, p.s.FFN, p.s.Heads
	head := d / heads
	l.in = x
	l.h1 = make([]float32, n*d)
	l.f1 = norms(l.h1, x, w.AttnNorm, n, d)
	l.q, l.k, l.v = matmul(w.Q, l.h1, n, d, d), matmul(w.K, l.h1, n, d, d), matmul(w.V, l.h1, n, d, d)
	p.rotate(l.q, n, 1)
	p.rotate(l.k, n, 1)
	l.att = make([]float32, n*d)
	l.p = make([]float32, heads*n*n)
	scale := float32(1 / math.Sqrt(float64(head)))
	for h := range heads {
		for t := range n {
			row := l.p[(h*n+t)*n : (h*n+t)*n+t+1]
			q := l.q[t*d+h*head : t*d+(h+1)*head]
			for u := range row {
				row[u] = scale * dot(q, l.k[u*d+h*head:u*d+(h+1)*head])
			}
			softmax(row, 0)
			out := l.att[t*d+h*head : t*d+(h+1)*head]
			for u, a := range row {
				add(out, a, l.v[u*d+h*head:u*d+(h+1)*head])
			}
		}
	}
	l.mid = matmul(w.O, l.att, n, d, d)
	add(l.mid, 1, x)
	l.h2 = make([]float32, n*d)
	l.f2 = norms(l.h2, l.mid, w.FFNNorm, n, d)
	l.gate, l.up = matmul(w.Gate, l.h2, n, d, ffn), matmul(w.Up, l.h2, n, d, ffn)
	l.act = make([]float32, n*ffn)
	for i, g := range l.gate {
		l.act[i] = g / (1 + exp(-g)) * l.up[i]
	}
	y := matmul(w.Down, l.act, n, ffn, d)
	add(y, 1, l.mid)
	return y
}

func (p *pass) backward(l *layer, w, g *tinylm.LayerWeights, dy []float32, n int) []float32 {
	d, ffn, heads := p.s.Dim, p.s.FFN, p.s.Heads
	head := d / heads
	dact := backMatmul(w.Down, g.Down, l.act, dy, n, ffn, d)
	dgate, dup := make([]float32, n*ffn), dact
	for i, x := range l.gate {
		s := 1 / (1 + exp(-x))
		dgate[i] = dact[i] * l.up[i] * s * (1 + x*(1-s))
		dup[i] = dact[i] * x * s
	}
	dh := backMatmul(w.Gate, g.Gate, l.h2, dgate, n, d, ffn)
	add(dh, 1, backMatmul(w.Up, g.Up, l.h2, dup, n, d, ffn))
	dmid := dy
	backNorms(dmid, g.FFNNorm, dh, l.mid, w.FFNNorm, l.f2, n, d)

	datt := backMatmul(w.O, g.O, l.att, dmid, n, d, d)
	dq, dk, dv := make([]float32, n*d), make([]float32, n*d), make([]float32, n*d)
	scale := float32(1 / math.Sqrt(float64(head)))
	dp := make([]float32, n)
	for h := range heads {
		for t := range n {
			row := l.p[(h*n+t)*n : (h*n+t)*n+t+1]
			out := datt[t*d+h*head : t*d+(h+1)*head]
			var sum float32
			for u, a := range row {
				dp[u] = dot(out, l.v[u*d+h*head:u*d+(h+1)*head])
				sum += a * dp[u]
				add(dv[u*d+h*head:u*d+(h+1)*head], a, out)
			}
			for u, a := range row {
				x := a * (dp[u] - sum) * scale
				add(dq[t*d+h*head:t*d+(h+1)*head], x, l.k[u*d+h*head:u*d+(h+1)*head])
				add(dk[u*d+h*head:u*d+(h+1)*head], x, l.q[t*d+h*head:t*d+(h+1)*head])
			}
		}
	}
	p.rotate(dq, n, -1)
	p.rotate(dk, n, -1)
	dh1 := backMatmul(w.Q, g.Q, l.h1, dq, n, d, d)
	add(dh1, 1, backMatmul(w.K, g.K, l.h1, dk, n, d, d))
	add(dh1, 1, backMatmul(w.V, g.V, l.h1, dv, n, d, d))
	dx := dmid
	backNorms(dx, g.AttnNorm, dh1, l.in, w.AttnNorm, l.f1, n, d)
	return dx
}

// rotate turns pairs by their position, or back where way is -1.
func (p *pass) rotate(x []float32, n int, way float32) {
	d := p.s.Dim
	half := d / p.s.Heads / 2
	for t := range n {
		for i := 0; i < d/2; i++ {
			c, s := p.cos[t*half+i%half], way*p.sin[t*half+i%half]
			a, b := x[t*d+2*i], x[t*d+2*i+1]
			x[t*d+2*i], x[t*d+2*i+1] = a*c-b*s, a*s+b*c
		}
	}
}

// norms scales each row to a root mean square of 1 and returns the factors.
func norms(y, x, w []float32, n, d int) []float32 {
	f := make([]float32, n)
	for t := range n {
		row := x[t*d : (t+1)*d]
		f[t] = 1 / float32(math.Sqrt(float64(dot(row, row))/float64(d)+1e-5))
		for i, v := range row {
			y[t*d+i] = v * f[t] * w[i]
		}
	}
	return f
}

// backNorms adds to dx what dy means for the input of norms.
func backNorms(dx, dw, dy, x, w, f []float32, n, d int) {
	for t := range n {
		var sum float32
		for i := range d {
			j := t*d + i
			sum += dy[j] * w[i] * x[j]
			dw[i] += dy[j] * x[j] * f[t]
		}
		k := f[t] * f[t] * f[t] * sum / float32(d)
		for i := range d {
			j := t*d + i
			dx[j] += dy[j]*w[i]*f[t] - k*x[j]
		}
	}
}

// matmul gives for each row of x the products with the rows of w.
func matmul(w, x []float32, n, in, out int) []float32 {
	y := make([]float32, n*out)
	for t := range n {
		for o := range out {
			y[t*out+o] = dot(w[o*in:(o+1)*in], x[t*in:(t+1)*in])
		}
	}
	return y
}

// backMatmul adds to the gradient of w and returns that of x.
func backMatmul(w, dw, x, dy []float32, n, in, out int) []float32 {
	dx := make([]float32, n*in)
	for t := range n {
		for o := range out {
			if v := dy[t*out+o]; v != 0 {
				add(dx[t*in:(t+1)*in], v, w[o*in:(o+1)*in])
				add(dw[o*in:(o+1)*in], v, x[t*in:(t+1)*in])
			}
		}
	}
	return dx
}

// softmax replaces x and returns the value at one place.
func softmax(x []float32, at int) float64 {
	most := x[0]
	for _, v := range x {
		most = max(most, v)
	}
	var sum float32
	for i, v := range x {
		x[i] = exp(v - most)
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
	return float64(x[at])
}

func exp(x float32) float32 { return float32(math.Exp(float64(x))) }
