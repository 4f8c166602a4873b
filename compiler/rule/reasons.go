package rule

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang"
	"github.com/fdbench/fdbench/lang/diag"
	"github.com/fdbench/fdbench/lang/reason"
	"github.com/fdbench/fdbench/lang/suggest"
	"github.com/fdbench/fdbench/spec"
	"github.com/hashicorp/hcl/v2"
)

// Reasons are what the "because" of a block says.
type Reasons struct {
	Block *lang.Block
	Rows  []Reason
	// Bare tells that Text stands there alone: it is the reason for all that
	// its block sets aside.
	Bare bool
	Text string
}

// Reason says why one recommendation is not followed.
type Reason struct {
	For, Text           string
	ForPlace, TextPlace hcl.Range
}

// of is the reason for a row, "" where none is given.
func (r Reasons) of(id string) string {
	if r.Bare && reason.Given(r.Text) {
		return r.Text
	}
	for _, row := range r.Rows {
		if sameID(row.For, id) && reason.Given(row.Text) {
			return row.Text
		}
	}
	return ""
}

// excusable are the findings that a reason turns into deviations, by the type
// of the block that it stands in.
var excusable = map[string][]string{
	"load":      {"FD-3.3-4", "FD-3.3-5", representative},
	"fault":     {"FD-4.2-7"},
	"threshold": {"FD-5.3-8"},
	"reuse":     {controlled},
}

// departures are what a declaration sets aside, with the reasons for it.
type departures struct {
	deviations []plan.Deviation
	// asked are the recommendations that each block sets aside.
	asked map[*lang.Block][]string
}

// deviate records that a recommendation was set aside, and gives the reason
// for it in the block. It is false where there is none.
func (c *departures) deviate(l *list, b *lang.Block, because Reasons) bool {
	if c.asked == nil {
		c.asked = map[*lang.Block][]string{}
	}
	if !slices.Contains(c.asked[b], l.id) {
		c.asked[b] = append(c.asked[b], l.id)
	}
	text := because.of(l.id)
	if text == "" {
		return false
	}
	c.deviations = append(c.deviations, plan.Deviation{Rule: l.id, Because: text})
	return true
}

// reasonsGiven holds every "because" against what is set aside: each reason
// names a recommendation that its block departs from, once, and is one.
func (c *Context) reasonsGiven() diag.List {
	l := list{id: "LANG-reason"}
	c.look(&l, c.LoadBecause, c.Knows(Load))
	known := c.Knows(Matrix, Load, Detector, Count)
	for _, f := range c.Faults {
		c.look(&l, f.Because, known)
	}
	for _, t := range c.Thresholds {
		c.look(&l, t.Because, known)
	}
	return l.diags
}

// look holds one "because" against what its block sets aside, where known
// tells that all of that is known.
func (c *departures) look(l *list, r Reasons, known bool) {
	if r.Block == nil || r.Block.Attr("because") == nil {
		return
	}
	if r.Bare {
		c.bare(l, r, known)
		return
	}
	first := map[string]hcl.Range{}
	for _, row := range r.Rows {
		id, ok := about(l, r, row)
		if !ok {
			continue
		}
		earlier, twice := first[id]
		switch {
		case twice:
			l.err(row.ForPlace.Ptr(), "Two reasons", "%s has a reason at line %d already. Keep one, with everything that it has to say.", id, earlier.Start.Line)
		case !reason.Given(row.Text):
			l.err(row.TextPlace.Ptr(), "Reason without substance", "The report gives this reason to a reader who was not there, and %q tells nothing. Say why %s is not followed.", row.Text, id)
		case known && !slices.Contains(c.asked[r.Block], id):
			u := list{id: "LANG-unused-reason"}
			f := u.warn(row.ForPlace.Ptr(), "Reason for nothing", "%s is not set aside here, so this reason stands nowhere in the report. Take it out.", id)
			if len(r.Rows) == 1 {
				f.remove(r.Block, "because")
			}
			l.diags.Extend(u.diags)
		}
		if !twice {
			first[id] = row.ForPlace
		}
	}
	if len(r.Rows) == 0 && known {
		l.err(at(r.Block, "", "because"), "No reason", "Say what is set aside and why: because = { %q = \"...\" }, or take the line out.", excusable[r.Block.Type][0])
	}
}

// bare holds a text that stands alone against what its block sets aside: it is
// the reason for all of that. Where that is more than one thing, a note says
// so, since a reader of the report sees the same words at each.
func (c *departures) bare(l *list, r Reasons, known bool) {
	place := at(r.Block, "", "because")
	asked := c.asked[r.Block]
	switch {
	case !reason.Given(r.Text):
		l.err(place, "Reason without substance", "The report gives this reason to a reader who was not there, and %q tells nothing. Say why the recommendation is not followed.", r.Text)
	case known && len(asked) == 0:
		u := list{id: "LANG-unused-reason"}
		u.warn(place, "Reason for nothing", "Nothing is set aside here, so this reason stands nowhere in the report. Take it out.").remove(r.Block, "because")
		l.diags.Extend(u.diags)
	case known && len(asked) > 1:
		var lines []string
		for _, id := range asked {
			lines = append(lines, fmt.Sprintf("%q = \"...\"", id))
		}
		l.note(place, "One reason for several things", "It is taken as the reason for each: %s. To give each its own:\n\n  because = { %s }", strings.Join(asked, ", "), strings.Join(lines, ", "))
	}
}

// about finds what a reason is for.
func about(l *list, r Reasons, row Reason) (string, bool) {
	rows := excusable[r.Block.Type]
	for _, id := range rows {
		if sameID(row.For, id) {
			return id, true
		}
	}
	here := "In a " + r.Block.Type + " block " + strings.Join(rows, ", ") + " can be set aside."
	for _, q := range spec.Requirements() {
		if !sameID(row.For, q.ID) {
			continue
		}
		detail := fmt.Sprintf("A reason given here sets aside nothing of %s. %s", q.ID, here)
		for _, typ := range slices.Sorted(maps.Keys(excusable)) {
			if slices.Contains(excusable[typ], q.ID) {
				detail = fmt.Sprintf("%s is set aside in the %s block, not here. %s", q.ID, typ, here)
			}
		}
		l.err(row.ForPlace.Ptr(), "Nothing that a reason sets aside", "%s", detail)
		return "", false
	}
	near := suggest.Nearest(row.For, rows)
	detail := fmt.Sprintf("No requirement is called %q. %s", row.For, here)
	if near != "" {
		detail = fmt.Sprintf("No requirement is called %q. Did you mean %q?", row.For, near)
	}
	f := l.err(row.ForPlace.Ptr(), "Unknown requirement", "%s", detail)
	if near != "" && row.ForPlace != row.TextPlace {
		f.d.Fix = &diag.Fix{Range: row.ForPlace, Text: quote(near)}
	}
	return "", false
}
