package quality

import (
	"math"
	"slices"
)

// FirstDivergence is the index of the first token at which two outputs differ,
// and false where they do not. An output that ends where the other goes on
// differs at its end.
func FirstDivergence(cold, warm []int64) (int, bool) {
	for i := range min(len(cold), len(warm)) {
		if cold[i] != warm[i] {
			return i, true
		}
	}
	return min(len(cold), len(warm)), len(cold) != len(warm)
}

// Top is one of the likeliest tokens at a position, with its natural logarithm
// of probability.
type Top struct {
	ID      int64
	Logprob float64
}

// KLTopK is the divergence KL(cold||warm) in nats of two truncated
// distributions over the tokens of either. A token that one side lacks gets
// that side's least log probability less 1, and both sides are normalised. It
// is false where a side has no tokens, or one that is not finite.
func KLTopK(cold, warm []Top) (float64, bool) {
	c, cok := table(cold)
	w, wok := table(warm)
	if !cok || !wok {
		return 0, false
	}
	var ids []int64
	for _, t := range slices.Concat(cold, warm) {
		ids = append(ids, t.ID)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	p, q := normalised(ids, c), normalised(ids, w)
	sum := 0.0
	for i := range ids {
		sum += float64(math.Exp(p[i]) * (p[i] - q[i]))
	}
	return max(sum, 0), true
}

// table is the log probability by token; of a token that stands twice the
// higher one.
func table(list []Top) (map[int64]float64, bool) {
	m := make(map[int64]float64, len(list))
	for _, t := range list {
		if math.IsNaN(t.Logprob) || math.IsInf(t.Logprob, 0) {
			return nil, false
		}
		if old, ok := m[t.ID]; !ok || t.Logprob > old {
			m[t.ID] = t.Logprob
		}
	}
	return m, len(m) > 0
}

// normalised are log probabilities of the ids that sum to 1, where absent ones
// lie 1 nat below the least.
func normalised(ids []int64, m map[int64]float64) []float64 {
	least, most := math.Inf(1), math.Inf(-1)
	for _, v := range m {
		least, most = min(least, v), max(most, v)
	}
	out := make([]float64, len(ids))
	sum := 0.0
	for i, id := range ids {
		v, ok := m[id]
		if !ok {
			v = least - 1
		}
		out[i] = v - most
		sum += math.Exp(out[i])
	}
	log := math.Log(sum)
	for i := range out {
		out[i] -= log
	}
	return out
}
