package rule

import (
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/hashicorp/hcl/v2"
)

// Section 3.4.
var injection = []Rule{
	row("FD-3.4-1", "onset is kept in whole nanoseconds, and no resolution can be declared in place of the measured one",
		bad("a declared resolution", `apparatus "simulated" "injector" {
  sampling         = "quota"
  onset_resolution = "1s"
}`).edge(),
		good("none declared", `apparatus "simulated" "injector" { sampling = "quota" }`).edge()),
	row("FD-3.4-2", "onset is stamped by the apparatus, which reads nothing of the detector",
		bad("an onset from the detector", `apparatus "simulated" "injector" {
  sampling   = "quota"
  onset_from = detector.watch
}`).edge(),
		good("an onset of the apparatus", `apparatus "simulated" "injector" { sampling = "quota" }`).edge(),
	).show(vouched("fd_3_4_2")...),
	row("FD-3.4-3", "the apparatus removes what it applies and confirms it; there is no fault that stays",
		bad("a fault that stays", `apparatus "simulated" "injector" {
  sampling  = "quota"
  permanent = true
}`).edge(),
		good("a fault that is removed", `apparatus "simulated" "injector" { sampling = "quota" }`).edge(),
		bad("calls that apply a fault and do not remove it", sampler(applyCall+"\n"+checkCall)).live(),
		bad("a removal that nothing confirms", sampler(applyCall+"\n"+removeCall)).live(),
		bad("a program that applies a fault and none that removes it", `apparatus "command" "switch" {
  apply = ["./fault.sh", "on"]
  check = ["./fault.sh", "show"]
}
environment "lab" {
  apparatus = apparatus.switch
  inject_at = "gateway"
}
series "example" {
  threshold "refusals" {
    lower      = 0.1
    resolution = 0.06
  }
  remove "masking" {}
}`).live(),
		bad("a lease longer than a trial", `apparatus "proxy" "relay" { lease = "9m" }
detector "prometheus" "alerts" {
  rules = "short.yml"
  indicator "refusals" { window = "20s" }
}
series "example" {
  trials { timeout = "400s" }
}`).live(),
		good("calls that apply, remove and confirm", sampler(applyCall+"\n"+removeCall+"\n"+checkCall)).live(),
		good("a lease of seconds", `apparatus "proxy" "relay" { lease = "5s" }`).live(),
	).check(leased),
	row("FD-3.4-4", "the apparatus acts inside the deployment and has no way to the detector",
		bad("a header that marks changed responses", `apparatus "simulated" "injector" {
  sampling = "quota"
  header   = "x-fault-id"
}`).edge(),
		bad("an annotation on the dashboard", `apparatus "simulated" "injector" {
  annotate { url = "http://127.0.0.1:3000/api/annotations" }
}`),
		good("no mark", `apparatus "simulated" "injector" { sampling = "quota" }`).edge(),
		bad("a proxy that adds a header", `apparatus "proxy" "relay" { header = "x-fault-id" }`).live(),
		bad("a call to the detector", sampler(`  apply { url = "http://localhost:9093/api/v2/alerts" }
`+removeCall+"\n"+checkCall)).live(),
		good("a call to the deployment", sampler(applyCall+"\n"+removeCall+"\n"+checkCall)).live(),
	).show(vouched("fd_3_4_4")...).check(speaksToDetector),
	row("FD-3.4-6", "the achieved magnitude is measured at the injection point while the fault is applied",
		bad("verification longer than a trial", `series "example" {
  trials {
    timeout      = "20m"
    verification = "1201s"
  }
}`).edge(),
		bad("verification longer than the time under the fault", verified("361s", "intermittent 3m 7m")).edge(),
		good("verification as long as the time under the fault", verified("6m", "intermittent 3m 7m")).edge(),
		bad("achieved taken from intended", `apparatus "simulated" "injector" { assume_achieved = true }`),
		bad("an unknown measurement", `apparatus "simulated" "injector" { verify = "trust" }`),
		bad("an injection point that nobody sees", sampler(applyCall+"\n"+removeCall+"\n"+checkCall)+"\nenvironment \"lab\" { inject_at = \"engine\" }").live(),
		good("an injection point where the harness sees the responses", sampler(applyCall+"\n"+removeCall+"\n"+checkCall)).live(),
		good("verification as long as a trial", `series "example" {
  trials {
    timeout      = "20m"
    verification = "1200s"
  }
}`).edge(),
	).check(func(c *Context, l *list) {
		verificationFits(c, l)
		seenAtInjection(c, l)
	}),
	row("FD-3.4-7", "the ten percent cannot be chosen",
		bad("a tolerance of one's own", `series "example" {
  trials { tolerance = 0.2 }
}`).edge(),
		good("ten percent", `series "example" {
  trials { attempts = 30 }
}`).edge()),
	row("FD-3.4-8", "discarded attempts are repeated, up to the declared number, which is enough for those that chance discards",
		bad("fewer attempts than trials", `series "example" {
  trials {
    count    = 20
    attempts = 19
  }
}`).edge(),
		bad("a verification that chance fails", `apparatus "simulated" "injector" {
  sampling = "bernoulli"
  verify   = "observed"
}
series "example" {
  # no search
  remove "threshold" {}
  reduced { reason = "a first look" }
}`),
		good("as many attempts as trials, and none lost to chance", `series "example" {
  trials {
    count        = 20
    attempts     = 20
    timeout      = "30m"
    verification = "30m"
  }
}`).edge(),
	).check(func(c *Context, l *list) {
		t := c.Declaration.Trials
		if c.Knows(Count, Attempts) && t.Attempts < t.Count {
			enough := (3*t.Count + 1) / 2
			l.err(at(c.Series, "trials", "attempts"), "Fewer attempts than trials",
				"%d trials have to be kept, and %d attempts are allowed. A discarded attempt is repeated, so allow more attempts than trials, such as %d.", t.Count, t.Attempts, enough).set(c.Series.One("trials"), "attempts", fmt.Sprint(enough))
		}
	}),
}

// verified is a fault of the given profile in trials of twenty minutes.
func verified(span, profile string) string {
	return `series "example" {
  trials {
    timeout      = "20m"
    verification = "` + span + `"
  }
  fault "refusals" { profiles = ["` + profile + `"] }
}`
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

// Section 3.5.
var clocks = []Rule{
	row("FD-3.5-1", "the signal names one of the two clocks that may stamp the event",
		bad("another clock", `signal "page" { event_clock = "dashboard" }`).edge(),
		good("the receiver's clock", `signal "page" { event_clock = "receiver" }`).edge(),
		bad("a webhook detector that nothing hears", foreign("")).live(),
		good("a webhook detector with a receiver", foreign(`  receiver { listen = "127.0.0.1:9105" }`)).live(),
	).check(polled),
	row("FD-3.5-2", "the offset is measured in the run, and cannot be declared",
		bad("an offset of 0, as declared", `environment "lab" {
  clocks {
    arrangement = "same_host"
    offset      = "0s"
  }
}`).edge(),
		good("no declared offset", `environment "lab" {
  clocks { arrangement = "same_host" }
}`).edge(),
		bad("probes of nothing", `environment "lab" {
  clocks { arrangement = "probed" }
}`).live(),
		bad("an offset of 0 between two hosts", `environment "lab" {
  clocks {
    arrangement = "probed"
    responder   = "10.0.0.7:9110"
    offset      = "0s"
  }
}`).live(),
		good("probes of the detector's host", `environment "lab" {
  clocks {
    arrangement = "probed"
    responder   = "10.0.0.7:9110"
  }
}`).live(),
		good("the figures of chrony", `environment "lab" {
  clocks { arrangement = "chrony" }
}`).live(),
	).check(probes),
	row(sameHost, "the environment declares how the clocks are arranged; a virtual run has one",
		bad("no arrangement", `environment "lab" {
  clocks {
    # no arrangement
    remove "arrangement" {}
  }
}`).edge(),
		good("one host", `environment "lab" {
  clocks { arrangement = "same_host" }
}`).edge(),
		bad("one host declared, and the detector's stamps from another", `detector "prometheus" "alerts" { url = "http://10.0.0.7:9090" }
signal "page" { event_clock = "emitter" }`).live(),
		good("the receiver's stamps, whatever host the detector is on", `detector "prometheus" "alerts" { url = "http://10.0.0.7:9090" }`).live(),
	).show(vouched("fd_3_5_6")...).check(hosts),
}
