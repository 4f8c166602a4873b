package measure

import (
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/stats"
)

// maskState gathers the masking trials of one target at one load.
type maskState struct {
	outcome
	load   int
	target plan.MaskingTarget
	values []exact.Number
}

func (c *computer) maskingOf(t *journal.TrialRecord) *maskState {
	for i := range c.masking {
		m := &c.masking[i]
		if m.load == t.Load && m.target.Class == t.Class && m.target.Magnitude.Cmp(t.Magnitude) == 0 {
			return m
		}
	}
	return nil
}

// maskingTrial takes 1 - op/fip of one trial, each magnitude being a change
// from the own baseline of its point (FD-5.5-6, AMB-37).
func (c *computer) maskingTrial(e journal.Entry, t *journal.TrialRecord, m *maskState) {
	v := t.Verification
	if c.lacks("verification", "verification.n", "verification.sum_injection", "verification.sum_before", "verification.sum_observation") {
		return
	}
	subject := fmt.Sprintf("%s, %s, %s", t.Class, t.Magnitude, c.loads[t.Load].label)
	var fip, op exact.Number
	switch {
	case v.N <= 0:
		c.breach("FD-5.5-1", subject, "a masking trial measured no response, so the magnitude at the Fault Injection Point is not known", e.Line)
		return
	case v.Method == methodPaired:
		fip, op = exact.Frac(v.Injected-v.Before, v.N), exact.Frac(v.Observed-v.Before, v.N)
	default:
		bi, ok1 := c.base(t.Load, t.Class, pointInjection)
		bo, ok2 := c.base(t.Load, t.Class, pointObservation)
		if !ok1 || !ok2 {
			return // what the baseline lacks is a violation
		}
		fip, op = exact.Frac(v.Injected, v.N).Sub(bi.Pooled), exact.Frac(v.Observed, v.N).Sub(bo.Pooled)
	}
	if !c.lacks("verification.observed_from_ns", "verification.observed_to_ns", "verification.observed_n") &&
		(v.ObservedFrom != v.From || v.ObservedTo != v.To || v.ObservedN != v.N) {
		c.breach("FD-5.5-2", subject, "the indicator was not measured at both points over the same interval and the same requests", e.Line)
	}
	if fip.Sign() == 0 {
		c.breach("FD-5.5-1", subject, "a masking trial moved nothing at the Fault Injection Point", e.Line)
		return
	}
	m.values = append(m.values, stats.Masking(fip, op))
}

func (c *computer) maskingRows(r *Result) {
	r.Masking = []Masking{}
	if c.p.Declaration.Environment.Position == positionSame {
		c.maskingNotApplicable(r)
		return
	}
	for i := range c.masking {
		m := &c.masking[i]
		l, ind := &c.loads[m.load], c.indicators[c.classes[m.target.Class].Indicator]
		required := c.p.Declaration.Masking.Trials
		magnitude := m.target.Magnitude.String()
		name := m.target.Class + ", " + magnitude + ", " + l.label
		row := Masking{Class: m.target.Class, Magnitude: text(magnitude), Load: l.label, Status: "value",
			Trials: len(m.values), Required: required, Discarded: m.discarded, Method: maskingMethod(ind, c.p.Declaration.Apparatus.Verify)}
		if b, ok := c.base(m.load, m.target.Class, sdPoint); ok {
			row.BaselineSD = text(b.SD(places).String())
			row.Below2SD = stats.BelowTwoSD(m.target.Magnitude, b.Variance)
		}
		if len(m.values) < required {
			row.Status = "incomplete"
		}
		if c.stopped() && m.attempts() == 0 {
			c.never.masking++
		} else if m.kept < required {
			c.breach("FD-5.5-5", name, fmt.Sprintf("%d of %d masking trials were kept", m.kept, required), 0)
		}
		if median, ok := stats.QuantileNumbers(m.values, 1, 2); ok {
			row.Median = float(median.Float64())
		}
		r.Masking = append(r.Masking, row)
		c.supplementMasking(r, row, m)
	}
}

// maskingNotApplicable gives a row to every class at every load that it is
// applied at, by trials of any kind (FD-5.5-8).
func (c *computer) maskingNotApplicable(r *Result) {
	for i := range c.loads {
		seen := make(map[string]bool)
		add := func(class string) {
			if !seen[class] {
				seen[class] = true
				r.Masking = append(r.Masking, Masking{Class: class, Load: c.loads[i].label, Status: "not_applicable",
					Method: "the Fault Injection Point and the Observation Point are the same: zero by construction"})
			}
		}
		for _, t := range c.p.Combinations.Trials {
			if t.Load == i {
				add(t.Class)
			}
		}
		for _, q := range c.p.Combinations.Searches {
			if q.Load == i {
				add(q.Class)
			}
		}
	}
}

// maskingMethod says in words how the two magnitudes were measured (FD-5.5-7).
func maskingMethod(ind plan.Indicator, verify string) string {
	how := "at both points over the same span, each less the baseline mean of its own point"
	if verify == methodPaired {
		how = "on the same responses at both points, each less what the responses scored before the apparatus changed them"
	}
	return ind.Name + " (" + ind.Method() + ") " + how
}
