package spec

// Rule is one place at which a requirement is enforced. A requirement has at
// least one, and may have several: one that is decided when a scenario is read
// and again while it runs has a rule at both.
//
// The packages that enforce (compiler/rule, runtime/measure, runtime/report,
// runtime/compare, runtime/reuse/result and runtime/reuse/report) list theirs;
// package spec/conformance holds the lists against the table.
type Rule struct {
	ID     string // of a row of the table, "FD-5.1-8"
	Stage  Stage  // when it is decided here
	How    string // what is looked at, as half a sentence: "the kept trials of every combination are counted"
	Effect Effect // what a violation leads to
	// Bad break the rule and no other requirement that the violation itself
	// does not imply; Good keep it. The first of each is what explain shows.
	Bad, Good []Example
}

// Effect is what becomes of a scenario, a series or a report that breaks a
// rule.
type Effect string

// The effects, the mildest last.
const (
	Refuses    Effect = "refused"             // no plan; the run does not begin or is not resumed
	Stops      Effect = "stops the series"    // no further trial begins
	Marks      Effect = "marks the series"    // it goes on, and its result is nonconformant
	MarksRun   Effect = "marks the run"       // of a reuse block, as Marks a series
	Discards   Effect = "discards the trial"  // which is repeated
	Withholds  Effect = "withholds the value" // it is not printed
	NoReport   Effect = "no report is made"
	NoCompare  Effect = "not compared"
	Warns      Effect = "warning or recorded deviation"
	Permission Effect = "permitted" // of a MAY: nothing breaks it
)

// Kinds of examples: what their text changes.
const (
	InScenario   = "scenario"   // replaces blocks and arguments of a complete scenario (compiler/rule)
	InPlan       = "plan"       // edits of a plan that is sealed again (spec/edit)
	InJournal    = "journal"    // edits of the entries of a complete journal (spec/edit)
	InResult     = "result"     // edits of a complete result (spec/edit)
	InComparison = "comparison" // edits of the second of two equal results (spec/edit)
)

// Example breaks or keeps a rule when it is applied to a valid original.
type Example struct {
	Name string // what is done, in a few words: "nineteen trials"
	In   string // one of the constants above
	Base string // which valid original; "" for the usual one of its kind
	Text string
	// Edge tells that the value lies exactly on the boundary of the rule
	// where the example keeps it, and next to it where it breaks it.
	Edge bool
	// Effect is what this one violation leads to where it is not the effect of
	// its rule: a part of a requirement that is only warned of, or a hint's
	// argument that no plan can have. "" where it is that of the rule.
	Effect Effect
}

// EffectOf is what a violation of a rule leads to.
func (x Example) EffectOf(r Rule) Effect {
	if x.Effect != "" {
		return x.Effect
	}
	return r.Effect
}
