// Package rule decides what the methodology asks of a scenario before a run:
// one file a section, each rule a value with the id of its row in package
// spec. A MUST that is broken is an error, a SHOULD a warning, and a reason
// beside it turns the warning into a deviation that the report states. What a
// machine cannot see in a laboratory somebody attests (attest.go).
//
// Registered lists the rules on rows that are decided at this moment, Early
// those on rows that are decided later and that a scenario can already be seen
// to break.
//
// To add a rule, write its check in the file of its section, list it there with
// row, and give it examples that break and keep it, one pair of them on the
// boundary: a test compiles them all. Where the shape of the language decides,
// a rule has examples and no check. All comparisons are exact.
//
// Rules on the rows of the metric contract for KV reuse look at a reuse block
// in the place of a series (reuse.go), and are listed with the others.
//
// It imports lang/*, compiler/plan, spec, runtime/stats,
// runtime/detector/promrules and runtime/reuse/{manifest,floor}, and reads no
// file.
package rule
