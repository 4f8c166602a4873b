// Package schema is the block schema of the language, written once as data:
// every block and argument with its type, default, unit, one sentence of
// documentation and the requirements that it serves.
//
// From this data come the shape check of package lang, "did you mean", the
// language reference and its machine form, and, later, completion and hover.
// To add an argument, add one line here; nothing else needs to know its name
// before the compiler uses it.
//
// The package imports HCL for its schema types, and lang/quantity,
// lang/predicate and lang/gate for their printed grammars, and
// internal/plainjson.
package schema
