package measure

import (
	"fmt"
	"slices"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/stats"
)

// segmentState follows the order of events inside one segment, whose instants
// share a clock.
type segmentState struct {
	journal.Segment
	rest    rest
	ended   bool      // the last thing that happened is a trial
	last    int64     // latest instant of any record
	rested  int64     // end of the last quiet period
	removed int64     // instant at which the last fault was confirmed removed
	watched int64     // end of the last false-detection observation
	applied []applied // whose trial entries are still to come
}

// rest is what quiet period the last trial was followed by.
type rest int

const (
	restNone    rest = iota
	restFailed       // one that did not reach its end, which is a violation of its own
	restReached      // one that did
)

// phases are the kinds of segments.
var phases = map[string]bool{"baseline": true, journal.PurposeSham: true, journal.PurposeTrials: true, journal.PurposeSearch: true,
	journal.PurposeMasking: true, "false_detection": true}

// reached takes note of an instant that a record tells of.
func (s *segmentState) reached(at int64) { s.last = max(s.last, at) }

// applied is a fault that was announced.
type applied struct {
	*journal.ApplyRecord
	line    int
	overlap bool // another one acted when it was announced
}

func (c *computer) begin(e journal.Entry, s *journal.Segment) error {
	if c.segment != nil {
		return reject(e, "segment %d begins before segment %d was committed", s.ID, c.segment.ID)
	}
	if s.ID != c.segments {
		return reject(e, "segment %d stands where segment %d belongs", s.ID, c.segments)
	}
	if _, err := c.load(e, s.Load); err != nil {
		return err
	}
	if !phases[s.Phase] {
		return reject(e, "a segment of the unknown phase %q", s.Phase)
	}
	c.segment = &segmentState{Segment: *s}
	return nil
}

func (c *computer) commit(e journal.Entry, r *journal.Commit) error {
	if r.ID != c.segment.ID {
		return reject(e, "a commit of segment %d inside segment %d", r.ID, c.segment.ID)
	}
	if r.At < c.segment.last {
		return reject(e, "segment %d ends at %s, before the last of its records", r.ID, exact.Duration(r.At))
	}
	if !possible(r.Missed) {
		return reject(e, "segment %d tells of a negative number of things that were missed", r.ID)
	}
	if r.Missed != nil {
		c.reception.missed(r.Missed)
	}
	c.unremoved("FD-4.3-1")
	switch {
	case !c.segment.ended:
	case c.open.Time == timeReal:
		// A segment of one trial: the quiet period is what the next begins
		// with.
		c.unrested, c.unrestedLine = c.segment.Name, e.Line
	default:
		c.restless(c.segment.Name, e.Line)
	}
	if f := r.Raw; f != nil {
		c.raw = append(c.raw, RawStamps{Segment: c.segment.Name, Name: f.Name, SHA256: f.SHA256, Rows: f.Rows, LeftOut: f.Left})
	}
	c.segments++
	c.testTime += r.At
	c.segment = nil
	return nil
}

// restless records that nothing shows the return to rest after a trial.
func (c *computer) restless(segment string, line int) {
	c.breach("FD-5.1-6", segment, "no quiet period was observed after the last trial", line)
}

// unremoved records the faults of the segment for which no removal is on
// record. That they acted at the same time as another is a breach already.
func (c *computer) unremoved(rule string) {
	if c.segment == nil {
		return
	}
	for _, a := range c.segment.applied {
		if !a.overlap {
			c.breach(rule, c.segment.Name, fmt.Sprintf("the fault of trial %q was applied and its removal is not on record", a.Trial), a.line)
		}
	}
	c.segment.applied = nil
}

func (c *computer) quiet(e journal.Entry, r *journal.QuietRecord) error {
	l, err := c.load(e, r.Load)
	if err != nil {
		return err
	}
	if r.To < r.From {
		return reject(e, "a quiet period ends before it begins")
	}
	s := c.segment
	s.ended, c.unrested = false, ""
	s.rested = r.To
	s.reached(r.To)
	c.unremoved("FD-4.3-1")
	s.rest = restFailed
	if r.From < s.removed && !c.lacks("from_ns") {
		c.breach("FD-4.3-2", l.label, "a quiet period began before the fault was removed", e.Line)
	}
	if c.lacks("reached", "state", "from_ns", "to_ns") {
		return nil
	}
	if !r.Reached {
		l.notReached++
		rule, what := "FD-4.3-3", "an affected indicator was not back within one standard deviation of its baseline mean"
		if (!r.State.Resting() || r.Unknown != "") && !slices.ContainsFunc(r.Waited, func(s string) bool { return s != waitedDetector }) {
			rule, what = "FD-4.3-4", "the detector still held an active alert state"
		}
		c.breach(rule, l.label, what+" when the longest quiet period was over", e.Line)
		return nil
	}
	s.rest = restReached
	l.quiet = append(l.quiet, r.To-r.From)
	if !r.State.Resting() || r.Unknown != "" {
		c.breach("FD-4.3-4", l.label, "a quiet period was ended while the detector held an active alert state", e.Line)
	}
	if what := c.notBack(r); what != "" && !c.lacks("last") {
		c.breach("FD-4.3-3", l.label, what, e.Line)
	}
	if r.To-r.From < int64(c.p.Declaration.Quiet.AtLeast) {
		c.breach("FD-4.3-2", l.label, "a quiet period was shorter than the plan declares", e.Line)
	}
	return nil
}

// notBack derives again whether every affected indicator was back when a quiet
// period ended, from the windows on record (AMB-21).
func (c *computer) notBack(r *journal.QuietRecord) string {
	for _, fc := range c.p.Declaration.FaultClasses {
		base, ok := c.base(r.Load, fc.Name, sdPoint)
		if !ok {
			continue // before the Baseline Interval only the detector counts
		}
		i := slices.IndexFunc(r.Last, func(q journal.QuietIndicator) bool { return q.Indicator == fc.Indicator })
		if i < 0 {
			return "a quiet period was ended and the windows of an affected indicator are not on record"
		}
		var last []stats.Window
		for _, w := range r.Last[i].Windows {
			last = append(last, stats.Window{Sum: w[0], N: w[1]})
		}
		mean, ok := stats.MeanOfWindows(last)
		if !ok || len(last) != c.p.Declaration.Quiet.Windows || !base.WithinOneSD(mean) {
			return "a quiet period was ended while an affected indicator was not back within one standard deviation of its baseline mean"
		}
	}
	return ""
}

// waitedDetector stands for the detector in what a quiet period waited for.
const waitedDetector = "detector"

func (c *computer) apply(e journal.Entry, r *journal.ApplyRecord) error {
	s := c.segment
	a := applied{ApplyRecord: r, line: e.Line}
	if len(s.applied) > 0 {
		a.overlap = true
		c.breach("FD-4.4-1", c.loads[s.Load].label, "a fault was applied while another one acted, and the plan has no two at a time", e.Line)
	}
	c.applied = true
	c.loads[s.Load].shared(r)
	s.applied = append(s.applied, a)
	return nil
}
