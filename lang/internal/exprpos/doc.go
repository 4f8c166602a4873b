// Package exprpos finds the places of the parts of a condition that expr's
// parser read, in bytes of what was written. The packages predicate and gate
// point their messages with it.
//
// It imports expr's syntax tree and its lexer, and lang/quantity for the shared
// Error.
package exprpos
