package rule

import (
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/exact"
)

// Section 4.3 and 4.4.
var quiets = []Rule{
	row("FD-4.3-2", "a quiet period comes between trials",
		bad("no quiet period", `series "example" {
  # no quiet block
  remove "quiet" {}
}`),
		bad("trials back to back", `series "example" {
  quiet { at_least = "0s" }
}`).edge(),
		bad("no least length", `series "example" {
  quiet {
    at_most = "1h"
    remove "at_least" {}
  }
}`),
		good("a window between trials", `series "example" {
  quiet { at_least = "60s" }
}`).edge(),
	).check(func(c *Context, l *list) {
		if c.Knows(Quiet) && c.Declaration.Quiet.AtLeast <= 0 {
			f := l.err(at(c.Series, "quiet", "at_least"), "No quiet period",
				"A quiet period is observed between trials. Write how long it lasts at least; one window is the least that makes sense.")
			if c.Knows(Load, Detector) {
				w := c.LongestWindow()
				f.set(c.quietOf(w), "at_least", quote(w.String()))
			}
		}
	}),
	row("FD-4.3-3", "the quiet period is a gate on the indicators, and can open",
		bad("59 s with windows of 60 s", `series "example" {
  quiet { at_least = "59s" }
}`).edge(),
		bad("shorter than four windows at most", `series "example" {
  quiet {
    at_least = "1m"
    at_most  = "239s"
  }
}`).edge(),
		bad("a fixed pause", `series "example" {
  quiet { sleep = "30s" }
}`),
		good("60 s with windows of 60 s", `series "example" {
  quiet { at_least = "60s" }
}`).edge(),
		good("four windows at most", `series "example" {
  quiet {
    at_least = "1m"
    at_most  = "240s"
  }
}`).edge(),
	).check(quietIndicators),
	row("FD-4.3-4", "the quiet period is a gate on the alert state, and can open",
		bad("alert state that outlasts the gate", `detector "threshold" "watch" {
  alert "RefusalsHigh" { keep_firing_for = "50m" }
}
series "example" {
  quiet {
    at_least = "5m"
    at_most  = "3064s"
  }
}`).edge(),
		bad("alerts that do not matter", `series "example" {
  quiet { ignore_alerts = true }
}`),
		good("alert state that clears in time", `detector "threshold" "watch" {
  alert "RefusalsHigh" { keep_firing_for = "50m" }
}
series "example" {
  quiet {
    at_least = "3065s"
    at_most  = "3065s"
  }
}`).edge(),
		bad("a gate shorter than the notification of the end", slowGroups("1620s")).live(),
		good("a gate that hears the end", slowGroups("1621s")).live(),
	).show(vouched("fd_4_3_4")...).check(quietAlerts),
	row("FD-4.4-1", "the procedure applies one fault at a time; the language has no way to overlap two",
		bad("two faults at once", `series "example" {
  fault "refusals" { together_with = ["others"] }
}`).edge(),
		bad("trials side by side", `series "example" { parallel = 4 }`),
		good("one fault", `series "example" {
  fault "refusals" { class = fault_class.refusal }
}`).edge(),
	).show(vouched("fd_4_4_1")...),
}

// slowGroups is a live example whose Alertmanager tells of an alert's end up to
// twenty minutes later: with the window of 5 m, the minute that the alert
// waits, two intervals of 15 s, 30 s until the group is gone, and the second
// between two looks that is 1621 s.
func slowGroups(atMost string) string {
	return `detector "prometheus" "alerts" {
  alertmanager { group_interval = "20m" }
}
series "example" {
  quiet {
    at_least = "` + atMost + `"
    at_most  = "` + atMost + `"
  }
}`
}

// quietOf is the quiet block, where a least length of d leaves room below its
// greatest.
func (c *Context) quietOf(d exact.Duration) *lang.Block {
	if c.Declaration.Quiet.AtMost < d {
		return nil
	}
	return c.Series.One("quiet")
}

func quietIndicators(c *Context, l *list) {
	if !c.Knows(Quiet) {
		return
	}
	q := c.Declaration.Quiet
	if q.AtMost < q.AtLeast {
		l.err(at(c.Series, "quiet", "at_most"), "Quiet period cannot end",
			"It lasts at least %s and at most %s. The upper limit is the larger of the two.", q.AtLeast, q.AtMost)
		return
	}
	if !c.Knows(Load, Detector) {
		return
	}
	for _, p := range c.Declaration.Load.Points {
		if q.AtLeast > 0 && q.AtLeast < p.Window {
			l.err(at(c.Series, "quiet", "at_least"), "Quiet period too short",
				"At %s req/s the largest aggregation window is %s, and until it has passed it contains responses of the last fault. Write at_least = %q or more.", p.Rate, p.Window, p.Window).set(c.quietOf(p.Window), "at_least", quote(p.Window.String()))
			return
		}
		if need := p.Window * exact.Duration(q.Windows); q.AtMost < need {
			l.err(at(c.Series, "quiet", "at_most"), "Quiet period cannot be reached",
				"The gate looks at the mean of the last %d windows, which last %s at %s req/s, and gives up after %s. Allow more, or write a smaller number of windows.", q.Windows, need, p.Rate, q.AtMost)
			return
		}
	}
}

// hold is Hold at the load where it is longest.
func (c *Context) hold() exact.Duration {
	return c.Hold(plan.LoadPoint{Window: c.LongestWindow()})
}

// Hold is how long the detector may keep alert state at a load after the
// indicator has come back: its window, hold times, evaluation and notification
// stages (AMB-22).
func (c *Context) Hold(l plan.LoadPoint) exact.Duration {
	d := c.Declaration.Detector
	var pending, keep exact.Duration
	for _, a := range d.Alerts {
		pending, keep = max(pending, a.For), max(keep, a.KeepFiring)
	}
	sum := l.Window + pending + keep + d.Evaluate
	if p := d.Prometheus; p != nil {
		sum += p.ScrapeInterval + p.EvaluationInterval
	}
	if m := d.Manager; m != nil {
		sum += m.GroupInterval + m.Maintenance + m.Cleanup
	}
	if v := d.Live; v != nil {
		sum += v.Interval
		if d.Prometheus == nil {
			sum += v.Cycle
		}
	}
	return sum
}

func quietAlerts(c *Context, l *list) {
	if !c.Knows(Quiet, Load, Detector) || c.Declaration.Quiet.AtLeast <= 0 {
		return
	}
	q, hold := c.Declaration.Quiet, c.hold()
	if q.AtMost < c.LongestWindow()*exact.Duration(q.Windows) {
		return // refused as too short already
	}
	parts := "the window, hold and keep-firing times, evaluation and, where there is one, Alertmanager's group interval"
	if m := c.Declaration.Detector.Manager; m != nil && m.Cleanup > 0 {
		parts += " and the " + m.Cleanup.String() + " for which it keeps an emptied group"
	}
	switch {
	case q.AtMost >= q.AtLeast && q.AtMost < hold:
		l.err(at(c.Series, "quiet", "at_most"), "Quiet period cannot be reached",
			"The detector may keep alert state for %s after a fault (%s), and the gate gives up after %s. No second trial could begin: allow at least %s.", hold, parts, q.AtMost, hold)
	case q.AtLeast >= c.LongestWindow() && q.AtLeast < hold:
		l.note(at(c.Series, "quiet", "at_least"), "Alert state outlasts the quiet period",
			"The detector may keep alert state for %s after a fault (%s). The gate waits for it, so quiet periods will often be longer than the declared %s.", hold, parts, q.AtLeast)
	}
}
