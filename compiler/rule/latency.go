package rule

import (
	"fmt"

	"github.com/fdbench/fdbench/runtime/stats"
)

// Section 5.1.
var latency = []Rule{
	check("FD-5.1-8", "every combination has at least twenty trials",
		"A median of few trials is mostly chance, and a ninety-fifth percentile of fewer than twenty is the maximum.",
		`series "example" {
  trials { count = 19 }
}`,
		`series "example" {
  trials { count = 20 }
}`,
		func(c *Context, l *list) {
			if n := c.Declaration.Trials.Count; c.Knows(Count) && n < 20 {
				c.reduce(l, "trials", "20", fmt.Sprint(n), at(c.Series, "trials", "count"), "Too few trials",
					"At least twenty trials are run at each combination of class, magnitude, profile and load, and this series runs %d.", n)
			}
		}),
	{ID: "FD-5.1-9", How: "the timeout is part of the sealed plan", Why: "A timeout chosen after the latencies are known can be chosen for them."},
	check("FD-5.1-10", "the timeout is twenty windows or more at every load",
		"A detector that needs a few windows to be sure is cut off by a short timeout, and what remains are its lucky trials.",
		`series "example" {
  trials {
    timeout      = "1199s"
    verification = "10m"
  }
}`,
		`series "example" {
  trials { timeout = "1200s" }
}`,
		func(c *Context, l *list) {
			if !c.Knows(Timeout, Load, Detector) {
				return
			}
			for _, p := range c.Declaration.Load.Points {
				if least := stats.MinTimeout(p.Window); p.Timeout < least {
					l.err(at(c.Series, "trials", "timeout"), "Timeout too short",
						"At %s req/s the largest aggregation window is %s, so the timeout is at least %s; it is %s. Write timeout = \"20 windows\" or more. The length of a ramp is added by itself.", p.Rate, p.Window, least, p.Timeout)
					return
				}
			}
		}),
}
