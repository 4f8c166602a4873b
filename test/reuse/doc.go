// Package reuse holds the proof of live reuse runs: the program, with a
// scenario, against a deployment whose cache, times and faults are set. What
// was set has to be what is measured, and what is wrong on purpose has to be
// caught by a gate. It takes less than a minute, on loopback, and needs nothing
// installed.
//
// It may import everything.
package reuse
