// Package command makes faults by programs: one that applies, one that
// removes, and one whose output is the deployment's configuration (FD-3.4-3).
//
// Programs are run without a shell, in a process group of their own, with
// FDBENCH_CLASS, FDBENCH_MAGNITUDE, FDBENCH_FRACTION, FDBENCH_LEVEL,
// FDBENCH_TRIAL and FDBENCH_LEASE in their environment. The last one is the
// number of seconds after which nobody wants the fault any more: where harness
// and watchdog are both ended, as at the end of a container, a deployment that
// keeps to it ends the fault itself. A program that takes too long is stopped
// together with all that it started; one that ends by itself may leave others
// running.
//
// It imports compiler/plan and runtime/{apparatus/mechanism,live/driver,world}.
package command
