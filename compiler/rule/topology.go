package rule

// Section 3.1.
var topology = []Rule{
	{ID: "FD-3.1-1", How: "a series refers to one environment with one deployment and one apparatus, and to one detector", Why: "With a second injector or detector nobody knows which one a latency belongs to."},
	{
		ID: "FD-3.1-2", How: "requests are sent at the declared rates, whether or not earlier ones were answered", Why: "A closed loop sends fewer requests when answers get slower, and then the load is a result and not a setting.",
		Bad: `series "example" {
  load { points = "1, 10, 21.5, 2000000 req/s" }
}`,
		Good: `series "example" {
  load { points = "1, 10, 21.5, 100 req/s" }
}`,
	},
	{
		ID: "FD-3.1-3", How: "the environment names one boundary", Why: "A model engine and a whole application answer differently to the same fault; a reader has to know which was measured.",
		Bad:  `environment "lab" { sut_boundary = "everything" }`,
		Good: `environment "lab" { sut_boundary = "application_gateway" }`,
	},
	{ID: "FD-3.1-4", How: "the environment names the injection point; the apparatus records onset", Why: "Without an onset there is no latency."},
	{ID: "FD-3.1-5", How: "the environment names the observation point; the signal names the detector", Why: "A signal that the harness itself gives measures the harness."},
	{
		ID: "FD-3.1-6", How: "derived from the order of the path", Why: "Whether a detector can see a fault at all depends on which of the two points a response passes first.",
		Bad:  `environment "lab" { observe_at = "proxy" }`,
		Good: `environment "lab" { observe_at = "guardrail" }`,
	},
	check("FD-3.1-8", "faults are injected before the observation point, or only masking is measured",
		"A fault that enters behind the place where the detector looks cannot be seen there. Trials would all be undetected, or detected by chance.",
		`environment "lab" {
  inject_at  = "gateway"
  observe_at = "engine"
}`,
		`environment "lab" {
  inject_at  = "engine"
  observe_at = "gateway"
}`,
		func(c *Context, l *list) {
			if !c.Knows(Environment) || c.Declaration.Environment.Position != "fip_downstream" {
				return
			}
			faults, searches := c.Series.All("fault"), c.Series.All("threshold")
			if len(faults)+len(searches) == 0 {
				return
			}
			e := c.Declaration.Environment
			add := ""
			if c.Series.One("masking") == nil {
				add = " and add a masking block"
			}
			l.err(at(c.Environment, "", "observe_at"), "Fault that cannot be observed",
				"Faults enter at %q, which a response passes after the observation point %q, so the detector cannot see them. In this arrangement only boundary masking can be measured: move inject_at or observe_at, or leave the fault and threshold blocks out%s.", e.InjectAt, e.ObserveAt, add)
		}),
}
