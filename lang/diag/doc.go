// Package diag holds the messages that fdbench gives about a scenario, as
// values, and the two ways to show them: text for a person and JSON for a
// machine. Both are made from the same snippet, so they never tell different
// stories.
//
// A diagnostic has a fixed summary of three to six words, which names nothing
// of the user's so that equal mistakes can be counted, and a detail in full
// sentences that says what is wrong, why, and what to write instead.
//
// The package imports HCL for its ranges only. Whether to colour is the
// caller's decision, because only the caller knows the stream.
package diag
