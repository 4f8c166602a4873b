package quality

import (
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// RougeL is the F1 of the longest common subsequence of words of a hypothesis
// and a reference, in [0, 1]. Without a word on either side it is 0. To hold
// two outputs against each other use RougeLPair.
func RougeL(hyp, ref string) float64 { return rougeL(Words(hyp), Words(ref)) }

func rougeL(hyp, ref []string) float64 { return f1(lcs(hyp, ref), len(hyp), len(ref)) }

// f1 is 2PR/(P+R) for P = common/n and R = common/m, in one division.
func f1(common, n, m int) float64 {
	if common == 0 {
		return 0
	}
	return float64(2*common) / float64(n+m)
}

// RougeLPair is the agreement of a warm output with the cold one (KV-8-8). Two
// outputs without a word agree: 1. An empty one beside another does not: 0. So
// the worst damage, an output that is gone, counts in full.
func RougeLPair(cold, warm string) float64 {
	c, w := Words(cold), Words(warm)
	if len(c) == 0 && len(w) == 0 {
		return 1
	}
	return rougeL(w, c)
}

// TokenF1 is the F1 of the words of a hypothesis and a reference as multisets,
// in [0, 1]. Without a word on either side it is 0.
func TokenF1(hyp, ref string) float64 { return tokenF1(Words(hyp), Words(ref)) }

func tokenF1(hyp, ref []string) float64 { return f1(overlap(hyp, ref), len(hyp), len(ref)) }

// overlap counts the words that two multisets have in common.
func overlap(a, b []string) int {
	left := make(map[string]int, len(b))
	for _, w := range b {
		left[w]++
	}
	n := 0
	for _, w := range a {
		if left[w] > 0 {
			left[w]--
			n++
		}
	}
	return n
}

// Recall is the share of an answer's words that an output has, in [0, 1],
// without stop words and common endings. An answer of stop words alone, such as
// the letter A, is sought as it stands. Without a word on either side it is 0.
func Recall(output, answer string) float64 {
	found, of := recall(Words(output), Words(answer))
	if of == 0 {
		return 0
	}
	return float64(found) / float64(of)
}

func recall(output, answer []string) (found, of int) {
	sought, have := content(answer), content(output)
	if len(sought) == 0 {
		sought, have = answer, output
	}
	return overlap(have, sought), len(sought)
}

// Best is the highest score of an output against any of the answers, by a score
// such as TokenF1. It is 0 without answers.
func Best(output string, answers []string, score func(output, answer string) float64) float64 {
	best := 0.0
	for _, a := range answers {
		best = max(best, score(output, a))
	}
	return best
}

// Judge holds an output against the answers of its item, and passes it where
// the best recall is at least the threshold, in [0, 1]. It is nil where there is
// nothing to hold it against: no answer has a word. An output without a word
// scores 0.
func Judge(output string, answers []string, threshold exact.Number) *record.Quality {
	words := Words(output)
	var q *record.Quality
	var best exact.Number
	for _, answer := range answers {
		a := Words(answer)
		found, of := recall(words, a)
		if of == 0 {
			continue
		}
		if q == nil {
			q = new(record.Quality)
		}
		if share := exact.Frac(int64(found), int64(of)); share.Cmp(best) > 0 {
			best = share
		}
		q.F1 = max(q.F1, tokenF1(words, a))
		q.RougeL = max(q.RougeL, rougeL(words, a))
	}
	if q != nil {
		q.Score, q.Pass = best.Float64(), best.Cmp(threshold) >= 0
	}
	return q
}
