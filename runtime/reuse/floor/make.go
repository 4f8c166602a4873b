package floor

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/reuse/paired"
)

// Pair is one prompt that was run twice in the cold.
type Pair struct {
	RougeL   float64 // between the two outputs, in [0, 1]: quality.RougeLPair
	SourceID string  // the document that it comes from
	// Tokens are those of the prompt.
	Tokens int64
	Empty  int64 // of its two outputs, those without a word
}

// LeftOut counts the pairs that have no score.
type LeftOut struct{ Contaminated, Errored int64 }

// places is how many decimals of a score are kept.
const places = 9

// Make is the artifact of a calibration. The seed names the random stream of
// the interval. It fails where no pair is usable.
func Make(p plan.FloorProtocol, pairs []Pair, out LeftOut, at time.Time, seed string) (*Artifact, error) {
	if len(pairs) == 0 {
		return nil, fmt.Errorf("there is no noise floor without a clean pair: %d pairs were contaminated and %d failed", out.Contaminated, out.Errored)
	}
	a := &Artifact{
		Format: Format, Protocol: p, Pairs: int64(len(pairs)), Contaminated: out.Contaminated, Errored: out.Errored,
		CreatedAt: at.UTC().Format(time.RFC3339), Bands: []Band{},
	}
	var scores []float64
	var values []paired.Value
	bands := map[int64][]paired.Value{}
	for i, x := range pairs {
		if !(x.RougeL >= 0 && x.RougeL <= 1) {
			return nil, fmt.Errorf("pair %d has the score %v, which is not in [0, 1]", i, x.RougeL)
		}
		if x.Tokens < 0 || x.Tokens > 1<<40 {
			return nil, fmt.Errorf("pair %d has a prompt of %d tokens", i, x.Tokens)
		}
		v := paired.Value{V: x.RougeL, Cluster: x.SourceID}
		scores, values = append(scores, x.RougeL), append(values, v)
		bands[band(x.Tokens)] = append(bands[band(x.Tokens)], v)
		a.Empty += x.Empty
	}
	whole := paired.Mean(values, seed+"/noise floor", paired.Resamples, paired.Confidence)
	a.Mean, a.Interval.Low, a.Interval.High = score(whole.Point), score(whole.Low), score(whole.High)
	a.Interval.Clusters = int64(whole.Clusters)
	a.P05, a.P50 = score(*paired.Percentile(scores, 5)), score(*paired.Percentile(scores, 50))
	var ends []int64
	for end := range bands {
		ends = append(ends, end)
	}
	slices.Sort(ends)
	for _, end := range ends {
		mean := paired.Mean(bands[end], seed, 1, paired.Confidence).Point
		a.Bands = append(a.Bands, Band{bandName(end), int64(len(bands[end])), score(mean)})
	}
	if e := check(a); e != nil {
		return nil, errors.New(e.Message)
	}
	return a, nil
}

// band is the upper end in tokens of the band that a prompt lies in: 1024,
// doubled until it fits.
func band(tokens int64) int64 {
	end := int64(1024)
	for end < tokens {
		end *= 2
	}
	return end
}

func bandName(end int64) string { return fmt.Sprintf("up to %dk", end/1024) }

// score is a fraction of whole nines places, so that its text is short. Sums of
// ones may exceed 1 by a rounding.
func score(f float64) exact.Number {
	f = min(max(f, 0), 1)
	scale := int64(math.Pow10(places))
	return exact.FromRat(big.NewRat(int64(math.RoundToEven(f*float64(scale))), scale))
}
