package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/tinylm"
	"github.com/fdbench/fdbench/stdlib/prompts"
)

func main() {
	out := flag.String("out", "weights.gguf", "where the weights are written")
	steps := flag.Int("steps", 240, "steps of about 2,048 tokens; 0 writes random weights")
	flag.Parse()
	if err := run(*out, *steps); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var shape = tinylm.Shape{Dim: 128, Layers: 4, Heads: 4, FFN: 352, Vocab: 512, Context: 512}

const (
	tokensPerStep = 2048
	rate          = 4e-3
	warmup        = 30
)

func run(out string, steps int) error {
	texts := make([]string, 0, 8000)
	for i := range uint64(4000) {
		p, a := prompts.Pair(i)
		texts = append(texts, p, a)
	}
	tokenizer, err := tinylm.TrainTokenizer(texts, tinylm.Specials(), shape.Vocab)
	if err != nil {
		return err
	}
	weights := tinylm.NewWeights(shape)
	initialise(weights)
	t := newTrainer(shape, weights)
	began := time.Now()
	next, seen := uint64(0), 0
	var loss float64
	for step := range steps {
		var batch []example
		tokens := 0
		for tokens < tokensPerStep {
			e := encode(tokenizer, next)
			next++
			batch = append(batch, e)
			tokens += len(e.tokens)
		}
		seen += tokens
		l := t.step(batch, learningRate(step, steps))
		if loss == 0 {
			loss = l
		}
		loss = 0.9*loss + 0.1*l
		if step%20 == 0 || step == steps-1 {
			fmt.Fprintf(os.Stderr, "step %d of %d, %d tokens, loss %.3f, %.0f s\n", step+1, steps, seen, loss, time.Since(began).Seconds())
		}
	}
	var file bytes.Buffer
	if err := tinylm.Write(&file, "fdbench template model", shape, tokenizer, weights); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d bytes, sha256:%x\n", file.Len(), sha256.Sum256(file.Bytes()))
	return os.WriteFile(out, file.Bytes(), 0o644)
}

func learningRate(step, steps int) float64 {
	if step < warmup {
		return rate * float64(step+1) / warmup
	}
	f := float64(step-warmup) / float64(max(1, steps-warmup))
	return rate * (0.05 + 0.95*0.5*(1+math.Cos(math.Pi*f)))
}

// example is one turn of a conversation; the loss is that of the answer.
type example struct {
	tokens []int
	answer int // index of the first token that is to be predicted
}

func encode(t *tinylm.Tokenizer, n uint64) example {
	p, a := prompts.Pair(n)
	tokens := tinylm.Chat(t, p)
	e := example{answer: len(tokens)}
	e.tokens = append(append(tokens, t.Encode(a)...), t.Special(tinylm.TokenEnd))
	return e
}

func initialise(w *tinylm.Weights) {
	r := random.New("tinylm", "weights")
	normal := func() float64 {
		return math.Sqrt(-2*math.Log(1-r.Float64())) * math.Cos(2*math.Pi*r.Float64())
	}
	fill := func(x []float32, sd float64) {
		for i := range x {
			x[i] = float32(sd * normal())
		}
	}
	ones := func(x []float32) {
		for i := range x {
			x[i] = 1
		}
	}
	fill(w.Embedding, 0.05)
	ones(w.Norm)
	deep := 0.08 / math.Sqrt(2*float64(len(w.Layers)))
	for i := range w.Layers {
		l := &w.Layers[i]
		ones(l.AttnNorm)
		ones(l.FFNNorm)
		for _, x := range [][]float32{l.Q, l.K, l.V, l.Gate, l.Up} {
			fill(x, 0.08)
		}
		fill(l.O, deep)
		fill(l.Down, deep)
	}
}
