// Package compare sets two results side by side, or says why they must not be
// (methodology 1.2).
//
// Two results are comparable where five keys are the same: Observation Point,
// detector configuration, serving configuration, request population and
// offered load. [Compare] refuses where any differs, with the differing values.
// A study allows exactly one named key to differ, and is called what it is: the
// characterisation of a change. Nothing here names a winner, a ratio or a rank.
//
// [Compare] is pure: equal inputs give equal bytes. [Load] reads what a run
// wrote. It imports lang/exact, compiler/plan, internal/plainjson,
// runtime/{folder,journal,measure,report,stats}, runtime/report/omission and spec.
package compare
