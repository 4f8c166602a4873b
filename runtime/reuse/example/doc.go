// Package example carries out the examples of the rules of the packages
// runtime/reuse/result and runtime/reuse/report: it changes one of the valid
// runs or results that they name.
//
// It imports compiler/plan, lang/exact, runtime/journal, runtime/measure/example,
// runtime/report/{omission,reporttest}, runtime/reuse/{record,result,report},
// spec and spec/edit. No program imports it: it is for tests and for the table of
// conformance.
package example
