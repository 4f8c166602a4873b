package plan

import "github.com/fdbench/fdbench/lang/exact"

// SamplingOf is the share of the responses that the detector computes an
// indicator from, the largest where it has several, and 1 for an indicator
// that it does not compute.
func (d *Declaration) SamplingOf(indicator string) exact.Number {
	var share exact.Number
	for _, ind := range d.Detector.Indicators {
		if ind.Indicator == indicator && ind.Sampling.Cmp(share) > 0 {
			share = ind.Sampling
		}
	}
	if share.Sign() == 0 {
		return exact.Int(1)
	}
	return share
}

// ResponsesOf is how many responses the detector computes one window of an
// indicator from at a load point: window times load times sampling. It need
// not be a whole number.
func (d *Declaration) ResponsesOf(indicator string, point LoadPoint) exact.Number {
	return d.WindowOf(indicator, point).Seconds().Mul(point.Rate).Mul(d.SamplingOf(indicator))
}
