// Package corpus reads files of recorded responses and computes indicators and
// transformed twins over them.
//
// A response file is JSON Lines: one object a line with "response" and,
// optionally, "id", "prompt" and "label". Nothing in a file is lost silently:
// a line that cannot be used is a Problem with its number.
//
// The package imports lang/exact, runtime/random and stdlib/text. It opens no
// file itself.
package corpus
