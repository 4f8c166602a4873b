// Package window reads an engine's own counters of its caches out of its
// Prometheus exposition. What the engine counted in the window between two
// readings is worked out with the result.
//
// Counters are those of the whole engine, and so of everything that asked it
// meanwhile. They confirm nothing of one request; they can contradict.
//
// It imports runtime/reuse/record and the standard library.
package window
