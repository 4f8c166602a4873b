package rule

import "fmt"

// Section 5.5.
var masking = []Rule{
	{ID: "FD-5.5-3", How: "one indicator is computed with one scorer at both points", Why: "Two methods differ without any masking."},
	check("FD-5.5-5", "masking has at least twenty trials",
		"The median of a few ratios is mostly chance.",
		`series "example" {
  masking { trials = 19 }
}`,
		`series "example" {
  masking { trials = 20 }
}`,
		func(c *Context, l *list) {
			if m := c.Declaration.Masking; m != nil && c.Knows(Masking) && m.Trials < 20 {
				c.reduce(l, "trials", "20", fmt.Sprintf("%d masking", m.Trials), at(c.Series, "masking", "trials"), "Too few masking trials",
					"At least twenty trials measure boundary masking, and this series runs %d.", m.Trials)
			}
		}),
	check("FD-5.5-8", "masking is measured between two different points, or not applicable",
		"At one point nothing can be lost between two. A measured 0.00 would look like a finding.",
		`environment "lab" {
  inject_at  = "gateway"
  observe_at = "gateway"
}`,
		`environment "lab" {
  inject_at  = "engine"
  observe_at = "gateway"
}`,
		func(c *Context, l *list) {
			if c.Knows(Environment) && c.Declaration.Environment.Position == "same" && c.Series.One("masking") != nil {
				l.err(c.Series.One("masking").DefRange.Ptr(), "Masking at a single point",
					"Faults enter where the detector observes (%q), so boundary masking is zero by construction and is reported as not applicable. Take the masking block out.", c.Declaration.Environment.ObserveAt)
			}
		}),
}

// Section 7, as far as section 1.1 points to it.
var confinement = []Rule{
	{ID: "FD-7-1", How: "the environment is of a kind for tests, and the provenance of the prompts is declared", Why: "Faults and synthetic traffic must not reach anything that people rely on."},
}
