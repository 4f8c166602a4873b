package rule

// Sections 1.1 and 1.2.
var applicability = []Rule{
	row("FD-1.1-1", "a series has no place for a limit that its result would pass or fail",
		bad("a limit on the detector", `series "example" {
  slo = "median latency below 5m"
}`).edge(),
		good("no limit", `series "example" {
  description = "How fast the detector notices refusals."
}`).edge()),
	row("FD-1.1-2", "every fault block names a class with its indicator, its magnitudes and its profiles",
		bad("a fault without a magnitude", `series "example" {
  fault "refusals" {
    class    = fault_class.refusal
    profiles = ["step"]
    remove "magnitudes" {}
  }
}`).edge(),
		bad("a fault class without an indicator", `fault_class "refusal" {
  direction = "up"
  transform = "refuse/1"
  remove "indicator" {}
}`),
		bad("no profile", `series "example" {
  fault "refusals" { profiles = [] }
}`),
		good("class, magnitude and profile", `series "example" {
  fault "refusals" {
    class      = fault_class.refusal
    magnitudes = [0.1]
    profiles   = ["step"]
  }
}`).edge()),
	row("FD-1.1-3", "the environment is of a kind for tests, and carries no share of real traffic",
		bad("production", `environment "lab" { kind = "production" }`).edge(),
		bad("a canary", `environment "lab" { canary = 0.01 }`),
		good("a simulation", `environment "lab" { kind = "simulated" }`).edge(),
		good("continuous integration", `environment "lab" { kind = "ci" }`).lab(),
	).show(vouched("fd_1_1_3")...),
	row("FD-1.2-1", "a series has one detector in one environment",
		bad("a list of environments", `series "example" {
  environment = [environment.lab]
}`).edge(),
		bad("two detectors", `series "example" {
  detectors = [detector.watch, detector.watch]
}`),
		good("one environment", `series "example" {
  environment = environment.lab
}`).edge()),
	row("FD-1.2-2", "the baseline block takes an interval, and nothing from elsewhere",
		bad("an imported baseline", `series "example" {
  baseline {
    interval = "30m"
    import   = "other-run.json"
  }
}`).edge(),
		good("a baseline of its own", `series "example" {
  baseline { interval = "30m" }
}`).edge()),
	row("FD-1.2-6", "the series of an environment that is no simulation attests what its values are for").show(vouched("fd_1_2_6")...),
	row("FD-1.2-7", "every combination has its trials; the matrix is the whole cross product",
		bad("nothing to detect", `series "example" {
  # no fault, threshold or masking block
  remove "fault" {}
  remove "threshold" {}
  remove "masking" {}
}`).edge(),
		bad("a fault at some loads only", `series "example" {
  fault "refusals" { loads = ["1 req/s"] }
}`),
		bad("no search", `series "example" {
  # no threshold block
  remove "threshold" {}
}`).edge(),
		good("a search and nothing else", `series "example" {
  threshold "refusals" {
    class      = fault_class.refusal
    profile    = "step"
    target     = "18/20"
    resolution = 0.02
    lower      = "floor"
    upper      = 0.3
  }
  remove "fault" {}
  remove "masking" {}
}`).edge(),
		good("no search, for screening", `series "example" {
  # no threshold block
  remove "threshold" {}
  reduced { reason = "a first look" }
}`).edge(),
		good("a fault at every load", `series "example" {
  fault "refusals" {
    class      = fault_class.refusal
    magnitudes = [0.1]
    profiles   = ["step"]
  }
}`),
	).check(wholeSeries),
	row("FD-1.2-8", "a reduced series is asked for with a reduced block, and something of it is reduced",
		bad("nothing is reduced", `series "example" {
  trials { count = 20 }
  reduced { reason = "to save time" }
}`).edge(),
		good("nineteen trials for screening", `series "example" {
  trials { count = 19 }
  reduced { reason = "screening on every change" }
}`).edge(),
		good("ten trials of each kind", `series "example" {
  trials { count = 10 }
  masking { trials = 10 }
  reduced { reason = "screening on every change" }
}`),
	).atLast(func(c *Context, l *list) {
		if !c.Reduced || !c.Knows(Load, Count, Masking) {
			return
		}
		if b := c.Series.One("reduced"); len(c.reductions) == 0 {
			l.warn(b.DefRange.Ptr(), "Nothing is reduced",
				"The series asks to be reduced, and nothing of it is: it has four load points, twenty trials and a search. Take the block out, or reduce something.").removeBlock(b)
		}
	}),
	row("FD-1.2-9", "the compiler lists what is reduced, and the author says why",
		bad("a list of one's own", `series "example" {
  trials { count = 10 }
  reduced {
    reason     = "screening"
    reductions = ["trials"]
  }
}`).edge(),
		bad("no reason", `series "example" {
  trials { count = 10 }
  reduced {
    # no reason
  }
}`),
		good("a reason", `series "example" {
  trials { count = 10 }
  reduced { reason = "screening" }
}`).edge()),
	row("FD-1.2-10", "a reduced block cannot say what its result is called",
		bad("a title of one's own", `series "example" {
  trials { count = 10 }
  reduced {
    reason    = "screening"
    report_as = "conformant"
  }
}`).edge(),
		good("no title", `series "example" {
  trials { count = 10 }
  reduced { reason = "screening" }
}`).edge()),
}

func wholeSeries(c *Context, l *list) {
	faults, searches, masking := c.Series.All("fault"), c.Series.All("threshold"), c.Series.One("masking")
	switch {
	case len(faults)+len(searches) == 0 && masking == nil:
		l.err(c.Series.DefRange.Ptr(), "Series without a fault",
			"There is nothing to detect. Add a fault block with a class, magnitudes and profiles.")
	case len(searches) == 0 && c.Declaration.Environment.Position != "fip_downstream":
		c.reduce(l, "search", "a threshold search (5.3)", "none", c.Series.DefRange.Ptr(), "No threshold search",
			"A full series searches for the Detection Threshold Magnitude, and this one has no threshold block. Add one.")
	}
}
