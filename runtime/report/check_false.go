package report

import "github.com/fdbench/fdbench/runtime/measure"

// falseRow is the False Detection Rate of a load, or nil.
func (c *checker) falseRow(load string) *measure.FalseDetection {
	for i := range c.r.FalseDetection {
		if c.r.FalseDetection[i].Load == load {
			return &c.r.FalseDetection[i]
		}
	}
	return nil
}

// falseDetections checks section 5.4: the count with its period at every load,
// and a period that is long enough or a violation that says that it is not.
func (c *checker) falseDetections() {
	for i, x := range c.r.FalseDetection {
		switch {
		case x.PeriodS <= 0 || x.Count < 0 || x.Edges < 0 || x.Edges > x.Count:
			c.omit("FD-5.4-5", place("false_detection", i, ""), "the False Detection Rate at %s is reported without its count or its period", x.Load)
		case decimal(x.PeriodS).Cmp(decimal(x.TimeUnderFaultS)) < 0 && !c.explained(x.Load, "FD-5.4-4"):
			c.omit("FD-5.4-4", place("false_detection", i, "period_s"), "false detections were observed for %s s at %s, faults were applied for %s s, and nothing says that this is too short",
				number(&x.PeriodS), x.Load, number(&x.TimeUnderFaultS))
		case decimal(x.RequiredS).Cmp(decimal(x.TimeUnderFaultS)) < 0:
			c.omit("FD-5.4-4", place("false_detection", i, "required_s"), "the period asked for at %s is shorter than the time under fault", x.Load)
		}
	}
	for _, load := range c.offered {
		if c.falseRow(load) != nil {
			continue
		}
		said := c.explained(load, "FD-5.4-1", "FD-5.4-2", "FD-5.4-3")
		latency, threshold, rows := -1, -1, false
		for i, l := range c.r.Latency {
			if l.Load == load && latency < 0 && (!withheldLatency(&l) || !said && !c.violated(load, "FD-5.4-6")) {
				latency = i
			}
			rows = rows || l.Load == load
		}
		for i, t := range c.r.Threshold {
			if t.Load == load && threshold < 0 && (!withheldThreshold(&t) || !said && !c.violated(load, "FD-5.4-7")) {
				threshold = i
			}
			rows = rows || t.Load == load
		}
		switch {
		case latency >= 0 || threshold >= 0:
			if latency >= 0 {
				c.omit("FD-5.4-6", place("latency", latency, ""), "latencies at %s are reported, and no False Detection Rate of this load accompanies them", load)
			}
			if threshold >= 0 {
				c.omit("FD-5.4-7", place("threshold", threshold, ""), "a threshold at %s is reported, and no False Detection Rate of this load accompanies it", load)
			}
		case !said && !rows:
			c.omit("FD-5.4-5", "false_detection", "no count and period of false detections at %s is reported", load)
		}
	}
}

// maskings checks section 5.5.
func (c *checker) maskings() {
	same := c.r.Topology.Position == positionSame
	for i, m := range c.r.Masking {
		row := "the masking of " + rowName(m.Class, deref(m.Magnitude), "", m.Load)
		at := func(member string) string { return place("masking", i, member) }
		switch {
		case same && (m.Status != notApplicable || m.Median != nil || m.Trials != 0):
			c.omit("FD-5.5-8", at("status"), "%s has a value, and the two points are the same: it is zero by construction and not applicable", row)
			continue
		case !same && m.Status == notApplicable:
			c.omit("FD-5.5-8", at("status"), "%s is called not applicable, and the two points are not the same", row)
			continue
		}
		if c.classes[m.Class] == "" {
			c.omit("FD-4.2-6", at("class"), "%s is of a fault class that the report does not describe, so its magnitude has no unit", row)
			continue
		}
		if m.Method == "" {
			c.omit("FD-5.5-7", at("method"), "%s is reported without the method of measurement at both points", row)
		}
		if same || !c.magnitude("FD-4.2-6", at("magnitude"), row, deref(m.Magnitude)) {
			continue
		}
		c.twoSD("masking", i, m.Class, deref(m.Magnitude), m.Load, row, m.Below2SD, m.BaselineSD)
		short := c.explained(m.Load, unmasked...)
		switch {
		case m.Required < 20 && !c.reduced("trials"):
			c.omit("FD-1.2-9", at("required"), "%s was planned with %s instead of twenty, and this reduction is not stated", row, plural(m.Required, "trial"))
		case m.Trials < m.Required && !short:
			c.omit("FD-5.5-5", at("trials"), "%s rests on %s of %d, and nothing says why", row, plural(m.Trials, "trial"), m.Required)
		case m.Median == nil && !short:
			c.omit("FD-5.5-6", at("median"), "%s is reported without its median over the trials", row)
		case m.Status != "value" && m.Status != "incomplete" || m.Status == "value" && m.Trials < m.Required:
			c.omit("FD-5.5-6", at("status"), "%s has the status %q, which does not fit its trials", row, m.Status)
		case m.Median != nil:
			for _, s := range c.r.Supplementary.Masking {
				if s.Row != (measure.RowKey{Class: m.Class, Profile: s.Row.Profile, Magnitude: deref(m.Magnitude), Load: m.Load}) {
					continue
				}
				if s.Low != nil && *m.Median < *s.Low || s.High != nil && *m.Median > *s.High {
					c.omit("FD-5.5-6", at("median"), "%s is not a median of its trials: it lies outside the interval that their order gives", row)
				}
			}
		}
	}
}

const notApplicable = "not_applicable"

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
