package terminal

import (
	"fmt"
	"strings"
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

// Set says that the command is in a phase, and how far. Elsewhere than on a
// terminal only a new phase is written. Errors of the stream are not the
// command's concern.
func (l *Line) Set(phase, state string) {
	changed := phase != l.phase
	l.phase = phase
	if !l.to.Terminal {
		if changed {
			fmt.Fprintln(l.to, join(phase, state))
		}
		return
	}
	if t := l.now(); changed || t.Sub(l.last) >= refresh {
		l.last, l.shown = t, true
		fmt.Fprintf(l.to, "\r\x1b[K%s", cut(join(phase, state), l.to.Width-1))
	}
}

// Clear takes the line off a terminal, so that something else can be written.
func (l *Line) Clear() {
	if l.shown {
		fmt.Fprint(l.to, "\r\x1b[K")
		l.shown = false
	}
}

func join(phase, state string) string {
	if state == "" {
		return phase
	}
	return phase + "  " + state
}

// cut shortens s to n columns: a line that wraps cannot be rewritten.
func cut(s string, n int) string {
	if n <= 0 || utf8.RuneCountInString(s) <= n {
		return s
	}
	var b strings.Builder
	for i, r := range []rune(s) {
		if i == n-1 {
			break
		}
		b.WriteRune(r)
	}
	return b.String() + "…"
}
