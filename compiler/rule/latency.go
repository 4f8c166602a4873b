package rule

import (
	"fmt"

	"github.com/fdbench/fdbench/runtime/stats"
)

// Section 5.1.
var latency = []Rule{
	row("FD-5.1-7", "the number of trials is a number; nothing ends them earlier",
		bad("an early stop", `series "example" {
  trials { stop_when = "the interval is narrow" }
}`).edge(),
		good("all trials", `series "example" {
  trials { count = 20 }
}`).edge()),
	row("FD-5.1-8", "every combination has at least twenty trials",
		bad("nineteen trials", `series "example" {
  trials { count = 19 }
}`).edge(),
		bad("ten trials", `series "example" {
  trials { count = 10 }
}`),
		good("twenty trials", `series "example" {
  trials { count = 20 }
}`).edge(),
		good("nineteen trials of a reduced series", `series "example" {
  trials { count = 19 }
  reduced { reason = "screening on every change" }
}`),
	).check(func(c *Context, l *list) {
		t := c.Declaration.Trials
		if t.Count >= 20 || !c.Knows(Count) {
			return
		}
		f := c.reduce(l, "trials", "20", fmt.Sprint(t.Count), at(c.Series, "trials", "count"), "Too few trials",
			"At least twenty trials are run at each combination of class, magnitude, profile and load, and this series runs %d.", t.Count)
		if b := c.Series.One("trials"); b.Attr("attempts") == nil || t.Attempts >= 20 {
			f.set(b, "count", "20")
		}
	}),
	row("FD-5.1-9", "the timeout is a length of time in the sealed plan",
		bad("no timeout", `series "example" {
  trials {
    count = 20
    remove "timeout" {}
  }
}`).edge(),
		bad("a timeout from the latencies", `series "example" {
  trials { timeout_from = "p95" }
}`),
		bad("a timeout to be found out", `series "example" {
  trials { timeout = "auto" }
}`),
		good("a declared timeout", `series "example" {
  trials {
    count   = 20
    timeout = "20m"
  }
}`).edge()),
	row("FD-5.1-10", "the timeout is twenty windows or more at every load",
		bad("1199 s with windows of 60 s", `series "example" {
  trials { timeout = "1199s" }
}`).edge(),
		bad("windows counted in requests, at the lowest load", `detector "threshold" "watch" {
  indicator "refusals" { window = "60 requests" }
}
series "example" {
  trials { timeout = "1199s" }
}`).edge(),
		good("1200 s with windows of 60 s", `series "example" {
  trials { timeout = "1200s" }
}`).edge(),
		good("twenty windows at every load", `detector "threshold" "watch" {
  indicator "refusals" { window = "60 requests" }
}
series "example" {
  trials {
    timeout      = "1200s"
    verification = "10m"
  }
}`).edge(),
	).check(func(c *Context, l *list) {
		if !c.Knows(Timeout, Load, Detector) {
			return
		}
		for _, p := range c.Declaration.Load.Points {
			if least := stats.MinTimeout(p.Window); p.Timeout < least {
				l.err(at(c.Series, "trials", "timeout"), "Timeout too short",
					"At %s req/s the largest aggregation window is %s, so the timeout is at least %s; it is %s. Write timeout = \"20 windows\" or more. The length of a ramp is added by itself.", p.Rate, p.Window, least, p.Timeout).set(c.Series.One("trials"), "timeout", quote("20 windows"))
				return
			}
		}
	}),
	row("FD-5.1-17", "no latency can be declared for undetected trials",
		bad("the timeout in place of a latency", `series "example" {
  trials { impute = "timeout" }
}`).edge(),
		good("undetected trials are counted", `series "example" {
  trials { count = 20 }
}`).edge()),
}
