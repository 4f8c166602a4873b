// Package injection decides which requests a fault changes: the share of them
// that a profile intends at each instant, drawn as a quota or one by one, and
// the window in which the achieved magnitude is verified. Virtual and live
// worlds share it.
//
// It imports compiler/plan, lang/exact and runtime/random only.
package injection
