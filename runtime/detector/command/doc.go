// Package command is a detector under test behind a program: whatever the
// program prints on its standard output, one JSON object a line, becomes a
// signal.
//
// A line has the fields status ("firing" or "resolved"), labels, type ("alert"
// where it is left out), component ("command"), value, reason, repeat, no_data,
// and starts_at and emitted_at, which are RFC 3339 or a number since 1970. Only
// status has to be there. A signal is received when its line is complete. An
// alert that fires already and is printed again is a repetition, unless its
// starts_at is another one.
//
// The program runs from Start to Close. When it ends before, it is started
// again, after a wait that grows; until it runs, the detector's state is not
// known.
//
// It imports compiler/plan, runtime/detector with its folders webhook and
// poll/fetch, runtime/live/driver and runtime/world.
package command
