package deployment

import (
	"context"
	"fmt"
	"strconv"

	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/tinylm"
)

// Sampling are the settings of one request, after the deployment's defaults.
type Sampling struct {
	Temperature float64            `json:"temperature"`
	TopK        int                `json:"top_k"`
	TopP        float64            `json:"top_p"`
	MinP        float64            `json:"min_p"`
	Bias        map[string]float64 `json:"logit_bias"` // by token id, as in the protocol
	MaxTokens   int                `json:"max_tokens"`
}

// Check tells what is out of range: nil for settings that can be drawn with.
func (s Sampling) Check() error {
	switch {
	case s.MaxTokens < 1:
		return fmt.Errorf("max_tokens is at least 1, and not %d", s.MaxTokens)
	case !(s.Temperature >= 0 && s.Temperature <= 100):
		return fmt.Errorf("temperature is from 0 to 100, and not %v", s.Temperature)
	case s.TopK < 0:
		return fmt.Errorf("top_k is at least 0, and not %d", s.TopK)
	case !(s.TopP >= 0 && s.TopP <= 1):
		return fmt.Errorf("top_p is from 0 to 1, and not %v", s.TopP)
	case !(s.MinP >= 0 && s.MinP <= 1):
		return fmt.Errorf("min_p is from 0 to 1, and not %v", s.MinP)
	}
	return nil
}

// job is one request on its way through an engine.
type job struct {
	id       string // by which the client and the engine's log know it
	prompt   string
	number   uint64 // of the request, from 0
	seed     *int64
	sampling Sampling
	raw      bool // completions: the prompt is not a turn of a chat
	faults   Faults
}

// started is a request whose prompt was taken in.
type started struct {
	promptTokens int
	reused       reused
	// generate gives the answer piece by piece.
	generate func(ctx context.Context, yield func(piece string) bool) (tokens int, finish string)
}

// Engine makes answers.
type Engine interface {
	// Name identifies what answers, with its version or digest.
	Name() string
	begin(j *job) (started, error)
	// check tells whether the engine can draw with these settings.
	check(s Sampling) error
	// Reset empties the prefix cache.
	Reset()
}

// modelEngine answers with the built-in language model.
type modelEngine struct {
	m     *tinylm.Model
	cache *tinylm.Cache
	seed  string
}

// Model is an engine of the language model; cache is how many conversations
// its prefix cache keeps.
func Model(m *tinylm.Model, cache int, seed string) Engine {
	return &modelEngine{m, m.NewCache(cache), seed}
}

func (e *modelEngine) Name() string { return "tinylm@" + e.m.Digest }
func (e *modelEngine) Reset()       { e.cache.Reset() }

func (e *modelEngine) begin(j *job) (started, error) {
	var tokens []int
	if j.raw {
		tokens = e.m.Tokenizer.Encode(j.prompt)
	} else {
		tokens = tinylm.Chat(e.m.Tokenizer, j.prompt)
	}
	if len(tokens) == 0 {
		return started{}, fmt.Errorf("the prompt is empty")
	}
	if most := e.m.Shape.Context - 1; len(tokens) > most {
		return started{}, fmt.Errorf("the prompt has %d tokens, and the model takes %d", len(tokens), most)
	}
	s := tinylm.Sampling{Temperature: j.sampling.Temperature, TopK: j.sampling.TopK, TopP: j.sampling.TopP, MinP: j.sampling.MinP}
	var err error
	if s.Bias, err = e.bias(j.sampling); err != nil {
		return started{}, err
	}
	state, cached := e.cache.Begin(tokens)
	stream := random.New("deployment", e.seed, fmt.Sprint(j.number))
	if j.seed != nil {
		stream = random.New("deployment", "request seed", fmt.Sprint(*j.seed))
	}
	return started{promptTokens: len(tokens), reused: reused{prefix: cached},
		generate: func(ctx context.Context, yield func(string) bool) (int, string) {
			defer e.cache.Keep(state)
			return tinylm.Generate(state, tokens, tinylm.NewSampler(s, stream), j.sampling.MaxTokens,
				func(b []byte) bool { return yield(string(b)) && ctx.Err() == nil })
		}}, nil
}

func (e *modelEngine) check(s Sampling) error {
	_, err := e.bias(s)
	return err
}

// bias reads the token ids of a bias, nil where there is none.
func (e *modelEngine) bias(s Sampling) (map[int]float64, error) {
	if len(s.Bias) == 0 {
		return nil, nil
	}
	out := make(map[int]float64, len(s.Bias))
	for id, v := range s.Bias {
		n, err := strconv.Atoi(id)
		if err != nil || n < 0 || n >= e.m.Tokenizer.Size() {
			return nil, fmt.Errorf("logit_bias names the token %q, and the model has 0 to %d", id, e.m.Tokenizer.Size()-1)
		}
		out[n] = v
	}
	return out, nil
}
