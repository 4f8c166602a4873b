// Package report writes a result for readers: Markdown, CSV, JSON and the
// summary on a terminal.
//
// [Build] is the way to a report. It holds the result against every requirement
// on reports and refuses to make one that would leave something out; [Rules]
// lists them. What follows is pure: equal results give equal bytes.
//
// The order is that of the result, what the figures may be called first and
// what they may be used for last. A value that does not exist is said in words
// or left empty, never printed as 0; a value of 0 is printed as 0; one that must
// not be published is said to be withheld, and why. Every table says what the
// result may be called, so that one that travels alone still says what it is.
//
// It imports lang/{exact,quantity}, compiler/plan, runtime/{confine,journal,
// measure}, runtime/report/{figure,omission,prose,table} and spec.
package report
