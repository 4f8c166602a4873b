// Package predicate compiles the conditions inside of scenario strings: what
// makes a signal attributable to a fault, and which responses an indicator
// counts.
//
// A condition is a small, typed and total language on top of expr: fields of a
// few declared records, comparisons, tests on texts, and `and`, `or`, `not`.
// It has no loops, no closures, no clock and no arithmetic, its size and the
// size of its patterns are bounded, and whatever is not listed in Grammar is
// refused when it is compiled, with the place of the offence. So evaluation
// cannot fail, and its time is linear in the text that it looks at.
//
// The package imports expr, lang/internal/{condition,exprpos}, lang/quantity for the
// shared Error, and lang/suggest.
package predicate
