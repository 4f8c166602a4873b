package paired

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"

	"github.com/fdbench/fdbench/spec/refdata"
)

type vectors struct {
	Percentiles []struct {
		Values []float64 `json:"values"`
		P      float64   `json:"p"`
		Value  float64   `json:"value"`
	} `json:"percentile_linear"`
	Paired struct {
		Cold    []float64 `json:"cold_ttft_ms"`
		Warm    []float64 `json:"warm_ttft_ms"`
		Ratios  []float64 `json:"ratios"`
		Mean    float64   `json:"mean"`
		Median  float64   `json:"median"`
		ColdP50 float64   `json:"cold_p50"`
		ColdP95 float64   `json:"cold_p95"`
		WarmP50 float64   `json:"warm_p50"`
		WarmP95 float64   `json:"warm_p95"`
		MeanCI  []float64 `json:"bootstrap_mean_ci_mt19937_seed_sembench-ci_2000"`
		MedCI   []float64 `json:"bootstrap_median_ci_mt19937_seed_sembench-ci_2000"`
	} `json:"paired"`
	Exact struct {
		Values []float64 `json:"values"`
		Mean   []float64 `json:"mean_ci"`
		Median []float64 `json:"median_ci"`
	} `json:"bootstrap_exact_all_resamples"`
}

func reference(t *testing.T) vectors {
	t.Helper()
	b, err := os.ReadFile(refdata.Path(t, "data/reuse/vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Percentiles) == 0 || len(v.Paired.Cold) == 0 || len(v.Exact.Values) == 0 {
		t.Fatal("the vectors are not there")
	}
	return v
}

func TestPercentilesOfTheReference(t *testing.T) {
	v := reference(t)
	for _, x := range v.Percentiles {
		before := slices.Clone(x.Values)
		if got := Percentile(x.Values, x.P); got == nil || *got != x.Value {
			t.Errorf("p%v of %v is %v, want %v", x.P, x.Values, got, x.Value)
		}
		if !slices.Equal(before, x.Values) {
			t.Error("Percentile changed what it was given")
		}
	}
	p := v.Paired
	for _, x := range []struct {
		of   []float64
		p    float64
		want float64
	}{{p.Cold, 50, p.ColdP50}, {p.Cold, 95, p.ColdP95}, {p.Warm, 50, p.WarmP50}, {p.Warm, 95, p.WarmP95}} {
		if got := *Percentile(x.of, x.p); got != x.want {
			t.Errorf("p%v is %v, want %v", x.p, got, x.want)
		}
	}
}

func TestPercentileAtTheEnds(t *testing.T) {
	if Percentile(nil, 50) != nil {
		t.Error("no values have a percentile")
	}
	v := []float64{3, 1, 2}
	if *Percentile(v, 0) != 1 || *Percentile(v, 100) != 3 || *Percentile([]float64{7}, 100) != 7 {
		t.Error("the ends are the least and the greatest value")
	}
	for _, p := range []float64{-1, 101, math.NaN()} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("p = %v is taken", p)
				}
			}()
			Percentile(v, p)
		}()
	}
}

// TestPairsOfTheReference wants the points exactly. The ends of the intervals
// come from another generator there, so that what both cut off is held against
// 100000 resamples of a third: 2.5 % within Monte Carlo error, 4 standard errors
// of a share of 2.5 % in 2000 draws being 1.4 %. (The ends themselves may differ
// by a jump: of the median's resamples 3.3 % lie below 3.04, the reference's
// lower end, and then come values near 2.1.)
func TestPairsOfTheReference(t *testing.T) {
	p := reference(t).Paired
	var values []Value
	for i := range p.Cold {
		values = append(values, Value{V: p.Cold[i] / p.Warm[i]})
	}
	for i, v := range values {
		if v.V != p.Ratios[i] {
			t.Errorf("ratio %d is %v, want %v", i, v.V, p.Ratios[i])
		}
	}
	mean := Mean(values, "reference", Resamples, Confidence)
	median := Median(values, "reference", Resamples, Confidence)
	if math.Abs(mean.Point-p.Mean) > 1e-15*p.Mean || median.Point != p.Median {
		t.Errorf("mean %v and median %v, want %v and %v", mean.Point, median.Point, p.Mean, p.Median)
	}
	t.Logf("mean %v to %v (reference %v), median %v to %v (reference %v)", mean.Low, mean.High, p.MeanCI[1:], median.Low, median.High, p.MedCI[1:])
	if math.Abs(mean.Low-p.MeanCI[1]) > 0.15 || math.Abs(mean.High-p.MeanCI[2]) > 0.5 {
		t.Errorf("the mean's interval is %v to %v, the reference's %v", mean.Low, mean.High, p.MeanCI[1:])
	}
	r := rand.New(rand.NewPCG(8, 9))
	var means, medians []float64
	for range 100000 {
		drawn, sum := make([]float64, 10), 0.0
		for i := range drawn {
			drawn[i] = p.Ratios[r.IntN(10)]
			sum += drawn[i]
		}
		means, medians = append(means, sum/10), append(medians, *Percentile(drawn, 50))
	}
	cuts(t, "our mean", means, mean.Low, mean.High)
	cuts(t, "the reference's mean", means, p.MeanCI[1], p.MeanCI[2])
	cuts(t, "our median", medians, median.Low, median.High)
	cuts(t, "the reference's median", medians, p.MedCI[1], p.MedCI[2])
	if mean.N != 10 || mean.Clusters != 10 || mean.Few {
		t.Errorf("%+v", mean)
	}
}

// cuts wants an interval of 95 % to cut off 2.5 % of the resamples at either
// end, within the Monte Carlo error of 2000 draws.
func cuts(t *testing.T, name string, all []float64, low, high float64) {
	t.Helper()
	const slack = 0.014
	share := func(f func(float64) bool) float64 {
		n := 0
		for _, v := range all {
			if f(v) {
				n++
			}
		}
		return float64(n) / float64(len(all))
	}
	const eps = 1e-9 // sums in another order
	below, upTo := share(func(v float64) bool { return v < low-eps }), share(func(v float64) bool { return v <= low+eps })
	above, from := share(func(v float64) bool { return v > high+eps }), share(func(v float64) bool { return v >= high-eps })
	if below > 0.025+slack || upTo < 0.025-slack || above > 0.025+slack || from < 0.025-slack {
		t.Errorf("%s: %v to %v cuts off %v and %v", name, low, high, below, above)
	}
}

// everyResample calls f with the drawn values of all n^n resamples.
func everyResample(values []float64, f func([]float64)) {
	n := len(values)
	index, drawn := make([]int, n), make([]float64, n)
	for {
		for i, k := range index {
			drawn[i] = values[k]
		}
		f(drawn)
		i := 0
		for ; i < n; i++ {
			if index[i]++; index[i] < n {
				break
			}
			index[i] = 0
		}
		if i == n {
			return
		}
	}
}

// TestBootstrapAgainstAllResamples holds the drawn resamples against all 256
// that there are. First the reference's ends come out of all of them exactly;
// then the drawn ends have to cut off 2.5 % within Monte Carlo error.
func TestBootstrapAgainstAllResamples(t *testing.T) {
	x := reference(t).Exact
	var means, medians []float64
	everyResample(x.Values, func(d []float64) {
		sum := 0.0
		for _, v := range d {
			sum += v
		}
		means = append(means, sum/float64(len(d)))
		medians = append(medians, *Percentile(d, 50))
	})
	if len(means) != 256 {
		t.Fatalf("%d resamples", len(means))
	}
	var values []Value
	for _, v := range x.Values {
		values = append(values, Value{V: v})
	}
	for _, c := range []struct {
		name string
		all  []float64
		want []float64
		got  *Interval
	}{
		{"mean", means, x.Mean, Mean(values, "exact", Resamples, Confidence)},
		{"median", medians, x.Median, Median(values, "exact", Resamples, Confidence)},
	} {
		if low, high := *Percentile(c.all, 2.5), *Percentile(c.all, 97.5); low != c.want[1] || high != c.want[2] {
			t.Errorf("%s: all resamples give %v to %v, the reference %v", c.name, low, high, c.want)
		}
		if c.got.Point != c.want[0] {
			t.Errorf("%s: %v, want %v", c.name, c.got.Point, c.want[0])
		}
		cuts(t, c.name, c.all, c.got.Low, c.got.High)
	}
}

func TestSmallSamples(t *testing.T) {
	for _, of := range []func([]Value, string, int, float64) *Interval{Mean, Median} {
		if of(nil, "x", Resamples, Confidence) != nil {
			t.Error("no values have an interval")
		}
		if got, want := *of([]Value{{3, "a"}}, "x", Resamples, Confidence), (Interval{3, 3, 3, 1, 1, true}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
		if got, want := *of([]Value{{3, "a"}, {5, "a"}}, "x", Resamples, Confidence), (Interval{4, 4, 4, 2, 1, true}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
		four := of([]Value{{1, "a"}, {2, "b"}, {3, "c"}, {4, "d"}}, "x", Resamples, Confidence)
		five := of([]Value{{1, "a"}, {2, "b"}, {3, "c"}, {4, "d"}, {5, "e"}}, "x", Resamples, Confidence)
		if !four.Few || five.Few || four.Clusters != 4 || five.Clusters != 5 {
			t.Errorf("%+v, %+v", four, five)
		}
		// Values without a document stand alone.
		if got := of([]Value{{1, ""}, {2, ""}}, "x", Resamples, Confidence); got.Clusters != 2 || got.Low >= got.High {
			t.Errorf("%+v", got)
		}
	}
}

// TestMedianOfDrawnClusters holds the one pass over sorted values against the
// plain way: write every value out as often as its cluster was drawn.
func TestMedianOfDrawnClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var values []Value
		for range 1 + r.IntN(30) {
			values = append(values, Value{float64(r.IntN(20)), string(rune('a' + r.IntN(6)))})
		}
		s := newSample(values)
		times := make([]int, len(s.counts))
		for range times {
			times[r.IntN(len(times))]++
		}
		var out []float64
		sum := 0.0
		for i, v := range s.sorted {
			for range times[s.cluster[i]] {
				out = append(out, v)
				sum += v
			}
		}
		if got, want := s.median(times), *Percentile(out, 50); got != want {
			t.Fatalf("median %v, want %v of %v", got, want, out)
		}
		if got, want := s.mean(times), sum/float64(len(out)); math.Abs(got-want) > 1e-12*want {
			t.Fatalf("mean %v, want %v", got, want)
		}
	}
}

func TestOrderAndProcessorsDoNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var values []Value
	for i := range 200 {
		values = append(values, Value{math.Exp(r.NormFloat64()), []string{"", "a", "b", "c", "d", "e", "f", "g"}[i%8]})
	}
	for _, of := range []func([]Value, string, int, float64) *Interval{Mean, Median} {
		want := *of(values, "x", 500, Confidence)
		if other := *of(values, "y", 500, Confidence); other.Point != want.Point || other.Low == want.Low && other.High == want.High {
			t.Errorf("the stream's name does not matter: %+v", other)
		}
		for _, procs := range []int{1, 3} {
			before := runtime.GOMAXPROCS(procs)
			r.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
			got := *of(values, "x", 500, Confidence)
			runtime.GOMAXPROCS(before)
			if got != want {
				t.Errorf("%d processors and another order: %+v, want %+v", procs, got, want)
			}
		}
		if math.Abs(want.Point-math.Sqrt(math.E)) > 0.8 || want.Low >= want.Point || want.High <= want.Point {
			t.Errorf("%+v", want)
		}
	}
}

// TestFixedInterval pins the figures: a change of them changes every report.
func TestFixedInterval(t *testing.T) {
	got := *Mean([]Value{{1, "a"}, {2, "a"}, {3, "b"}, {5, "c"}, {8, "d"}, {13, "e"}}, "seed/blended", Resamples, Confidence)
	if want := (Interval{Point: 32.0 / 6, Low: 17.0 / 7, High: 10, N: 6, Clusters: 5}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestCoverageOfClusteredPairs simulates documents whose pairs share an effect:
// 15 documents of 8 pairs, of whose variance nine tenths lie between documents.
// An interval at 95 % that resamples documents holds the true mean nearly that
// often; one that takes the pairs to be independent does so far more seldom.
// Of 400 repetitions a share has a standard error of at most 2.5 %.
func TestCoverageOfClusteredPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(20, 26))
	const repetitions, documents, each, truth = 400, 15, 8, 1.5
	clustered, naive := 0, 0
	for range repetitions {
		var values, alone []Value
		for d := range documents {
			effect := 0.3 * r.NormFloat64()
			for range each {
				v := truth + effect + 0.1*r.NormFloat64()
				values = append(values, Value{v, string(rune('a' + d))})
				alone = append(alone, Value{V: v})
			}
		}
		if i := Mean(values, "coverage", 400, Confidence); i.Low <= truth && truth <= i.High {
			clustered++
		}
		if i := Mean(alone, "coverage", 400, Confidence); i.Low <= truth && truth <= i.High {
			naive++
		}
	}
	c, n := float64(clustered)/repetitions, float64(naive)/repetitions
	t.Logf("coverage %.3f clustered, %.3f naive", c, n)
	if c < 0.86 || c > 0.98 || n > 0.65 {
		t.Errorf("coverage %.3f clustered and %.3f naive", c, n)
	}
}

func BenchmarkMean(b *testing.B)   { benchmark(b, Mean) }
func BenchmarkMedian(b *testing.B) { benchmark(b, Median) }

func benchmark(b *testing.B, of func([]Value, string, int, float64) *Interval) {
	r := rand.New(rand.NewPCG(1, 1))
	var values []Value
	for i := range 1000 {
		values = append(values, Value{math.Exp(r.NormFloat64()), string(rune(i / 2))})
	}
	b.ReportAllocs()
	for b.Loop() {
		if of(values, "bench", Resamples, Confidence) == nil {
			b.Fatal("no interval")
		}
	}
}
