package tap

import (
	"fmt"
	"maps"
	"slices"

	"github.com/fdbench/fdbench/compiler/dataset"
	"github.com/fdbench/fdbench/compiler/plan"
)

// Of is the tap's view of an indicator of a plan or of the standard library.
func Of(i plan.Indicator) (Indicator, error) {
	f, err := dataset.Scorer(i)
	if err != nil {
		return Indicator{}, err
	}
	return Indicator{Name: i.Name, Unit: i.Unit, Score: f}, nil
}

// FromDetector sets the indicators, the names of their counters, the sampling
// and the labels as the detector of a plan declares them. The counters then
// have the labels that the detector's rules were checked with, and no label
// for the model.
func (o *Options) FromDetector(d *plan.Declaration) error {
	o.Indicators, o.Total, o.ModelLabel = nil, "", ""
	for _, di := range d.Detector.Indicators {
		n := slices.IndexFunc(d.Indicators, func(i plan.Indicator) bool { return i.Name == di.Indicator })
		if n < 0 {
			return fmt.Errorf("detector %s computes indicator %s, which the plan does not hold", d.Detector.Name, di.Indicator)
		}
		ind, err := Of(d.Indicators[n])
		if err != nil {
			return err
		}
		ind.Counter, ind.Sampling = di.Exports, di.Sampling
		// One indicator in two windows is one counter where both read it so.
		if slices.ContainsFunc(o.Indicators, func(x Indicator) bool {
			return x.Name == ind.Name && x.Counter == ind.Counter && x.Sampling.Cmp(ind.Sampling) == 0
		}) {
			continue
		}
		o.Indicators = append(o.Indicators, ind)
	}
	if p := d.Detector.Prometheus; p != nil {
		o.Total = p.Total
		labels := maps.Clone(p.Labels)
		if labels == nil {
			labels = map[string]string{}
		}
		maps.Copy(labels, o.Labels)
		o.Labels = labels
	}
	return nil
}
