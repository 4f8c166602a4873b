package deployment

import (
	"context"
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/tinylm"
	"github.com/fdbench/fdbench/stdlib/corpus"
	"github.com/fdbench/fdbench/stdlib/prompts"
)

// textEngine answers with whole texts, word by word.
type textEngine struct {
	name string
	// answer draws an answer to a prompt from a stream of random numbers.
	answer func(prompt string, s *random.Stream) string
	seed   string
	cache  *cache
}

func (e *textEngine) Name() string { return e.name }
func (e *textEngine) Reset()       { e.cache.reset() }

// check refuses nothing: nothing is drawn token by token.
func (e *textEngine) check(Sampling) error { return nil }

func (e *textEngine) begin(j *job) (started, error) {
	tokens, reused, answerTo := e.cache.take(j)
	return started{promptTokens: tokens, reused: reused,
		generate: func(ctx context.Context, yield func(string) bool) (int, string) {
			list := pieces(e.answer(unsalted(answerTo), e.stream(j, answerTo)))
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

// stream is what an answer is drawn with: at temperature 0 that of its prompt,
// so that every answer to it is the same, and else that of its request.
func (e *textEngine) stream(j *job, prompt string) *random.Stream {
	if j.sampling.Temperature == 0 {
		return random.New("deployment", "prompt", e.seed, prompt)
	}
	return random.New("deployment", e.seed, fmt.Sprint(j.number))
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
// one of its responses, to another with any. Its prefix cache keeps so many
// blocks.
func Recorded(rows []corpus.Row, seed string, keep int) Engine {
	return RecordedReuse(rows, seed, Reuse{Keep: keep})
}

// RecordedReuse is Recorded with another cache.
func RecordedReuse(rows []corpus.Row, seed string, r Reuse) Engine {
	byPrompt := map[string][]string{}
	var all []string
	for _, r := range rows {
		all = append(all, r.Response)
		if r.Prompt != "" {
			byPrompt[r.Prompt] = append(byPrompt[r.Prompt], r.Response)
		}
	}
	return &textEngine{"recorded", func(prompt string, s *random.Stream) string {
		list := byPrompt[prompt]
		if len(list) == 0 {
			list = all
		}
		return list[s.Below(uint64(len(list)))]
	}, seed, newCache(seed, r)}
}

// Template answers with the texts that the language model is trained on, drawn
// at random: as many requests a second as a machine can carry. Its prefix cache
// keeps so many blocks.
func Template(seed string, keep int) Engine { return TemplateReuse(seed, Reuse{Keep: keep}) }

// TemplateReuse is Template with another cache.
func TemplateReuse(seed string, r Reuse) Engine {
	return &textEngine{"template/1", prompts.Answer, seed, newCache(seed, r)}
}

// Extract answers with a sentence of the prompt itself, the one that shares
// most words with its question: to a prompt that brings its evidence along, an
// answer that stands in the evidence. It is the same at every temperature.
func Extract(seed string, r Reuse) Engine {
	return &textEngine{"extract/1", func(prompt string, _ *random.Stream) string { return extract(prompt) }, seed, newCache(seed, r)}
}

func unsalted(prompt string) string {
	if rest, ok := strings.CutPrefix(prompt, "Ticket "); ok {
		if number, rest, ok := strings.Cut(rest, ". "); ok && strings.Trim(number, "0123456789") == "" {
			return rest
		}
	}
	return prompt
}
