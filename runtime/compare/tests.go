package compare

import (
	"math"

	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/stats"
)

const testNote = "Outside the methodology. Fisher's exact test on coverage; the exact Mann-Whitney test on the latencies of detected trials, with the " +
	"Hodges-Lehmann estimate of the shift from A to B; the conditional binomial test on new alerts without a fault. All are two-sided. " +
	"p (Holm) is adjusted for every p-value listed here together. A latency test sees detected trials only, so it has to be read beside the coverage of its row. " +
	"A large p is no evidence that nothing changed."

// tests makes the statistics of a study, row by row (methodology-notes F12).
func tests(c *Comparison, a, b Input) *Tests {
	t := &Tests{Note: testNote, Coverage: []CoverageTest{}, Latency: []LatencyTest{}, FalseDetection: []FalseDetectionTest{}}
	for _, r := range c.Coverage {
		if r.A == nil || r.B == nil || r.A.Trials() == 0 || r.B.Trials() == 0 {
			continue
		}
		p := stats.FisherExact(r.A.Detected(), r.A.Trials()-r.A.Detected(), r.B.Detected(), r.B.Trials()-r.B.Detected())
		if !math.IsNaN(p) {
			t.Coverage = append(t.Coverage, CoverageTest{Row: r.Row, P: p})
		}
	}
	switch {
	case a.Latencies == nil && b.Latencies == nil:
		t.NoLatency = "The latencies of single trials stand in the journals: name the folders of both runs to have them tested."
	case a.Latencies == nil || b.Latencies == nil:
		bare := a.Name
		if b.Latencies == nil {
			bare = b.Name
		}
		t.NoLatency = "The latencies of single trials stand in the journals: name the folder of the run in the place of " + bare + " to have them tested."
	default:
		t.latencies(c, a, b)
	}
	for _, r := range c.FalseDetection {
		if r.A == nil || r.B == nil {
			continue
		}
		p := stats.PoissonRatio(r.A.Edges, r.A.PeriodS, r.B.Edges, r.B.PeriodS)
		if !math.IsNaN(p) {
			t.FalseDetection = append(t.FalseDetection, FalseDetectionTest{Load: r.Load, EdgesA: r.A.Edges, EdgesB: r.B.Edges,
				PeriodAS: r.A.PeriodS, PeriodBS: r.B.PeriodS, P: p})
		}
	}
	t.adjust()
	return t
}

func (t *Tests) latencies(c *Comparison, a, b Input) {
	for _, r := range c.Latency {
		if r.A == nil || r.B == nil {
			continue
		}
		x, y := a.Latencies[r.Row], b.Latencies[r.Row]
		w, ok := stats.MannWhitneyExact(x, y)
		if !ok {
			continue
		}
		t.Latency = append(t.Latency, LatencyTest{Row: r.Row, NA: len(x), NB: len(y), U: w.U, ShiftS: w.Shift, Exact: w.Exact, P: w.P})
	}
}

// adjust applies Holm's method to all p-values of the page at once: whoever
// looks through it for a small one sees them all.
func (t *Tests) adjust() {
	var p, adjusted []*float64
	for i := range t.Coverage {
		p, adjusted = append(p, &t.Coverage[i].P), append(adjusted, &t.Coverage[i].Adjusted)
	}
	for i := range t.Latency {
		p, adjusted = append(p, &t.Latency[i].P), append(adjusted, &t.Latency[i].Adjusted)
	}
	for i := range t.FalseDetection {
		p, adjusted = append(p, &t.FalseDetection[i].P), append(adjusted, &t.FalseDetection[i].Adjusted)
	}
	values := make([]float64, len(p))
	for i := range p {
		values[i] = *p[i]
	}
	for i, v := range stats.Holm(values) {
		*adjusted[i] = v
	}
	t.Count = len(p)
}

// disagrees names a row of which a journal's latencies are not as many as the
// result says were detected.
func disagrees(r *measure.Result, latencies map[measure.RowKey][]float64) (measure.RowKey, bool) {
	for _, l := range r.Latency {
		row := measure.RowKey{Class: l.Class, Profile: l.Profile, Magnitude: l.Magnitude, Load: l.Load}
		if len(latencies[row]) != l.Detected {
			return row, true
		}
	}
	return measure.RowKey{}, false
}
