package measure

import (
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
)

// observedState is what a load's observation of false detections in real time
// tells beside the emissions.
type observedState struct {
	blind, silent  int64
	unsaid         bool // a stretch does not say whether requests were answered
	told           bool // one says how its requests were sent
	traffic        FalseTraffic
	p50, p99, late int64
	failures       map[string]int64
}

// firstLive is the engine of journals whose observations do not say how their
// requests went. They are read, and their results say what is not on record.
const firstLive = "fdbench.live/1"

// conditions takes in what an observation says of its traffic and of the time
// that does not count.
func (c *computer) conditions(e journal.Entry, r *journal.FalseDetectionRecord, l *loadState) {
	if c.open.Time != timeReal {
		return
	}
	s := &l.observed
	s.blind += r.Blind
	s.silent += r.Answered.Silence()
	s.unsaid = s.unsaid || r.Answered == nil
	if a := r.Answered; a != nil && !c.lacks("from_ns", "to_ns") {
		w := c.p.Declaration.Load.Points[r.Load].Window
		if a.Width != int64(w) || a.N != (r.To-r.From)/a.Width {
			c.breach("FD-5.4-2", l.label, "the windows without an answer are not counted over the whole observation, so for how long the detector could have spoken cannot be told", e.Line)
		}
	}
	old := c.p.Estimators.Engine == firstLive
	if r.Answered == nil && !old && !c.lacks("to_ns") {
		c.breach("FD-5.4-2", l.label, "whether requests were answered while false detections were observed is not on record, so for how long the detector could have spoken cannot be told", e.Line)
	}
	t := r.Traffic
	if t == nil {
		if !old {
			c.breach("FD-3.3-1", l.label, "how late the requests of an observation of false detections were sent is not on record", e.Line)
		}
		return
	}
	c.look(e, e.Data, "", wantedTraffic)
	if t.LateP50 > t.LateP99 || t.LateP99 > t.LateMax || t.Sent != r.Requests && !c.lacks("requests") {
		c.breach("FD-3.3-1", l.label, "what is on record of the requests that were sent cannot be", e.Line)
	}
	if !s.told {
		s.told, s.failures = true, map[string]int64{}
	}
	s.traffic.Sent += t.Sent
	s.traffic.Dropped += t.Dropped
	s.traffic.Unmatched += t.Unmatched
	s.p50, s.p99, s.late = max(s.p50, t.LateP50), max(s.p99, t.LateP99), max(s.late, t.LateMax)
	for _, f := range t.Failures {
		s.failures[f.Outcome] += f.N
	}
}

// report fills the members of a row in real time.
func (s *observedState) report(row *FalseDetection) {
	blind := seconds(s.blind)
	row.BlindS = &blind
	if !s.unsaid {
		silent := seconds(s.silent)
		row.SilentS = &silent
	}
	if !s.told {
		return
	}
	t := s.traffic
	t.Offered, t.Failures = t.Sent+t.Dropped, tallies(s.failures)
	if t.Sent > 0 {
		t.LateP50S, t.LateP99S, t.LateMaxS = float(seconds(s.p50)), float(seconds(s.p99)), float(seconds(s.late))
	}
	row.Traffic = &t
}

// whole tells whether the windows of an observation can be at all. Where the
// detector's state could be read throughout, they are all that is blind.
func whole(r *journal.FalseDetectionRecord) bool {
	a := r.Answered
	return a == nil || a.Width > 0 && a.Silent >= 0 && a.Silent <= a.N && a.N <= (r.To-r.From)/a.Width &&
		a.Silence() <= r.Blind && (r.Unknown != "" || a.Silence() == r.Blind)
}

// missed adds what a segment could not take in.
func (r *Reception) missed(m *journal.Missed) {
	r.Segments++
	r.Malformed += m.Malformed
	r.Truncated += m.Truncated
	r.Refused += m.Refused
	r.Unresolved += m.Unresolved
	r.Unanswered += m.Unanswered
	r.Restarts += m.Restarts
	if m.Gap > 0 {
		gap := exact.Duration(m.Gap).Seconds().Float64()
		if r.GapS != nil {
			gap = max(gap, *r.GapS)
		}
		r.GapS = &gap
	}
}

// possible tells whether counts can be at all.
func possible(m *journal.Missed) bool {
	return m == nil || min(m.Malformed, m.Truncated, m.Refused, m.Unresolved, m.Unanswered, m.Restarts, m.Gap) >= 0
}
