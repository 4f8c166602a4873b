package measure

import (
	"encoding/json"
	"fmt"

	"github.com/fdbench/fdbench/internal/plainjson"
)

// Coverage is Detection Coverage for one combination (methodology 5.2). Its
// counts exist only beside the magnitude that they are of: [NewCoverage] asks
// for it, a Coverage that loses it has none, and one without it has no form in
// JSON (FD-5.2-4).
type Coverage struct {
	Class, Profile, Magnitude, Load string
	Below2SD                        bool
	BaselineSD                      *string // FD-4.2-9

	detected, trials int
}

// NewCoverage returns the coverage of a combination: how many of its kept
// trials have a Detection Event (FD-5.2-2). It panics without a magnitude.
func NewCoverage(row RowKey, detected, trials int) Coverage {
	if row.Magnitude == "" {
		panic("measure: a coverage without its magnitude")
	}
	return Coverage{Class: row.Class, Profile: row.Profile, Magnitude: row.Magnitude, Load: row.Load, detected: detected, trials: trials}
}

// Detected is the numerator, and 0 without a magnitude.
func (c Coverage) Detected() int {
	if c.Magnitude == "" {
		return 0
	}
	return c.detected
}

// Trials is the denominator, and 0 without a magnitude.
func (c Coverage) Trials() int {
	if c.Magnitude == "" {
		return 0
	}
	return c.trials
}

// coverageRow is how a Coverage is written.
type coverageRow struct {
	Class      string  `json:"class"`
	Profile    string  `json:"profile"`
	Magnitude  string  `json:"magnitude"` // in the indicator's unit; there is no coverage without it
	Load       string  `json:"load"`
	Detected   int     `json:"detected"`
	Trials     int     `json:"trials"` // kept
	Below2SD   bool    `json:"below_2sd"`
	BaselineSD *string `json:"baseline_sd"` // FD-4.2-9
}

// JSONShape is a value of the type that a Coverage is written as.
func (Coverage) JSONShape() any { return coverageRow{} }

// MarshalJSON writes a Coverage. One without its magnitude is an error.
func (c Coverage) MarshalJSON() ([]byte, error) {
	if c.Magnitude == "" {
		return nil, fmt.Errorf("a coverage of class %q at %s has no magnitude (FD-5.2-4)", c.Class, c.Load)
	}
	return json.Marshal(coverageRow{c.Class, c.Profile, c.Magnitude, c.Load, c.detected, c.trials, c.Below2SD, c.BaselineSD})
}

// UnmarshalJSON reads one. Counts without their magnitude are not taken over.
func (c *Coverage) UnmarshalJSON(b []byte) error {
	var row coverageRow
	if err := plainjson.Decode(b, &row); err != nil {
		return err
	}
	*c = Coverage{row.Class, row.Profile, row.Magnitude, row.Load, row.Below2SD, row.BaselineSD, row.Detected, row.Trials}
	if row.Magnitude == "" {
		c.detected, c.trials = 0, 0
	}
	return nil
}
