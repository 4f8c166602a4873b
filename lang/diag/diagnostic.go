package diag

import "github.com/hashicorp/hcl/v2"

// Severity says what a diagnostic does to the scenario. The zero value is
// invalid, so that a forgotten severity shows.
type Severity int

const (
	// Error refuses the scenario.
	Error Severity = iota + 1
	// Warning lets the scenario pass, and may become a recorded deviation.
	Warning
	// Note is a hint that changes nothing.
	Note
)

// String returns the lower-case word that the JSON form uses.
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	case Note:
		return "note"
	}
	return "invalid"
}

func (s Severity) title() string {
	switch s {
	case Error:
		return "Error"
	case Warning:
		return "Warning"
	case Note:
		return "Note"
	}
	return "Invalid severity"
}

// Diagnostic is one message about a scenario.
type Diagnostic struct {
	Severity Severity
	// Rule is the stable id of what was broken: a requirement of a methodology
	// ("FD-5.1-8") or a rule of the language ("LANG-unknown-argument").
	Rule string
	// Summary has three to six words and no names of the user's.
	Summary string
	// Detail says in full sentences what is wrong, why, and what to write
	// instead. Lines that begin with a space are shown as they are.
	Detail string
	// Subject is the smallest place that is wrong, nil where there is none.
	Subject *hcl.Range
	// Context contains Subject and is worth seeing with it. It may be nil.
	Context *hcl.Range
	// Values are the expressions that led to the message, in a fixed order.
	Values []Value
	// Fix is a replacement that certainly repairs the mistake, or nil.
	Fix *Fix
	// Extra holds typed facts for callers; neither writer looks at it.
	Extra any
}

// Value is an expression and what is known of it, so that "var.n" and "is 5"
// read as a sentence.
type Value struct {
	Expr, Text string
}

// Fix replaces the bytes of Range by Text.
type Fix struct {
	Range hcl.Range
	Text  string
}
