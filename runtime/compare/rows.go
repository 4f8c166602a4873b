package compare

import (
	"cmp"
	"slices"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/measure"
)

// pair joins two lists of rows by what they are of, and hands over each pair in
// the order of the first list, then the rest of the second. A row without its
// counterpart is paired with nil. Where lists is set nothing is joined.
func pair[K comparable, T any](a, b []T, key func(*T) K, joined func(K) bool, add func(K, *T, *T)) {
	of := map[K]*T{}
	for i := range b {
		of[key(&b[i])] = &b[i]
	}
	used := map[K]bool{}
	for i := range a {
		k := key(&a[i])
		var other *T
		if joined(k) {
			other = of[k]
			used[k] = other != nil
		}
		add(k, &a[i], other)
	}
	for i := range b {
		if k := key(&b[i]); !used[k] {
			add(k, nil, &b[i])
		}
	}
}

// rows fills in the tables of the quantities.
func (c *Comparison) rows(a, b *measure.Result) {
	class := func(name string) bool { return !c.TwoLists && !slices.Contains(c.Redefined, name) }
	combination := func(k measure.RowKey) bool { return class(k.Class) }
	load := func(string) bool { return !c.TwoLists }

	pair(a.Baseline, b.Baseline, func(x *measure.Baseline) [3]string { return [3]string{x.Load, x.Indicator, x.Point} },
		func([3]string) bool { return !c.TwoLists },
		func(k [3]string, x, y *measure.Baseline) {
			c.Baseline = append(c.Baseline, BaselineRow{k[0], k[1], k[2], x, y})
		})
	pair(a.Latency, b.Latency, func(x *measure.Latency) measure.RowKey {
		return measure.RowKey{Class: x.Class, Profile: x.Profile, Magnitude: x.Magnitude, Load: x.Load}
	},
		combination, func(k measure.RowKey, x, y *measure.Latency) { c.Latency = append(c.Latency, LatencyRow{k, x, y}) })
	pair(a.Coverage, b.Coverage, func(x *measure.Coverage) measure.RowKey {
		return measure.RowKey{Class: x.Class, Profile: x.Profile, Magnitude: x.Magnitude, Load: x.Load}
	},
		combination, func(k measure.RowKey, x, y *measure.Coverage) { c.Coverage = append(c.Coverage, CoverageRow{k, x, y}) })
	pair(a.Threshold, b.Threshold, func(x *measure.Threshold) [5]string {
		return [5]string{x.Class, x.Profile, x.Load, x.Target, x.Resolution}
	}, func(k [5]string) bool { return class(k[0]) },
		func(k [5]string, x, y *measure.Threshold) {
			c.Threshold = append(c.Threshold, ThresholdRow{k[0], k[1], k[2], k[3], k[4], x, y})
		})
	pair(a.FalseDetection, b.FalseDetection, func(x *measure.FalseDetection) string { return x.Load }, load,
		func(k string, x, y *measure.FalseDetection) {
			c.FalseDetection = append(c.FalseDetection, FalseDetectionRow{k, x, y})
		})
	type fault struct{ class, magnitude, load string }
	pair(a.Masking, b.Masking, func(x *measure.Masking) fault { return fault{x.Class, text(x.Magnitude), x.Load} },
		func(k fault) bool { return class(k.class) },
		func(k fault, x, y *measure.Masking) {
			row := MaskingRow{Class: k.class, Load: k.load, A: x, B: y}
			if k.magnitude != "" {
				row.Magnitude = &k.magnitude
			}
			c.Masking = append(c.Masking, row)
		})
	c.order()
}

// order puts rows that only B has where a reader looks for them: by load, and
// by magnitude within a fault. Two lists stay two lists.
func (c *Comparison) order() {
	if c.TwoLists {
		return
	}
	place := rank(c)
	slices.SortStableFunc(c.Baseline, func(x, y BaselineRow) int { return place.loads(x.Load, y.Load) })
	slices.SortStableFunc(c.Latency, func(x, y LatencyRow) int { return place.combinations(x.Row, y.Row) })
	slices.SortStableFunc(c.Coverage, func(x, y CoverageRow) int { return place.combinations(x.Row, y.Row) })
	slices.SortStableFunc(c.Threshold, func(x, y ThresholdRow) int { return place.loads(x.Load, y.Load) })
	slices.SortStableFunc(c.FalseDetection, func(x, y FalseDetectionRow) int { return place.loads(x.Load, y.Load) })
	slices.SortStableFunc(c.Masking, func(x, y MaskingRow) int { return place.loads(x.Load, y.Load) })
}

// ranking knows in which order loads and fault classes come.
type ranking struct{ load, class map[string]int }

func rank(c *Comparison) ranking {
	r := ranking{map[string]int{}, map[string]int{}}
	put := func(m map[string]int, name string) {
		if _, ok := m[name]; !ok {
			m[name] = len(m)
		}
	}
	for _, x := range c.FalseDetection {
		put(r.load, x.Load)
	}
	for _, x := range c.Coverage {
		put(r.load, x.Row.Load)
		put(r.class, x.Row.Class)
	}
	return r
}

func (r ranking) loads(x, y string) int { return cmp.Compare(r.load[x], r.load[y]) }

func (r ranking) combinations(x, y measure.RowKey) int {
	return cmp.Or(r.loads(x.Load, y.Load), cmp.Compare(r.class[x.Class], r.class[y.Class]), magnitudes(x.Magnitude, y.Magnitude))
}

func magnitudes(x, y string) int {
	m, errM := exact.Parse(x)
	n, errN := exact.Parse(y)
	if errM != nil || errN != nil {
		return cmp.Compare(x, y)
	}
	return m.Abs().Cmp(n.Abs())
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func noIntervals() Supplementary {
	return Supplementary{
		Note:    "Outside the methodology. Intervals and tests are exact or distribution-free; none of these figures replaces a reported value, and none is a verdict.",
		Latency: []LatencyIntervals{}, Coverage: []CoverageIntervals{}, Threshold: []ThresholdIntervals{},
		FalseDetection: []FalseDetectionInterval{}, Masking: []MaskingIntervals{},
	}
}

// intervals takes over the intervals of both results.
func (c *Comparison) intervals(a, b *measure.Result) {
	s := &c.Supplementary
	x, y := &a.Supplementary, &b.Supplementary
	s.ConfidenceA, s.ConfidenceB = x.Confidence, y.Confidence
	all := func(k measure.RowKey) bool { return !c.TwoLists && !slices.Contains(c.Redefined, k.Class) }
	pair(x.Latency, y.Latency, func(r *measure.SuppLatency) measure.RowKey { return r.Row }, all,
		func(k measure.RowKey, p, q *measure.SuppLatency) {
			s.Latency = append(s.Latency, LatencyIntervals{k, p, q})
		})
	pair(x.Coverage, y.Coverage, func(r *measure.SuppCoverage) measure.RowKey { return r.Row }, all,
		func(k measure.RowKey, p, q *measure.SuppCoverage) {
			s.Coverage = append(s.Coverage, CoverageIntervals{k, p, q})
		})
	// A threshold's interval names the magnitude that was found, which may be
	// another in B.
	pair(x.Threshold, y.Threshold, func(r *measure.SuppThreshold) measure.RowKey {
		return measure.RowKey{Class: r.Row.Class, Profile: r.Row.Profile, Load: r.Row.Load}
	}, all, func(k measure.RowKey, p, q *measure.SuppThreshold) {
		s.Threshold = append(s.Threshold, ThresholdIntervals{k, p, q})
	})
	pair(x.False, y.False, func(r *measure.SuppFalse) string { return r.Load }, func(string) bool { return !c.TwoLists },
		func(k string, p, q *measure.SuppFalse) {
			s.FalseDetection = append(s.FalseDetection, FalseDetectionInterval{k, p, q})
		})
	pair(x.Masking, y.Masking, func(r *measure.SuppMasking) measure.RowKey { return r.Row }, all,
		func(k measure.RowKey, p, q *measure.SuppMasking) {
			s.Masking = append(s.Masking, MaskingIntervals{k, p, q})
		})
}
