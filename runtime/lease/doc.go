// Package lease makes an injection apparatus (methodology 3.4) of a mechanism
// that acts somewhere else, by calls or by programs, and sees to it that a
// fault ends whatever becomes of the harness.
//
// A fault is written into a file, the Record, before it is applied, and the
// file goes away when the baseline configuration was seen to be back
// (FD-3.4-3). A second process in a session of its own, the watchdog, reads
// from a pipe that the fault is wanted still. When the harness falls silent for
// longer than the lease, or is gone, the watchdog removes the fault, and tries
// until it is gone. What even that does not reach, a machine that lost its
// power, the next Start or Recover finds in the file.
//
// The lock of the Record's folder tells a run that lives from one that was
// killed. A removal may be asked for more than once, so the remove call or
// program has to be one that may be repeated.
//
// It imports compiler/plan, lang/exact, internal/atomicfile and runtime/
// {apparatus/*,injection,listen,live/driver,random,world}.
package lease
