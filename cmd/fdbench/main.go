package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/alecthomas/kong"
	"github.com/fatih/color"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
)

func main() {
	// Parsed scenarios stay alive until the end, and the parser's garbage
	// makes the collector go over them again and again.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(dispatch(context.Background(), os.Args[1:], terminal.System()))
}

// app is what every verb is run with.
type app struct {
	*terminal.Streams
	ctx   context.Context
	model *kong.Application
}

// dispatch runs one command line and returns its exit code.
func dispatch(ctx context.Context, args []string, s *terminal.Streams) (code int) {
	line := new(commandLine)
	parser, err := newParser(line, s)
	if err != nil {
		panic(err) // the grammar is a constant
	}
	bare := exitDone
	defer func() {
		switch h := recover().(type) {
		case nil:
		case helpShown:
			code = max(int(h), bare)
		default:
			panic(h)
		}
	}()
	s.Decide(terminal.Auto)
	if len(args) == 0 {
		args, bare = []string{"--help"}, exitUsage
		parser.Stdout = s.Err
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		complain(s, err)
		hint(s, err)
		return exitUsage
	}
	s.Decide(line.Color)
	out := &watched{Writer: s.Out.Writer}
	s.Out.Writer = out
	err = parsed.Run(&app{Streams: s, ctx: ctx, model: parser.Model})
	return out.code(s, err)
}

// watched remembers that standard output did not take everything: a verb that
// prints for people does not look at each line, and what nobody got is not done.
type watched struct {
	io.Writer
	err error
}

func (w *watched) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	if w.err == nil {
		w.err = err
	}
	return n, err
}

// code is codeOf with what was lost, where the verb has not said so itself.
func (w *watched) code(s *terminal.Streams, err error) int {
	code := codeOf(s, err)
	if w.err == nil || errors.Is(err, w.err) {
		return code
	}
	complain(s, w.err)
	return cmp.Or(code, exitFailed)
}

// codeOf says what went wrong and chooses the exit code.
func codeOf(s *terminal.Streams, err error) int {
	var e *exitError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &e):
		if e.err != nil {
			complain(s, e.err)
		}
		return e.code
	}
	complain(s, err)
	return exitFailed
}

// complain writes one error for a person.
func complain(s *terminal.Streams, err error) {
	red := color.New(color.FgRed, color.Bold)
	if s.Err.Color {
		red.EnableColor()
	} else {
		red.DisableColor()
	}
	fmt.Fprintf(s.Err, "%s %s\n", red.Sprint("Error:"), sentence(remedy(err)))
}

// hint names the help page of the verb that was used wrongly.
func hint(s *terminal.Streams, err error) {
	verb := ""
	var p *kong.ParseError
	if errors.As(err, &p) && p.Context != nil {
		for n := p.Context.Selected(); n != nil && n.Type != kong.ApplicationNode; n = n.Parent {
			verb = " " + n.Name + verb
		}
	}
	fmt.Fprintf(s.Err, "See \"fdbench%s --help\".\n", verb)
}
