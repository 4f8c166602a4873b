package spec

import (
	_ "embed"
	"encoding/json"
	"slices"
	"sync"
)

// Reading says how one ambiguity of the methodology's text is read here: the
// strictest sense that can be carried out, unless Differs says otherwise.
type Reading struct {
	ID       string   `json:"id"`       // "AMB-01"
	Question string   `json:"question"` // what the text leaves open
	Reading  string   `json:"reading"`  // how it is read
	Rows     []string `json:"rows"`     // of the table that it touches
	Decided  []string `json:"decided"`  // functions: "runtime/stats.KeepMagnitude"
	Tests    []string `json:"tests"`    // that show it: "runtime/stats.TestKeepMagnitude"
	Differs  *Differs `json:"differs,omitempty"`
}

// Differs says how a reading departs from the strictest one, and which record
// in spec/decisions gives the reasons.
type Differs struct {
	How      string `json:"how"`
	Decision string `json:"decision"` // "0009-search-floor"
}

//go:embed readings.json
var readings []byte

var loadReadings = sync.OnceValue(func() []Reading {
	var list []Reading
	if err := json.Unmarshal(readings, &list); err != nil {
		panic("spec: readings.json: " + err.Error())
	}
	return list
})

// Readings returns all readings in their order. The caller owns the slice.
func Readings() []Reading { return slices.Clone(loadReadings()) }

// ReadingsOf returns the readings that touch a row, such as "FD-5.1-8".
func ReadingsOf(id string) []Reading {
	var list []Reading
	for _, r := range loadReadings() {
		if slices.Contains(r.Rows, id) {
			list = append(list, r)
		}
	}
	return list
}
