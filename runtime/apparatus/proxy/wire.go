package proxy

import (
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

// What goes between a Remote and the Control of a proxy in another process.
// Instants are wall times in nanoseconds since 1970: a monotonic clock means
// nothing outside of its process.

type wireFault struct {
	Class     plan.FaultClass `json:"class"`
	Fraction  exact.Number    `json:"fraction"`
	Profile   plan.Profile    `json:"profile"`
	Verify    int64           `json:"verify"`
	Indicator int             `json:"indicator"`
	Magnitude string          `json:"magnitude"`
	Trial     string          `json:"trial"`
	Spacing   float64         `json:"spacing"` // 0: as measured
}

func (f *wireFault) fault() driver.Fault {
	return driver.Fault{
		Fault: world.Fault{Class: f.Class.Name, Fraction: f.Fraction, Profile: f.Profile, Verify: f.Verify},
		Class: f.Class, Indicator: f.Indicator, Magnitude: f.Magnitude, Trial: f.Trial,
	}
}

// wireAnswer is the answer to each call.
type wireAnswer struct {
	At    int64  `json:"at,omitempty"`
	Error string `json:"error,omitempty"`
	Code  string `json:"code,omitempty"` // of an error that has a name

	Configuration string           `json:"configuration,omitempty"`
	Problems      []driver.Problem `json:"problems,omitempty"`
	Applied       *wireApplied     `json:"applied,omitempty"`
}

type wireApplied struct {
	First    int64  `json:"first"` // 0: none
	From     int64  `json:"from"`
	To       int64  `json:"to"`
	Complete bool   `json:"complete"`
	Broken   string `json:"broken,omitempty"`
	Sent     uint64 `json:"sent"` // exchanges so far
	Lost     uint64 `json:"lost"` // of them, because nobody took them in time
}

// wireExchange is one line of the ledger.
type wireExchange struct {
	Key      string `json:"key"`
	Prompt   string `json:"prompt,omitempty"` // where it is needed for a score
	Start    int64  `json:"start"`
	End      int64  `json:"end"`
	Status   int    `json:"status"`
	Before   string `json:"before"`
	After    string `json:"after"`
	Same     bool   `json:"same"` // After is Before, and left out
	Picked   bool   `json:"picked"`
	Failed   bool   `json:"failed"`
	Verifies string `json:"verifies,omitempty"` // the trial that it verifies
}

// named are the errors that keep their identity on the way.
var named = map[string]error{"applied": ErrApplied, "expired": ErrExpired, "no_fault": ErrNoFault, "not_begun": ErrNotBegun}
