package rule

import (
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/stats"
)

// Section 4.2.
var baselines = []Rule{
	{ID: "FD-4.2-1", How: "all Baseline Intervals come first in the plan's phases", Why: "A baseline taken after a fault may still contain it."},
	check("FD-4.2-2", "the Baseline Interval has ten windows or more at every load",
		"The standard deviation is one over windows. From few windows it is mostly chance, and with it the smallest magnitude that counts as distinguishable.",
		`series "example" {
  baseline { interval = "599s" }
}`,
		`series "example" {
  baseline { interval = "600s" }
}`,
		func(c *Context, l *list) {
			if !c.Knows(Baseline, Load, Detector) {
				return
			}
			for _, p := range c.Declaration.Load.Points {
				if ten := 10 * p.Window; p.Baseline < ten {
					l.err(at(c.Series, "baseline", "interval"), "Baseline Interval too short",
						"At %s req/s the largest aggregation window is %s, so the Baseline Interval lasts at least %s; it lasts %s. Write interval = \"10 windows\" or more.", p.Rate, p.Window, ten, p.Baseline)
					return
				}
			}
		}),
	check("FD-4.2-3", "the Baseline Interval lasts 300 seconds or longer",
		"In a short interval slow changes of the deployment look like its normal state.",
		`detector "threshold" "watch" {
  indicator "refusals" { window = "5s" }
}
series "example" {
  baseline { interval = "299s" }
}`,
		`detector "threshold" "watch" {
  indicator "refusals" { window = "5s" }
}
series "example" {
  baseline { interval = "300s" }
}`,
		func(c *Context, l *list) {
			if !c.Knows(Baseline, Load, Detector) {
				return
			}
			for _, p := range c.Declaration.Load.Points {
				if p.Baseline < 300*exact.Second {
					l.err(at(c.Series, "baseline", "interval"), "Baseline Interval too short",
						"A Baseline Interval lasts at least 300 seconds (5m), whatever the window; this one lasts %s.", p.Baseline)
					return
				}
			}
		}),
	check("FD-4.2-5", "the interval has enough windows for a standard deviation",
		"With ten windows the standard deviation itself is known to within -31 and +83 percent only.",
		`series "example" {
  baseline { interval = "10 windows" }
}`,
		`series "example" {
  baseline { interval = "30 windows" }
}`,
		func(c *Context, l *list) {
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
	{
		ID: "FD-4.2-6", How: "magnitudes are numbers in the indicator's unit", Why: "Half as many again of an unknown baseline is an unknown magnitude.",
		Bad: `series "example" {
  fault "refusals" { magnitudes = "50%" }
}`,
		Good: `series "example" {
  fault "refusals" { magnitudes = [0.05] }
}`,
	},
	check("FD-4.2-7", "magnitudes are no finer than a window can show; the rest is decided when the baseline is known",
		"A window of thirty responses moves in steps of one thirtieth. A smaller magnitude does not show in most windows.",
		`series "example" {
  fault "refusals" { magnitudes = [0.015] }
  trials {
    timeout      = "2h"
    verification = "2h"
  }
}`,
		`series "example" {
  fault "refusals" { magnitudes = [0.1] }
}`,
		granularity),
	{ID: "FD-4.2-8", How: "small magnitudes are permitted", Why: "They show where a detector stops; the row carries the baseline's standard deviation."},
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
