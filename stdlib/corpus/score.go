package corpus

import (
	"fmt"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/stdlib/text"
)

// Score computes an indicator for every row, in order.
func Score(rows []Row, f func(text.Response) int32) []int32 {
	out := make([]int32, len(rows))
	for i, r := range rows {
		out[i] = f(text.Response{Prompt: r.Prompt, Text: r.Response})
	}
	return out
}

// Summary is an indicator over a corpus.
type Summary struct {
	N    int
	Sum  int64
	Mean exact.Number // in the indicator's unit; 0 where N is 0
	SD   string       // sample standard deviation to six decimals; "" where N is below 2
	Min  int32
	Max  int32
}

// Summarize sums scores up exactly.
func Summarize(scores []int32) Summary {
	s := Summary{N: len(scores)}
	if s.N == 0 {
		return s
	}
	s.Min, s.Max = scores[0], scores[0]
	squares := exact.Int(0)
	for _, x := range scores {
		s.Sum += int64(x)
		squares = squares.Add(exact.Int(int64(x) * int64(x)))
		s.Min, s.Max = min(s.Min, x), max(s.Max, x)
	}
	s.Mean = exact.Frac(s.Sum, int64(s.N))
	if s.N > 1 {
		// sum of squares minus n times the mean squared, over n-1
		variance := squares.Sub(s.Mean.Mul(exact.Int(s.Sum))).Div(exact.Int(int64(s.N - 1)))
		s.SD = variance.Sqrt(6).String()
	}
	return s
}

// Twins returns what each row would be under a fault. The seed of a row comes
// from the given seed and the row's id, so a twin depends neither on the order
// of the rows nor on what else is in the file.
func Twins(rows []Row, t func(text.Response, uint64) string, seed string) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = t(text.Response{Prompt: r.Prompt, Text: r.Response}, Seed(seed, r.ID))
	}
	return out
}

// Seed is the seed of the row with the given id.
func Seed(seed, id string) uint64 {
	return random.New("stdlib/corpus", seed, id).Uint64()
}

// Replace returns, for each row, the response of the row in other with the
// same id, or else with the same prompt: what the deployment answers from
// another file. A row without a counterpart keeps its response and is a
// Problem, with the line of the row.
func Replace(rows, other []Row) ([]string, []Problem) {
	byID := make(map[string]int, len(other))
	byPrompt := make(map[string]int, len(other))
	for i, r := range other {
		byID[r.ID] = i
		if _, ok := byPrompt[r.Prompt]; !ok && r.Prompt != "" {
			byPrompt[r.Prompt] = i
		}
	}
	out := make([]string, len(rows))
	var problems []Problem
	for i, r := range rows {
		k, ok := byID[r.ID]
		if ok && r.Prompt != "" && other[k].Prompt != "" && other[k].Prompt != r.Prompt {
			// Ids by line number mean nothing across files of another order.
			if p, same := byPrompt[r.Prompt]; same {
				k = p
			} else {
				ok = false
			}
		} else if !ok {
			k, ok = byPrompt[r.Prompt]
		}
		if !ok {
			out[i] = r.Response
			problems = append(problems, Problem{r.Line, fmt.Sprintf("the other file has no response for id %q nor for the same prompt", r.ID)})
			continue
		}
		out[i] = other[k].Response
	}
	return out, problems
}
