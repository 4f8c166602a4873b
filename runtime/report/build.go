package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/runtime/measure"
)

// Report is a result that leaves out nothing that the methodology wants
// reported. [Build] and [Read] are the only ways to one; its methods are pure,
// and equal results give equal bytes.
type Report struct{ r *measure.Result }

// Result is what the report is made from. It must not be changed.
func (p *Report) Result() *measure.Result { return p.r }

// JSON is the report for a program: the bytes of result.json.
func (p *Report) JSON() []byte { return measure.Encode(p.r) }

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

// OmissionError says why no report is made of a result. The result and what it
// was computed from are as they were.
type OmissionError struct {
	Series    string
	Omissions []Omission // in the order of the table, at least one
}

func (e *OmissionError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "no report is made of the series %q, because it would leave out or misstate what the methodology wants reported:\n", e.Series)
	for _, o := range e.Omissions {
		b.WriteString("  " + o.String() + "\n")
	}
	b.WriteString("The plan and the journal are as they were. What they do not hold has to be measured again, in a new folder; \"fdbench explain\" with an id says what it asks for")
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
// something is missing that a requirement wants reported, or where members
// contradict one another.
//
// What a run did not measure is no omission where the result says so itself:
// in its violations, or as a series that stopped. The report then says it in
// words. An absence that nothing explains is an omission.
func Build(r *measure.Result) (*Report, error) {
	if list := omissions(r); len(list) > 0 {
		return nil, &OmissionError{r.Series, list}
	}
	return &Report{r}, nil
}

// omissions holds a result against every requirement on reports.
func omissions(r *measure.Result) []Omission {
	c := newChecker(r)
	c.keys()
	c.naming()
	c.environment()
	c.clocks()
	c.signal()
	c.loadsOfRows()
	c.baselines()
	c.quietPeriods()
	c.latencies()
	c.coverages()
	c.falseDetections()
	c.thresholds()
	c.maskings()
	c.whole()
	return sorted(c.list)
}

// sorted orders omissions by row of the table and keeps one of each place.
func sorted(list []Omission) []Omission {
	slices.SortStableFunc(list, func(a, b Omission) int { return order(a.Rule) - order(b.Rule) })
	return slices.CompactFunc(list, func(a, b Omission) bool { return a.Rule == b.Rule && a.Where == b.Where })
}
