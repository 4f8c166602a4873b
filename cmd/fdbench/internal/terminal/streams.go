package terminal

import (
	"io"
	"os"
	"strconv"

	"golang.org/x/term"
)

// Stream is an output with what is known of it.
type Stream struct {
	io.Writer
	// Terminal tells that a person sees the stream while it is written, and
	// that control sequences move its cursor.
	Terminal bool
	// Width is the number of columns: what COLUMNS says, or else that of the
	// terminal, and 0 elsewhere.
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
	s := &Streams{In: os.Stdin, Out: of(os.Stdout), Err: of(os.Stderr), env: os.Getenv}
	s.environment()
	return s
}

// environment follows what the environment says of the terminal.
func (s *Streams) environment() {
	columns, err := strconv.Atoi(s.env("COLUMNS"))
	for _, to := range []*Stream{&s.Out, &s.Err} {
		if s.env("TERM") == "dumb" {
			to.Terminal = false
		}
		if err == nil && columns > 0 {
			to.Width = columns
		}
	}
}

// Plain returns streams that are no terminals, for tests and for callers that
// collect what a command says. env answers for environment variables; nil
// answers that none is set.
func Plain(in io.Reader, out, err io.Writer, env func(string) string) *Streams {
	if env == nil {
		env = func(string) string { return "" }
	}
	s := &Streams{In: in, Out: Stream{Writer: out}, Err: Stream{Writer: err}, env: env}
	s.environment()
	return s
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
