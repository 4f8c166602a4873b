// Package readback says what the parts of an environment have to say of
// themselves when a plan is carried out: the digests that a world's first
// reading is held against (FD-3.2-1), and the lines that both sides write.
//
// The configuration of a detector is not derived from the plan a second time:
// a detector is made afresh, as a run makes it, and read. What counts as
// configuration is therefore part of the engine's version.
//
// It imports compiler/plan, lang/exact, runtime/{detector,random} and the
// detector drivers; no world.
package readback
