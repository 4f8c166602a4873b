// Package spec holds the methodology's requirements as data: one row for each
// sentence that a scenario, a run or a report can break, with the id that
// diagnostics, plans and reports name.
//
// The rows paraphrase the methodology; they do not replace its text. It imports
// the standard library only.
package spec
