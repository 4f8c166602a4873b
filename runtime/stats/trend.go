package stats

import (
	"math"
	"slices"
)

// Trend is the result of a Mann-Kendall test on a series in trial order.
type Trend struct {
	S    int     // later values that are larger, minus later values that are smaller
	VarS float64 // variance of S without a trend, ties corrected
	Z    float64 // (S - sign S)/sqrt(VarS); 0 where VarS is
	P    float64 // two-sided, normal approximation; 1 where VarS is 0
}

// MannKendall tests whether latencies drift over the trials of a series, as
// they do where a detector carries state over (Mann, 1945; Kendall, 1975).
// Fewer than two values, or all equal, give no trend.
func MannKendall(series []float64) Trend {
	var t Trend
	for i, a := range series {
		for _, b := range series[i+1:] {
			switch {
			case b > a:
				t.S++
			case b < a:
				t.S--
			}
		}
	}
	t.VarS = kendallVariance(len(series))
	sorted := slices.Sorted(slices.Values(series))
	for i := 0; i < len(sorted); {
		j := i + 1
		for j < len(sorted) && sorted[j] == sorted[i] {
			j++
		}
		t.VarS -= kendallVariance(j - i)
		i = j
	}
	t.P = 1
	if t.VarS > 0 {
		sign := 0
		if t.S > 0 {
			sign = 1
		} else if t.S < 0 {
			sign = -1
		}
		t.Z = float64(t.S-sign) / math.Sqrt(t.VarS)
		t.P = 2 * normal(-math.Abs(t.Z))
	}
	return t
}

// kendallVariance is n(n-1)(2n+5)/18: the variance of S of n distinct values,
// and what n equal values take away from it.
func kendallVariance(n int) float64 {
	f := float64(n)
	return f * (f - 1) * (2*f + 5) / 18
}
