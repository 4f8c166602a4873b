// Package driver says what a live world needs of its apparatus and of its
// detector under test. Each driver lives in a folder of its own.
//
// It imports compiler/plan, runtime/detector and runtime/world.
package driver

import (
	"context"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/world"
)

// Problem is something that would spoil a series, found before it begins.
type Problem struct {
	Rule   string // the requirement that it would break, or ""
	Part   string // "serving", "apparatus", "detector", "signal", "clocks"
	What   string // what is wrong, in a sentence
	Remedy string // what to do, in a sentence
}

// Scorer scores one response for every indicator of the plan, in the plan's
// order. It is safe for concurrent use.
type Scorer func(prompt, text string) []int32

// Fault is what a live apparatus applies.
type Fault struct {
	world.Fault
	Class     plan.FaultClass
	Indicator int    // index of the class's indicator in the plan
	Magnitude string // as the plan writes it
	Trial     string // unique name of the application; seeds its random numbers
}

// Overdue is how much longer than its trial takes at the longest a fault is
// renewed: a harness that hangs ends it, as one that died does.
const Overdue = time.Minute

// Apparatus applies faults to a running deployment (methodology 3.4).
//
// A fault has a lease: it ends by itself when the harness has not renewed it
// for the plan's time, whatever became of the harness. Close removes a fault
// that is still applied.
type Apparatus interface {
	// Start makes the apparatus ready, with no fault applied. Faults of a run
	// that was killed are removed.
	Start(ctx context.Context, c Clock) error
	// Apply makes a fault effective and returns its onset, which the apparatus
	// stamps itself (FD-3.4-2).
	Apply(ctx context.Context, f Fault) (onset int64, err error)
	// Renew extends the lease. It is called several times in the lease's span.
	Renew(ctx context.Context) error
	// Remove takes the fault away and returns when the baseline configuration
	// was confirmed to be back (FD-3.4-3).
	Remove(ctx context.Context) (confirmed int64, err error)
	// Applied tells what became of the fault that was applied last.
	Applied() world.Applied
	// Configuration is the sha256 of the deployment's configuration as the
	// apparatus sees it, faults included; "" where it cannot be read back.
	Configuration(ctx context.Context) (string, error)
	// Check looks for what would spoil a series.
	Check(ctx context.Context) []Problem
	Close(ctx context.Context) error
}

// Exchange is one request and its response as the ledger of an in-path
// apparatus has them: before its own change, and after.
type Exchange struct {
	Key           string // of the request, see Key
	Start         int64  // when the apparatus took the request in
	End           int64
	Status        int
	Before, After string // texts
	Picked        bool   // the fault chose this request
	Failed        bool   // the response broke off
}

// Ledger is an Apparatus that sees every response at the injection point. The
// sink is called once for each response, from the goroutine that carried it.
type Ledger interface {
	Apparatus
	Tell(sink func(Exchange))
}

// Detector is a detector under test that runs by itself (methodology 3.1).
type Detector interface {
	// Start begins to listen. Signals go to the sink in the order in which they
	// arrive, from one goroutine, stamped by the clock.
	Start(ctx context.Context, c Clock, sink detector.Sink) error
	// State is what the detector retains now.
	State(ctx context.Context) (detector.State, error)
	// Configuration is the sha256 of the running configuration; "" where it
	// cannot be read back, and is attested (FD-3.2-2).
	Configuration(ctx context.Context) (string, error)
	// Cycle is the detector's own period in nanoseconds (AMB-39).
	Cycle() int64
	// Check looks for what would spoil a series.
	Check(ctx context.Context) []Problem
	Close() error
}

// Trying is a Detector whose way of notifications can be tried without a fault.
type Trying interface {
	Detector
	// Try sends a test through it and waits until it arrives. The sink hears
	// nothing of it, and State says when it is over. An error that is
	// errors.ErrUnsupported says that there is no such way in this setup.
	Try(ctx context.Context) error
}

// Remedied is an error of Try that knows what to do about it.
type Remedied interface {
	error
	Remedy() string
}

// Missing is a Detector that counts what it could not take in. Missed is since
// it was last asked.
type Missing interface {
	Detector
	Missed() world.Missed
}

// Polling is a Detector that can only say what happened since it was last
// looked at. ErrorBound is by how much the receipt of a signal since the last
// call may have been late for that, in nanoseconds; 0 where signals are delivered
// (AMB-14).
type Polling interface {
	Detector
	ErrorBound() int64
}
