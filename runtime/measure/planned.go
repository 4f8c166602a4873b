package measure

import (
	"fmt"

	"github.com/fdbench/fdbench/compiler/plan"
)

// least is how many trials of one kind the methodology asks for (FD-5.1-8,
// FD-5.5-5).
const least = 20

// planned holds what a result rests on against the methodology once more,
// where the plan decides it: a plan need not have come from this compiler.
func (c *computer) planned() {
	p := c.p
	reduced := false
	for _, x := range p.Declaration.Reductions {
		reduced = reduced || x.What == "trials"
	}
	for _, t := range p.Combinations.Trials {
		if t.Trials < least && !reduced {
			c.breach("FD-5.1-8", c.comboName(t), fmt.Sprintf("%d trials are planned, and twenty are the least of a series that is not reduced", t.Trials), 0)
		}
	}
	for _, s := range p.Combinations.Searches {
		if s.Trials < least && !reduced {
			c.breach("FD-5.1-8", c.searchName(s), fmt.Sprintf("%d trials are planned at each step, and twenty are the least of a series that is not reduced", s.Trials), 0)
		}
		if s.Resolution.Sign() <= 0 {
			c.breach("FD-5.3-8", c.searchName(s), "the plan declares no resolution above 0 at which the search would end", 0)
		}
	}
	if m := p.Declaration.Masking; m != nil && m.Trials < least && len(c.masking) > 0 {
		c.breach("FD-5.5-5", "", fmt.Sprintf("%d masking trials are planned, and twenty are the least", m.Trials), 0)
	}
	if reason := hits(&p.Declaration); reason != "" {
		c.breach("FD-3.3-7", "", reason, 0)
	}
}

// hits says why a cache could answer requests of a plan, or "" (FD-3.3-7).
func hits(d *plan.Declaration) string {
	switch d.Environment.Caching {
	case "disabled":
		return ""
	case "no_hit_population":
		if d.Population.Salt != "nonce" && d.Population.Size > 0 {
			return "the population repeats its prompts without a nonce, so that a cache could answer them"
		}
		return ""
	}
	return fmt.Sprintf("caching is declared as %q, which neither disables it nor keeps hits from occurring", d.Environment.Caching)
}
