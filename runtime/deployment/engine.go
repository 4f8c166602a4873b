package deployment

import (
	"context"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/tinylm"
	"github.com/fdbench/fdbench/stdlib/corpus"
	"github.com/fdbench/fdbench/stdlib/prompts"
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
	prompt   string
	number   uint64 // of the request, from 0
	seed     *int64
	sampling Sampling
	raw      bool // completions: the prompt is not a turn of a chat
}

// started is a request whose prompt was taken in.
type started struct {
	promptTokens int
	cached       int
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
	return started{promptTokens: len(tokens), cached: cached,
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

// textEngine answers with whole texts, word by word.
type textEngine struct {
	name   string
	answer func(j *job) string
	cache  *blocks
}

func (e *textEngine) Name() string { return e.name }
func (e *textEngine) Reset()       { e.cache.reset() }

// check refuses nothing: nothing is drawn token by token.
func (e *textEngine) check(Sampling) error { return nil }

func (e *textEngine) begin(j *job) (started, error) {
	prompt := pieces(j.prompt)
	cached := e.cache.take(prompt)
	return started{promptTokens: len(prompt), cached: cached,
		generate: func(ctx context.Context, yield func(string) bool) (int, string) {
			list := pieces(e.answer(j))
			for i, p := range list {
				if i == j.sampling.MaxTokens {
					return i, tinylm.FinishLength
				}
				if !yield(p) || ctx.Err() != nil {
					return i, ""
				}
			}
			return len(list), tinylm.FinishStop
		}}, nil
}

// pieces are what stands for tokens where there is no tokenizer: words with the
// space before them.
func pieces(text string) []string {
	var out []string
	begin := 0
	for i := 1; i < len(text); i++ {
		if (text[i] == ' ' || text[i] == '\n') && text[i-1] != ' ' && text[i-1] != '\n' {
			out = append(out, text[begin:i])
			begin = i
		}
	}
	if begin < len(text) {
		out = append(out, text[begin:])
	}
	return out
}

// Recorded answers with responses from a file: to a prompt of the file with
// one of its responses, to another with any.
func Recorded(rows []corpus.Row, seed string, cache int) Engine {
	byPrompt := map[string][]string{}
	var all []string
	for _, r := range rows {
		all = append(all, r.Response)
		if r.Prompt != "" {
			byPrompt[r.Prompt] = append(byPrompt[r.Prompt], r.Response)
		}
	}
	return &textEngine{"recorded", func(j *job) string {
		list := byPrompt[unsalted(j.prompt)]
		if len(list) == 0 {
			list = all
		}
		return list[random.New("deployment", seed, fmt.Sprint(j.number)).Below(uint64(len(list)))]
	}, newBlocks(cache)}
}

// Template answers with the texts that the language model is trained on, drawn
// at random: as many requests a second as a machine can carry.
func Template(seed string, cache int) Engine {
	return &textEngine{"template/1", func(j *job) string {
		return prompts.Answer(unsalted(j.prompt), random.New("deployment", seed, fmt.Sprint(j.number)))
	}, newBlocks(cache)}
}

func unsalted(prompt string) string {
	if rest, ok := strings.CutPrefix(prompt, "Ticket "); ok {
		if number, rest, ok := strings.Cut(rest, ". "); ok && strings.Trim(number, "0123456789") == "" {
			return rest
		}
	}
	return prompt
}

// hash identifies the beginning of a prompt.
func hash(list []string) uint64 {
	h := fnv.New64a()
	for _, s := range list {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	return h.Sum64()
}
