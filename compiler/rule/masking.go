package rule

import "fmt"

// Section 5.5.
var masking = []Rule{
	row("FD-5.5-1", "masking has a fault class and a magnitude, its own or the largest of the series",
		bad("no magnitude", `series "example" {
  masking {
    trials = 20
    class  = fault_class.refusal
  }
  remove "fault" {}
  remove "threshold" {}
  reduced { reason = "a first look" }
}`).edge(),
		bad("no fault", `series "example" {
  masking { trials = 20 }
  remove "fault" {}
  remove "threshold" {}
  reduced { reason = "a first look" }
}`),
		good("a magnitude of its own", `series "example" {
  masking {
    trials    = 20
    class     = fault_class.refusal
    magnitude = 0.1
  }
}`).edge()),
	row("FD-5.5-3", "one indicator is computed with one scorer at both points, and no other can be declared",
		bad("another method at the observation point", `series "example" {
  masking { observed_method = indicator.refusal_rate }
}`).edge(),
		good("one method", `series "example" {
  masking { trials = 20 }
}`).edge()),
	row("FD-5.5-5", "masking has at least twenty trials",
		bad("nineteen masking trials", `series "example" {
  masking { trials = 19 }
}`).edge(),
		bad("no number of trials", `series "example" {
  masking {
    # no trials
    remove "trials" {}
  }
}`),
		good("twenty masking trials", `series "example" {
  masking { trials = 20 }
}`).edge(),
		good("ten masking trials of a reduced series", `series "example" {
  masking { trials = 10 }
  reduced { reason = "screening on every change" }
}`),
	).check(func(c *Context, l *list) {
		if m := c.Declaration.Masking; m != nil && c.Knows(Masking) && m.Trials < 20 {
			c.reduce(l, "trials", "20", fmt.Sprintf("%d masking", m.Trials), at(c.Series, "masking", "trials"), "Too few masking trials",
				"At least twenty trials measure boundary masking, and this series runs %d.", m.Trials).set(c.Series.One("masking"), "trials", "20")
		}
	}),
	row("FD-5.5-8", "masking is measured between two different points, or not applicable",
		bad("masking at one point", `environment "lab" {
  inject_at  = "gateway"
  observe_at = "gateway"
}`).edge(),
		good("two points", `environment "lab" {
  inject_at  = "guardrail"
  observe_at = "gateway"
}`).edge(),
		good("one point, no masking", `environment "lab" {
  inject_at  = "gateway"
  observe_at = "gateway"
}
series "example" {
  # no masking block
  remove "masking" {}
}`),
	).check(func(c *Context, l *list) {
		if b := c.Series.One("masking"); c.Knows(Environment) && c.Declaration.Environment.Position == "same" && b != nil {
			l.err(b.DefRange.Ptr(), "Masking at a single point",
				"Faults enter where the detector observes (%q), so boundary masking is zero by construction and is reported as not applicable. Take the masking block out.", c.Declaration.Environment.ObserveAt).removeBlock(b)
		}
	}),
}

// Sections 6 and 7, as far as sections 1.1, 1.2 and 3.2 point to them.
var confinement = []Rule{
	row("FD-6-2", "the version of the detector is a text",
		bad("a number", `detector "threshold" "watch" { version = 2 }`).edge(),
		good("a text", `detector "threshold" "watch" { version = "2" }`).edge()),
	row("FD-6-3", "the model of the deployment is a text and its configuration an object",
		bad("a number", `serving "simulated" "model" { model = 7 }`).edge(),
		bad("a configuration in one word", `serving "simulated" "model" { configuration = "default" }`),
		good("a text", `serving "simulated" "model" { model = "7" }`).edge(),
	).show(vouched("fd_6_3")...),
	row("FD-7-1", "the provenance of the prompts is declared, and a scenario permits no target outside of the test network",
		bad("prompts of users", `population "support" { provenance = "production" }`).edge(),
		bad("a permission for public targets", `environment "lab" { allow_public = true }`),
		good("synthetic prompts", `population "support" { provenance = "synthetic" }`).edge(),
		bad("a public address", `serving "openai" "endpoint" { base_url = "http://11.0.0.0:8000" }`).live(),
		bad("an address that programs read in different ways", `serving "openai" "endpoint" { base_url = "http://127.1:8000" }`).live(),
		bad("a receiver for everybody", `detector "prometheus" "alerts" {
  receiver { listen = "0.0.0.0:9105" }
}`).live(),
		bad("a receiver that others reach without a token", `detector "prometheus" "alerts" {
  receiver { listen = "10.0.0.7:9105" }
}`).live(),
		good("a private address", `serving "openai" "endpoint" { base_url = "http://10.255.255.255:8000" }`).live(),
		good("a receiver with a token", `detector "prometheus" "alerts" {
  receiver {
    listen    = "10.0.0.7:9105"
    token_env = "RECEIVER_TOKEN"
  }
}`).live(),
	).show(vouched("fd_7_1")...),
}
