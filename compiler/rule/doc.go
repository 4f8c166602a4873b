// Package rule decides what the methodology asks of a scenario before a run:
// one file a section, each rule a value with the id of its row in package
// spec. A MUST that is broken is an error, a SHOULD a warning, and a reason
// beside it turns the warning into a deviation that the report states.
//
// To add a rule, write its check in the file of its section, list it there,
// and give it an explanation with a violating and a valid snippet: a test runs
// both. All comparisons are exact.
//
// It imports lang/*, compiler/plan, spec, runtime/stats and
// runtime/detector/promrules, and reads no file.
package rule
