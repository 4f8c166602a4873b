package result

import "github.com/fdbench/fdbench/runtime/reuse/paired"

// sample is a figure of one pair, with the document that it comes from.
type sample struct {
	v       float64
	cluster string
}

// statistic is what a sample is summed up by.
type statistic func(values []paired.Value, stream string, resamples int, confidence float64) *paired.Interval

var (
	meanOf   statistic = paired.Mean
	medianOf statistic = paired.Median
)

// interval is a statistic with its interval, or nil for no values. Each figure
// has a random stream of its own, so that it does not depend on which others
// are computed.
func (s *scan) interval(values []sample, name string, of statistic) *Interval {
	e := &s.p.Estimators
	list := make([]paired.Value, len(values))
	for i, v := range values {
		list[i] = paired.Value{V: v.v, Cluster: v.cluster}
	}
	x := of(list, s.p.Declaration.Seed+"\x1f"+name, e.Resamples, e.Confidence.Float64())
	if x == nil {
		return nil
	}
	return &Interval{Value: x.Point, Low: x.Low, High: x.High, N: x.N, Clusters: x.Clusters, Few: x.Few}
}

// percentile is by linear interpolation between order statistics.
func percentile(values []float64, p float64) *float64 { return paired.Percentile(values, p) }
