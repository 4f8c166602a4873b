// Package serving makes the deployments of the virtual world: banks of
// responses whose scores were computed once, so that a simulated request costs
// a table lookup whether its text is real or not.
//
// It imports lang/exact, compiler/plan and runtime/random.
package serving

import (
	"fmt"
	"math"
	"math/big"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/random"
)

// Bank is a set of equally likely responses. Scores are row-major: the score
// of row r on indicator i is Base[r*Stride+i].
type Bank struct {
	Rows   int
	Stride int
	Base   []int32
	Twins  map[string][]int32 // by fault class: what the faulty deployment answers instead
}

// Recorded makes a bank of columns that were scored before: base[i] holds the
// scores on the plan's i-th indicator, twins[class][i] those of the changed
// responses.
func Recorded(base [][]int32, twins map[string][][]int32) (*Bank, error) {
	b := &Bank{Stride: len(base), Twins: map[string][]int32{}}
	if len(base) == 0 || len(base[0]) == 0 {
		return nil, fmt.Errorf("no scored responses")
	}
	b.Rows = len(base[0])
	var err error
	if b.Base, err = b.interleave(base); err != nil {
		return nil, err
	}
	for class, columns := range twins {
		if b.Twins[class], err = b.interleave(columns); err != nil {
			return nil, fmt.Errorf("fault class %q: %w", class, err)
		}
	}
	return b, nil
}

func (b *Bank) interleave(columns [][]int32) ([]int32, error) {
	if len(columns) != b.Stride {
		return nil, fmt.Errorf("%d indicators were scored where %d are declared", len(columns), b.Stride)
	}
	out := make([]int32, b.Rows*b.Stride)
	for i, c := range columns {
		if len(c) != b.Rows {
			return nil, fmt.Errorf("indicator %d has %d scores for %d responses", i, len(c), b.Rows)
		}
		for r, v := range c {
			out[r*b.Stride+i] = v
		}
	}
	return out, nil
}

// Sizes of a simulated bank. A rate needs a multiple of its denominator; a
// continuous law is a table of quantiles at the midpoints of equal slices.
const (
	minRows      = 4096
	maxRows      = 1 << 20
	quantileRows = 1 << 16
)

// Simulated makes a bank that has the declared law of every indicator. The
// rates are exact; indicators are independent of each other but for the
// finite number of rows. An indicator without a declared behaviour scores 0.
func Simulated(d *plan.Declaration) (*Bank, error) {
	rows, err := simulatedRows(d.Serving.Behaviours)
	if err != nil {
		return nil, err
	}
	b := &Bank{Rows: rows, Stride: len(d.Indicators), Twins: map[string][]int32{}}
	b.Base = make([]int32, rows*b.Stride)
	index := map[string]int{}
	for i, ind := range d.Indicators {
		index[ind.Name] = i
	}
	for _, beh := range d.Serving.Behaviours {
		i, ok := index[beh.Indicator]
		if !ok {
			continue
		}
		column := column(beh, rows)
		shuffle := random.New("fdbench", "simulated bank", beh.Indicator)
		for r := rows - 1; r > 0; r-- {
			j := int(shuffle.Below(uint64(r + 1)))
			column[r], column[j] = column[j], column[r]
		}
		for r, v := range column {
			b.Base[r*b.Stride+i] = v
		}
	}
	for _, c := range d.FaultClasses {
		i := index[c.Indicator]
		twin := append([]int32(nil), b.Base...)
		rate := d.Indicators[i].Kind == "rate"
		scale := c.Scale.Float64()
		for r := range rows {
			at := r*b.Stride + i
			switch {
			case rate && c.Direction == "down":
				twin[at] = 0
			case rate:
				twin[at] = 1
			default:
				twin[at] = clampScore(float64(twin[at]) * scale)
			}
		}
		b.Twins[c.Name] = twin
	}
	return b, nil
}

// simulatedRows is the smallest size that holds every declared rate exactly.
func simulatedRows(behaviours []plan.Behaviour) (int, error) {
	lcm := big.NewInt(1)
	smallest := minRows
	for _, b := range behaviours {
		if b.Rate == nil {
			smallest = quantileRows
			continue
		}
		den := b.Rate.Rat().Denom()
		g := new(big.Int).GCD(nil, nil, lcm, den)
		lcm.Mul(lcm, new(big.Int).Quo(den, g))
		if lcm.BitLen() > 20 {
			return 0, fmt.Errorf("the rates of the simulated deployment need more than %d rows: declare them with fewer decimals", maxRows)
		}
	}
	step := int(lcm.Int64())
	return (smallest + step - 1) / step * step, nil
}

func column(b plan.Behaviour, rows int) []int32 {
	out := make([]int32, rows)
	if b.Rate != nil {
		ones, _ := b.Rate.Mul(exact.Int(int64(rows))).Int64()
		for r := range int(ones) {
			out[r] = 1
		}
		return out
	}
	for r := range out {
		out[r] = clampScore(Quantile(*b.Distribution, (float64(r)+0.5)/float64(rows)))
	}
	return out
}

func clampScore(v float64) int32 {
	switch v = math.Round(v); {
	case v > math.MaxInt32:
		return math.MaxInt32
	case v < math.MinInt32:
		return math.MinInt32
	}
	return int32(v)
}

// Quantile is the u-quantile of a declared law, for u in (0, 1), in the unit of
// its parameters.
func Quantile(d plan.Distribution, u float64) float64 {
	a, b := d.A.Float64(), d.B.Float64()
	switch d.Kind {
	case "constant":
		return a
	case "uniform":
		return a + float64((b-a)*u)
	case "exponential":
		return -a * math.Log1p(-u)
	case "lognormal":
		return a * math.Exp(float64(b*math.Sqrt2*math.Erfinv(2*u-1)))
	case "normal":
		return a + float64(b*math.Sqrt2*math.Erfinv(2*u-1))
	}
	panic("serving: unknown distribution " + d.Kind)
}

// latencySteps is the resolution of a latency table.
const latencySteps = 4096

// Latencies is a table of latencies in nanoseconds, equally likely.
func Latencies(d plan.Distribution) []int64 {
	if d.Kind == "constant" || d.Kind == "" {
		ns, _ := exact.DurationOf(d.A)
		return []int64{int64(ns)}
	}
	out := make([]int64, latencySteps)
	for i := range out {
		out[i] = max(0, int64(math.Round(Quantile(d, (float64(i)+0.5)/latencySteps)*1e9)))
	}
	return out
}
