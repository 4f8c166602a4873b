package stats

import (
	"cmp"
	"math"
	"slices"
)

// FisherExact returns the two-sided p-value of Fisher's exact test that two
// coverages are equal: the probability of all tables with the same margins that
// are at most as probable as the one seen. NaN where a count is negative.
func FisherExact(detectedA, missedA, detectedB, missedB int) float64 {
	if min(detectedA, missedA, detectedB, missedB) < 0 {
		return nan
	}
	na, nb := detectedA+missedA, detectedB+missedB
	k := detectedA + detectedB
	// P(x) is proportional to C(na, x) C(nb, k-x); as ratios of binomial point
	// probabilities at any common p it needs no factorial.
	p := float64(k) / float64(max(na+nb, 1))
	point := func(x int) float64 { return binomialPoint(na, p, x) * binomialPoint(nb, p, k-x) }
	seen := point(detectedA) * (1 + 1e-7) // tables equal in exact arithmetic count as equal
	var extreme, all float64
	for x := max(0, k-nb); x <= min(na, k); x++ {
		q := point(x)
		all += q
		if q <= seen {
			extreme += q
		}
	}
	if all == 0 {
		return 1
	}
	return min(extreme/all, 1)
}

// PoissonRatio returns the two-sided p-value of the exact conditional test that
// two Poisson rates are equal, k1 events in t1 against k2 in t2: given k1+k2,
// k1 is binomial with p = t1/(t1+t2); twice the smaller tail, at most 1. NaN
// where a count is negative or a period not positive.
func PoissonRatio(k1 int, t1 float64, k2 int, t2 float64) float64 {
	if k1 < 0 || k2 < 0 || !(t1 > 0) || !(t2 > 0) {
		return nan
	}
	n, p := k1+k2, t1/(t1+t2)
	return min(2*min(binomialSum(n, p, 0, k1), binomialSum(n, p, k1, n)), 1)
}

// RankTest is the result of a Mann-Whitney test.
type RankTest struct {
	U     float64 // pairs in which x is larger than y; ties count one half
	P     float64 // two-sided
	Exact bool    // from the permutation distribution; else normal, with ties and continuity corrected
	Shift float64 // Hodges-Lehmann: the median of all differences y-x, in the unit of the data
}

// exactWork bounds the additions for the exact distribution: two samples of 60
// take less than a tenth of a second, two of 20 less than a millisecond.
const exactWork = 60_000_000

// MannWhitneyExact compares two samples of latencies. The p-value comes from
// the exact permutation distribution of U given the values seen, ties
// included, as twice the smaller tail, at most 1; for samples too large for
// that (beyond about 60 each) from the normal approximation. It is false where
// a sample is empty or holds NaN.
func MannWhitneyExact(x, y []float64) (RankTest, bool) {
	if len(x) == 0 || len(y) == 0 || slices.ContainsFunc(x, math.IsNaN) || slices.ContainsFunc(y, math.IsNaN) {
		return RankTest{}, false
	}
	ranks, ties := doubledMidranks(x, y)
	m, n := len(x), len(y)
	sum := 0
	for _, r := range ranks[:m] {
		sum += r
	}
	u2 := sum - m*(m+1) // twice U
	t := RankTest{U: float64(u2) / 2, Shift: hodgesLehmann(x, y)}
	if tableWidth(m, n)*m*(m+n) <= exactWork {
		t.Exact, t.P = true, permutationP(ranks, m, u2)
		return t, true
	}
	mn, all := float64(m)*float64(n), float64(m+n)
	variance := mn / 12 * (all + 1 - ties/(all*(all-1)))
	off := math.Max(math.Abs(t.U-mn/2)-0.5, 0)
	t.P = 1
	if variance > 0 {
		t.P = min(2*normal(-off/math.Sqrt(variance)), 1)
	}
	return t, true
}

// doubledMidranks returns twice the rank of each value of x, then of y, in the
// joined sample, equal values sharing the mean of their ranks, and the sum of
// t^3-t over groups of t equal values.
func doubledMidranks(x, y []float64) (ranks []int, ties float64) {
	joined := slices.Concat(x, y)
	order := make([]int, len(joined))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(joined[a], joined[b]) })
	ranks = make([]int, len(joined))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && joined[order[j]] == joined[order[i]] {
			j++
		}
		for _, o := range order[i:j] {
			ranks[o] = i + 1 + j // ranks i+1..j, twice their mean
		}
		t := float64(j - i)
		ties += t*t*t - t
		i = j
	}
	return ranks, ties
}

// tableWidth is one more than the largest doubled U of any c <= m of m+n ranks.
func tableWidth(m, n int) int {
	c := min(m, (m+n)/2)
	return 2*c*(m+n-c) + 1
}

// permutationP counts, by doubled U, the subsets of m ranks.
func permutationP(ranks []int, m, u2 int) float64 {
	width := tableWidth(m, len(ranks)-m)
	// ways[c][s] is the number of subsets of c ranks whose sum exceeds the
	// smallest possible one for c, c*(c+1), by s.
	ways := make([][]float64, m+1)
	for c := range ways {
		ways[c] = make([]float64, width)
	}
	ways[0][0] = 1
	// In ascending order the c smallest chosen ranks sum to c(c+1) or more.
	for i, r := range slices.Sorted(slices.Values(ranks)) {
		for c := min(i, m-1); c >= 0; c-- {
			shift := r - 2*(c+1)
			from, to := ways[c], ways[c+1]
			for s, v := range from {
				if v != 0 && s+shift >= 0 && s+shift < width {
					to[s+shift] += v
				}
			}
		}
	}
	var low, high, all float64
	for s, v := range ways[m] {
		all += v
		if s <= u2 {
			low += v
		}
		if s >= u2 {
			high += v
		}
	}
	return min(2*min(low, high)/all, 1)
}

func hodgesLehmann(x, y []float64) float64 {
	d := make([]float64, 0, len(x)*len(y))
	for _, a := range x {
		for _, b := range y {
			d = append(d, b-a)
		}
	}
	slices.Sort(d)
	n := len(d)
	if n%2 == 1 {
		return d[n/2]
	}
	return d[n/2-1] + (d[n/2]-d[n/2-1])/2
}

// Holm returns the p-values adjusted for testing all of them at once (Holm,
// 1979), in the order given. NaN values (tests without data) stay NaN and do
// not count.
func Holm(p []float64) []float64 {
	adjusted := slices.Clone(p)
	var order []int
	for i, v := range p {
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	running := 0.0
	for i, o := range order {
		running = max(running, min(float64(len(order)-i)*p[o], 1))
		adjusted[o] = running
	}
	return adjusted
}
