package rule

import (
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/hashicorp/hcl/v2"
)

// Sections 3.4 and 3.5.
var injection = []Rule{
	{ID: "FD-3.4-1", How: "onset is kept in whole nanoseconds", Why: "A latency is no finer than the stamp that it begins with."},
	{ID: "FD-3.4-2", How: "onset is stamped by the apparatus, which reads nothing of the detector", Why: "An onset taken from the detector makes every latency zero."},
	{ID: "FD-3.4-3", How: "the apparatus removes what it applies, and confirms it", Why: "A fault that stays is the baseline of the next trial."},
	{ID: "FD-3.4-4", How: "the apparatus acts inside the deployment and has no way to the detector", Why: "A detector that is told measures the message."},
	check("FD-3.4-6", "the achieved magnitude is measured at the injection point while the fault is applied",
		"A magnitude that is only intended may be another one. Measured over too short a span, or after the fault has gone, it says nothing.",
		`series "example" {
  trials {
    timeout      = "20m"
    verification = "30m"
  }
}`,
		`series "example" {
  trials {
    timeout      = "20m"
    verification = "20m"
  }
}`,
		verificationFits),
	check("FD-3.4-8", "discarded attempts are repeated, up to the declared number",
		"A combination whose attempts run out has fewer trials than the series promises.",
		`series "example" {
  trials {
    count    = 20
    attempts = 19
  }
}`,
		`series "example" {
  trials {
    count    = 20
    attempts = 30
  }
}`,
		func(c *Context, l *list) {
			t := c.Declaration.Trials
			if c.Knows(Count, Attempts) && t.Attempts < t.Count {
				l.err(at(c.Series, "trials", "attempts"), "Fewer attempts than trials",
					"%d trials have to be kept, and %d attempts are allowed. A discarded attempt is repeated, so allow more attempts than trials.", t.Count, t.Attempts)
			}
		}),
}

// verificationFits checks that V lies within the time that the fault is
// applied, at each load and for each profile (AMB-07, AMB-11).
func verificationFits(c *Context, l *list) {
	if !c.Knows(Load, Detector, Timeout, Verification) {
		return
	}
	for _, p := range c.Declaration.Load.Points {
		if p.Verification > p.Timeout {
			l.err(at(c.Series, "trials", "verification"), "Verification longer than a trial",
				"At %s req/s the achieved magnitude is measured over %s, and a trial may end after %s. Shorten the verification, or lengthen the timeout.", p.Rate, p.Verification, p.Timeout)
			return
		}
		if n := p.Verification.Seconds().Mul(p.Rate); n.Cmp(exact.Int(1)) < 0 {
			l.err(at(c.Series, "trials", "verification"), "Verification without a response",
				"At %s req/s not one response falls into %s. Lengthen the verification.", p.Rate, p.Verification)
			return
		}
	}
	for _, f := range c.Faults {
		for _, profile := range f.Profiles {
			c.profileFits(l, at(f.Block, "", "profiles"), profile)
		}
	}
	for _, t := range c.Thresholds {
		c.profileFits(l, at(t.Block, "", "profile"), t.Profile)
	}
}

// profileFits checks the profiles that are not on all the time.
func (c *Context) profileFits(l *list, place *hcl.Range, profile plan.Profile) {
	for _, p := range c.Declaration.Load.Points {
		switch profile.Shape {
		case "pulse":
			if profile.On.Seconds().Mul(p.Rate).Cmp(exact.Int(1)) < 0 {
				l.err(place, "Pulse without a response", "At %s req/s not one response falls into a pulse of %s. Lengthen the pulse, or leave the load out.", p.Rate, profile.On)
				return
			}
			if profile.On >= p.Timeout {
				l.warn(place, "Pulse as long as the trials",
					"At %s req/s a trial ends after %s at the latest and removes its fault, so a pulse of %s is the same as a step. Shorten the pulse, or leave it out.", p.Rate, p.Timeout, profile.On)
				return
			}
		case "intermittent":
			if profile.On >= p.Timeout {
				l.warn(place, "Pulse as long as the trials",
					"At %s req/s a trial ends after %s at the latest and removes its fault, so the first pulse of %s is the same as a step. Shorten the pulses, or leave the profile out.", p.Rate, p.Timeout, profile.On)
				return
			}
			on := onWithin(p.Timeout, profile)
			if on < p.Verification {
				l.err(place, "Too little time under the fault",
					"Within the timeout of %s the profile %q is on for %s, and the achieved magnitude is measured over %s of that. Shorten the verification, or lengthen the timeout.", p.Timeout, profile.Name, on, p.Verification)
				return
			}
		case "ramp", "drift":
			if profile.Ramp > 10*p.Timeout {
				l.note(place, "Ramp longer than the trials",
					"The ramp of %s is added to the timeout of %s, so that the plateau lasts as long as the timeout.", profile.Ramp, p.Timeout)
				return
			}
		}
	}
}

// onWithin is how long an intermittent fault is on within a span.
func onWithin(span exact.Duration, p plan.Profile) exact.Duration {
	cycle := p.On + p.Off
	if cycle <= 0 {
		return span
	}
	return span/cycle*p.On + min(span%cycle, p.On)
}

var clocks = []Rule{
	{ID: "FD-3.5-6", How: "the environment declares the arrangement; a virtual run has one clock", Why: "The offset of two clocks enters every latency as error."},
}
