package rule

import (
	"fmt"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/stats"
)

// Section 3.3.
var traffic = []Rule{
	row("FD-3.3-1", "a load point is one rate, and every trial has one load point",
		bad("a ramp", `series "example" {
  load {
    points = "1..100 req/s in 4 log steps"
    ramp   = "5m"
  }
}`).edge(),
		bad("bursts", `series "example" {
  load { arrivals = "bursts" }
}`),
		good("constant rates", `series "example" {
  load { points = "1..100 req/s in 4 log steps" }
}`).edge(),
		good("Poisson arrivals at a constant rate", `series "example" {
  load { arrivals = "poisson" }
}`)),
	row("FD-3.3-2", "a series has one population, whose digest is in the plan",
		bad("a population of its own for one fault", `series "example" {
  fault "refusals" { population = population.support }
}`).edge(),
		bad("a population of its own for the search", `series "example" {
  threshold "refusals" { population = population.support }
}`),
		good("one population", `series "example" { population = population.support }`).edge()),
	row("FD-3.3-3", "a load block cannot pool its points",
		bad("an average over loads", `series "example" {
  load { pool = true }
}`).edge(),
		good("a row for each load", `series "example" {
  load { points = "1..100 req/s in 4 log steps" }
}`).edge()),
	row("FD-3.3-4", "at least four load points are declared",
		bad("three load points", `series "example" {
  load {
    points         = "1, 10, 100 req/s"
    representative = "10 req/s"
  }
}`).edge(),
		good("four load points", `series "example" {
  load {
    points         = "1, 5, 20, 100 req/s"
    representative = "20 req/s"
  }
}`).edge(),
		good("three load points, with the reason", `series "example" {
  load {
    points         = "1, 10, 100 req/s"
    representative = "10 req/s"
    because        = { "FD-3.3-4" = "the deployment runs at these three" }
  }
}`),
	).check(func(c *Context, l *list) {
		n := len(c.Declaration.Load.Points)
		if !c.Knows(Load) || n >= 4 {
			return
		}
		// Section 1.2 itself calls fewer load points a reduction, so they are
		// one with a reason too.
		c.list(l, "load_points", "4", fmt.Sprint(n))
		if !c.deviate(l, c.Series.One("load"), c.LoadBecause) && !c.Reduced {
			l.warn(at(c.Series, "load", "points"), "Too few load points",
				"A series should cover at least four load points, and this one has %d. Add some. As it is, the series counts as reduced; because = { \"FD-3.3-4\" = \"...\" } beside the points puts the reason into the report, and reduced { reason = \"...\" } says that it is meant for screening.", n)
		}
	}),
	row("FD-3.3-5", "the highest load is at least a hundred times the lowest",
		bad("a factor of 99", `series "example" {
  load {
    points         = "1, 5, 21.5, 99 req/s"
    representative = "21.5 req/s"
  }
}`).edge(),
		good("a factor of 100", `series "example" {
  load {
    points         = "1, 5, 21.5, 100 req/s"
    representative = "21.5 req/s"
  }
}`).edge(),
		good("a factor of 99, with the reason", `series "example" {
  load {
    points         = "1, 5, 21.5, 99 req/s"
    representative = "21.5 req/s"
    because        = { "FD-3.3-5" = "the test machine does not take more" }
  }
}`),
	).check(func(c *Context, l *list) {
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
	row(representative, "one load point is marked as representative",
		bad("none is marked", `series "example" {
  load {
    points = "1, 10, 20, 100 req/s"
    remove "representative" {}
  }
}`).edge(),
		good("one is marked", `series "example" {
  load {
    points         = "1, 10, 20, 100 req/s"
    representative = "20 req/s"
  }
}`).edge(),
		good("none is marked, with the reason", `series "example" {
  load {
    points  = "1, 10, 20, 100 req/s"
    because = { "FD-3.3-6" = "no deployment is intended yet" }
    remove "representative" {}
  }
}`),
	).show(vouched("fd_3_3_6")...).check(func(c *Context, l *list) {
		if !c.Knows(Load) || c.Representative || len(c.Declaration.Load.Points) == 0 {
			return
		}
		c.recommend(l, "a representative point", "none named", c.Series.One("load").DefRange.Ptr(), "No representative load",
			"One of the load points should be representative of the intended deployment. Write which: representative = \"%s req/s\".", c.Declaration.Load.Points[len(c.Declaration.Load.Points)/2].Rate)
	}),
	row("FD-3.3-7", "caching is disabled, or no prompt comes twice",
		bad("fifty prompts, again and again", `environment "lab" {
  caching { approach = "no_hit_population" }
}
population "support" {
  salt = "none"
  size = 50
}`).edge(),
		bad("no approach", `environment "lab" {
  caching {
    # no approach
    remove "approach" {}
  }
}`),
		bad("a cache with a short life", `environment "lab" {
  caching { ttl = "1s" }
}`),
		good("fifty prompts, each with a nonce", `environment "lab" {
  caching { approach = "no_hit_population" }
}
population "support" {
  salt = "nonce"
  size = 50
}`).edge(),
		good("prompts without end, of which none comes twice", `environment "lab" {
  caching { approach = "no_hit_population" }
}
population "support" {
  salt = "none"
}`),
		good("caching disabled", `environment "lab" {
  caching { approach = "disabled" }
}
population "support" {
  salt = "none"
  size = 50
}`),
	).show(vouched("fd_3_3_7")...).check(func(c *Context, l *list) {
		if !c.Knows(Environment, Population) || c.Declaration.Environment.Caching != "no_hit_population" {
			return
		}
		p := c.Declaration.Population
		if p.Salt == "none" && !c.CacheFree {
			l.err(at(c.Population, "", "salt"), "Population that a cache can answer",
				"The environment relies on a population without cache hits, and this one has %d prompts that come again and again. Write salt = \"nonce\", which makes each prompt unique, or disable caching.", p.Size).set(c.Population, "salt", quote("nonce"))
		}
	}),
}
