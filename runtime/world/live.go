package world

import "context"

// What follows are things that a world in real time may be able to do besides.

// Twin sums up what the transform of a fault class would make of responses
// that it did not change: scores of the class's indicator, over the same
// responses.
type Twin struct {
	Class  string
	Sum    int64 // of the changed texts
	Before int64 // of the texts as they were
	N      int64
}

// Twinning is a World that does not know what a fault class changes until it
// has seen responses. The share of responses that gives a magnitude is then
// derived from the Baseline Interval (AMB-06).
type Twinning interface {
	// CountTwins begins to sum twins now, or stops.
	CountTwins(on bool)
	// Twins are the sums since CountTwins, in the order of the plan's classes.
	Twins() []Twin
}

// Offset is one comparison of the clocks that stamp onset and event (AMB-15).
type Offset struct {
	Offset, Delay, Bound int64 // nanoseconds
	Method               string
}

// Probing is a World whose two stamps come from two clocks. It compares them;
// none are returned where nothing is to be compared.
type Probing interface {
	Probe(ctx context.Context) ([]Offset, error)
}

// Traffic tells how requests were sent since Offering.Count began to count.
// Lateness is how much later than scheduled they were sent (FD-3.3-1).
type Traffic struct {
	Sent, Dropped          int64
	LateP50, LateP99, Late int64 // nanoseconds; Late is the largest
	Outcomes               []Outcome
	Unmatched              int64 // seen at one point only
}

// Answering is a World that counts answers window by window, so that time
// without any does not pass for time in which a detector could have spoken
// (FD-5.4-2).
type Answering interface {
	// Answered are the requests that were answered in each complete window
	// since Offering.Count, at the observation point. The slice is valid until
	// the next call of Advance.
	Answered() []int64
}

// Missed counts what a detector said, or may have said, and was not taken in.
type Missed struct {
	Malformed  int64 // notifications, answers or lines that could not be read
	Truncated  int64 // alerts that the sender left out of its notifications
	Refused    int64 // requests that the receiver turned away
	Unresolved int64 // groups of notifications that ended without the one that says so, though it was due
	Unanswered int64 // times that the detector was asked and did not tell its state
	Restarts   int64 // of the detector's program
	Gap        int64 // nanoseconds: the longest time between two looks with an answer, where it was more than twice the interval; 0 else
}

// Missing is a World that knows what it missed of its detector.
type Missing interface {
	// Missed is since it was last asked.
	Missed() Missed
}

// Outcome counts the requests that ended in one way; those that were answered
// are not listed.
type Outcome struct {
	Name string
	N    int64
}

// Reporting is a World that tells how its traffic went.
type Reporting interface {
	Traffic() Traffic
}

// File is a file of raw stamps that belongs to a segment.
type File struct {
	Name   string // relative to the folder of the run, with slashes
	SHA256 string // "sha256:" and hex
	Rows   int64
	Left   int64 // rows that a bound left out
}

// Keeping is a World that writes the raw stamps of every request to a file.
type Keeping interface {
	// Keep completes the segment's file and says what it is, nil for none.
	Keep() (*File, error)
}

// Step is a jump of the wall clock against the monotonic one.
type Step struct {
	At, By int64 // nanoseconds
}

// Stepping is a World that watches the wall clock: a detector's own stamps are
// not comparable with the harness's across a step.
type Stepping interface {
	// Steps are those since it was last asked.
	Steps() []Step
}

// Phased is a World whose detector's cycle did not begin with the segment.
type Phased interface {
	// Phase is where an instant lies in the cycle, in [0, Cycle).
	Phase(at int64) int64
}

// Walled is a world whose instants have a time of day, in nanoseconds since
// 1970: what a later process can compare its own with.
type Walled interface {
	Wall() int64
}

// Polled is a world whose detector is asked at intervals. Poll is by how much
// the receipt of a signal since the last call may have been late for that, in
// nanoseconds; 0 where signals are delivered (AMB-14).
type Polled interface {
	Poll() int64
}
