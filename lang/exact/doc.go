// Package exact holds the numbers that rules are decided with: fractions of
// any size, and durations in whole nanoseconds. Nothing in it is binary64, so
// a boundary case falls on the side that the methodology's sentence names.
//
// It imports the standard library only, and every other package may import it.
package exact
