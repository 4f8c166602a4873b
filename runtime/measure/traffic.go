package measure

import (
	"cmp"
	"slices"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/stats"
)

// Traffic is how the requests of a series in real time were sent, and what
// disturbed it. Failures are counted; they are no latencies and no scores.
type Traffic struct {
	Note        string        `json:"note"`
	Loads       []TrafficLoad `json:"loads"`       // empty in virtual time
	Resumptions []Resumption  `json:"resumptions"` // of a run that was cut short
	Raw         []RawStamps   `json:"raw"`         // files with the raw stamps of the requests
	Rawless     int           `json:"segments_without_raw"`
}

// TrafficLoad is the traffic during the trials of one load, sham trials
// included (FD-3.3-1).
type TrafficLoad struct {
	Load      string   `json:"load"`
	Trials    int      `json:"trials"`   // that say how their requests were sent
	PeriodS   float64  `json:"period_s"` // of them, from onset to removal
	Offered   int64    `json:"offered"`  // requests whose time had come: sent and dropped
	Sent      int64    `json:"sent"`
	Dropped   int64    `json:"dropped"`
	Rate      *float64 `json:"rate_per_s"`  // of those sent, over the period
	LateP50S  *float64 `json:"late_p50_s"`  // sent later than scheduled: the largest of the kept trials' medians,
	LateP99S  *float64 `json:"late_p99_s"`  // of their 99th percentiles,
	LateMaxS  *float64 `json:"late_max_s"`  // and of all their requests
	LateOK    *bool    `json:"late_ok"`     // late_p99_s is below one percent of the smallest latency of the series
	Unmatched int64    `json:"unmatched"`   // seen at one of the two points only
	Lost      int64    `json:"lost"`        // of them, responses that were to verify a fault
	Failures  []Tally  `json:"failures"`    // requests without an answer, by how they ended
	Broken    []Tally  `json:"broken"`      // faults that did not last until they were removed, by why
	Steps     int      `json:"clock_steps"` // jumps of the wall clock
	StepS     *float64 `json:"largest_clock_step_s"`
	Twins     []Twins  `json:"twins"`
	Shares    []Share  `json:"shares"`
}

// Tally counts what ended in one way.
type Tally struct {
	What string `json:"what"`
	N    int64  `json:"n"`
}

// Twins are the responses of a Baseline Interval, and what a class would have
// made of them (AMB-06).
type Twins struct {
	Class     string `json:"class"`
	Responses int64  `json:"responses"`
	Mean      string `json:"mean"`       // as they were
	Changed   string `json:"twins_mean"` // each of them changed
}

// Share is the share of the responses that was asked for, for a magnitude.
type Share struct {
	Class        string `json:"class"`
	Magnitude    string `json:"magnitude"`
	Share        string `json:"share"`
	Applications int    `json:"applications"`
}

// Resumption is one time that a run went on after it had been cut short.
type Resumption struct {
	Segment     string   `json:"segment"` // which was repeated; "" where none was begun
	Entries     int      `json:"entries"` // that were cut
	Torn        bool     `json:"torn"`
	Trial       string   `json:"trial"` // whose fault was removed late, or which is repeated; "" for none
	Class       string   `json:"class"`
	Load        string   `json:"load"`          // of the fault; "" where it is not on record
	UnderFaultS *float64 `json:"under_fault_s"` // at most; it counts as time under fault (FD-5.4-4)
	Bound       string   `json:"bound"`         // where that comes from: "wall clock", "longest application"
}

// Bounds of a [Resumption].
const (
	BoundWall    = "wall clock"
	BoundLongest = "longest application"
)

// RawStamps is a file that a commit names.
type RawStamps struct {
	Segment string `json:"segment"`
	Name    string `json:"name"` // relative to the folder of the run
	SHA256  string `json:"sha256"`
	Rows    int64  `json:"rows"`
	LeftOut int64  `json:"left_out"`
}

// trafficState gathers the traffic of a load.
type trafficState struct {
	TrafficLoad
	period         int64
	p50, p99, late int64 // the largest of kept trials; -1 without one
	line           int   // of the trial with that p99
	step           int64
	failures       map[string]int64
	broken         map[string]int64
	shares         map[shareKey]int
	order          []shareKey
}

type shareKey struct{ class, magnitude, share string }

func newTrafficState(label string) trafficState {
	return trafficState{TrafficLoad: TrafficLoad{Load: label}, p50: -1, p99: -1, late: -1,
		failures: map[string]int64{}, broken: map[string]int64{}, shares: map[shareKey]int{}}
}

// wantedTraffic is what a record of traffic holds.
var wantedTraffic = []want{{name: "traffic", rule: "FD-3.3-1", sub: []want{{name: "sent", rule: "FD-3.3-1"}, {name: "dropped", rule: "FD-3.3-1"},
	{name: "late_p50_ns", rule: "FD-3.3-1"}, {name: "late_p99_ns", rule: "FD-3.3-1"}, {name: "late_max_ns", rule: "FD-3.3-1"}}}}

// sent takes in how the requests of a trial in real time were sent.
func (c *computer) sent(e journal.Entry, t *journal.TrialRecord, l *loadState, subject string) {
	s := &l.traffic
	s.Lost += t.Verification.Lost
	s.Steps += len(t.Steps)
	for _, x := range t.Steps {
		s.step = max(s.step, x.By, -x.By)
	}
	if t.Broken != "" {
		s.broken[t.Broken]++
	}
	c.poll = max(c.poll, exact.Duration(t.Poll))
	if t.Kept {
		c.span = max(c.span, exact.Duration(t.Span))
	}
	r := t.Traffic
	switch {
	case c.open.Time != timeReal:
		return
	case r == nil:
		if t.Kept {
			c.breach("FD-3.3-1", subject, "a trial was kept, and how late its requests were sent is not on record", e.Line)
		}
		return
	}
	c.look(e, e.Data, "", wantedTraffic)
	if r.LateP50 > r.LateP99 || r.LateP99 > r.LateMax || r.Sent != t.Requests && !c.lacks("requests") {
		c.breach("FD-3.3-1", subject, "what is on record of the requests that were sent cannot be", e.Line)
	}
	s.Trials++
	s.period += t.RemovalAsked - t.Onset
	s.Sent += r.Sent
	s.Dropped += r.Dropped
	s.Unmatched += r.Unmatched
	for _, f := range r.Failures {
		s.failures[f.Outcome] += f.N
	}
	if !t.Kept {
		return
	}
	if r.LateP99 > s.p99 {
		s.line = e.Line
	}
	s.p50, s.p99, s.late = max(s.p50, r.LateP50), max(s.p99, r.LateP99), max(s.late, r.LateMax)
}

// shared counts an application of a share of the responses.
func (l *loadState) shared(a *journal.ApplyRecord) {
	s, k := &l.traffic, shareKey{a.Class, a.Magnitude.String(), a.Fraction.Decimal(places)}
	if s.shares[k] == 0 {
		s.order = append(s.order, k)
	}
	s.shares[k]++
}

// traffics tells how the requests were sent, and whether those of kept trials
// were late by less than one percent of the smallest latency. The methodology
// has no rule on it: the load of a trial and of its windows is what FD-3.3-1
// asks for, and a reader sees what lateness may have moved.
func (c *computer) traffics() Traffic {
	out := Traffic{Loads: []TrafficLoad{}, Resumptions: append([]Resumption{}, c.resumptions...), Raw: append([]RawStamps{}, c.raw...)}
	if c.open.Time != timeReal {
		out.Note = "The schedule of requests is simulated: no request is sent late, and none is lost."
		return out
	}
	out.Rawless = c.segments - len(c.raw)
	out.Note = "No trial says how its requests were sent."
	for i := range c.loads {
		l := &c.loads[i]
		s := &l.traffic
		x := s.TrafficLoad
		x.Offered, x.PeriodS = x.Sent+x.Dropped, seconds(s.period)
		x.Failures, x.Broken = tallies(s.failures), tallies(s.broken)
		x.Twins, x.Shares = l.twinRows(), make([]Share, 0, len(s.order))
		for _, k := range s.order {
			if !l.falseSeen {
				break // the magnitudes that a search went through give its threshold away (FD-5.4-7)
			}
			x.Shares = append(x.Shares, Share{k.class, k.magnitude, k.share, s.shares[k]})
		}
		if s.period > 0 {
			x.Rate = float(float64(x.Sent) / x.PeriodS)
		}
		if x.Steps > 0 {
			x.StepS = float(seconds(s.step))
		}
		if x.Trials > 0 {
			out.Note = "Lateness is the time from when a request was scheduled to when it was sent."
		}
		if s.p99 >= 0 {
			x.LateP50S, x.LateP99S, x.LateMaxS = float(seconds(s.p50)), float(seconds(s.p99)), float(seconds(s.late))
			if c.smallest != nil {
				ok := stats.ClockOK(exact.Duration(s.p99), *c.smallest)
				x.LateOK = &ok
			}
		}
		out.Loads = append(out.Loads, x)
	}
	return out
}

func (l *loadState) twinRows() []Twins {
	out := make([]Twins, 0, len(l.twins))
	for _, t := range l.twins {
		x := Twins{Class: t.Class, Responses: t.N}
		if t.N > 0 {
			x.Mean, x.Changed = exact.Frac(t.Before, t.N).Decimal(places), exact.Frac(t.Sum, t.N).Decimal(places)
		}
		out = append(out, x)
	}
	return out
}

// tallies lists counts, the largest first.
func tallies(m map[string]int64) []Tally {
	out := make([]Tally, 0, len(m))
	for what, n := range m {
		out = append(out, Tally{what, n})
	}
	slices.SortFunc(out, func(a, b Tally) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.What, b.What)) })
	return out
}
