// Package example carries out the examples of the rules of package measure: it
// changes one of the valid series that they name, and measures it.
//
// It imports compiler/plan, runtime/{internal/synthetic,journal,measure,readback}
// and spec, spec/edit. No program imports it: it is for tests and for the table
// of conformance.
package example
