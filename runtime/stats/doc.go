// Package stats holds the arithmetic of the methodology: the rules that keep
// or refuse a trial, the estimators that a report prints, and the advisory
// figures that stand beside them.
//
// It has two halves, and the types tell them apart.
//
// Rules and required values take and return [exact.Number] and
// [exact.Duration]. They are fractions and whole nanoseconds, so a boundary
// case (a magnitude that is off by exactly ten percent) falls on the side that
// the sentence of the methodology names. Each names its requirement (FD-...).
//
// Advisory figures are float64: confidence intervals, forecasts, tests. They
// never decide anything, never replace a required value, and belong into the
// supplementary part of a report. Their last bits depend on the processor's
// elementary functions; use [Significant] before a digest covers one. Where an
// argument has no meaning (more detections than trials) they return NaN, and
// each says so.
//
// Every function is pure and safe for concurrent use. The package imports the
// standard library and lang/exact only; compiler, procedure, measure and
// report may import it.
package stats
