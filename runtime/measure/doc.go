// Package measure turns a plan and a journal into a result. It is pure: the
// same two inputs give the same bytes, and nothing else is read.
//
// It does not trust the journal's own conclusions: what an entry derives from
// other figures of the journal (whether a trial is kept, how long a latency
// is, whether a step of a search met its target) is derived again, and a
// difference is a violation in the result.
//
// It imports lang/exact, compiler/plan, runtime/journal and runtime/stats.
package measure
