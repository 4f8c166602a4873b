// Package stdlib holds the standard library: indicators, fault classes,
// profiles, populations and gates, written in the scenario language itself and
// embedded in the binary. Whatever a block says, a scenario may copy and
// override.
//
// The scorers and transforms that the blocks name live in stdlib/text; files of
// recorded responses are read by stdlib/corpus. This package imports the
// standard library only.
package stdlib
