package rule

// Section 3.1.
var topology = []Rule{
	row("FD-3.1-1", "a series refers to one environment with one deployment and one apparatus, and to one detector",
		bad("no detector", `series "example" {
  # no detector
  remove "detector" {}
}`).edge(),
		bad("two injectors", `apparatus "simulated" "other" {}

environment "lab" { apparatus = [apparatus.injector, apparatus.other] }`),
		good("one of each", `environment "lab" { apparatus = apparatus.injector }

series "example" { detector = detector.watch }`).edge()),
	row("FD-3.1-2", "requests are sent at the declared rates, whether or not earlier ones were answered",
		bad("a closed loop", `series "example" {
  load { concurrency = 8 }
}`),
		bad("a rate of 0", `series "example" {
  load { points = ["0 req/s", "1 req/s", "21.5 req/s", "100 req/s"] }
}`),
		bad("more than a million requests a second", `series "example" {
  load { points = ["1 req/s", "10 req/s", "21.5 req/s", "1000001 req/s"] }
}`).edge(),
		bad("no population", `series "example" {
  # no population
  remove "population" {}
}`),
		good("declared rates", `series "example" {
  load { points = ["1 req/s", "10 req/s", "21.5 req/s", "100 req/s"] }
}`),
		good("a million requests a second", `series "example" {
  load { points = ["1 req/s", "10 req/s", "21.5 req/s", "1000000 req/s"] }
}`).edge(),
		bad("a connection for every request, until there are no more", coldConnections("480 req/s")).live().warned(),
		good("a connection for every request, at a lower load", coldConnections("470 req/s")).live(),
	).check(keepsUp),
	row("FD-3.1-3", "the environment names one boundary",
		bad("an unknown boundary", `environment "lab" { sut_boundary = "everything" }`),
		bad("two boundaries", `environment "lab" { sut_boundary = ["model_engine", "application_gateway"] }`).edge(),
		bad("no boundary", `environment "lab" {
  # no sut_boundary
  remove "sut_boundary" {}
}`),
		good("one boundary", `environment "lab" { sut_boundary = "application_gateway" }`).edge()),
	row("FD-3.1-4", "the environment names one injection point; the apparatus records onset there",
		bad("no injection point", `environment "lab" {
  path       = ["engine", "guardrail", "gateway"]
  observe_at = "gateway"
  remove "inject_at" {}
}`).edge(),
		bad("two injection points", `environment "lab" { inject_at = ["engine", "guardrail"] }`),
		good("an injection point", `environment "lab" {
  path       = ["engine", "guardrail", "gateway"]
  inject_at  = "engine"
  observe_at = "gateway"
}`).edge()),
	row("FD-3.1-5", "the signal comes from a detector, and from nothing that applies faults or answers",
		bad("a signal of the injector", `signal "page" { component = apparatus.injector }`).edge(),
		bad("a signal of the deployment", `signal "page" { component = serving.model }`),
		good("a signal of the detector", `signal "page" { component = detector.watch }`).edge(),
	).show(vouched("fd_3_1_5")...),
	row("FD-3.1-6", "the position is derived from the order of the path, on which both points lie",
		bad("no observation point", `environment "lab" {
  path      = ["engine", "guardrail", "gateway"]
  inject_at = "engine"
  remove "observe_at" {}
}`),
		bad("a point outside of the path", `environment "lab" { observe_at = "proxy" }`).edge(),
		bad("a position beside the path", `environment "lab" { position = "fip_upstream" }`),
		good("a point of the path", `environment "lab" { observe_at = "guardrail" }`).edge()),
	row("FD-3.1-8", "faults are injected before the observation point or at it, or only masking is measured",
		bad("a fault behind the observation point", `environment "lab" {
  path       = ["engine", "guardrail", "gateway"]
  inject_at  = "gateway"
  observe_at = "guardrail"
}`).edge(),
		good("a fault at the observation point", `environment "lab" {
  path       = ["engine", "guardrail", "gateway"]
  inject_at  = "guardrail"
  observe_at = "guardrail"
}
series "example" {
  remove "masking" {}
}`).edge(),
		good("masking behind the observation point", `environment "lab" {
  inject_at  = "gateway"
  observe_at = "engine"
}
series "example" {
  masking {
    trials    = 20
    class     = fault_class.refusal
    magnitude = 0.1
  }
  remove "fault" {}
  remove "threshold" {}
}`),
	).check(func(c *Context, l *list) {
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
