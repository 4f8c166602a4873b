// Package measure turns a plan and a journal into a result. It is pure: the
// same two inputs give the same bytes, and nothing else is read.
//
// It imports lang/exact, compiler/plan, runtime/journal and runtime/stats.
package measure
