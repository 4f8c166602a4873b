// Package result computes the result of a reuse block's run from its plan and
// its journal, and from nothing else.
//
// Four figures are kept apart (KV-0-1): what is reusable word for word, what a
// planner found, what a backend could take over, and what a backend confirmed.
// A rate is a numerator and a denominator; where the denominator is 0 its value
// is null. Rows that were not measured are in neither, and every rate says over
// how many of how many it is.
//
// The journal is read as a stream. An offline run needs memory for its
// transforms only; a live one some hundred bytes for each pair.
//
// It imports compiler/plan, internal/plainjson, lang/{exact,gate},
// runtime/journal, runtime/reuse/{record,paired,quality} and spec.
package result
