package journal

import (
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
)

// Format names the encoding of a journal.
const Format = "fdbench.journal/1"

// Kinds of entries.
const (
	KindOpen           = "open"            // Open
	KindSegment        = "segment"         // Segment: a unit of execution begins
	KindBaseline       = "baseline"        // BaselineRecord
	KindQuiet          = "quiet"           // QuietRecord
	KindApply          = "apply"           // ApplyRecord, before the fault is applied
	KindTrial          = "trial"           // TrialRecord, after it is removed and decided
	KindSearchStep     = "search_step"     // SearchStep
	KindFalseDetection = "false_detection" // FalseDetectionRecord
	KindClock          = "clock"           // ClockRecord: live worlds with two clocks
	KindReadback       = "readback"        // Readback: what a segment begins with, and every change
	KindViolation      = "violation"       // Violation: a rule that the run saw broken
	KindResume         = "resume"          // Resumed: what a run that was cut short left behind
	KindCommit         = "commit"          // Commit: the segment is complete and synced
	KindClose          = "close"           // Close
)

// Purposes of a trial.
const (
	PurposeTrials  = "trials"
	PurposeSham    = "sham"
	PurposeSearch  = "search"
	PurposeMasking = "masking"
)

// Open is the first entry.
type Open struct {
	Format      string `json:"format"`
	PlanDigest  string `json:"plan_digest"`
	Series      string `json:"series"` // or the name of the reuse block
	Generation  int    `json:"generation"`
	Exploratory bool   `json:"exploratory"`
	Time        string `json:"time"`   // "virtual" or "real"; "offline" for a reuse block without requests
	Engine      string `json:"engine"` // what executed the plan, with its version

	Earlier []Generation `json:"earlier,omitempty"` // of the same series, the first one first

	Onset   OnsetClock `json:"onset"`
	Hosts   Hosts      `json:"hosts"`
	Targets []Target   `json:"targets"` // every address that requests or faults go to; none in virtual time
}

// OnsetClock says where the stamps of Fault Onset come from (FD-3.4-1,
// FD-3.4-2).
type OnsetClock struct {
	Source     string `json:"source"`        // "apparatus"
	Resolution int64  `json:"resolution_ns"` // smallest difference between two readings, as measured (AMB-40)
}

// Hosts identifies the machines that stamp onset and event, by a value that
// changes with each boot, such as a boot id; "virtual" in virtual time
// (FD-3.5-6).
type Hosts struct {
	Apparatus string `json:"apparatus"`
	Detector  string `json:"detector"`
}

// Target is an address that the harness talks to (FD-7-1).
type Target struct {
	Name    string `json:"name"`    // what it is: "serving.mixtral"
	Address string `json:"address"` // as it resolved, "127.0.0.1:8000"
	Allowed bool   `json:"allowed"` // outside the confined ranges, and let through by the command line
}

// Readback is what the parts of the environment say of themselves. One opens
// every segment; another follows wherever a reading differs from the one
// before. A part that cannot be read back is "" and has to be attested
// (FD-3.2-2, FD-3.3-2, FD-3.4-3).
type Readback struct {
	Trial      string `json:"trial"`      // the trial before or after which it was read; "" at a segment's beginning
	Moment     string `json:"moment"`     // begin, before, after
	Detector   string `json:"detector"`   // sha256 of the running configuration
	Serving    string `json:"serving"`    // sha256 of the deployment's configuration, faults included
	Population string `json:"population"` // sha256 of the request population
}

// Moments of a Readback.
const (
	ReadAtBegin     = "begin"
	ReadBeforeTrial = "before"
	ReadAfterTrial  = "after"
)

// Resumed says what was found when a run in real time went on after it had been
// cut short. The fault that acted was removed before anything else was done
// (FD-3.4-3).
type Resumed struct {
	Entries int    `json:"entries"`           // of the unfinished segment, which were cut
	Torn    bool   `json:"torn"`              // the last line was incomplete
	Segment string `json:"segment,omitempty"` // which is repeated
	Trial   string `json:"trial"`             // whose fault had been announced in them; ""
	Class   string `json:"class"`

	Load    *int  `json:"load,omitempty"`            // of the fault
	Applied int64 `json:"applied_unix_ns,omitempty"` // by the wall clock, when it was announced
	Removed int64 `json:"removed_unix_ns,omitempty"` // and when nothing acted any more
}

// UnderFault is the longest time for which the fault that was left behind can
// have acted, in nanoseconds: by the wall clock until it was removed, or else
// longest, which no application exceeds (FD-5.4-4).
func (r *Resumed) UnderFault(longest int64) int64 {
	switch {
	case r.Trial == "":
		return 0
	case r.Applied > 0 && r.Removed >= r.Applied:
		return r.Removed - r.Applied
	}
	return longest
}

// Violation is a rule that was seen broken while the series ran.
type Violation struct {
	Rule    string `json:"rule"`    // "FD-4.3-4"
	Subject string `json:"subject"` // "10 req/s"; "" for the series
	Detail  string `json:"detail"`
	Effect  string `json:"effect"` // stops the series, marks the series
}

// Generation is an earlier declaration of a series, as the lock keeps it.
type Generation struct {
	Generation int      `json:"generation"`
	Changed    []Change `json:"changed"` // from it to the generation after it
}

// Change is one declared value that differs between two generations.
type Change struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// Segment announces a unit of execution: a resumed run repeats a segment that
// has no Commit from its beginning. Instants inside a segment are nanoseconds
// since the segment's own world began.
type Segment struct {
	ID    int    `json:"id"`    // 0, 1, 2, ... in the order of the journal
	Phase string `json:"phase"` // as in plan.Phase.Kind
	Load  int    `json:"load"`
	Name  string `json:"name"` // "load 2, trials, block 7": unique, names the random streams
}

// Commit ends a segment.
type Commit struct {
	ID     int      `json:"id"`
	At     int64    `json:"at_ns"` // length of the segment
	Raw    *RawFile `json:"raw,omitempty"`
	Missed *Missed  `json:"missed,omitempty"` // real time: what could not be taken in of the detector
}

// Missed counts what a detector said, or may have said, since the commit before
// and was not taken in. A record without any of it has none.
type Missed struct {
	Malformed  int64 `json:"malformed,omitempty"`  // notifications, answers or lines that could not be read
	Truncated  int64 `json:"truncated,omitempty"`  // alerts that the sender left out of its notifications
	Refused    int64 `json:"refused,omitempty"`    // requests that the receiver turned away: without the token, of another type, too large
	Unresolved int64 `json:"unresolved,omitempty"` // groups of notifications that ended without the one that says so, though it was due
	Unanswered int64 `json:"unanswered,omitempty"` // times that the detector was asked and did not tell its state
	Restarts   int64 `json:"restarts,omitempty"`   // of the detector's program
	Gap        int64 `json:"gap_ns,omitempty"`     // the longest time between two looks with an answer, where it was more than twice the interval
}

// RawFile is a file with the raw stamps of the requests that were answered
// during a segment.
type RawFile struct {
	Name   string `json:"name"` // relative to the folder of the run
	SHA256 string `json:"sha256"`
	Rows   int64  `json:"rows"`
	Left   int64  `json:"left_out"` // rows beyond the bound that the run was given
}

// WindowSum is one aggregation window: exact sum of scores, and responses.
type WindowSum [2]int64

// BaselineRecord holds the windows of one Baseline Interval (methodology 4.2).
type BaselineRecord struct {
	Load       int                 `json:"load"`
	From       int64               `json:"from_ns"`
	To         int64               `json:"to_ns"`
	Indicators []BaselineIndicator `json:"indicators"`
	Requests   int64               `json:"requests"`

	Environment string `json:"environment"` // sha256 of the declared environment that it is of (FD-1.2-2)

	Twins []Twin `json:"twins,omitempty"` // real time: what each class would have made of the responses
}

// Twin sums up scores of a class's indicator over responses as they were, and
// as the class's transform would have changed them. The share of responses
// that gives a magnitude d is d * n / (sum - sum_before).
type Twin struct {
	Class  string `json:"class"`
	Sum    int64  `json:"sum"`
	Before int64  `json:"sum_before"`
	N      int64  `json:"n"`
}

// BaselineIndicator is an indicator at one point over the interval.
type BaselineIndicator struct {
	Indicator string      `json:"indicator"`
	Point     string      `json:"point"`     // "injection" or "observation"
	Method    string      `json:"method"`    // scorer with its version, as used at this point (FD-5.5-3)
	Width     int64       `json:"window_ns"` // the detector's own window of this indicator at this load
	Windows   []WindowSum `json:"windows"`
}

// QuietRecord is one passage of the gate of methodology 4.3.
type QuietRecord struct {
	Load    int            `json:"load"`
	From    int64          `json:"from_ns"`
	To      int64          `json:"to_ns"`
	Reached bool           `json:"reached"`
	Waited  []string       `json:"waited_for"` // what was not clear when at_least had passed
	State   detector.State `json:"state"`
	Active  []string       `json:"active,omitempty"`  // alerts that did not clear, where the detector names them
	Unknown string         `json:"unknown,omitempty"` // why the detector's state could not be read at the end: it is not at rest then

	// Last are the windows that the gate looked at, of every affected
	// indicator whose baseline is known, at the observation point (AMB-21).
	Last []QuietIndicator `json:"last"`
}

// QuietIndicator holds the last windows with responses of one indicator.
type QuietIndicator struct {
	Indicator string      `json:"indicator"`
	Windows   []WindowSum `json:"windows"`
}

// ApplyRecord is written before a fault is applied.
type ApplyRecord struct {
	Trial     string       `json:"trial"` // unique name of the application
	Class     string       `json:"class"`
	Magnitude exact.Number `json:"magnitude"`
	Fraction  exact.Number `json:"fraction"`
	At        int64        `json:"at_ns"`
	Wall      int64        `json:"at_unix_ns,omitempty"` // real time: by the wall clock, which a resumed run can read
}

// TrialRecord is one application of a fault and what came of it.
type TrialRecord struct {
	Trial       string       `json:"trial"`
	Purpose     string       `json:"purpose"`
	Load        int          `json:"load"`
	Combination int          `json:"combination"` // plan id; -1 unless Purpose is trials
	Search      int          `json:"search"`      // plan id; -1 unless Purpose is search
	Evaluation  int          `json:"evaluation"`  // of the search; 0, 1, ...
	Attempt     int          `json:"attempt"`     // 1, 2, ... for this combination or evaluation
	Class       string       `json:"class"`
	Profile     string       `json:"profile"`
	Magnitude   exact.Number `json:"magnitude"` // intended

	Requested     int64 `json:"apply_requested_ns"`
	Onset         int64 `json:"onset_ns"`          // first instant with an intended magnitude other than 0
	FirstAffected int64 `json:"first_affected_ns"` // first changed response at the injection point; -1: none
	Plateau       int64 `json:"plateau_ns"`
	RemovalAsked  int64 `json:"removal_requested_ns"`
	Removed       int64 `json:"removal_confirmed_ns"`
	Phase         int64 `json:"onset_phase_ns"` // onset relative to the stratified cycle

	Verification Verification `json:"verification"`
	Kept         bool         `json:"kept"`
	Discard      string       `json:"discard"` // "", "magnitude", "quiet_not_reached", "load_violation", ...

	Detected bool             `json:"detected"`
	Latency  exact.Duration   `json:"latency_s"` // Detection Event minus Fault Onset; 0 where undetected
	Event    *detector.Signal `json:"event"`
	Early    int              `json:"early"`          // attributable signals before a changed response could have caused them
	Late     int              `json:"late"`           // attributable signals after the timeout
	After    int              `json:"after_event"`    // further attributable signals, after the Detection Event
	Other    int              `json:"not_attributed"` // emissions during the trial that are not the fault's, repeat a signal, or that missing data raised
	Requests int64            `json:"requests"`       // offered between apply and removal
	Offered  OfferedWindows   `json:"offered_windows"`

	Readbacks int      `json:"readbacks"`         // how often the environment was read back: 2, before and after
	Markers   []string `json:"markers,omitempty"` // headers and fields of responses by which a detector could know of the fault (FD-3.4-4)
	Cached    int64    `json:"cached"`            // responses that a cache gave (FD-3.3-7)

	Traffic *TrafficRecord `json:"traffic,omitempty"`       // real time: how the requests were sent
	Steps   []ClockStep    `json:"clock_steps,omitempty"`   // jumps of the wall clock since the trial before
	Broken  string         `json:"broken,omitempty"`        // why the fault did not last until it was removed
	Span    int64          `json:"apply_span_ns,omitempty"` // how long the call took that applied the fault, where the onset is its end: the fault came into force within it
	Poll    int64          `json:"poll_ns,omitempty"`       // by how much the receipt of a signal may be late, since the detector is asked at intervals (AMB-14)
}

// TrafficRecord tells how the requests between apply and removal were sent, and
// how those ended that were not answered. A failure is counted and is neither a
// latency nor a score.
type TrafficRecord struct {
	Sent      int64     `json:"sent"`
	Dropped   int64     `json:"dropped"`     // not sent, as the declared policy says
	LateP50   int64     `json:"late_p50_ns"` // sent later than scheduled
	LateP99   int64     `json:"late_p99_ns"`
	LateMax   int64     `json:"late_max_ns"`
	Unmatched int64     `json:"unmatched"` // seen at one of the two points only
	Failures  []Failure `json:"failures,omitempty"`
}

// ClockStep is a jump of the wall clock against the monotonic one, which all
// instants are of.
type ClockStep struct {
	At int64 `json:"at_ns"`
	By int64 `json:"by_ns"`
}

// Failure counts requests that ended in one way.
type Failure struct {
	Outcome string `json:"outcome"` // timeout, refused, stream_error, ...
	N       int64  `json:"n"`
}

// OfferedWindows are the requests of the whole windows W between apply and
// removal (AMB-24): how many windows, and the fewest and the most requests of
// one. Width and N are 0 where a world cannot tell.
type OfferedWindows struct {
	Width  int64 `json:"window_ns"`
	N      int64 `json:"windows"`
	Fewest int64 `json:"fewest"`
	Most   int64 `json:"most"`
}

// Verification is the measured magnitude over the verification window, which
// takes in the requests that started in it (AMB-07, AMB-08). Sums are exact.
type Verification struct {
	From     int64        `json:"from_ns"`
	To       int64        `json:"to_ns"`
	N        int64        `json:"n"`
	Before   int64        `json:"sum_before"`      // scores of the same responses before the apparatus changed them
	Injected int64        `json:"sum_injection"`   // scores at the injection point
	Observed int64        `json:"sum_observation"` // scores at the observation point
	Achieved exact.Number `json:"achieved"`        // by the apparatus's declared rule
	Method   string       `json:"method"`          // paired, observed

	// The same at the observation point: over the same interval and the same
	// requests (FD-5.5-2).
	ObservedFrom int64 `json:"observed_from_ns"`
	ObservedTo   int64 `json:"observed_to_ns"`
	ObservedN    int64 `json:"observed_n"`

	Lost int64 `json:"lost,omitempty"` // requests of the window that did not reach both points with an answer
}

// SearchStep is one decision of a binary search.
type SearchStep struct {
	Search     int           `json:"search"`
	Evaluation int           `json:"evaluation"`
	Role       string        `json:"role"` // lower, upper, midpoint
	Magnitude  exact.Number  `json:"magnitude"`
	Detected   int           `json:"detected"`
	Trials     int           `json:"trials"`
	Met        bool          `json:"met"`
	Lower      *exact.Number `json:"lower"` // bounds after the decision; null where not established
	Upper      *exact.Number `json:"upper"`
	Status     string        `json:"status"` // "" while it goes on; found, below_floor, above_bound, incomplete
}

// FalseDetectionRecord is one stretch of fault-free observation
// (methodology 5.4).
type FalseDetectionRecord struct {
	Load     int               `json:"load"`
	From     int64             `json:"from_ns"`
	To       int64             `json:"to_ns"`
	Count    int               `json:"count"` // every emission of the declared signal
	Edges    int               `json:"edges"` // of them, changes from inactive to active
	Classes  []ClassCount      `json:"by_class"`
	Active   int64             `json:"active_ns"` // time during which the detector was not at rest
	Events   []detector.Signal `json:"events"`    // the first of them, at most MaxEvents
	Requests int64             `json:"requests"`

	Traffic  *TrafficRecord   `json:"traffic,omitempty"`          // real time: how the requests were sent, and how those ended that were not answered
	Answered *AnsweredWindows `json:"answered_windows,omitempty"` // real time: in how many windows there were no answers to speak of
	Blind    int64            `json:"blind_ns,omitempty"`         // real time: for how long the detector could not have spoken falsely, or nobody knows whether it could
	Unknown  string           `json:"unknown,omitempty"`          // why its state could not be read, the last time
}

// Observed is how much of a stretch counts: the time during which the detector
// could have spoken (FD-5.4-2, FD-5.4-4).
func (r *FalseDetectionRecord) Observed() int64 { return r.To - r.From - r.Blind }

// AnsweredWindows are the whole windows W of a stretch of observation, counted
// from its beginning. A detector that computes indicators over answers has
// nothing to speak of in a window in which not one request was answered, so
// such a window is part of the blind time.
type AnsweredWindows struct {
	Width  int64 `json:"window_ns"`
	N      int64 `json:"windows"`
	Silent int64 `json:"silent"` // of them, without an answer
}

// Silence is how long the windows without an answer are together.
func (a *AnsweredWindows) Silence() int64 {
	if a == nil {
		return 0
	}
	return a.Silent * a.Width
}

// ClassCount is how many of the emissions the attribution gives to a fault
// class, over all profiles that the plan applies it with.
type ClassCount struct {
	Class string `json:"class"`
	Count int    `json:"count"`
	Edges int    `json:"edges"`
}

// MaxEvents bounds the signals that one record spells out; the count is never
// cut.
const MaxEvents = 100

// ClockRecord is one measurement of the offset between the clocks of the
// injection apparatus and of the detector (methodology 3.5): with the four
// stamps t0..t3 of a probe, offset = ((t1-t0)+(t2-t3))/2 and delay =
// (t3-t0)-(t2-t1), and the offset is at most |offset| + delay/2 (AMB-15).
type ClockRecord struct {
	At     int64  `json:"at_ns"`
	Offset int64  `json:"offset_ns"`
	Delay  int64  `json:"delay_ns"`
	Bound  int64  `json:"bound_ns"`
	Method string `json:"method"`
	Moment string `json:"moment"` // before, between, after: the trials of a load point
}

// Moments of a ClockRecord.
const (
	ClockBefore  = "before"
	ClockBetween = "between"
	ClockAfter   = "after"
)

// Close is the last entry of a run that came to its end.
type Close struct {
	Status string `json:"status"` // complete, incomplete
	Reason string `json:"reason"`
}
