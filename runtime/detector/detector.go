// Package detector says what a detector under test is to the rest of the
// runtime. Each driver lives in a folder below.
//
// It imports the standard library only.
package detector

import (
	"math"
	"slices"
)

// Never is the instant of something that will not happen.
const Never = math.MaxInt64

// Signal is one emission of a detector, before anyone has asked whether it
// belongs to a fault. Instants are nanoseconds on the world's clock.
type Signal struct {
	Type      string            `json:"type"`              // "alert", or as the driver names its emission
	Component string            `json:"component"`         // which part emitted it: "rules", "alertmanager", "detector"
	Status    string            `json:"status"`            // "firing" or "resolved"
	Labels    map[string]string `json:"labels,omitempty"`  // alertname and the rest
	Value     string            `json:"value,omitempty"`   // the value that crossed, as the detector prints it
	Reason    string            `json:"reason,omitempty"`  // why it was sent: "first notification", "repeat interval elapsed", ...
	StartsAt  int64             `json:"starts_at"`         // since when the detector says the alert is firing
	EmittedAt int64             `json:"emitted_at"`        // stamped by the emitter
	At        int64             `json:"at"`                // stamped by the receiver
	Repeat    bool              `json:"repeat,omitempty"`  // a re-notification of an alert that was already reported
	NoData    bool              `json:"no_data,omitempty"` // sent because data was missing
}

// Sink receives signals in the order of their At.
type Sink func(Signal)

// State is what a detector retains at an instant.
type State struct {
	Firing  int `json:"firing"`  // alerts that fire
	Pending int `json:"pending"` // alerts whose hold time runs
	Groups  int `json:"groups"`  // notification groups that are not gone yet
}

// Resting tells whether the detector has cleared every active alert state
// (methodology 4.3).
func (s State) Resting() bool { return s == State{} }

// Virtual is a detector that a virtual world steps. The world calls Observe
// for each response in the order of completion and Tick at each instant that
// Next names; where both fall on one instant, Observe comes first. Signals go
// to the Sink that the detector was made with, from inside these calls.
//
// A Virtual is used by one goroutine at a time.
type Virtual interface {
	// Observe tells that a response passed the observation point at instant
	// at. scores[i] is the score of the detector's i-th declared indicator,
	// an exact integer in the indicator's unit (0 or 1 for a rate); bit i of
	// sampled says whether the detector's own sampling took it.
	Observe(at int64, scores []int32, sampled uint64)

	// Next is the next instant, not before the last call's, at which the
	// detector acts by itself, or Never.
	Next() int64

	// Tick acts at the instant that Next named.
	Tick(at int64)

	// State is what the detector retains now.
	State() State
}

// Named is a detector that can say which of its alerts keep it from resting.
type Named interface {
	// Active lists the names of the alerts that fire or whose hold time runs,
	// sorted, each once. State counts the instances of the same alerts, so it
	// may count more.
	Active() []string
}

// Names sorts a list of names and leaves each in it once, for Active.
func Names(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
