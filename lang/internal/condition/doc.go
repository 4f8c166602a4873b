// Package condition reads conditions up to where their kinds part: within the
// bounds that all of them have, with expr's parser, and with the same words for
// the same mistake. The packages predicate and gate are built on it.
//
// It imports expr's parser, lang/internal/exprpos and lang/quantity for the
// shared Error.
package condition
