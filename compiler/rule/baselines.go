package rule

import (
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/stats"
)

// leastBaseline is the shortest Baseline Interval in which nothing is too
// short: ten windows and 300 seconds.
const leastBaseline = 300 * exact.Second

// smallWindow gives the example windows of 5 s, loads at which they hold
// enough responses, and the given Baseline Interval.
func smallWindow(interval string) string {
	return `detector "threshold" "watch" {
  indicator "refusals" { window = "5s" }
}
series "example" {
  load {
    points         = "20..2000 req/s in 4 log steps"
    representative = "20 req/s"
  }
  baseline { interval = "` + interval + `" }
}`
}

// Section 4.2.
var baselines = []Rule{
	row("FD-4.2-1", "a Baseline Interval is declared, and all of them come first in the plan's phases, one at each load",
		bad("no baseline", `series "example" {
  # no baseline block
  remove "baseline" {}
}`).edge(),
		bad("a baseline at one load only", `series "example" {
  baseline {
    interval = "30m"
    loads    = ["1 req/s"]
  }
}`),
		good("a baseline at each load", `series "example" {
  baseline { interval = "30m" }
}`).edge()),
	row("FD-4.2-2", "the Baseline Interval has ten windows or more at every load",
		bad("599 s with windows of 60 s", `series "example" {
  baseline { interval = "599s" }
}`).edge(),
		bad("windows counted in requests, at the lowest load", `detector "threshold" "watch" {
  indicator "refusals" { window = "60 requests" }
}
series "example" {
  baseline { interval = "599s" }
}`).edge(),
		bad("no interval", `series "example" {
  baseline {
    # no interval
    remove "interval" {}
  }
}`),
		good("600 s with windows of 60 s", `series "example" {
  baseline { interval = "600s" }
}`).edge(),
		good("windows counted in requests, ten at the lowest load", `detector "threshold" "watch" {
  indicator "refusals" { window = "60 requests" }
}
series "example" {
  baseline { interval = "600s" }
}`).edge(),
	).check(func(c *Context, l *list) {
		if !c.Knows(Baseline, Load, Detector) {
			return
		}
		for _, p := range c.Declaration.Load.Points {
			if ten := 10 * p.Window; p.Baseline < ten {
				l.err(at(c.Series, "baseline", "interval"), "Baseline Interval too short",
					"At %s req/s the largest aggregation window is %s, so the Baseline Interval lasts at least %s; it lasts %s. Write interval = \"10 windows\" or more.", p.Rate, p.Window, ten, p.Baseline).set(c.Series.One("baseline"), "interval", c.longEnough())
				return
			}
		}
	}),
	row("FD-4.2-3", "the Baseline Interval lasts 300 seconds or longer",
		bad("299 s", smallWindow("299s")).edge(),
		bad("60 s", smallWindow("60s")),
		good("300 s", smallWindow("300s")).edge(),
	).check(func(c *Context, l *list) {
		if !c.Knows(Baseline, Load, Detector) {
			return
		}
		for _, p := range c.Declaration.Load.Points {
			if p.Baseline < leastBaseline {
				l.err(at(c.Series, "baseline", "interval"), "Baseline Interval too short",
					"A Baseline Interval lasts at least 300 seconds (5m), whatever the window; this one lasts %s.", p.Baseline).set(c.Series.One("baseline"), "interval", c.longEnough())
				return
			}
		}
	}),
	hint("FD-4.2-5", "the interval has enough windows for a standard deviation that means something",
		bad("twenty-nine windows", `series "example" {
  baseline { interval = "29 windows" }
}`).edge(),
		good("thirty windows", `series "example" {
  baseline { interval = "30 windows" }
}`).edge(),
	).check(func(c *Context, l *list) {
		if !c.Knows(Baseline, Load, Detector) {
			return
		}
		for _, p := range c.Declaration.Load.Points {
			n := stats.BaselineWindows(p.Baseline, p.Window)
			if n >= 10 && n < 30 {
				low, high := stats.SDFactors(int(n), 0.95)
				l.note(at(c.Series, "baseline", "interval"), "Few windows in the baseline",
					"From %d windows the standard deviation is known to a factor of %.2f to %.2f (95 percent). Thirty windows would give 0.80 to 1.34.", n, low, high)
				return
			}
		}
	}),
	row("FD-4.2-6", "magnitudes are numbers in the indicator's unit",
		bad("half as many again", `series "example" {
  fault "refusals" { magnitudes = "50%" }
}`),
		bad("twice as many", `series "example" {
  fault "refusals" { magnitudes = ["2x"] }
}`),
		bad("a number in quotes", `series "example" {
  fault "refusals" { magnitudes = ["0.1"] }
}`).edge(),
		bad("a factor", `series "example" {
  fault "refusals" { factor = 2 }
}`),
		good("ten more in a hundred", `series "example" {
  fault "refusals" { magnitudes = [0.1] }
}`).edge()),
	hint("FD-4.2-7", "magnitudes are no finer than a window can show; the rest is decided when the baseline is known",
		bad("less than one response of a window", fineMagnitude("0.0199")).edge(),
		good("one response of a window", fineMagnitude("0.02")).edge(),
	).check(granularity),
	row("FD-4.2-8", "small magnitudes are permitted",
		good("a magnitude below two standard deviations", fineMagnitude("0.02"))),
}

// fineMagnitude is a fault that fifty responses of a window show just so, or
// just not, with trials long enough to verify it.
func fineMagnitude(m string) string {
	return `detector "threshold" "watch" {
  indicator "refusals" { window = "50s" }
}
series "example" {
  fault "refusals" { magnitudes = [` + m + `] }
  trials {
    timeout      = "4h"
    verification = "4h"
  }
}`
}

// longEnough is the least Baseline Interval at every load, as a value.
func (c *Context) longEnough() string {
	for _, p := range c.Declaration.Load.Points {
		if 10*p.Window < leastBaseline {
			return quote(max(10*c.LongestWindow(), leastBaseline).String())
		}
	}
	return quote("10 windows")
}

// granularity warns where a magnitude is smaller than the step of the
// indicator, one response of those that the detector samples in a window
// (AMB-05). It names the highest load that has the problem, once for each
// magnitude. With a reason beside the fault it is a deviation.
func granularity(c *Context, l *list) {
	if !c.Knows(Load, Detector, Matrix) {
		return
	}
	for _, f := range c.Faults {
		k := c.Classes[f.Class]
		if k.Indicator.Kind != "rate" {
			continue
		}
		excused := false
		for i, m := range f.Magnitudes {
			found, last := false, exact.Number{}
			var step exact.Number
			for _, p := range c.Declaration.Load.Points {
				n := c.Declaration.ResponsesOf(k.Indicator.Name, p)
				if n.Sign() > 0 && m.Abs().Mul(n).Cmp(exact.Int(1)) < 0 {
					found, last, step = true, p.Rate, exact.Int(1).Div(n)
				}
			}
			switch {
			case !found || excused:
			case c.deviate(l, f.Block, f.Because):
				excused = true
			default:
				at, sampled := f.Places[i], ""
				if s := c.Declaration.SamplingOf(k.Indicator.Name); s.Cmp(exact.Int(1)) < 0 {
					sampled = " sampled"
				}
				l.warn(&at, "Magnitude below one response",
					"At %s req/s a window holds so few%s responses that the indicator moves in steps of %s, more than the magnitude of %s. Leave the magnitude or the load out, or take a longer window.", last, sampled, step.Decimal(4), m)
			}
		}
	}
}
