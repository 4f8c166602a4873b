// Package terminal knows the streams that a command writes to: whether each is
// a terminal, how wide it is, and whether colour belongs on it. Nothing else
// in the program asks the system about its streams.
//
// It imports golang.org/x/term and the standard library.
package terminal
