package rule

import (
	"fmt"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/stats"
)

// Section 3.3.
var traffic = []Rule{
	{ID: "FD-3.3-1", How: "a load point is one rate", Why: "A load that moves within a trial moves the evidence that the detector gets in a second."},
	{ID: "FD-3.3-2", How: "a series has one population, whose digest is in the plan", Why: "Other prompts have another baseline, and the difference would count as a fault or hide one."},
	check("FD-3.3-4", "at least four load points are declared",
		"Evidence comes with requests and not with time. A latency at one load says nothing of another; four points show the curve.",
		`series "example" {
  load {
    points         = "1, 10, 100 req/s"
    representative = "10 req/s"
  }
}`,
		`series "example" {
  load {
    points         = "1, 5, 20, 100 req/s"
    representative = "20 req/s"
  }
}`,
		func(c *Context, l *list) {
			if n := len(c.Declaration.Load.Points); c.Knows(Load) && n < 4 {
				c.reduce(l, "load_points", "4", fmt.Sprint(n), at(c.Series, "load", "points"), "Too few load points",
					"A full series covers at least four load points, and this one has %d.", n)
			}
		}),
	check("FD-3.3-5", "the highest load is at least a hundred times the lowest",
		"Over a narrow span of loads a detector that needs many requests looks like one that needs few.",
		`series "example" {
  load {
    points         = "1, 5, 21.5, 99 req/s"
    representative = "21.5 req/s"
  }
}`,
		`series "example" {
  load {
    points         = "1, 5, 21.5, 99 req/s"
    representative = "21.5 req/s"
    because        = "the test machine does not take more"
  }
}`,
		func(c *Context, l *list) {
			points := c.Declaration.Load.Points
			if !c.Knows(Load) || len(points) == 0 {
				return
			}
			var rates []exact.Number
			for _, p := range points {
				rates = append(rates, p.Rate)
			}
			if !stats.SpansTwoDecades(rates) {
				low, high := rates[0], rates[len(rates)-1]
				c.recommend(l, "two orders of magnitude", fmt.Sprintf("%s to %s req/s", low, high), at(c.Series, "load", "points"), "Narrow span of loads",
					"The load points should span two orders of magnitude; these span %s to %s req/s, a factor of %s.", low, high, high.Div(low).Decimal(2))
			}
		}),
	check("FD-3.3-6", "one load point is marked as representative",
		"A reader who runs the detector at one load looks for the row that is nearest to it.",
		`series "example" {
  load {
    points = "1, 10, 20, 100 req/s"
    remove "representative" {}
  }
}`,
		`series "example" {
  load {
    points         = "1, 10, 20, 100 req/s"
    representative = "20 req/s"
  }
}`,
		func(c *Context, l *list) {
			if !c.Knows(Load) || c.Representative || len(c.Declaration.Load.Points) == 0 {
				return
			}
			c.recommend(l, "a representative point", "none named", c.Series.One("load").DefRange.Ptr(), "No representative load",
				"One of the load points should be representative of the intended deployment. Write which: representative = \"%s req/s\".", c.Declaration.Load.Points[len(c.Declaration.Load.Points)/2].Rate)
		}),
	check("FD-3.3-7", "caching is disabled, or no prompt comes twice",
		"A cached answer was given before the fault began. It hides the fault from the detector and from the apparatus alike.",
		`environment "lab" {
  caching { approach = "no_hit_population" }
}
population "support" {
  salt = "none"
  size = 50
}`,
		`environment "lab" {
  caching { approach = "no_hit_population" }
}
population "support" { salt = "nonce" }`,
		func(c *Context, l *list) {
			if !c.Knows(Environment, Population) || c.Declaration.Environment.Caching != "no_hit_population" {
				return
			}
			p := c.Declaration.Population
			if p.Salt == "none" && !c.CacheFree {
				l.err(at(c.Population, "", "salt"), "Population that a cache can answer",
					"The environment relies on a population without cache hits, and this one has %d prompts that come again and again. Write salt = \"nonce\", which makes each prompt unique, or disable caching.", p.Size)
			}
		}),
}
