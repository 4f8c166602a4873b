package measure

import (
	"fmt"
	"slices"

	"github.com/fdbench/fdbench/runtime/journal"
)

// segmentState follows the order of events inside one segment, whose instants
// share a clock.
type segmentState struct {
	journal.Segment
	rested  bool                 // the last thing that happened is a quiet period that reached its end
	removed int64                // instant at which the last fault was confirmed removed
	watched int64                // end of the last false-detection observation
	applied *journal.ApplyRecord // whose trial entry is still to come; nil without
	line    int                  // its line
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
	c.segment = &segmentState{Segment: *s}
	return nil
}

func (c *computer) commit(e journal.Entry, r *journal.Commit) error {
	if r.ID != c.segment.ID {
		return reject(e, "a commit of segment %d inside segment %d", r.ID, c.segment.ID)
	}
	c.unremoved()
	c.segments++
	c.testTime += r.At
	c.segment = nil
	return nil
}

// unremoved records a fault of the segment for which no removal is on record.
func (c *computer) unremoved() {
	if s := c.segment; s != nil && s.applied != nil {
		c.breach("FD-4.3-1", s.Name, fmt.Sprintf("the fault of trial %q was applied and its removal is not on record", s.applied.Trial), s.line)
	}
}

func (c *computer) quiet(e journal.Entry, r *journal.QuietRecord) error {
	l, err := c.load(e, r.Load)
	if err != nil {
		return err
	}
	if r.To < r.From {
		return reject(e, "a quiet period ends before it begins")
	}
	c.segment.rested = r.Reached
	if !r.Reached {
		l.notReached++
		rule, what := "FD-4.3-3", "an affected indicator was not back within one standard deviation of its baseline mean"
		if !r.State.Resting() && !slices.ContainsFunc(r.Waited, func(s string) bool { return s != waitedDetector }) {
			rule, what = "FD-4.3-4", "the detector still held an active alert state"
		}
		c.breach(rule, l.label, what+" when the longest quiet period was over", e.Line)
		return nil
	}
	l.quiet = append(l.quiet, r.To-r.From)
	if !r.State.Resting() {
		c.breach("FD-4.3-4", l.label, "a quiet period was ended while the detector held an active alert state", e.Line)
	}
	if r.To-r.From < int64(c.p.Declaration.Quiet.AtLeast) {
		c.breach("FD-4.3-2", l.label, "a quiet period was shorter than the plan declares", e.Line)
	}
	return nil
}

// waitedDetector stands for the detector in what a quiet period waited for.
const waitedDetector = "detector"

func (c *computer) apply(e journal.Entry, r *journal.ApplyRecord) error {
	s := c.segment
	if s.applied != nil {
		c.unremoved()
		c.breach("FD-4.4-1", c.loads[s.Load].label, "a fault was applied before the one before it was removed", e.Line)
	}
	c.applied = true
	s.applied, s.line = r, e.Line
	return nil
}
