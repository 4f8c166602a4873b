package stats

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/fdbench/fdbench/spec/refdata"
)

// TestDetectorReference checks the entries that need no simulation.
func TestDetectorReference(t *testing.T) {
	raw, err := os.ReadFile(refdata.Path(t, "data/detector-reference.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		References []struct {
			ID        string
			Params    map[string]any
			Value     float64
			Tolerance string `json:"check_tolerance"`
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	arithmetic := map[string]func(f func(string) float64) float64{
		"discard-10pct-n300":   discardEntry,
		"discard-10pct-n3000":  discardEntry,
		"discard-10pct-n30000": discardEntry,
		"orderstat-median-n20": func(f func(string) float64) float64 {
			r := MedianRanks(int(f("n")), 0.95)
			if r.Lower != int(f("lower_rank")) || r.Upper != int(f("upper_rank")) {
				t.Errorf("ranks %+v", r)
			}
			return r.Coverage
		},
		"orderstat-p95-n20-max": func(f func(string) float64) float64 {
			return 1 - MaxCovers(int(f("n")), 0.95)
		},
		"clopper-pearson-20of20-lower": func(f func(string) float64) float64 {
			lo, _ := ClopperPearson(int(f("x")), int(f("n")), f("conf"))
			return lo
		},
		"poisson-zero-false-upper": func(f func(string) float64) float64 {
			return PoissonUpper(int(f("events")), f("conf")) / f("hours")
		},
		"tumbling-60x1-c5-far": func(f func(string) float64) float64 {
			return binomialSum(int(f("n")), f("p"), int(f("c")), int(f("n")))
		},
		"sprt-02-10-asn1": func(f func(string) float64) float64 {
			return SPRTResponses(f("p0"), f("p1"), f("alpha"), f("beta"))
		},
		"bern-cusum-02-10-arl0": func(f func(string) float64) float64 {
			return BernoulliCUSUM(f("p"), int(f("up")), 1, int(f("threshold")))
		},
		"bern-cusum-02-10-arl1-zero": func(f func(string) float64) float64 {
			return BernoulliCUSUM(f("p"), int(f("up")), 1, int(f("threshold")))
		},
	}
	checked := 0
	for _, ref := range file.References {
		compute := arithmetic[ref.ID]
		if compute == nil {
			continue
		}
		checked++
		t.Run(ref.ID, func(t *testing.T) {
			got := compute(func(key string) float64 {
				v, ok := ref.Params[key].(float64)
				if !ok {
					t.Fatalf("no parameter %q", key)
				}
				return v
			})
			// Entries with a simulation's tolerance have an exact value all the same.
			tolerance, err := strconv.ParseFloat(ref.Tolerance, 64)
			if err != nil {
				tolerance = 1e-9 * ref.Value
			}
			if !(math.Abs(got-ref.Value) <= tolerance) {
				t.Errorf("%.16g, want %.16g within %g", got, ref.Value, tolerance)
			}
		})
	}
	if checked != len(arithmetic) {
		t.Errorf("%d of %d entries found", checked, len(arithmetic))
	}
}

func discardEntry(f func(string) float64) float64 {
	return DiscardBernoulli(int(f("n_requests")), f("p0"), f("magnitude"))
}
