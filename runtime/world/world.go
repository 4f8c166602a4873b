package world

import (
	"context"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
)

// Segment names a unit of execution: a stretch of the series that begins with
// the world at rest and that a resumed run can repeat from its beginning.
type Segment struct {
	Name  string // unique in the series; names the random streams
	Phase string // as in plan.Phase.Kind
	Load  int    // index in plan.Load.Points
}

// Factory opens worlds.
type Factory interface {
	// Engine names what executes the plan, with its version.
	Engine() string
	// Virtual tells whether time is simulated. A result in virtual time is
	// never conformant (AMB-41).
	Virtual() bool
	// Parallel is how many worlds may be open side by side: 1 for a
	// deployment that exists once.
	Parallel() int
	// Onset says where the stamps of Fault Onset come from.
	Onset() Onset
	// Hosts names the machines that stamp onset and event.
	Hosts() Hosts
	// Targets lists every address that requests and faults go to; none in
	// virtual time.
	Targets() []Target
	// Declared is what the plan leads one to read of a world at rest; "" for
	// a part of which that cannot be told from a plan.
	Declared() Readback
	// Open offers the segment's load to the deployment from instant 0 on. The
	// signals that the detector emits go to sink, in order, from inside
	// Advance.
	Open(ctx context.Context, s Segment, sink detector.Sink) (World, error)
}

// World is a deployment under load with its apparatus and its detector.
// Instants are nanoseconds since it was opened.
type World interface {
	// Now is the current instant.
	Now() int64
	// Advance runs until the instant until, or returns earlier, at the instant
	// of a signal, where stop then reports true. A nil stop is never asked.
	Advance(ctx context.Context, until int64, stop func() bool) error
	// Settle is how long the deployment and the detector need, from a cold
	// start, until they no longer know that they were just started.
	Settle() int64
	// Cycle is the detector's own period, against which onsets are spread
	// (AMB-39).
	Cycle() int64
	// Requests is how many requests were offered so far.
	Requests() int64

	Apparatus
	Observer

	// Detector is what the detector retains now.
	Detector(ctx context.Context) (detector.State, error)
	// ReadBack reads what the detector, the deployment and the population are
	// now, from themselves and not from the plan (FD-3.2-2, FD-3.3-2,
	// FD-3.4-3).
	ReadBack(ctx context.Context) (Readback, error)
	// Close ends the load. It removes a fault that is still applied.
	Close() error
}

// Fault is what an apparatus applies.
type Fault struct {
	Class    string
	Fraction exact.Number // of responses, in (0, 1]
	Profile  plan.Profile
	Verify   int64 // how long the full magnitude is verified, from the plateau on, in on phases only

	Magnitude exact.Number // that the fraction is to give
	Trial     string       // unique name of the application in the series

	Longest int64 // from the onset until its removal is asked for at the latest, in nanoseconds; 0 where nobody says
}

// Apparatus applies faults at the injection point (methodology 3.4).
type Apparatus interface {
	// Apply makes the fault effective now and returns its onset: the first
	// instant with an intended magnitude other than 0.
	Apply(ctx context.Context, f Fault) (onset int64, err error)
	// Remove returns the deployment to its baseline configuration and says
	// when that was confirmed.
	Remove(ctx context.Context) (confirmed int64, err error)
	// Applied tells what became of the fault that was applied last.
	Applied() Applied
}

// Applied is what an apparatus measured of one application. Sums are exact
// sums of scores of the class's indicator over the requests that started in
// the verification window.
type Applied struct {
	FirstAffected int64 // first changed response at the injection point, -1: none yet
	From, To      int64 // verification window
	N             int64
	Before        int64 // the same responses before they were changed
	Injected      int64 // at the injection point
	Complete      bool  // every request of the window was answered

	// The same requests at the observation point, over the interval in which
	// they were started (FD-5.5-2).
	ObservedFrom, ObservedTo int64
	ObservedN                int64
	Observed                 int64

	// Markers are headers and fields of responses, each once and sorted, by
	// which a detector could know of the fault (FD-3.4-4).
	Markers []string
	Cached  int64 // responses, since the fault was applied, that a cache gave (FD-3.3-7)

	// Lost are requests of the verification window that did not reach both
	// points with an answer. They are no part of the sums.
	Lost int64
	// Broken says why the fault did not last until it was removed, or "".
	Broken string

	// Span is how long the call took that applied the fault, where the onset is
	// its end: the fault came into force within it, and nobody can say when. It
	// is 0 for an apparatus that stamps the onset itself.
	Span int64
}

// Offering is a World that counts the requests that it offers window by window
// (AMB-24).
type Offering interface {
	// Count begins windows of a width now and forgets those before; a width
	// of 0 stops counting.
	Count(width int64)
	// Offered are the requests of each complete window since Count. The slice
	// is valid until the next call of Advance.
	Offered() []int64
}

// Explaining is a World that can say in what its configuration has changed.
type Explaining interface {
	// Change tells where the detector's configuration differs from the one
	// that ReadBack found first, or "" where it does not.
	Change() string
}

// Points at which indicators are measured.
const (
	Injection   = 0
	Observation = 1
)

// Window is one aggregation window of one indicator: the exact sum of scores,
// and the number of responses.
type Window struct{ Sum, N int64 }

// Observer measures indicators at both points over the same windows.
type Observer interface {
	// Watch begins non-overlapping windows now, of a width for each of the
	// plan's indicators, and forgets those before. No widths stop watching.
	Watch(widths []int64)
	// Windows are the complete windows since Watch of an indicator (by index)
	// at a point. At the observation point they hold the responses that the
	// detector's own sampling takes: the indicator as the detector aggregates
	// it. The slice is valid until the next call of Advance.
	Windows(point, indicator int) []Window
}
