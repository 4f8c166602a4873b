package tinylm

import (
	"math"

	"github.com/fdbench/fdbench/runtime/tinylm/internal/kernel"
)

// Shape is the size of a model.
type Shape struct {
	Dim, Layers, Heads, FFN, Vocab, Context int
}

const (
	ropeBase = 10000
	epsilon  = 1e-5
)

// Weights are the parameters, each matrix by rows of the output.
type Weights struct {
	Embedding []float32 // Vocab x Dim; also the output
	Norm      []float32
	Layers    []LayerWeights
}

// LayerWeights are those of one layer.
type LayerWeights struct {
	AttnNorm, Q, K, V, O    []float32
	FFNNorm, Gate, Up, Down []float32
}

// NewWeights makes room for a shape.
func NewWeights(s Shape) *Weights {
	w := &Weights{Embedding: make([]float32, s.Vocab*s.Dim), Norm: make([]float32, s.Dim)}
	for range s.Layers {
		square := func() []float32 { return make([]float32, s.Dim*s.Dim) }
		w.Layers = append(w.Layers, LayerWeights{
			AttnNorm: make([]float32, s.Dim), Q: square(), K: square(), V: square(), O: square(),
			FFNNorm: make([]float32, s.Dim), Gate: make([]float32, s.FFN*s.Dim), Up: make([]float32, s.FFN*s.Dim), Down: make([]float32, s.Dim*s.FFN),
		})
	}
	return w
}

// Model is a loaded model. It is safe for concurrent use; each conversation
// has a State of its own.
type Model struct {
	Shape     Shape
	Tokenizer *Tokenizer
	Digest    string // sha256 of the file
	weights   *Weights
	rope      []float32 // cos, sin by position and pair
}

func newModel(s Shape, t *Tokenizer, w *Weights) *Model {
	half := s.Dim / s.Heads / 2
	m := &Model{Shape: s, Tokenizer: t, weights: w, rope: make([]float32, s.Context*half*2)}
	for pos := range s.Context {
		for i := range half {
			angle := float64(pos) * math.Pow(ropeBase, -float64(i)/float64(half))
			m.rope[(pos*half+i)*2] = float32(math.Cos(angle))
			m.rope[(pos*half+i)*2+1] = float32(math.Sin(angle))
		}
	}
	return m
}

// State is a conversation: the keys and values of its tokens so far, and room
// to compute in. It is used by one goroutine at a time.
type State struct {
	m                      *Model
	Tokens                 []int
	keys                   [][]float32 // by layer, one row a token
	values                 [][]float32
	x, h, q, att, gate, up []float32
	scores, logits         []float32
}

// NewState begins a conversation.
func (m *Model) NewState() *State {
	s := m.Shape
	return &State{m: m, keys: make([][]float32, s.Layers), values: make([][]float32, s.Layers),
		x: make([]float32, s.Dim), h: make([]float32, s.Dim), q: make([]float32, s.Dim), att: make([]float32, s.Dim),
		gate: make([]float32, s.FFN), up: make([]float32, s.FFN), scores: make([]float32, s.Context), logits: make([]float32, s.Vocab)}
}

// Resume makes the conversation one that begins with n tokens of another,
// whose keys and values it shares by copying them.
func (s *State) Resume(from *State, n int) {
	dim := s.m.Shape.Dim
	s.Tokens = append(s.Tokens[:0], from.Tokens[:n]...)
	for l := range s.keys {
		s.keys[l] = append(s.keys[l][:0], from.keys[l][:n*dim]...)
		s.values[l] = append(s.values[l][:0], from.values[l][:n*dim]...)
	}
}

// Room is how many tokens the context still takes.
func (s *State) Room() int { return s.m.Shape.Context - len(s.Tokens) }

// Step takes a token in and returns the logits of the next one, which stay
// valid until the next call.
func (s *State) Step(token int) []float32 {
	m, sh := s.m, s.m.Shape
	pos, dim := len(s.Tokens), sh.Dim
	s.Tokens = append(s.Tokens, token)
	copy(s.x, m.weights.Embedding[token*dim:(token+1)*dim])
	head := dim / sh.Heads
	scale := float32(1 / math.Sqrt(float64(head)))
	for l := range m.weights.Layers {
		w := &m.weights.Layers[l]
		norm(s.h, s.x, w.AttnNorm)
		start := len(s.keys[l])
		s.keys[l] = append(s.keys[l], s.att...) // room
		s.values[l] = append(s.values[l], s.att...)
		k, v := s.keys[l][start:], s.values[l][start:]
		multiply(s.q, w.Q, s.h)
		multiply(k, w.K, s.h)
		multiply(v, w.V, s.h)
		m.rotate(s.q, pos)
		m.rotate(k, pos)
		for h := range sh.Heads {
			from, to := h*head, (h+1)*head
			scores := s.scores[:pos+1]
			for t := range scores {
				scores[t] = scale * kernel.Dot(s.q[from:to], s.keys[l][t*dim+from:t*dim+to])
			}
			softmax(scores)
			out := s.att[from:to]
			clear(out)
			for t, p := range scores {
				kernel.Add(out, p, s.values[l][t*dim+from:t*dim+to])
			}
		}
		multiply(s.h, w.O, s.att)
		kernel.Add(s.x, 1, s.h)
		norm(s.h, s.x, w.FFNNorm)
		multiply(s.gate, w.Gate, s.h)
		multiply(s.up, w.Up, s.h)
		for i, g := range s.gate {
			s.gate[i] = silu(g) * s.up[i]
		}
		multiply(s.h, w.Down, s.gate)
		kernel.Add(s.x, 1, s.h)
	}
	norm(s.h, s.x, m.weights.Norm)
	multiply(s.logits, m.weights.Embedding, s.h)
	return s.logits
}

// rotate turns the pairs of each head by the position.
func (m *Model) rotate(x []float32, pos int) {
	head := m.Shape.Dim / m.Shape.Heads
	half := head / 2
	table := m.rope[pos*half*2 : (pos+1)*half*2]
	for h := 0; h < len(x); h += head {
		for i := range half {
			c, s := table[2*i], table[2*i+1]
			a, b := x[h+2*i], x[h+2*i+1]
			x[h+2*i], x[h+2*i+1] = a*c-b*s, a*s+b*c
		}
	}
}

// multiply sets y to w x, where w has a row for each element of y.
func multiply(y, w, x []float32) {
	n := len(x)
	for i := range y {
		y[i] = kernel.Dot(w[i*n:(i+1)*n], x)
	}
}

func norm(y, x, w []float32) {
	f := 1 / float32(math.Sqrt(float64(kernel.Dot(x, x))/float64(len(x))+epsilon))
	for i := range y {
		y[i] = x[i] * f * w[i]
	}
}

func silu(x float32) float32 { return x / (1 + float32(math.Exp(-float64(x)))) }

func softmax(x []float32) {
	most := x[0]
	for _, v := range x {
		most = max(most, v)
	}
	var sum float32
	for i, v := range x {
		x[i] = float32(math.Exp(float64(v - most)))
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
}
