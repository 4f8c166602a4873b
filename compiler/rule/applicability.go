package rule

// Sections 1.1 and 1.2.
var applicability = []Rule{
	{
		ID:  "FD-1.1-2",
		How: "every fault block names a class with its indicator, its magnitudes and its profiles",
		Why: "A fault without a declared indicator and size gives a latency of nobody knows what.",
	},
	{
		ID:   "FD-1.1-3",
		How:  "the environment is of a kind for tests",
		Why:  "Faults change what users are told. They have no place where there are users.",
		Bad:  `environment "lab" { kind = "production" }`,
		Good: `environment "lab" { kind = "ci" }`,
	},
	{ID: "FD-1.2-1", How: "a series has one detector in one environment", Why: "Merged results describe no detector that exists."},
	{ID: "FD-1.2-2", How: "the language has no way to import a baseline", Why: "A baseline of another environment turns its differences into magnitudes."},
	check("FD-1.2-7", "every combination has its trials; the matrix is the whole cross product",
		"A series that leaves combinations out, or has nothing to detect, is not the series that its report describes.",
		`series "example" {
  # no fault, threshold or masking block
  remove "fault" {}
  remove "threshold" {}
  remove "masking" {}
}`,
		`series "example" {
  fault "refusals" {
    class      = fault_class.refusal
    magnitudes = [0.1]
    profiles   = ["step"]
  }
}`,
		func(c *Context, l *list) {
			faults, searches, masking := c.Series.All("fault"), c.Series.All("threshold"), c.Series.One("masking")
			switch {
			case len(faults)+len(searches) == 0 && masking == nil:
				l.err(c.Series.DefRange.Ptr(), "Series without a fault",
					"There is nothing to detect. Add a fault block with a class, magnitudes and profiles.")
			case len(searches) == 0 && c.Declaration.Environment.Position != "fip_downstream":
				c.list(l, "search", "a threshold search (5.3)", "none")
				if !c.Reduced {
					l.note(c.Series.DefRange.Ptr(), "No threshold search",
						"The series measures no Detection Threshold Magnitude, which belongs to a full series, so its result is that of a reduced one. Add a threshold block to search for the smallest fault that is detected.")
				}
			}
		}),
	lastCheck("FD-1.2-8", "a reduced series is asked for with a reduced block",
		"A series that calls itself reduced and is not hides a result that could be reported in full.",
		`series "example" {
  reduced { reason = "to save time" }
}`,
		`series "example" {
  trials { count = 10 }
  masking { trials = 10 }
  reduced { reason = "screening on every change" }
}`,
		func(c *Context, l *list) {
			if !c.Reduced || !c.Knows(Load, Count, Masking) {
				return
			}
			if len(c.reductions) == 0 {
				l.warn(c.Series.One("reduced").DefRange.Ptr(), "Nothing is reduced",
					"The series asks to be reduced, and nothing of it is: it has four load points, twenty trials and a search. Take the block out, or reduce something.")
			}
		}),
	{ID: "FD-1.2-9", How: "the compiler lists what is reduced, and the author cannot", Why: "A reader has to see what a short series left out."},
}
