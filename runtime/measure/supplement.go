package measure

import (
	"maps"
	"math"
	"slices"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/stats"
)

// note heads the block: nothing in it is a value that the methodology asks for.
const note = "Outside the methodology. Intervals are exact or distribution-free; none of these figures replaces a reported value."

// supplement fills in what stands beside the methodology, but for thresholds
// and masking, which are added with their rows.
func (c *computer) supplement(r *Result) {
	confidence := c.p.Estimators.Confidence.Float64()
	s := Supplementary{
		Note: note, FalseClass: []SuppFalseClass{}, Confidence: confidence, Requests: c.requests, TestTimeS: seconds(c.testTime),
		Latency: []SuppLatency{}, Coverage: []SuppCoverage{}, Threshold: []SuppThreshold{}, False: []SuppFalse{}, Sham: []Sham{},
		Masking: []SuppMasking{}, Baseline: []SuppBaseline{}, Discards: []SuppDiscards{}, Signals: []SuppSignals{},
	}
	for i, t := range c.p.Combinations.Trials {
		l, o := &c.loads[t.Load], &c.combos[i]
		row := RowKey{t.Class, t.Profile.Name, t.Magnitude.String(), l.label}
		cov := SuppCoverage{Row: row}
		if o.kept > 0 {
			low, high := stats.ClopperPearson(o.detected, o.kept, confidence)
			cov.Low, cov.High = float(low), float(high)
			if perHour, ok := c.classRate(l, t.Class); ok {
				chance, corrected := stats.ChanceCorrected(o.detected, o.kept, perHour, t.Timeout.Seconds().Float64())
				cov.Chance, cov.Corrected = float(chance), float(corrected)
			}
		}
		s.Coverage = append(s.Coverage, cov)
		if l.falseSeen {
			lat := latencySupplement(o, c.p.Declaration.Load.Points[t.Load].Rate, confidence, t.Profile.Ramp > 0)
			lat.Row = row
			if floor, err := exact.Parse(t.Floor); err == nil {
				lat.EvidenceFloorS = float(floor.Float64())
			}
			if b, ok := c.base(t.Load, t.Class, sdPoint); ok && c.indicators[c.classes[t.Class].Indicator].Kind == "rate" {
				lat.BelowGuard = math.Abs(t.Magnitude.Float64()) < 2*b.GuardSD()
			}
			s.Latency = append(s.Latency, lat)
		}
	}
	for i := range c.loads {
		l := &c.loads[i]
		if l.falseSeen {
			rate, low, high := stats.GarwoodRate(l.falseCount, seconds(l.falseSpan)/3600, confidence)
			s.False = append(s.False, SuppFalse{l.label, float(rate), float(low), float(high)})
			for j, class := range c.attribution.classes {
				row := SuppFalseClass{Load: l.label, Class: class, Count: l.falseClass[j].Count, Edges: l.falseClass[j].Edges}
				if perHour, ok := c.classRate(l, class); ok {
					row.PerHour = float(perHour)
				}
				s.FalseClass = append(s.FalseClass, row)
			}
		}
		if l.sham.attempts() > 0 {
			s.Sham = append(s.Sham, Sham{l.label, l.sham.detected, l.sham.kept})
		}
		for j := range l.baselines {
			if b := &l.baselines[j]; b.ok {
				s.Baseline = append(s.Baseline, c.baselineSupplement(l.label, b, confidence))
			}
		}
		for _, cause := range slices.Sorted(maps.Keys(l.discards)) {
			s.Discards = append(s.Discards, SuppDiscards{l.label, cause, l.discards[cause]})
		}
		l.signals.Load = l.label
		s.Signals = append(s.Signals, l.signals)
	}
	r.Supplementary = s
}

// classRate is how many new alerts an hour the attribution would give to a
// class while no fault is applied. Repetitions are left out: they are no
// Detection Event in a trial either.
func (c *computer) classRate(l *loadState, class string) (perHour float64, ok bool) {
	i := slices.Index(c.attribution.classes, class)
	if i < 0 || l.falseSpan <= 0 {
		return 0, false
	}
	return float64(l.falseClass[i].Edges) / (seconds(l.falseSpan) / 3600), true
}

// latencySupplement makes F2, F3, F7, F11 and F14 of one combination. half of
// all trials is a rank among all of them; nothing stands in for an undetected
// one (FD-5.1-17).
func latencySupplement(o *comboState, rate exact.Number, confidence float64, ramp bool) SuppLatency {
	var s SuppLatency
	median, p95 := stats.MedianCI(o.latencies, confidence), stats.P95CI(o.latencies, confidence)
	s.MedianLowS, s.MedianHighS = limit(median.Lower, median.HasLower), limit(median.Upper, median.HasUpper)
	s.P95LowS, s.P95HighS = limit(p95.Lower, p95.HasLower), limit(p95.Upper, p95.HasUpper)
	if half, _, ok := stats.AllTrialsQuantile(o.latencies, o.kept-o.detected, 1, 2); ok {
		s.HalfOfAllS = limit(half, true)
	}
	s.AchievedMean = o.meanAchieved()
	if o.detected == 0 {
		return s
	}
	if ramp {
		s.MedianFromPlateauS = quantileS(o.plateau, 1, 2)
	}
	if q, ok := stats.Quantile(o.latencies, 1, 2); ok {
		s.EvidenceMedian = float(q.Div(exact.Int(int64(exact.Second))).Mul(rate).Float64())
	}
	s.MaxCoversP95 = float(stats.MaxCovers(o.detected, 0.95))
	if o.detected >= 4 { // below, no order of the values can show a trend
		series := make([]float64, len(o.latencies))
		for i, d := range o.latencies {
			series[i] = float64(d)
		}
		s.TrendP = float(stats.MannKendall(series).P)
	}
	return s
}

func limit(d exact.Duration, ok bool) *float64 {
	if !ok {
		return nil
	}
	return float(d.Seconds().Float64())
}

func (c *computer) baselineSupplement(label string, b *baselineState, confidence float64) SuppBaseline {
	s := SuppBaseline{Load: label, Indicator: b.indicator, Point: b.point, MeansDiffer: b.base.MeansDiffer()}
	sd := math.Sqrt(b.base.Variance.Float64())
	low, high := stats.SDFactors(b.base.Windows, confidence)
	s.SDLow, s.SDHigh = float(low*sd), float(high*sd)
	if c.indicators[b.indicator].Kind == "rate" {
		s.Overdispersion, s.GuardSD = float(b.base.Overdispersion()), float(b.base.GuardSD())
	}
	return s
}

// supplementThreshold shows how sure the two final bounds are (AMB-33) and what
// was achieved at them (AMB-34).
func (c *computer) supplementThreshold(r *Result, row Threshold, s *searchState) {
	confidence := c.p.Estimators.Confidence.Float64()
	upper, lower := s.trace[s.upperStep], s.trace[s.lowerStep]
	x := SuppThreshold{Row: RowKey{row.Class, row.Profile, *row.UpperBound, row.Load}, Lower: lower.Magnitude,
		UpperAchieved: s.achieved[s.upperStep], LowerAchieved: s.achieved[s.lowerStep]}
	low, high := stats.ClopperPearson(upper.Detected, upper.Trials, confidence)
	x.UpperLow, x.UpperHigh = float(low), float(high)
	low, high = stats.ClopperPearson(lower.Detected, lower.Trials, confidence)
	x.LowerLow, x.LowerHigh = float(low), float(high)
	r.Supplementary.Threshold = append(r.Supplementary.Threshold, x)
}

func (c *computer) supplementMasking(r *Result, row Masking, m *maskState) {
	if len(m.values) == 0 {
		return
	}
	iv := stats.OfFunc(m.values, stats.MedianRanks(len(m.values), c.p.Estimators.Confidence.Float64()), exact.Number.Cmp)
	s := SuppMasking{Row: RowKey{row.Class, "step", *row.Magnitude, row.Load}}
	if iv.HasLower {
		s.Low = float(iv.Lower.Float64())
	}
	if iv.HasUpper {
		s.High = float(iv.Upper.Float64())
	}
	r.Supplementary.Masking = append(r.Supplementary.Masking, s)
}
