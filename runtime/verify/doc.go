// Package verify checks the folder of a run: that the plan is the one that was
// compiled, that the journal is whole and belongs to it, and that every
// reported figure is what the two give.
//
// What it cannot show is that a journal was written by a run: whoever has the
// plan can make up a journal from its first line to its last. Keep the
// journal's SHA-256, which stands in the result, where it cannot be changed.
//
// It imports compiler/plan, runtime/{folder,measure,report} and
// runtime/verify/difference.
package verify
