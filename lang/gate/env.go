package gate

import (
	"iter"
	"slices"
	"strconv"

	"github.com/fdbench/fdbench/lang/exact"
)

// Value is what a figure is in one result.
type Value struct {
	Kind   Kind
	Null   bool   // the figure does not exist
	Why    string // why not: half a sentence, such as "no pair was clean"
	Number exact.Number
	Bool   bool   // of a Truth
	Text   string // of a Text
	// Share is what a rate was made of; nil where it is no plain quotient.
	Share *Share
}

// Share is a numerator and a denominator.
type Share struct{ Numerator, Denominator int64 }

// Whole is a count.
func Whole(n int64) Value { return Value{Kind: Count, Number: exact.Int(n)} }

// Fraction is the rate n of d. It is null, for the reason why, where d is 0.
func Fraction(n, d int64, why string) Value {
	v := Value{Kind: Rate, Share: &Share{n, d}}
	if d == 0 {
		v.Null, v.Why = true, why
		return v
	}
	v.Number = exact.Frac(n, d)
	return v
}

// Quantity is a number of the kind: a lift, a ratio, a time in milliseconds, a
// score.
func Quantity(k Kind, n exact.Number) Value { return Value{Kind: k, Number: n} }

// Flag is true or false.
func Flag(b bool) Value { return Value{Kind: Truth, Bool: b} }

// Named is a text of a row.
func Named(s string) Value { return Value{Kind: Text, Text: s} }

// Absent is a figure that does not exist, for the reason why.
func Absent(k Kind, why string) Value { return Value{Kind: k, Null: true, Why: why} }

// String is the value for people: numbers with at most 6 decimals, "null" for
// one that does not exist.
func (v Value) String() string {
	switch {
	case v.Null:
		return "null"
	case v.Kind == Truth:
		return strconv.FormatBool(v.Bool)
	case v.Kind == Text:
		return strconv.Quote(v.Text)
	}
	s := v.Number.Decimal(places)
	if v.Share != nil {
		s += " (" + strconv.FormatInt(v.Share.Numerator, 10) + "/" + strconv.FormatInt(v.Share.Denominator, 10) + ")"
	}
	return s
}

// places is how many decimals a message shows.
const places = 6

// Env is what a condition is held against. A figure that is missing from a map
// counts as null.
type Env struct {
	Values map[string]Value
	// Transforms has a row a transform, and Requests one an item. Each has the
	// fields that GroupMetrics and Fields list.
	Transforms, Requests []map[string]Value
	// Stream gives the rows of requests in place of Requests where it is set, so
	// that they need not be in memory at once. It is run through once for each
	// quantifier over requests, and has to give the same rows each time. A map
	// is not kept after its turn.
	Stream iter.Seq[map[string]Value]
}

func (e Env) rows(of string) iter.Seq[map[string]Value] {
	switch {
	case of == "transforms":
		return slices.Values(e.Transforms)
	case e.Stream != nil:
		return e.Stream
	}
	return slices.Values(e.Requests)
}

// Status is the outcome of a gate.
type Status int

// The outcomes.
const (
	Passed Status = iota + 1
	Failed
	NoData // nothing to decide by: it is no pass
)

// String is "passed", "failed" or "no_data", as results have it.
func (s Status) String() string {
	switch s {
	case Passed:
		return "passed"
	case Failed:
		return "failed"
	}
	return "no_data"
}

// Outcome is what a condition says of a result.
type Outcome struct {
	Status Status
	// Why are sentences: what decided a failure, or what is absent. "" for a
	// pass.
	Why string
	// Observed has every figure of the whole run that the condition names, in
	// the order of their mention, and then a line for each look at rows.
	Observed []Observation
}

// Observation is a figure as the gate saw it. For a look at rows the name is
// its text, and the value a share: the rows that the inner condition holds of,
// of those looked at.
type Observation struct {
	Name  string
	Value Value
}
