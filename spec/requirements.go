package spec

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// Level is how strongly the methodology asks for something.
type Level string

// The levels. Statement is a definition, a step of a procedure or an "is
// recorded" sentence without a keyword: a compliant run satisfies it like a
// Must. Derived follows from a pointer to a section that the text at hand does
// not contain.
const (
	Must      Level = "MUST"
	MustNot   Level = "MUST NOT"
	Should    Level = "SHOULD"
	May       Level = "MAY"
	Statement Level = "STATEMENT"
	Derived   Level = "DERIVED"
)

// Stage is the earliest point at which a requirement can be decided, and the
// later ones at which it is decided again.
type Stage string

// The stages, in the order of a series' life.
const (
	Lint    Stage = "lint"
	Compile Stage = "compile"
	Run     Stage = "run"
	Report  Stage = "report"
	Compare Stage = "compare"
)

// Requirement is one row of the table.
type Requirement struct {
	ID        string  `json:"id"`        // "FD-5.1-8", "KV-5-6"
	Section   string  `json:"section"`   // "5.1", "KV-5"
	Level     Level   `json:"level"`     // see the constants
	Text      string  `json:"text"`      // what it asks, in the project's words
	Why       string  `json:"why"`       // what is wrong in a result where it is broken, and whom that misleads: two sentences
	Boundary  string  `json:"boundary"`  // its exact boundary; "" where it has none
	When      []Stage `json:"when"`      // where it is decided
	Enforce   string  `json:"enforce"`   // mechanical; mechanical and attested
	Violation string  `json:"violation"` // an input that breaks it; "" where nothing can
	// Attest is what a person has to vouch for where a part is attested, as
	// half a sentence: "that the environment serves nobody but the benchmark".
	Attest string `json:"attest,omitempty"`
}

// Before tells whether the requirement is decided before a run, at least in
// part.
func (r Requirement) Before() bool {
	return slices.Contains(r.When, Lint) || slices.Contains(r.When, Compile)
}

// Attested tells whether a part of the requirement cannot be decided by a
// machine and rests on an attestation in the scenario.
func (r Requirement) Attested() bool { return r.Enforce == MechanicalAndAttested }

// The values of Enforce.
const (
	Mechanical            = "mechanical"
	MechanicalAndAttested = "mechanical and attested"
)

// At tells whether the requirement is decided at stage s.
func (r Requirement) At(s Stage) bool { return slices.Contains(r.When, s) }

//go:embed requirements.json
var table []byte

var load = sync.OnceValue(func() []Requirement {
	var rows []Requirement
	if err := json.Unmarshal(table, &rows); err != nil {
		panic("spec: requirements.json: " + err.Error())
	}
	return rows
})

var index = sync.OnceValue(func() map[string]int {
	m := make(map[string]int)
	for i, r := range load() {
		m[r.ID] = i
	}
	return m
})

// Requirements returns every row of both texts: those of the fault-detection
// methodology in the order of its sections, and then those of the metric
// contract for KV reuse. The caller owns the slice.
func Requirements() []Requirement { return slices.Clone(load()) }

// Order is the place of a row in the table, from 0. What is no row comes last.
func Order(id string) int {
	if i, ok := index()[id]; ok {
		return i
	}
	return len(load())
}

// FaultDetection returns the rows that a series has to keep.
func FaultDetection() []Requirement { return of(false) }

// KVReuse returns the rows that a reuse block has to keep.
func KVReuse() []Requirement { return of(true) }

func of(reuse bool) []Requirement {
	return slices.DeleteFunc(Requirements(), func(r Requirement) bool { return r.Reuse() != reuse })
}

// Page is the file of this folder that explains the row.
func (r Requirement) Page() string {
	if r.Reuse() {
		return "reuse.md"
	}
	return "requirements.md"
}

// Reuse tells whether the row is of the metric contract for KV reuse.
func (r Requirement) Reuse() bool { return strings.HasPrefix(r.ID, "KV-") }

// Lookup finds the row with an id such as "FD-5.1-8".
func Lookup(id string) (Requirement, bool) {
	i, ok := index()[id]
	if !ok {
		return Requirement{}, false
	}
	return load()[i], true
}
