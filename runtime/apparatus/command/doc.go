// Package command makes faults by programs: one that applies, one that
// removes, and one whose output is the deployment's configuration (FD-3.4-3).
//
// Programs are run without a shell, in a process group of their own, with
// FDBENCH_CLASS, FDBENCH_MAGNITUDE, FDBENCH_FRACTION, FDBENCH_LEVEL and
// FDBENCH_TRIAL in their environment. One that takes too long is stopped
// together with all that it started; a program that ends by itself may leave
// others running.
//
// It imports compiler/plan and runtime/{apparatus/mechanism,live/driver,world}.
package command
