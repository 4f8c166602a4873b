package measure

import (
	"fmt"
	"strings"
)

// never counts what a series that stopped did not come to. One sentence says
// it, where a violation for each would bury the one that stopped the series.
type never struct{ baselines, combinations, searches, masking, observations int }

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
