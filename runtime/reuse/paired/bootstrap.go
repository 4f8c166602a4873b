package paired

import (
	"runtime"
	"slices"
	"strconv"
	"sync"

	"github.com/fdbench/fdbench/runtime/random"
)

// Resamples and Confidence are what a plan declares for intervals.
const (
	Resamples  = 2000
	Confidence = 0.95
)

// FewClusters is the number of documents below which an interval is marked as
// resting on few: the bootstrap of so few wholes takes a handful of values.
const FewClusters = 5

// Interval is a statistic with its bootstrap interval.
type Interval struct {
	Point, Low, High float64
	N                int  // values
	Clusters         int  // documents that they come from: what was resampled
	Few              bool // fewer than FewClusters: read the interval with care
}

// Mean is the mean of the values. The interval is at the confidence conf, in
// (0, 1), from so many resamples, drawn from the random stream of the name; the
// statistic is computed anew for each. It is nil for no values. Of one value or
// one document the interval is the point.
func Mean(values []Value, stream string, resamples int, conf float64) *Interval {
	return estimate(values, stream, resamples, conf, (*sample).mean)
}

// Median is as Mean for the 50th percentile.
func Median(values []Value, stream string, resamples int, conf float64) *Interval {
	return estimate(values, stream, resamples, conf, (*sample).median)
}

func estimate(values []Value, stream string, resamples int, conf float64, of func(*sample, []int) float64) *Interval {
	if resamples < 1 || !(conf > 0 && conf < 1) {
		panic("paired: an interval needs a resample and a confidence in (0, 1)")
	}
	if len(values) == 0 {
		return nil
	}
	s := newSample(values)
	k := len(s.counts)
	once := make([]int, k)
	for i := range once {
		once[i] = 1
	}
	point := of(s, once)
	out := &Interval{Point: point, Low: point, High: point, N: len(values), Clusters: k, Few: k < FewClusters}
	if k == 1 {
		return out
	}
	drawn := s.resample(stream, resamples, of)
	slices.Sort(drawn)
	tail := 100 * (1 - conf) / 2
	out.Low, out.High = at(drawn, tail), at(drawn, 100-tail)
	return out
}

// resample draws clusters with replacement, as many as there are. Each resample
// has a stream of its own, so that it matters to no figure which processor
// draws it.
func (s *sample) resample(stream string, n int, of func(*sample, []int) float64) []float64 {
	out := make([]float64, n)
	workers := min(runtime.GOMAXPROCS(0), n)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			times := make([]int, len(s.counts))
			for i := w; i < n; i += workers {
				clear(times)
				r := random.New("bootstrap", stream, strconv.Itoa(i))
				for range times {
					times[r.Below(uint64(len(times)))]++
				}
				out[i] = of(s, times)
			}
		})
	}
	wg.Wait()
	return out
}
