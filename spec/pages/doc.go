// Package pages explains the requirements of the methodology and the rules of
// the language: as values, as Markdown and as JSON. What a person reads on a
// terminal is made from the values by package view of the command.
//
// It imports spec, spec/conformance, compiler, internal/plainjson, lang
// and lang/suggest.
package pages
