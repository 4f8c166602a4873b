package paired

import (
	"cmp"
	"math"
	"slices"
)

// Value is a figure of one pair.
type Value struct {
	V float64
	// Cluster is the document that the item comes from. Values without one are
	// taken to be independent of all others.
	Cluster string
}

// Percentile is the value at rank p/100*(n-1) of the sorted values, counted
// from 0, by linear interpolation (Hyndman and Fan's type 7). It is nil for no
// values. p is in [0, 100]; another p panics.
func Percentile(values []float64, p float64) *float64 {
	if !(p >= 0 && p <= 100) {
		panic("paired: a percentile is in [0, 100]")
	}
	if len(values) == 0 {
		return nil
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	x := at(sorted, p)
	return &x
}

// at is Percentile of values that are sorted.
func at(sorted []float64, p float64) float64 {
	rank := p / 100 * float64(len(sorted)-1)
	below := int(rank)
	if below+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	step := float64((rank - float64(below)) * (sorted[below+1] - sorted[below]))
	return sorted[below] + step
}

// sample are values in an order of their own, with their clusters numbered.
type sample struct {
	sorted  []float64 // ascending
	cluster []int     // of each of sorted
	sums    []float64 // of each cluster
	counts  []int
}

// newSample orders values so that nothing depends on the order in which they
// came.
func newSample(values []Value) *sample {
	v := slices.Clone(values)
	slices.SortFunc(v, func(a, b Value) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.V, b.V))
	})
	s := &sample{}
	type placed struct {
		v       float64
		cluster int
	}
	var all []placed
	for i, x := range v {
		if i == 0 || x.Cluster == "" || x.Cluster != v[i-1].Cluster {
			s.sums, s.counts = append(s.sums, 0), append(s.counts, 0)
		}
		c := len(s.sums) - 1
		s.sums[c] += x.V
		s.counts[c]++
		all = append(all, placed{x.V, c})
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.v, b.v) })
	for _, p := range all {
		s.sorted = append(s.sorted, p.v)
		s.cluster = append(s.cluster, p.cluster)
	}
	return s
}

// mean weights each cluster by how often it was drawn.
func (s *sample) mean(times []int) float64 {
	sum, n := 0.0, 0
	for c, k := range times {
		sum += float64(float64(k) * s.sums[c])
		n += k * s.counts[c]
	}
	return sum / float64(n)
}

// median is the 50th percentile of the values, each as often as its cluster was
// drawn. One pass over the sorted values is enough.
func (s *sample) median(times []int) float64 {
	n := 0
	for c, k := range times {
		n += k * s.counts[c]
	}
	low, high := (n-1)/2, n/2 // ranks from 0
	var below float64
	found, seen := false, 0
	for i, v := range s.sorted {
		seen += times[s.cluster[i]]
		if !found && seen > low {
			below, found = v, true
		}
		if seen > high {
			return below + float64(0.5*(v-below))
		}
	}
	return math.NaN() // only where nothing was drawn
}
