// Package report writes a result for readers: Markdown, CSV and the summary on
// a terminal. Its functions are pure: equal results give equal bytes.
//
// The order is that of the result, what the figures may be called first and
// what they may be used for last. A value that does not exist is said in words
// or left empty, never printed as 0; a value of 0 is printed as 0.
//
// It imports lang/exact, compiler/plan and runtime/measure.
package report
