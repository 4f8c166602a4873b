package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report/figure"
	"github.com/fdbench/fdbench/runtime/report/table"
)

// noTraffic stands where a result says nothing of its traffic: it was made
// before results did.
const noTraffic = "Not on record."

// traffic is section 16: what a run in real time tells of its requests.
func (m *markdown) traffic() {
	m.section("16. Traffic")
	x := &m.r.Traffic
	if x.Note == "" {
		m.f("%s\n\n", noTraffic)
		return
	}
	m.f("%s\n\n", x.Note)
	if len(x.Loads) > 0 {
		t := &table.Table{Head: []string{"load", ">trials", ">duration", ">offered", ">sent", ">dropped", ">rate (req/s)", ">late p50", ">late p99", ">latest", "late p99 below 1% of the smallest latency",
			"without an answer", ">seen at one point only", ">lost to verification", "broken faults", "clock steps"}}
		for _, l := range x.Loads {
			t.Add(l.Load, count(l.Trials), figure.Span(l.PeriodS), grouped(l.Offered), grouped(l.Sent), grouped(l.Dropped), orWord(l.Rate, four, "none"), late(l.LateP50S), late(l.LateP99S), late(l.LateMaxS),
				yesNo(l.LateOK), tallied(l.Failures), grouped(l.Unmatched), grouped(l.Lost), tallied(l.Broken), jumps(&l))
		}
		m.table("Requests of each load", "Those between onset and removal in all trials, sham trials included. The three latenesses are each the largest of the trials that were kept. "+
			"A request without an answer is counted, and is neither a latency nor a score.", t)
	}
	m.twins()
	if len(x.Resumptions) > 0 {
		t := &table.Table{Head: []string{"segment that was cut and repeated", ">entries cut", "fault of what was cut", "load", ">under fault, at most", "by the"}}
		for _, r := range x.Resumptions {
			fault, under := "none", "none"
			if r.Trial != "" {
				fault = r.Class + ", " + r.Trial
			}
			if r.UnderFaultS != nil {
				under = figure.Span(*r.UnderFaultS)
			}
			t.Add(orNone(r.Segment), count(r.Entries), fault, r.Load, under, r.Bound)
		}
		m.table("Times that the run went on after it had been cut short", "What was not complete was repeated. The time for which a fault of it acted, until the run went on where it had not been removed before, counts as time under fault in section 13.", t)
	}
	m.raw()
}

// twins says which share of the responses each magnitude asked for, and what
// that follows from.
func (m *markdown) twins() {
	shares := &table.Table{Head: []string{"load", "fault class", ">magnitude", "unit", ">share of responses", ">applications"}}
	twins := &table.Table{Head: []string{"load", "fault class", "unit", ">responses (n)", ">mean", ">mean of their twins"}}
	for _, l := range m.r.Traffic.Loads {
		for _, x := range l.Shares {
			shares.Add(l.Load, x.Class, figure.Signed(x.Magnitude), unitOf(m.r, x.Class), figure.Decimal(&x.Share), count(x.Applications))
		}
		for _, x := range l.Twins {
			twins.Add(l.Load, x.Class, unitOf(m.r, x.Class), grouped(x.Responses), figure.Decimal(&x.Mean), figure.Decimal(&x.Changed))
		}
	}
	if len(twins.Rows) > 0 {
		m.table("Twins of the Baseline Interval", "What each fault class would have made of the n responses, which were sent as they were.", twins)
	}
	if len(shares.Rows) > 0 {
		m.table("Shares of the responses that faults were to change", "As the apparatus was asked, over all applications, kept or discarded.", shares)
	}
}

// raw says where the stamps of every request are.
func (m *markdown) raw() {
	x := &m.r.Traffic
	if len(x.Raw)+x.Rawless == 0 {
		return
	}
	var rows, left int64
	for _, f := range x.Raw {
		rows, left = rows+f.Rows, left+f.LeftOut
	}
	s := fmt.Sprintf("%s with the raw stamps of %s requests; their SHA-256 stand in result.json", plural(len(x.Raw), "file"), grouped(rows))
	if left > 0 {
		s += fmt.Sprintf("; %s requests were left out by the bound that the run was given", grouped(left))
	}
	if x.Rawless > 0 {
		s += fmt.Sprintf("; %s kept none", plural(x.Rawless, "segment"))
	}
	m.f("%s.\n\n", s)
}

// traffic is the line of a load in the summary; there is none where the
// schedule is simulated.
func (t *summary) traffic(load string) {
	for i := range t.r.Traffic.Loads {
		l := &t.r.Traffic.Loads[i]
		if l.Load != load || l.Trials == 0 {
			continue
		}
		s := fmt.Sprintf("%s of %s requests sent", grouped(l.Sent), grouped(l.Offered))
		if l.LateP99S != nil {
			s += ", p99 late by " + late(l.LateP99S)
		}
		if len(l.Failures) > 0 {
			s += "; without an answer: " + tallied(l.Failures)
		}
		if len(l.Broken) > 0 {
			s += "; broken faults: " + tallied(l.Broken)
		}
		if l.Steps > 0 {
			s += "; clock steps: " + jumps(l)
		}
		t.Para("  traffic           ", s)
	}
}

// traffic writes traffic.csv.
func (w *csvWriter) traffic() {
	w.begin("load", "trials", "period_s", "offered", "sent", "dropped", "rate_per_s", "late_p50_s", "late_p99_s", "late_max_s", "late_ok", "unmatched", "lost",
		"failures", "broken", "clock_steps", "largest_clock_step_s")
	whole := func(n int64) string { return strconv.FormatInt(n, 10) }
	for _, x := range w.r.Traffic.Loads {
		ok := ""
		if x.LateOK != nil {
			ok = strconv.FormatBool(*x.LateOK)
		}
		w.row(x.Load, count(x.Trials), number(&x.PeriodS), whole(x.Offered), whole(x.Sent), whole(x.Dropped), number(x.Rate), number(x.LateP50S), number(x.LateP99S), number(x.LateMaxS), ok,
			whole(x.Unmatched), whole(x.Lost), listed(x.Failures), listed(x.Broken), count(x.Steps), number(x.StepS))
	}
	w.end("traffic.csv")
}

// late prints a lateness.
func late(s *float64) string {
	if s == nil {
		return "none"
	}
	return figure.Significant(*s*1e3, figure.Digits) + " ms"
}

func four(v float64) string { return figure.Significant(v, 4) }

func yesNo(b *bool) string {
	switch {
	case b == nil:
		return "nothing to compare"
	case *b:
		return "yes"
	}
	return "no"
}

// tallied lists counts in a cell, "none" where there are none.
func tallied(list []measure.Tally) string {
	if len(list) == 0 {
		return "none"
	}
	return listed(list)
}

func listed(list []measure.Tally) string {
	var parts []string
	for _, x := range list {
		parts = append(parts, grouped(x.N)+" "+strings.ReplaceAll(x.What, "_", " "))
	}
	return strings.Join(parts, "; ")
}

func jumps(l *measure.TrafficLoad) string {
	if l.Steps == 0 || l.StepS == nil {
		return "none"
	}
	return fmt.Sprintf("%d, the largest of %s s", l.Steps, figure.Significant(*l.StepS, figure.Digits))
}
