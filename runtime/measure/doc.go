// Package measure turns a plan and a journal into a result. It is pure: the
// same two inputs give the same bytes, and nothing else is read.
//
// It does not trust the journal's own conclusions: what an entry derives from
// other figures of the journal (whether a trial is kept, how long a latency
// is, whether the attribution gives an event to its fault, where a search goes
// next and how it ends) is derived again, and a difference is a violation in
// the result. What a requirement asks a record to hold, and it lacks, is one
// too, and so is what the run itself saw broken.
//
// [Rules] lists the requirements that are decided here, in files by section
// of the methodology, each with examples of journals that break and keep it.
//
// It imports spec, lang/exact, lang/predicate, compiler/plan, internal/plainjson and
// runtime/{confine,detector,folder,journal,readback,share,stats}.
package measure
