package rule

import "github.com/fdbench/fdbench/lang/exact"

// Sections 4.3.
var quiets = []Rule{
	check("FD-4.3-2", "a quiet period comes between trials",
		"A trial that begins in the wake of another measures both.",
		`series "example" {
  quiet { at_least = "0s" }
}`,
		`series "example" {
  quiet { at_least = "5m" }
}`,
		func(c *Context, l *list) {
			if c.Knows(Quiet) && c.Declaration.Quiet.AtLeast <= 0 {
				l.err(at(c.Series, "quiet", "at_least"), "No quiet period",
					"A quiet period is observed between trials. Write how long it lasts at least; one window is the least that makes sense.")
			}
		}),
	check("FD-4.3-3", "the quiet period is a gate on the indicators, and can open",
		"Until a window has passed, the indicator still contains the fault that was removed.",
		`series "example" {
  quiet { at_least = "59s" }
}`,
		`series "example" {
  quiet { at_least = "60s" }
}`,
		quietIndicators),
	check("FD-4.3-4", "the quiet period is a gate on the alert state, and can open",
		"An alert that still fires, or a notification group that still waits, answers the next fault late or not at all.",
		`detector "threshold" "watch" {
  alert "RefusalsHigh" { keep_firing_for = "50m" }
}
series "example" {
  quiet {
    at_least = "5m"
    at_most  = "30m"
  }
}`,
		`detector "threshold" "watch" {
  alert "RefusalsHigh" { keep_firing_for = "10m" }
}
series "example" {
  quiet {
    at_least = "15m"
    at_most  = "1h"
  }
}`,
		quietAlerts),
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
				"At %s req/s the largest aggregation window is %s, and until it has passed it contains responses of the last fault. Write at_least = %q or more.", p.Rate, p.Window, p.Window)
			return
		}
		if need := p.Window * exact.Duration(q.Windows); q.AtMost < need {
			l.err(at(c.Series, "quiet", "at_most"), "Quiet period cannot be reached",
				"The gate looks at the mean of the last %d windows, which last %s at %s req/s, and gives up after %s. Allow more, or write a smaller number of windows.", q.Windows, need, p.Rate, q.AtMost)
			return
		}
	}
}

// hold is how long the detector may keep alert state after the indicator has
// come back: its window, hold times, evaluation and notification stages
// (AMB-22).
func (c *Context) hold() exact.Duration {
	d := c.Declaration.Detector
	var pending, keep exact.Duration
	for _, a := range d.Alerts {
		pending, keep = max(pending, a.For), max(keep, a.KeepFiring)
	}
	sum := c.LongestWindow() + pending + keep + d.Evaluate
	if p := d.Prometheus; p != nil {
		sum += p.ScrapeInterval + p.EvaluationInterval
	}
	if m := d.Manager; m != nil {
		sum += m.GroupInterval + m.Maintenance
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
	const parts = "the window, hold and keep-firing times, evaluation and, where there is one, Alertmanager's group interval"
	switch {
	case q.AtMost >= q.AtLeast && q.AtMost < hold:
		l.err(at(c.Series, "quiet", "at_most"), "Quiet period cannot be reached",
			"The detector may keep alert state for %s after a fault (%s), and the gate gives up after %s. No second trial could begin: allow at least %s.", hold, parts, q.AtMost, hold)
	case q.AtLeast >= c.LongestWindow() && q.AtLeast < hold:
		l.note(at(c.Series, "quiet", "at_least"), "Alert state outlasts the quiet period",
			"The detector may keep alert state for %s after a fault (%s). The gate waits for it, so quiet periods will often be longer than the declared %s.", hold, parts, q.AtLeast)
	}
}

// Section 4.4.
var single = []Rule{
	{ID: "FD-4.4-1", How: "the procedure applies one fault at a time; the language has no way to overlap two", Why: "With two faults at work nobody knows which one was detected."},
}
