package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/spec"
)

// Report is a result that leaves out nothing that the metric contract wants
// reported. [Build] and [Read] are the only ways to one; its methods are pure,
// and equal results give equal bytes.
type Report struct{ r *result.Result }

// Result is what the report is made from. It must not be changed.
func (p *Report) Result() *result.Result { return p.r }

// JSON is the report for a program: the bytes of result.json.
func (p *Report) JSON() []byte { return result.Encode(p.r) }

// Omission is something that a report must not be without, or must not say.
type Omission struct {
	Rule   string // row of the table, "KV-8-3"
	Where  string // in the result: "paired.hit_rate"
	Detail string // what is missing or wrong, as a sentence without its end
}

func (o Omission) String() string {
	s := o.Rule + ": " + o.Detail
	if o.Where != "" {
		s += " (" + o.Where + ")"
	}
	return s
}

// OmissionError says why no report is made of a result. The result and what it
// was computed from are as they were.
type OmissionError struct {
	Name      string
	Omissions []Omission // in the order of the table, at least one
}

func (e *OmissionError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "no report is made of the reuse block %q, because it would leave out or misstate what the metric contract wants reported:\n", e.Name)
	for _, o := range e.Omissions {
		b.WriteString("  " + o.String() + "\n")
	}
	b.WriteString("The plan and the journal are as they were; \"fdbench explain\" with an id says what it asks for")
	return b.String()
}

// Rules lists the distinct rows that are broken, in order.
func (e *OmissionError) Rules() []string {
	var out []string
	for _, o := range e.Omissions {
		out = append(out, o.Rule)
	}
	return slices.Compact(out)
}

// Build makes the report of a result. The error is an *[OmissionError] where
// something is missing that a row wants reported, or where members contradict
// one another.
func Build(r *result.Result) (*Report, error) {
	if list := omissions(r); len(list) > 0 {
		return nil, &OmissionError{r.Name, list}
	}
	return &Report{r}, nil
}

// omissions holds a result against every row on reports.
func omissions(r *result.Result) []Omission {
	c := &checker{r: r}
	c.claims()
	c.status()
	c.groups()
	c.sums()
	c.controls()
	c.collided()
	c.confirmation()
	c.logs()
	c.placement()
	c.placements()
	c.paired()
	c.arms()
	c.quality()
	c.answers()
	c.gates()
	c.conditions()
	return sorted(c.list)
}

// sorted orders omissions by row of the table and keeps one of each place.
func sorted(list []Omission) []Omission {
	slices.SortStableFunc(list, func(a, b Omission) int { return order(a.Rule) - order(b.Rule) })
	return slices.CompactFunc(list, func(a, b Omission) bool { return a.Rule == b.Rule && a.Where == b.Where })
}

// order is the place of a row in the table.
func order(rule string) int {
	return slices.IndexFunc(spec.Requirements(), func(q spec.Requirement) bool { return q.ID == rule })
}
