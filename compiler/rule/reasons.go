package rule

import (
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
)

// unusedReasons warns of a "because" that excuses nothing: whoever reads it
// would look for a departure that is not there.
func (c *Context) unusedReasons() diag.List {
	l := list{id: "LANG-unused-reason"}
	look := func(b *lang.Block, known bool, about string) {
		if b == nil || b.Attr("because") == nil || c.reasons[b] || !known {
			return
		}
		l.warn(at(b, "", "because"), "Reason for nothing", "No recommendation about %s is set aside here, so this reason stands nowhere in the report. Take it out.", about).remove(b, "because")
	}
	look(c.Series.One("load"), c.Knows(Load), "the load points")
	known := c.Knows(Matrix, Load, Detector, Count)
	for _, f := range c.Faults {
		look(f.Block, known, "the fault")
	}
	for _, t := range c.Thresholds {
		look(t.Block, known, "the search")
	}
	return l.diags
}
