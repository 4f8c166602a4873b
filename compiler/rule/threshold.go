package rule

import (
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/stats"
)

// lowerBound is a search below which a fifth of 64 responses refuse, so that
// two standard deviations are expected to be 0.1 at the lowest load.
func lowerBound(m string) string {
	return `serving "simulated" "model" {
  behaviour {
    indicator = indicator.refusal_rate
    rate      = 0.2
  }
}
detector "threshold" "watch" {
  indicator "refusals" { window = "64s" }
  alert "RefusalsHigh" { above = 0.4 }
}
series "example" {
  trials { timeout = "20 windows" }
  threshold "refusals" { lower = ` + m + ` }
}`
}

// observed gives the search an apparatus whose achieved magnitudes may be off.
func observed(resolution string) string {
	return `apparatus "simulated" "injector" { verify = "observed" }
series "example" {
  trials {
    timeout      = "24h"
    verification = "24h"
  }
  threshold "refusals" {
    upper      = 0.33
    resolution = ` + resolution + `
  }
}`
}

// Section 5.3.
var threshold = []Rule{
	row("FD-5.3-1", "a threshold block is a binary search, and no other can be declared",
		bad("a grid", `series "example" {
  threshold "refusals" { grid = [0.1, 0.2, 0.3] }
}`).edge(),
		bad("another method", `series "example" {
  threshold "refusals" { method = "grid" }
}`),
		good("two bounds and a resolution", `series "example" {
  threshold "refusals" {
    lower      = "floor"
    upper      = 0.3
    resolution = 0.02
  }
}`).edge()),
	row("FD-5.3-2", "the target is part of the sealed plan, above 0 and at most 1",
		bad("more than all", `series "example" {
  threshold "refusals" { target = "21/20" }
}`).edge(),
		bad("none", `series "example" {
  threshold "refusals" { target = "0/20" }
}`).edge(),
		bad("no target", `series "example" {
  threshold "refusals" {
    class      = fault_class.refusal
    profile    = "step"
    resolution = 0.02
    lower      = "floor"
    upper      = 0.3
    remove "target" {}
  }
}`),
		good("all", `series "example" {
  threshold "refusals" { target = "20/20" }
}`).edge(),
		good("one of twenty", `series "example" {
  threshold "refusals" { target = "1/20" }
}`).edge(),
	).check(betweenCounts),
	row("FD-5.3-3", "an upper bound is declared, which the search tests first",
		bad("no upper bound", `series "example" {
  threshold "refusals" {
    lower      = "floor"
    resolution = 0.02
    remove "upper" {}
  }
}`).edge(),
		good("an upper bound", `series "example" {
  threshold "refusals" {
    lower      = "floor"
    upper      = 0.3
    resolution = 0.02
  }
}`).edge()),
	row("FD-5.3-4", "a lower bound is declared, or the floor",
		bad("no lower bound", `series "example" {
  threshold "refusals" {
    upper      = 0.3
    resolution = 0.02
    remove "lower" {}
  }
}`).edge(),
		bad("another word", `series "example" {
  threshold "refusals" { lower = "bottom" }
}`),
		good("the floor", `series "example" {
  threshold "refusals" {
    lower      = "floor"
    upper      = 0.3
    resolution = 0.02
  }
}`).edge()),
	hint("FD-5.3-5", "the lower bound is the floor, or no less than what two standard deviations are expected to be",
		bad("a lower bound below the expected floor", lowerBound("0.0999")).edge(),
		good("a lower bound at the expected floor", lowerBound("0.1")).edge(),
		good("the floor itself", lowerBound(`"floor"`)),
	).check(expectedFloor),
	row("FD-5.3-6", "the trials of a search are those of the series, and cannot be declared apart",
		bad("five trials a magnitude", `series "example" {
  threshold "refusals" { trials = 5 }
}`).edge(),
		good("the trials of the series", `series "example" {
  trials { count = 20 }
}`).edge()),
	row("FD-5.3-8", "the resolution is above 0; the search ends when its interval is smaller",
		bad("a resolution of 0", `series "example" {
  threshold "refusals" { resolution = 0 }
}`).edge(),
		bad("no resolution", `series "example" {
  threshold "refusals" {
    lower = "floor"
    upper = 0.3
    remove "resolution" {}
  }
}`),
		bad("finer than the achieved magnitudes", observed("0.0599")).edge().warned(),
		good("a ten-thousandth", `series "example" {
  threshold "refusals" { resolution = 0.0001 }
}`).edge(),
		good("as fine as the achieved magnitudes", observed("0.06")).edge(),
	).check(fineResolution),
}

// betweenCounts tells where a target is no whole number of trials (AMB-32).
func betweenCounts(c *Context, l *list) {
	if !c.Knows(Matrix, Count) {
		return
	}
	for _, t := range c.Thresholds {
		n := c.Declaration.Trials.Count
		if needed := t.Target.Mul(exact.Int(int64(n))); n >= 20 && !needed.IsInt() {
			l.note(at(t.Block, "", "target"), "Target between two counts",
				"%s of %d trials is %s, so at least %d detections are needed.", t.TargetText, n, needed.Decimal(4), stats.RequiredDetections(t.Target, n))
		}
	}
}

// expectedFloor warns where a literal lower bound is below twice the expected
// standard deviation of a window, sqrt(p(1-p)/(W*load)): the series would then
// report "below the floor" without a search (AMB-32). It compares squares.
func expectedFloor(c *Context, l *list) {
	if !c.Knows(Load, Detector, Matrix) {
		return
	}
	for _, t := range c.Thresholds {
		k := c.Classes[t.Class]
		if t.Floor || k.Indicator.Kind != "rate" {
			continue
		}
		for _, p := range c.Declaration.Load.Points {
			n := c.Declaration.ResponsesOf(k.Indicator.Name, p)
			if n.Sign() <= 0 {
				continue
			}
			v := k.Baseline.Mul(exact.Int(1).Sub(k.Baseline)).Div(n)
			if stats.BelowTwoSD(t.Lower, v) {
				l.warn(at(t.Block, "", "lower"), "Lower bound below the expected floor",
					"At %s req/s two standard deviations of the baseline are expected to be about %s, and the lower bound is %s. The search would stop there at once and report \"below the floor\". Write lower = \"floor\", which begins where the methodology allows.",
					p.Rate, exact.Int(4).Mul(v).Sqrt(9).Decimal(4), t.Lower).set(t.Block, "lower", quote("floor"))
				break
			}
		}
	}
}

// fineResolution tells where two neighbouring magnitudes of the search may
// come out in the opposite order, since each may be off by ten percent
// (AMB-34), and where there is nothing between the bounds to search.
func fineResolution(c *Context, l *list) {
	if !c.Knows(Matrix) {
		return
	}
	for _, t := range c.Thresholds {
		high := t.Upper.Abs()
		width := high.Sub(t.Lower.Abs()) // of a search from the floor at most
		if cmp := width.Cmp(t.Resolution); cmp < 0 || t.Floor && cmp == 0 {
			l.warn(at(t.Block, "", "resolution"), "Search without a step",
				"The search ends when its interval is smaller than the resolution of %s, and between its bounds it is from the start. Only the bounds are tested then, and the upper one, %s, is the result. Write a smaller resolution.", t.Resolution, t.Upper)
		} else if stats.MagnitudesMaySwap(high, high.Sub(t.Resolution)) {
			c.swap(l, t)
		}
	}
}

func (c *Context) swap(l *list, t Threshold) {
	// Two magnitudes around m cannot swap with a resolution of m/5.
	apart := t.Upper.Abs().Div(exact.Int(5))
	const text = "Near the upper bound of %s an achieved magnitude may be off by a tenth, which is more than the resolution of %s: two neighbours of the search may then stand in the wrong order. From a resolution of %s on they cannot."
	if a := c.Declaration.Apparatus; a.Verify == "paired" && a.Sampling == "quota" {
		return // achieved magnitudes are then much closer to the intended ones
	}
	if c.deviate(l, t.Block, t.Because) {
		return
	}
	l.warn(at(t.Block, "", "resolution"), "Finer than the magnitudes", text+" Write because = { %q = \"...\" } to have the reason in the report.", t.Upper, t.Resolution, apart.Decimal(6), l.id)
}

// Section 5.4.
var falseDetection = []Rule{
	row("FD-5.4-3", "the observation is a phase of every load",
		bad("no observation", `series "example" {
  # no false_detection block
  remove "false_detection" {}
}`).edge(),
		bad("at one load only", `series "example" {
  false_detection {
    at_least = "2h"
    loads    = ["21.5 req/s"]
  }
}`),
		good("at every load", `series "example" {
  false_detection { at_least = "2h" }
}`).edge()),
	row("FD-5.4-4", "the period is the declared one or the time under fault, whichever is longer",
		bad("no time", `series "example" {
  false_detection { at_least = "0s" }
}`).edge(),
		bad("a fixed period", `series "example" {
  false_detection { period = "1h" }
}`),
		bad("no least length", `series "example" {
  false_detection {
    # no at_least
    remove "at_least" {}
  }
}`),
		good("a second, which grows to the time under fault", `series "example" {
  false_detection { at_least = "1s" }
}`).edge(),
	).check(func(c *Context, l *list) {
		if c.Knows(FalseDetection) && c.Declaration.FalseDetection.AtLeast <= 0 {
			l.err(at(c.Series, "false_detection", "at_least"), "No observation period",
				"Declare how long the detector is watched without a fault. The period grows by itself to the time under fault where that is longer.")
		}
	}),
}
