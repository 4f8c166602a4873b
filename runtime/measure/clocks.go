package measure

import (
	"fmt"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
)

const (
	sameHost = "same_host"
	chronyBy = "chrony"
)

// probes gathers the measurements of the offset between the two clocks.
type probes struct {
	n         int
	maxOffset exact.Duration
	method    string
}

// probed tells where the measurements lie among the trials of a load. Their
// place counts; that a record says otherwise is a violation.
type probed struct {
	before, between bool
	since           bool   // one lies behind the last trial so far
	moment          string // what that one says of itself
}

// Moments of a clock measurement.
const (
	momentBefore  = "before"
	momentBetween = "between"
	momentAfter   = "after"
)

// clock takes in one measurement. One that stands outside a segment is of all
// loads.
func (c *computer) clock(e journal.Entry, r *journal.ClockRecord) error {
	if r.Delay < 0 || r.Bound < 0 {
		return reject(e, "a clock measurement with the delay %d and the bound %d cannot be", r.Delay, r.Bound)
	}
	p := &c.probes
	p.n++
	// |offset| + delay/2, as the record's own stamps give it, rounded up
	// (AMB-15).
	derived := max(r.Offset, -r.Offset) + r.Delay/2 + r.Delay%2
	if r.Bound < derived && !c.lacks("bound_ns", "offset_ns", "delay_ns") {
		c.breach("FD-3.5-2", "", "the bound of a clock measurement is smaller than its offset and delay give", e.Line)
	}
	if r.Method == "" && !c.lacks("method") {
		c.breach("FD-3.5-2", "", "a clock measurement does not say how it was made", e.Line)
	}
	if p.method == "" {
		p.method = r.Method
	}
	p.maxOffset = max(p.maxOffset, exact.Duration(r.Bound), exact.Duration(derived))
	for i := range c.loads {
		l := &c.loads[i]
		if c.segment != nil && c.segment.Load != i {
			continue
		}
		if l.trials == 0 {
			l.probes.before = true
		}
		if (l.trials == 0) != (r.Moment == momentBefore) && !c.lacks("moment") {
			c.misplaced(l, r.Moment)
		}
		l.probes.since, l.probes.moment = true, r.Moment
	}
	switch r.Moment {
	case momentBefore, momentBetween, momentAfter:
	default:
		if !c.lacks("moment") {
			return reject(e, "a clock measurement at the unknown moment %q", r.Moment)
		}
	}
	return nil
}

// passed tells that a trial came after what was measured so far.
func (c *computer) passed(l *loadState, first bool) {
	p := &l.probes
	if p.since && !first {
		p.between = true
		if p.moment != momentBetween && p.moment != "" {
			c.misplaced(l, p.moment)
		}
	}
	p.since = false
}

func (c *computer) misplaced(l *loadState, moment string) {
	c.breach("FD-3.5-2", l.label, fmt.Sprintf("a measurement of the clocks is said to be of the moment %q, and lies elsewhere among the trials", moment), 0)
}

// clocks fills in section 3.5 and returns the error bound that every latency
// has to carry, or nil (FD-3.5-2 to FD-3.5-7).
func (c *computer) clocks(r *Result) *float64 {
	r.Onset = Onset{Source: c.open.Onset.Source, ResolutionS: seconds(c.open.Onset.Resolution)}
	hosts, arrangement := c.open.Hosts, c.p.Declaration.Environment.Clocks
	r.Clocks = Clocks{Arrangement: arrangement, Apparatus: hosts.Apparatus, Detector: hosts.Detector, Method: c.probes.method, Probes: c.probes.n}
	one := hosts.Apparatus != "" && hosts.Apparatus == hosts.Detector
	switch {
	case c.open.Time == timeVirtual:
		r.Clocks.Note = "One virtual clock stamps onset and event: the requirement on clock offset does not apply."
		if !one && !c.hostless {
			c.breach("FD-3.5-6", "", "the series ran in virtual time, and two hosts are on record", 0)
		}
		return nil
	case arrangement == sameHost && one:
		r.Clocks.Note = "The injection apparatus and the detector stamp on the same host: the requirement on clock offset does not apply."
		return c.bound(r, 0, false)
	case arrangement == sameHost:
		r.Clocks.Note = "The injection apparatus and the detector are declared to stamp on the same host, and that is not on record."
		if !c.hostless {
			c.breach("FD-3.5-6", "", fmt.Sprintf("onset and event are declared to be stamped on the same host, and they were stamped on %q and %q",
				hosts.Apparatus, hosts.Detector), 0)
		}
	}
	if c.probes.n == 0 {
		if arrangement != sameHost {
			r.Clocks.Note = "The offset between the two clocks was not measured."
			if c.tried() {
				c.breach("FD-3.5-2", "", "the clocks are declared as compared, and no measurement of their offset is on record", 0)
			}
		}
		return c.bound(r, 0, false)
	}
	r.Clocks.MaxOffset = float(c.probes.maxOffset.Seconds().Float64())
	if arrangement != sameHost {
		of := "|offset| + delay/2"
		if arrangement == chronyBy {
			of = "|offset| + root dispersion + root delay/2 of both hosts together"
		}
		r.Clocks.Note = fmt.Sprintf("Largest bound of %d measurements, %s.", c.probes.n, of)
		c.around()
	}
	return c.bound(r, c.probes.maxOffset, true)
}

// tried tells whether any trial is on record.
func (c *computer) tried() bool {
	for i := range c.loads {
		if c.loads[i].trials > 0 {
			return true
		}
	}
	return false
}

// around checks that the clocks were compared before, between and after the
// trials of each load: an offset of one moment says nothing about a drift.
func (c *computer) around() {
	for i := range c.loads {
		l := &c.loads[i]
		if l.trials == 0 {
			continue
		}
		for _, x := range []struct {
			missing bool
			where   string
		}{
			{!l.probes.before, "before the first trial"},
			{!l.probes.between && l.trials > 1, "between the trials"},
			{!(l.probes.since && l.probes.moment != momentBetween) && l.falseSeen, "after the last trial"},
		} {
			if x.missing {
				c.breach("FD-3.5-2", l.label, "the offset of the clocks was not measured "+x.where, 0)
			}
		}
	}
}
