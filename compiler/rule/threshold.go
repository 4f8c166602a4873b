package rule

import (
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/stats"
)

// Section 5.3.
var threshold = []Rule{
	{ID: "FD-5.3-1", How: "a threshold block is a binary search", Why: "Other searches give other numbers under the same name."},
	{
		ID: "FD-5.3-2", How: "the target is part of the sealed plan", Why: "A target chosen from the curve is met by construction.",
		Bad: `series "example" {
  threshold "refusals" { target = "21/20" }
}`,
		Good: `series "example" {
  threshold "refusals" { target = "20/20" }
}`,
	},
	check("FD-5.3-5", "the lower bound is the floor, or above what two standard deviations are expected to be",
		"Below two standard deviations a search would follow the baseline's own noise; the methodology stops there.",
		`series "example" {
  threshold "refusals" { lower = 0.01 }
}`,
		`series "example" {
  threshold "refusals" { lower = "floor" }
}`,
		expectedFloor),
	check("FD-5.3-8", "the resolution is above 0; the search ends when its interval is smaller",
		"A resolution finer than the ten percent that a magnitude may be off puts magnitudes in an order that the trials did not have.",
		`series "example" {
  threshold "refusals" { resolution = 0 }
}`,
		`series "example" {
  threshold "refusals" { resolution = 0.05 }
}`,
		fineResolution),
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
					p.Rate, exact.Int(4).Mul(v).Sqrt(9).Decimal(4), t.Lower)
				break
			}
		}
	}
}

// fineResolution tells where two neighbouring magnitudes of the search may
// come out in the opposite order, since each may be off by ten percent
// (AMB-34), where there is nothing between the bounds to search, and where a target is no whole number of trials (AMB-32).
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
		if n := t.Target.Mul(exact.Int(int64(c.Declaration.Trials.Count))); c.Knows(Count) && c.Declaration.Trials.Count >= 20 && !n.IsInt() {
			l.note(at(t.Block, "", "target"), "Target between two counts",
				"%s of %d trials is %s, so at least %d detections are needed.", t.TargetText, c.Declaration.Trials.Count, n.Decimal(4), stats.RequiredDetections(t.Target, c.Declaration.Trials.Count))
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
	l.warn(at(t.Block, "", "resolution"), "Finer than the magnitudes", text+" Write because = \"...\" to have the reason in the report.", t.Upper, t.Resolution, apart.Decimal(6))
}

// Section 5.4.
var falseDetection = []Rule{
	{ID: "FD-5.4-3", How: "the observation is a phase of every load", Why: "A false alarm rate at one load says nothing of another."},
	check("FD-5.4-4", "the period is the declared one or the time under fault, whichever is longer",
		"A false detection rate that was watched for a shorter time than the faults understates the rate, and makes detections by chance look earned.",
		`series "example" {
  false_detection { at_least = "0s" }
}`,
		`series "example" {
  false_detection { at_least = "1h" }
}`,
		func(c *Context, l *list) {
			if c.Knows(FalseDetection) && c.Declaration.FalseDetection.AtLeast <= 0 {
				l.err(at(c.Series, "false_detection", "at_least"), "No observation period",
					"Declare how long the detector is watched without a fault. The period grows by itself to the time under fault where that is longer.")
			}
		}),
}
