package measure

// RuleSeries is the requirement that a series did not come to its end breaks,
// and Interrupted the detail where its journal is not closed.
const (
	RuleSeries  = "FD-1.2-7"
	Interrupted = "the journal does not come to its end: the run was interrupted"
)

// conclude settles under which name the result may be passed on.
func (c *computer) conclude(r *Result, errorBound bool) {
	d := &c.p.Declaration
	virtual := c.open.Time == timeVirtual || modelled(c.p) != ""
	ended := c.closing != nil && c.closing.Status == "complete"
	switch {
	case c.closing == nil:
		c.breach(RuleSeries, "", Interrupted, 0)
	case !ended:
		c.breach(RuleSeries, "", "the run ended incomplete: "+c.closing.Reason, 0)
	case c.segment != nil:
		c.breach(RuleSeries, c.segment.Name, "the last segment was not finished", 0)
	}
	c.shamsCounted()
	if s := c.unreached(); s != "" {
		c.breach(RuleSeries, "", s, 0)
	}
	if c.unrested != "" {
		c.restless(c.unrested, c.unrestedLine)
	}
	c.takeOver()
	f := Conformance{
		Methodology: "fault-detection",
		Time:        c.open.Time,
		Complete:    ended && !c.short(),
		Reductions:  make([]Reduction, 0, len(d.Reductions)),
		Deviations:  make([]Deviation, 0, len(d.Deviations)),
		Attested:    make([]Attested, 0, len(d.Attestations)),
		Violations:  c.breaches.violations(),
	}
	for _, x := range d.Reductions {
		f.Reductions = append(f.Reductions, Reduction(x))
	}
	if len(f.Reductions) > 0 {
		f.ReducedReason = d.ReducedReason
	}
	for _, x := range d.Deviations {
		f.Deviations = append(f.Deviations, Deviation(x))
	}
	for _, x := range d.Attestations {
		f.Attested = append(f.Attested, Attested(x))
	}
	switch {
	case virtual:
		f.Status = StatusSimulated
	case len(f.Violations) > 0:
		f.Status = StatusNonconform
	case len(f.Reductions) > 0:
		f.Status = StatusReduced
	case errorBound:
		f.Status = StatusErrorBound
	default:
		f.Status = StatusConformant
	}
	r.Conformance = f
}

// short tells whether something that the plan asks for was not done in full.
func (c *computer) short() bool {
	for i, t := range c.p.Combinations.Trials {
		if c.combos[i].kept < t.Trials {
			return true
		}
	}
	for i := range c.searches {
		if c.searches[i].outcome() == SearchIncomplete {
			return true
		}
	}
	for i := range c.masking {
		if len(c.masking[i].values) < c.p.Declaration.Masking.Trials {
			return true
		}
	}
	for i := range c.loads {
		l := &c.loads[i]
		if l.sham.attempts() < c.shams() {
			return true
		}
		if !l.falseSeen || l.falseSpan < l.underFault || l.falseSpan < int64(c.p.Declaration.FalseDetection.AtLeast) || l.interval == 0 {
			return true
		}
	}
	return false
}
