package report

import (
	"fmt"

	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report/omission"
)

// Report is a result that leaves out nothing that the methodology wants
// reported. [Build] and [Read] are the only ways to one; its methods are pure,
// and equal results give equal bytes.
type Report struct{ r *measure.Result }

// Result is what the report is made from. It must not be changed.
func (p *Report) Result() *measure.Result { return p.r }

// JSON is the report for a program: the bytes of result.json.
func (p *Report) JSON() []byte { return measure.Encode(p.r) }

// refusal is the error for a result with omissions.
func refusal(r *measure.Result, list []omission.Omission) error {
	return &omission.Error{Of: fmt.Sprintf("the series %q", r.Series), By: "the methodology",
		Remedy: "What they do not hold has to be measured again, in a new folder", Omissions: list}
}

// Build makes the report of a result. The error is an *[omission.Error] where
// something is missing that a requirement wants reported, or where members
// contradict one another.
//
// What a run did not measure is no omission where the result says so itself:
// in its violations, or as a series that stopped. The report then says it in
// words. An absence that nothing explains is an omission.
func Build(r *measure.Result) (*Report, error) {
	if list := omissions(r); len(list) > 0 {
		return nil, refusal(r, list)
	}
	return &Report{r}, nil
}

// omissions holds a result against every requirement on reports.
func omissions(r *measure.Result) []omission.Omission {
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
	return omission.Sort(c.list)
}
