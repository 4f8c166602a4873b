package measure

import (
	"fmt"
	"math"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/folder"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/stats"
)

// places is how many decimals a mean or a standard deviation is given with.
// Rules use the fraction itself.
const places = 9

// footer limits what a value may be used for (FD-1.1-1, FD-1.2-6).
const footer = "These values characterise one detector in one declared environment. They carry no meaning outside it, " +
	"are not made for ranking detectors across organisations, and do not say whether the detector is adequate for any purpose."

// result makes the result of what was read.
func (c *computer) result() *Result {
	c.unremoved("FD-5.1-6")
	for i := range c.loads {
		for j := range c.loads[i].baselines {
			c.loads[i].baselines[j].finish()
		}
	}
	d := &c.p.Declaration
	r := &Result{
		Format:         Format,
		PlanDigest:     c.p.Digest,
		Series:         c.p.Series,
		Generation:     c.open.Generation,
		Exploratory:    c.open.Exploratory,
		Earlier:        append([]journal.Generation{}, c.open.Earlier...),
		Comparability:  comparability(c.p),
		Apparatus:      d.Apparatus,
		FaultClasses:   append([]plan.FaultClass{}, d.FaultClasses...),
		Indicators:     append([]plan.Indicator{}, d.Indicators...),
		Detector:       d.Detector,
		Signal:         d.Signal,
		Caching:        Caching{d.Environment.Caching, d.Environment.CachingProof},
		Baseline:       c.baselineRows(),
		Quiet:          c.quietRows(),
		FalseDetection: c.falseRows(),
		Targets:        make([]Target, 0, len(c.open.Targets)),
		Threshold:      make([]Threshold, 0, len(c.searches)),
		Latency:        make([]Latency, 0, len(c.combos)),
		Coverage:       make([]Coverage, 0, len(c.combos)),
		Topology: Topology{
			Environment:      d.Environment.Name,
			Kind:             d.Environment.Kind,
			SUTBoundary:      d.Environment.SUTBoundary,
			Path:             append([]string{}, d.Environment.Path...),
			InjectionPoint:   d.Environment.InjectAt,
			ObservationPoint: d.Environment.ObserveAt,
			Position:         d.Environment.Position,
		},
		Footer: Footer{Statement: footer, JournalSHA256: c.journalSum(), Journal: folder.JournalFile},
	}
	c.planned()
	c.supplement(r)
	bound := c.clocks(r)
	r.Readback = c.readings()
	if c.open.Time == timeReal {
		r.Reception = &c.reception
	}
	r.Traffic = c.traffics()
	for _, t := range c.open.Targets {
		r.Targets = append(r.Targets, Target{Name: t.Name, Address: t.Address, OptedIn: t.Allowed})
	}
	c.latencyRows(r, bound)
	c.thresholdRows(r)
	c.maskingRows(r)
	c.conclude(r, bound != nil)
	return r
}

func (c *computer) baselineRows() []Baseline {
	rows := []Baseline{}
	faulted := c.faulted()
	for i := range c.loads {
		l, point := &c.loads[i], c.p.Declaration.Load.Points[i]
		switch {
		case l.based:
		case c.stopped() && l.trials == 0:
			c.never.baselines++
			continue
		default:
			c.breach("FD-4.2-1", l.label, "no Baseline Interval is on record", 0)
			continue
		}
		for j := range l.baselines {
			b := &l.baselines[j]
			moved := faulted[b.indicator]
			if moved {
				c.sufficient(l.label+", "+b.indicator, b)
			}
			if !b.done {
				continue
			}
			row := Baseline{
				Load: l.label, Indicator: b.indicator, Unit: c.indicators[b.indicator].Unit, Point: b.point,
				Windows: b.base.Windows, UndefinedWindows: b.base.Undefined, Responses: b.base.Responses,
				WindowS: seconds(int64(b.width)), IntervalS: seconds(l.interval),
			}
			if b.ok {
				row.Mean = text(b.base.Pooled.Decimal(places))
				row.SD = text(b.base.SD(places).String())
				row.WindowsMean = text(b.base.Mean.Decimal(places))
			}
			rows = append(rows, row)
		}
		switch interval := exact.Duration(l.interval); {
		case l.unclear:
		case interval < stats.MinBaseline(0):
			c.breach("FD-4.2-3", l.label, fmt.Sprintf("the Baseline Interval lasted %s, and 300 s are the least", interval), 0)
		case interval < stats.MinBaseline(point.Window):
			c.breach("FD-4.2-2", l.label, fmt.Sprintf("the Baseline Interval lasted %s, and ten aggregation windows of %s are the least", interval, point.Window), 0)
		case interval < point.Baseline:
			c.breach("FD-4.2-2", l.label, fmt.Sprintf("the Baseline Interval lasted %s, and the plan declares %s", interval, point.Baseline), 0)
		}
	}
	return rows
}

// sufficient checks what the baseline of a faulted indicator at one point has
// to hold: a mean where the apparatus acts (FD-4.2-4), the standard deviation
// that magnitudes are compared with where the detector looks (FD-4.2-7), and
// ten windows with responses (FD-4.2-2, FD-4.2-5; AMB-02).
func (c *computer) sufficient(subject string, b *baselineState) {
	switch {
	case b.lost:
	case !b.done && b.point == pointInjection:
		c.breach("FD-4.2-4", subject, "no baseline mean is on record at the injection point", 0)
	case !b.done:
		c.breach("FD-4.2-7", subject, "no baseline is on record at the observation point, so whether a magnitude is below two standard deviations cannot be told", 0)
	case !b.ok:
		c.breach("FD-4.2-5", subject, "fewer than two windows of the baseline at the "+b.point+" point hold a response, so it has no standard deviation", 0)
	case b.base.Windows < 10:
		c.breach("FD-4.2-2", subject, fmt.Sprintf("the baseline at the %s point has %d windows with responses, and ten are the least", b.point, b.base.Windows), 0)
	}
}

// faulted tells which indicators some fault of the plan moves.
func (c *computer) faulted() map[string]bool {
	m := make(map[string]bool)
	for _, t := range c.p.Combinations.Trials {
		m[c.classes[t.Class].Indicator] = true
	}
	for _, s := range c.p.Combinations.Searches {
		m[c.classes[s.Class].Indicator] = true
	}
	for _, k := range c.masking {
		m[c.classes[k.target.Class].Indicator] = true
	}
	return m
}

func (c *computer) quietRows() []Quiet {
	q := c.p.Declaration.Quiet
	rule := fmt.Sprintf("at least %s, then until the mean of the last %d windows of every affected indicator is within one sd of its baseline mean "+
		"and no alert state is active, at most %s", q.AtLeast, q.Windows, q.AtMost)
	rows := make([]Quiet, 0, len(c.loads))
	for i := range c.loads {
		l := &c.loads[i]
		row := Quiet{Load: l.label, Rule: rule, Periods: len(l.quiet) + l.notReached, Failed: l.notReached,
			AtLeastS: seconds(int64(q.AtLeast)), AtMostS: seconds(int64(q.AtMost))}
		row.MinS = quantileS(l.quiet, 0, 1)
		row.MedianS = quantileS(l.quiet, 1, 2)
		row.MaxS = quantileS(l.quiet, 1, 1)
		rows = append(rows, row)
	}
	return rows
}

// falseRows makes the False Detection Rate of each load that was observed. The
// time under fault sums every application at the load, of whatever purpose and
// outcome, from apply to confirmed removal; sham trials apply nothing and are
// not in it (FD-5.4-4, AMB-28).
func (c *computer) falseRows() []FalseDetection {
	rows := []FalseDetection{}
	declared := c.p.Declaration.FalseDetection.AtLeast
	for i := range c.loads {
		l := &c.loads[i]
		if !l.falseSeen && c.stopped() && l.trials == 0 {
			c.never.observations++
			continue
		}
		if !l.falseSeen {
			c.breach("FD-5.4-3", l.label, "no observation of false detections is on record", 0)
			continue
		}
		required := stats.FalseDetectionPeriod(declared, exact.Duration(l.underFault))
		switch span := l.falseSpan; {
		case span < l.underFault:
			c.breach("FD-5.4-4", l.label, fmt.Sprintf("false detections were observed for %s, and faults were applied for %s in all",
				exact.Duration(span), exact.Duration(l.underFault)), 0)
		case span < int64(declared):
			c.breach("FD-5.4-2", l.label, fmt.Sprintf("false detections were observed for %s, and the plan declares %s", exact.Duration(span), declared), 0)
		}
		row := FalseDetection{
			Load: l.label, Count: l.falseCount, Edges: l.falseEdges, PeriodS: seconds(l.falseSpan),
			RequiredS: seconds(int64(required)), TimeUnderFaultS: seconds(l.underFault), ActiveS: seconds(l.falseActiv),
		}
		if c.open.Time == timeReal {
			l.observed.report(&row)
		}
		rows = append(rows, row)
	}
	return rows
}

func (c *computer) latencyRows(r *Result, bound *float64) {
	for i, t := range c.p.Combinations.Trials {
		s, l := &c.combos[i], &c.loads[t.Load]
		name := c.comboName(t)
		if c.stopped() && s.attempts() == 0 {
			c.never.combinations++
		} else {
			c.count(name, s.outcome, t.Trials)
		}
		cov := NewCoverage(RowKey{t.Class, t.Profile.Name, t.Magnitude.String(), l.label}, s.detected, s.kept)
		if b, ok := c.base(t.Load, t.Class, sdPoint); ok {
			cov.BaselineSD = text(b.SD(places).String())
			cov.Below2SD = stats.BelowTwoSD(t.Magnitude, b.Variance)
		}
		r.Coverage = append(r.Coverage, cov)
		row := Latency{
			Class: t.Class, Profile: t.Profile.Name, Magnitude: t.Magnitude.String(), Load: l.label,
			Trials: s.kept, Detected: s.detected, Undetected: s.kept - s.detected, Discarded: s.discarded,
			Attempts: s.attempts(), Required: t.Trials, TimeoutS: t.Timeout.Seconds().Float64(), Estimator: c.p.Estimators.Quantile, ErrorBoundS: bound,
			MedianS: quantileS(s.latencies, 1, 2), P95S: quantileS(s.latencies, 19, 20), MeanS: meanS(s.latencies),
			P95IsMax: s.detected > 0 && s.detected < 20, Below2SD: cov.Below2SD, BaselineSD: cov.BaselineSD,
		}
		if !l.falseSeen {
			row.MedianS, row.P95S, row.MeanS, row.Withheld = nil, nil, nil, "FD-5.4-6"
			if s.attempts() > 0 {
				c.breach("FD-5.4-6", l.label, "Detection Latency is withheld: no False Detection Rate of this load accompanies it", 0)
			}
		}
		r.Latency = append(r.Latency, row)
	}
}

func (c *computer) comboName(t plan.Combination) string {
	return t.Class + ", " + t.Magnitude.String() + ", " + t.Profile.Name + ", " + c.loads[t.Load].label
}

// count compares the kept trials of a combination with what was planned.
func (c *computer) count(name string, o outcome, required int) {
	switch {
	case o.kept < required && o.discarded > 0:
		c.breach("FD-3.4-8", name, fmt.Sprintf("%d of %d trials were kept, %d were discarded and not all of them repeated", o.kept, required, o.discarded), 0)
	case o.kept < required:
		c.breach("FD-5.1-7", name, fmt.Sprintf("%d of %d trials were run", o.kept, required), 0)
	case o.kept > required:
		c.breach("FD-5.1-7", name, fmt.Sprintf("%d trials were kept, and %d are planned", o.kept, required), 0)
	}
}

func (c *computer) thresholdRows(r *Result) {
	for i, ps := range c.p.Combinations.Searches {
		s, l := &c.searches[i], &c.loads[ps.Load]
		name := c.searchName(ps)
		status := s.outcome()
		switch {
		case c.stopped() && !s.begun():
			c.never.searches++
		case s.recorded == "" || s.recorded == SearchIncomplete:
			c.breach("FD-5.3-8", name, "the search did not come to its end", 0)
		}
		row := Threshold{Class: ps.Class, Profile: ps.Profile.Name, Load: l.label, Status: status,
			Target: ps.TargetText, Resolution: ps.Resolution.String(), Trace: append([]TraceStep{}, s.trace...)}
		if row.Target == "" {
			row.Target = ps.Target.String()
		}
		if !l.falseSeen {
			row.Withheld, row.Trace = "FD-5.4-7", []TraceStep{}
			if s.begun() {
				c.breach("FD-5.4-7", l.label, "the threshold is withheld: no False Detection Rate of this load accompanies it", 0)
			}
		}
		if status == SearchFound && s.upper != nil && l.falseSeen {
			row.UpperBound = text(s.upper.String())
			c.supplementThreshold(r, row, s)
		}
		if b, ok := c.base(ps.Load, ps.Class, sdPoint); ok {
			row.BaselineSD = text(b.SD(places).String())
		}
		r.Threshold = append(r.Threshold, row)
	}
}

func seconds(ns int64) float64 { return exact.Duration(ns).Seconds().Float64() }

func text(s string) *string { return &s }

// float keeps what JSON has no form for out of a result.
func float(f float64) *float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return &f
}

// quantileS is the quantile of nanoseconds in seconds, or nil without data.
func quantileS[T ~int64](data []T, num, den int64) *float64 {
	q, ok := stats.Quantile(data, num, den)
	if !ok {
		return nil
	}
	return float(q.Div(exact.Int(int64(exact.Second))).Float64())
}

func meanS(data []exact.Duration) *float64 {
	if len(data) == 0 {
		return nil
	}
	var sum exact.Number
	for _, d := range data {
		sum = sum.Add(d.Seconds())
	}
	return float(sum.Div(exact.Int(int64(len(data)))).Float64())
}
