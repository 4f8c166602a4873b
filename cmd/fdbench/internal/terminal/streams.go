package terminal

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Stream is an output with what is known of it.
type Stream struct {
	io.Writer
	// Terminal tells that a person sees the stream while it is written.
	Terminal bool
	// Width is the number of columns of a terminal, and 0 elsewhere.
	Width int
	// Color tells that the stream gets ANSI colours.
	Color bool
}

// Streams are the inputs and outputs of a command. Data goes to Out and
// everything else to Err.
type Streams struct {
	In       io.Reader
	Out, Err Stream
	env      func(string) string
}

// System returns the process's own streams.
func System() *Streams {
	return &Streams{In: os.Stdin, Out: of(os.Stdout), Err: of(os.Stderr), env: os.Getenv}
}

// Plain returns streams that are no terminals, for tests and for callers that
// collect what a command says. env answers for environment variables; nil
// answers that none is set.
func Plain(in io.Reader, out, err io.Writer, env func(string) string) *Streams {
	if env == nil {
		env = func(string) string { return "" }
	}
	return &Streams{In: in, Out: Stream{Writer: out}, Err: Stream{Writer: err}, env: env}
}

func of(f *os.File) Stream {
	s := Stream{Writer: f, Terminal: term.IsTerminal(int(f.Fd()))}
	if s.Terminal {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil {
			s.Width = w
		}
	}
	return s
}

// When to colour, as --color takes it.
const (
	Auto   = "auto"
	Always = "always"
	Never  = "never"
)

// Decide sets Color for each stream on its own: a report in a file stays
// plain while the messages on the terminal keep their colours.
func (s *Streams) Decide(when string) {
	s.Out.Color = s.color(when, s.Out.Terminal)
	s.Err.Color = s.color(when, s.Err.Terminal)
}

// color follows the flag before the environment, and NO_COLOR before the two
// variables that force colours.
func (s *Streams) color(when string, terminal bool) bool {
	switch {
	case when == Always:
		return true
	case when == Never, s.env("NO_COLOR") != "":
		return false
	case forced(s.env("FORCE_COLOR")), forced(s.env("CLICOLOR_FORCE")):
		return true
	}
	return terminal && s.env("TERM") != "dumb"
}

func forced(v string) bool { return v != "" && v != "0" }

// Columns is the width to wrap text at: that of the terminal up to limit, and
// limit where the stream is none.
func (s Stream) Columns(limit int) int {
	if s.Width == 0 {
		return limit
	}
	return min(limit, max(40, s.Width))
}
