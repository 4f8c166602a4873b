// Package plan is the contract between the compiler and the runtime: the types
// of a plan, its canonical bytes, its digests and the lock that keeps a series
// to what it declared.
//
// A plan holds everything that decides what a run does and nothing that
// differs between two machines: no time, host, absolute path or secret.
//
// It imports lang/exact, internal/{atomicfile,plainjson} and the standard library only.
package plan
