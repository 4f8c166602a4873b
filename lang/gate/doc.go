// Package gate compiles and evaluates the conditions of gate blocks: small
// expressions over the figures of a reuse result.
//
// A condition compares figures (Metrics) with numbers and with one another, and
// looks at the rows of a result with all, any, none and count. Numbers are exact
// fractions, taken from the very digits that were written. What is wrong with a
// condition is found when it is compiled: an unknown figure, a text compared
// with a number, a time compared with a count, and a condition that is true or
// false whatever was measured.
//
// # Outcomes
//
// A condition has three outcomes, and nothing passes for want of something to
// look at:
//
//   - Failed: the figures that exist decide that it is false, whatever the
//     absent ones would have been ("false and absent"; a count that is above
//     its limit already).
//   - NoData: otherwise, where any figure that the condition names is null, where
//     a quantifier has no rows, or where something is divided by zero. So
//     "true or absent" has no data, and does not pass.
//   - Passed: it is true, and every figure in it exists.
//
// Every part of a condition is evaluated, so that each absent figure is named.
// The rule holds under negation: not (a or b) and (not a) and (not b) have one
// outcome.
//
// It imports expr's parser, lang/exact, lang/internal/{condition,exprpos}, lang/quantity for
// the shared Error, and lang/suggest.
package gate
