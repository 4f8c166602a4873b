package main

import (
	"fmt"
	"strconv"
)

// Exit codes. They are part of the command's interface: scripts rely on them,
// and each has a test.
const (
	exitDone        = 0
	exitFailed      = 1   // a file, the network or the apparatus failed
	exitUsage       = 2   // wrong usage
	exitRefused     = 3   // a scenario, plan, journal, lock or digest is not acceptable
	exitIncomplete  = 4   // the run ended incomplete or nonconformant
	exitGate        = 5   // a gate failed or had no data
	exitIncompares  = 6   // results that must not be compared
	exitUnformatted = 7   // fmt --check found work
	exitInterrupted = 130 // stopped by a signal
)

// exitError ends a verb with a code. Its error is what the person reads; nil
// where the verb has said everything already.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// exit ends a verb with a code after everything has been said.
func exit(code int) error { return &exitError{code: code} }

// usage is a mistake on the command line.
func usage(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// refused is an input that is not acceptable as it is.
func refused(err error) error { return &exitError{exitRefused, err} }

// exitCodes explains each code, for the reference of the command line.
func exitCodes() [][2]string {
	var out [][2]string
	for _, c := range []struct {
		code    int
		meaning string
	}{
		{exitDone, "done"},
		{exitFailed, "it failed: a file, the network or the apparatus"},
		{exitUsage, "wrong usage"},
		{exitRefused, "refused: the scenario or plan breaks a MUST, the journal, the lock or a digest does not match, or a report would leave out what has to be reported"},
		{exitIncomplete, "the run ended incomplete, or its result lists requirements that it breaks, in virtual time too"},
		{exitGate, "a gate of a reuse block failed or had no data, and nothing ended with 4"},
		{exitIncompares, "not comparable: the two results differ in a key that may not, or one of them is none that may be compared"},
		{exitUnformatted, "`fmt --check` found work"},
		{exitInterrupted, "interrupted"},
	} {
		out = append(out, [2]string{strconv.Itoa(c.code), c.meaning})
	}
	return out
}
