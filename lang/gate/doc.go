// Package gate compiles and evaluates the conditions of gate blocks: small
// expressions over the figures of a reuse result.
//
// A condition has three outcomes. A figure that does not exist makes it "no
// data", and a quantifier over no rows does too: nothing passes for want of
// something to look at. Numbers are exact fractions.
//
// It imports expr's parser, lang/exact, lang/quantity for the shared Error, and
// lang/suggest.
package gate
