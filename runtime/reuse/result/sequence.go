package result

import (
	"fmt"
	"slices"

	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// sequence is how far a journal has come. A run writes its rows, its pairs, and
// what logs and counters say into segments of their own, in the order in which
// they come about, so that an entry that was moved, doubled or put in does not
// fit.
type sequence struct {
	segments int
	inside   bool // a segment
	phase    string
	requests int64
	read     map[string]bool // counters, by URL and moment
}

// phases are where each kind of entry belongs.
var phases = map[string]string{
	record.KindItem: record.PhaseOffline, record.KindReset: record.PhasePair, record.KindArm: record.PhasePair,
	record.KindCounters: record.PhaseEvidence, record.KindEvidence: record.PhaseEvidence, record.KindJoined: record.PhaseEvidence,
	record.KindAudit: record.PhaseEvidence,
}

// stands says why an entry of a kind cannot stand where it does, or "".
func (q *sequence) stands(kind string) string {
	want, ok := phases[kind]
	switch {
	case ok && !q.inside:
		return fmt.Sprintf("an entry of kind %q stands outside of a segment", kind)
	case ok && q.phase != want:
		return fmt.Sprintf("an entry of kind %q stands in a segment of %s, and belongs into one of %s", kind, q.phase, want)
	case !ok && q.inside && kind != journal.KindCommit:
		return fmt.Sprintf("an entry of kind %q stands inside a segment", kind)
	}
	return ""
}

func (q *sequence) segment(x *journal.Segment) string {
	switch {
	case x.ID != q.segments:
		return fmt.Sprintf("segment %d stands where segment %d belongs", x.ID, q.segments)
	case x.Phase != record.PhaseOffline && x.Phase != record.PhasePair && x.Phase != record.PhaseEvidence:
		return fmt.Sprintf("a segment of %q, which is nothing that a run does", x.Phase)
	case x.Load != 0:
		return "a segment at a load, and a reuse block has none"
	}
	q.inside, q.phase = true, x.Phase
	return ""
}

func (q *sequence) commit(x *journal.Commit) string {
	switch {
	case !q.inside:
		return "a segment is committed that was not begun"
	case x.ID != q.segments:
		return fmt.Sprintf("segment %d is committed, and segment %d was begun", x.ID, q.segments)
	case x.At < 0:
		return "a segment ended before it began"
	}
	q.inside = false
	q.segments++
	return ""
}

// opened holds the opening entry against the plan.
func (s *scan) opened(x *journal.Open) string {
	live := s.p.Declaration.Live != nil
	time := map[bool]string{true: "real", false: "offline"}[live]
	switch {
	case x.Series != s.p.Name:
		return fmt.Sprintf("it is of %q, and the plan is of %q", x.Series, s.p.Name)
	case x.Engine != s.p.Estimators.Engine:
		return fmt.Sprintf("it was written by %q, and the plan is for %q", x.Engine, s.p.Estimators.Engine)
	case x.Time != time:
		return fmt.Sprintf("it was written in %q time, and that of such a run is %q", x.Time, time)
	case x.Exploratory != (x.Generation == 0) || x.Generation < 0 || len(x.Earlier) != max(x.Generation-1, 0):
		return fmt.Sprintf("it is of generation %d (exploratory: %t), and tells of %d earlier ones", x.Generation, x.Exploratory, len(x.Earlier))
	case live != (len(x.Targets) > 0):
		return fmt.Sprintf("it names %d addresses that requests go to", len(x.Targets))
	case slices.ContainsFunc(x.Targets, func(t journal.Target) bool { return t.Name == "" || t.Address == "" }):
		return "a target has no name or no address"
	}
	return ""
}

// follows says why a request cannot come where it does: each pair follows that
// of the item before, its arms behind each other.
func (s *scan) follows(x *record.Arm, p *pair) string {
	n := s.seq.requests
	s.seq.requests++
	live := s.p.Declaration.Live
	donors := 0
	if x.Arm == record.Warm {
		donors = p.donors
	}
	switch {
	case x.Position != n:
		return fmt.Sprintf("a request at position %d stands where the one at %d belongs", x.Position, n)
	case p.index != n/2:
		return fmt.Sprintf("a request for item %d stands among those for item %d", p.index, n/2)
	case x.First != (n%2 == 0):
		return fmt.Sprintf("the %s request for item %q is not which of the two it says", x.Arm, x.ItemID)
	case live.Order == orderColdFirst && x.First != (x.Arm == record.Cold):
		return fmt.Sprintf("the %s request for item %q comes first, and the plan has the cold one first", x.Arm, x.ItemID)
	case x.Donors != donors || x.DonorsFailed < 0 || x.DonorsFailed > x.Donors:
		return fmt.Sprintf("%d donors were sent before the %s request for item %q, of which %d failed, and there are %d to send", x.Donors, x.Arm, x.ItemID, x.DonorsFailed, donors)
	case x.RequestID == "":
		return "a request without its id"
	case x.Outcome == outcomeOK && x.Latency == nil, x.TTFT != nil && x.Latency == nil, x.TTFT != nil && (*x.TTFT < 0 || *x.TTFT > *x.Latency):
		return fmt.Sprintf("the times of the %s request for item %q cannot be: an answer has an end, and its first token does not come behind it", x.Arm, x.ItemID)
	}
	if q := x.Quality; q != nil {
		least := s.p.Declaration.Quality.Float64()
		switch {
		case min(q.Score, q.F1, q.RougeL) < 0 || max(q.Score, q.F1, q.RougeL) > 1:
			return fmt.Sprintf("an output for item %q has a score that is not in [0, 1]", x.ItemID)
		case q.Pass && q.Score < least, !q.Pass && q.Score > least:
			return fmt.Sprintf("an output for item %q has a score of %v and passes: %t, and the threshold is %s", x.ItemID, q.Score, q.Pass, s.p.Declaration.Quality)
		}
	}
	return ""
}

// orderColdFirst is the order in which the cold arm is always first.
const orderColdFirst = "cold_first"

// counted holds a reading of the counters against the plan.
func (s *scan) counted(x *record.Counters) string {
	key := x.URL + "\x1f" + x.Moment
	switch {
	case s.p.Declaration.Live == nil || !slices.Contains(s.p.Declaration.Live.Metrics, x.URL):
		return fmt.Sprintf("counters of %s are on record, and the plan does not name it", x.URL)
	case x.Moment != "before" && x.Moment != "after":
		return fmt.Sprintf("counters were read %q", x.Moment)
	case (x.Moment == "before") != (s.seq.requests == 0):
		return fmt.Sprintf("counters that were read %s the pairs stand elsewhere", x.Moment)
	case s.seq.read[key]:
		return fmt.Sprintf("a second reading of the counters of %s %s the pairs", x.URL, x.Moment)
	}
	if s.seq.read == nil {
		s.seq.read = map[string]bool{}
	}
	s.seq.read[key] = true
	return ""
}

// declared holds the summary of a log against the log that the plan names.
func (s *scan) declared(x *record.Evidence) string {
	all, n := s.p.Declaration.Evidence, len(s.evidence)
	if n >= len(all) {
		return fmt.Sprintf("the log %q is on record, and the plan has %d logs", x.Log, len(all))
	}
	switch d := all[n]; {
	case x.Log != d.Log || x.Engine != d.Engine:
		return fmt.Sprintf("the log %q of %q is on record where %q of %q belongs", x.Log, x.Engine, d.Log, d.Engine)
	case d.SHA256 != "" && x.SHA256 != d.SHA256:
		return fmt.Sprintf("the log %q is another one than the plan's", x.Log)
	}
	return ""
}

// ofLog holds what a log says of one request against the run.
func (s *scan) ofLog(x *record.Joined) string {
	if n := len(s.evidence); n == 0 || s.evidence[n-1].Log != x.Log {
		return fmt.Sprintf("a request of the log %q does not stand behind what the log says as a whole", x.Log)
	}
	p := s.byItem[x.ItemID]
	switch {
	case p == nil || x.Arm == record.Cold && !p.cold.there || x.Arm == record.Warm && !p.warm.there || x.Arm != record.Cold && x.Arm != record.Warm:
		return fmt.Sprintf("the log %q names a request of the run's own that is not on record: item %q, arm %q", x.Log, x.ItemID, x.Arm)
	case x.RequestID == "":
		return fmt.Sprintf("the log %q names a request without an id", x.Log)
	case min(x.Hits, x.Advertised, x.Materialized, x.Tokens, x.Units, x.Boundaries, x.Discovery) < 0:
		return fmt.Sprintf("the log %q has a negative count for request %q", x.Log, x.RequestID)
	}
	return ""
}

// found holds the audit against itself.
func found(x *record.Audit) string {
	switch listed := int64(len(x.Listed)); {
	case min(x.Origins, x.DonorBlocks, x.Distinct, x.Boilerplate, x.Violations, x.Exempt) < 0 || x.Distinct > x.DonorBlocks || x.Boilerplate > x.Distinct:
		return "the numbers of the audit of collisions cannot be"
	case listed != min(x.Violations, record.MaxCollisions):
		return fmt.Sprintf("the audit of collisions has %d violations and lists %d", x.Violations, listed)
	}
	return ""
}
