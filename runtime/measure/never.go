package measure

import (
	"fmt"
	"strings"
)

// never counts what a series that stopped did not come to. One sentence says
// it, where a violation for each would bury the one that stopped the series.
type never struct{ baselines, shams, combinations, searches, masking, observations int }

// stopped tells whether the series ended before its plan did.
func (c *computer) stopped() bool { return c.closing == nil || c.closing.Status != "complete" }

// unreached is the sentence, or "".
func (c *computer) unreached() string {
	loads := len(c.loads)
	var parts []string
	for _, x := range []struct {
		n, of int
		what  string
	}{
		{c.never.baselines, loads, "Baseline Intervals"},
		{c.never.shams, loads, "sets of sham trials"},
		{c.never.combinations, len(c.combos), "combinations"},
		{c.never.searches, len(c.searches), "threshold searches"},
		{c.never.masking, len(c.masking), "masking measurements"},
		{c.never.observations, loads, "observations of false detections"},
	} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf("%d of %d %s", x.n, x.of, x.what))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "the series stopped before it came to " + strings.Join(parts, ", ")
}

// shams is how many sham trials each load is asked for: they show how much of
// a coverage is chance, so a plan without trials has none.
func (c *computer) shams() int {
	if len(c.p.Combinations.Trials)+len(c.p.Combinations.Searches) == 0 {
		return 0
	}
	return c.p.Declaration.Sham.Trials
}

// shamsCounted checks that the sham trials were run. One that was discarded is
// not repeated, so those on record count.
func (c *computer) shamsCounted() {
	want := c.shams()
	for i := range c.loads {
		switch l := &c.loads[i]; {
		case l.sham.attempts() >= want:
		case c.stopped() && l.trials == 0:
			c.never.shams++
		default:
			c.breach(RuleSeries, l.label, fmt.Sprintf("%d of %d sham trials are on record, so how much of a coverage is chance does not show", l.sham.attempts(), want), 0)
		}
	}
}
