// Package journal is the append-only, hash-chained record of a run. Everything
// that a reported figure rests on is in it, and a byte that is changed later
// shows.
//
// It imports lang/exact, runtime/detector and the standard library.
package journal
