package report

import (
	"fmt"

	"github.com/fdbench/fdbench/runtime/report/omission"
	"github.com/fdbench/fdbench/runtime/reuse/result"
)

// Report is a result that leaves out nothing that the metric contract wants
// reported. [Build] and [Read] are the only ways to one; its methods are pure,
// and equal results give equal bytes.
type Report struct{ r *result.Result }

// Result is what the report is made from. It must not be changed.
func (p *Report) Result() *result.Result { return p.r }

// JSON is the report for a program: the bytes of result.json.
func (p *Report) JSON() []byte { return result.Encode(p.r) }

// refusal is the error for a result with omissions.
func refusal(r *result.Result, list []omission.Omission) error {
	return &omission.Error{Of: fmt.Sprintf("the reuse block %q", r.Name), By: "the metric contract", Omissions: list}
}

// Build makes the report of a result. The error is an *[omission.Error] where
// something is missing that a row wants reported, or where members contradict
// one another.
func Build(r *result.Result) (*Report, error) {
	if list := omissions(r); len(list) > 0 {
		return nil, refusal(r, list)
	}
	return &Report{r}, nil
}

// omissions holds a result against every row on reports.
func omissions(r *result.Result) []omission.Omission {
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
	return omission.Sort(c.list)
}
