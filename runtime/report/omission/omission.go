package omission

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/spec"
)

// Omission is something that a report must not be without, or must not say.
type Omission struct {
	Rule   string // row of the table, "FD-5.3-12"
	Where  string // in the result: "threshold[0].baseline_sd"
	Detail string // what is missing or wrong, as a sentence without its end
}

func (o Omission) String() string {
	s := o.Rule + ": " + o.Detail
	if o.Where != "" {
		s += " (" + o.Where + ")"
	}
	return s
}

// Error says why no report is made of a result. The result and what it was
// computed from are as they were.
type Error struct {
	Of     string // what the result is of: `the series "refusals"`
	By     string // what wants it reported: "the methodology"
	Remedy string // what can be done, between the plan and the journal and the hint at explain; may be ""

	Omissions []Omission // in the order of the table, at least one
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "no report is made of %s, because it would leave out or misstate what %s wants reported:\n", e.Of, e.By)
	for _, o := range e.Omissions {
		b.WriteString("  " + o.String() + "\n")
	}
	b.WriteString("The plan and the journal are as they were")
	if e.Remedy != "" {
		b.WriteString(". " + e.Remedy)
	}
	b.WriteString("; \"fdbench explain\" with an id says what it asks for")
	return b.String()
}

// Rules lists the distinct rows that are broken, in order.
func (e *Error) Rules() []string {
	var out []string
	for _, o := range e.Omissions {
		out = append(out, o.Rule)
	}
	return slices.Compact(out)
}

// Sort orders omissions by row of the table and keeps one of each place.
func Sort(list []Omission) []Omission {
	slices.SortStableFunc(list, func(a, b Omission) int { return spec.Order(a.Rule) - spec.Order(b.Rule) })
	return slices.CompactFunc(list, func(a, b Omission) bool { return a.Rule == b.Rule && a.Where == b.Where })
}
