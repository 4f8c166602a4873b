package terminal

import (
	"fmt"
	"time"
	"unicode/utf8"
)

// refresh is the shortest time between two states of a rewritten line: a
// person reads no faster, and a run must not wait for its terminal.
const refresh = 100 * time.Millisecond

// Line shows how far a command has come: on a terminal as one line that is
// rewritten, elsewhere as one line for each phase.
type Line struct {
	to    Stream
	now   func() time.Time
	last  time.Time
	phase string
	shown bool
}

// NewLine returns a Line on a stream. now is the clock, time.Now outside of
// tests.
func NewLine(to Stream, now func() time.Time) *Line { return &Line{to: to, now: now} }

// Set says that the command is in a phase, and how far. Of several ways to say
// how far, the first that a terminal's line has room for is shown; elsewhere it
// is the first one. Elsewhere than on a terminal only a new phase is written.
// Errors of the stream are not the command's concern.
func (l *Line) Set(phase string, states ...string) {
	changed := phase != l.phase
	l.phase = phase
	if !l.to.Terminal {
		if changed {
			fmt.Fprintln(l.to, fit(phase, states, 0))
		}
		return
	}
	if t := l.now(); changed || t.Sub(l.last) >= refresh {
		l.last, l.shown = t, true
		fmt.Fprintf(l.to, "\r\x1b[K%s", fit(phase, states, l.to.Width-1))
	}
}

// Clear takes the line off a terminal, so that something else can be written.
func (l *Line) Clear() {
	if l.shown {
		fmt.Fprint(l.to, "\r\x1b[K")
		l.shown = false
	}
}

// fit joins a phase and the first state with which it takes at most n columns,
// any number where n is below 1. Where none does, the phase is shortened: its
// beginning says the least that is new.
func fit(phase string, states []string, n int) string {
	if len(states) == 0 {
		return cut(phase, n)
	}
	for _, s := range states {
		if text := phase + "  " + s; n <= 0 || utf8.RuneCountInString(text) <= n {
			return text
		}
	}
	last := states[len(states)-1]
	if room := n - 2 - utf8.RuneCountInString(last); room > 1 {
		return cut(phase, room) + "  " + last
	}
	return cut(last, n)
}

// cut shortens s to n columns from the left: a line that wraps cannot be
// rewritten. It leaves s alone where n is below 1.
func cut(s string, n int) string {
	r := []rune(s)
	if n <= 0 || len(r) <= n {
		return s
	}
	return "…" + string(r[len(r)-n+1:])
}
