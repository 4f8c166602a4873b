package main

import (
	"github.com/alecthomas/kong"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
)

// commandLine is the grammar of the command line. The reference in spec and
// the completion scripts are made from it.
type commandLine struct {
	Color string `help:"When to colour: auto (on a terminal, unless NO_COLOR is set), always or never." enum:"auto,always,never" default:"auto" placeholder:"WHEN"`

	Version versionFlag `help:"Print the version."`

	Fmt        fmtCmd        `cmd:"" help:"Put scenario files into the canonical layout."`
	Lint       lintCmd       `cmd:"" help:"Check a scenario against the language and the methodology."`
	Plan       planCmd       `cmd:"" help:"Compile a scenario and show or write its plan."`
	Rehearse   rehearseCmd   `cmd:"" help:"Try a series in real time out: does every fault land, does a signal come, does it clear."`
	Run        runCmd        `cmd:"" help:"Execute a scenario or a plan, or resume where it stopped."`
	Recover    recoverCmd    `cmd:"" help:"Remove a fault that a run that was killed left applied."`
	Report     reportCmd     `cmd:"" help:"Print the report of a run, from its plan and journal alone."`
	Verify     verifyCmd     `cmd:"" help:"Recompute every figure of a run and check the chain of its journal."`
	Compare    compareCmd    `cmd:"" help:"Set two results side by side, where the methodology allows it, or say why it does not."`
	Explain    explainCmd    `cmd:"" help:"Explain a requirement or a rule of the language: what it asks, why, and an example."`
	Stdlib     stdlibCmd     `cmd:"" help:"Show the standard library of indicators, fault classes, profiles, populations and gates."`
	Score      scoreCmd      `cmd:"" help:"Try an indicator or a fault class on responses of your own."`
	Probe      probeCmd      `cmd:"" help:"Send one request to a deployment and print everything that was seen of it."`
	Events     eventsCmd     `cmd:"" help:"Count what an engine's log says of the KV cache that it reused, and say what that proves."`
	Serve      serveCmd      `cmd:"" help:"Run a small OpenAI-compatible deployment for demonstrations and tests."`
	Tap        tapCmd        `cmd:"" help:"Compute indicators of the responses at an observation point, and export them for a detector."`
	Clock      clockCmd      `cmd:"" help:"Answer probes of the clock at the detector's host."`
	Manifest   manifestCmd   `cmd:"" help:"Make a manifest of a reuse block from documents, or show what one holds."`
	Calibrate  calibrateCmd  `cmd:"" help:"Measure the noise floor of a reuse block: how much alike two answers of a cold engine are."`
	Completion completionCmd `cmd:"" help:"Print a completion script for a shell."`
	VersionCmd versionCmd    `cmd:"" name:"version" help:"Print the version."`
	HelpCmd    helpCmd       `cmd:"" name:"help" help:"Print the help of a verb."`

	LeaseWatchdog leaseWatchdogCmd `cmd:"" hidden:"" help:"Remove a fault when fdbench falls silent or is gone; fdbench starts it by itself."`
}

const description = "fdbench measures how fast, how surely and from what size on a detector notices that an LLM serving " +
	"deployment has begun to answer differently, and what a semantic KV cache really reuses."

// helpShown ends parsing after a help page was printed.
type helpShown int

func newParser(line *commandLine, s *terminal.Streams) (*kong.Kong, error) {
	return kong.New(line,
		kong.Name("fdbench"),
		kong.Description(description),
		kong.Writers(s.Out, s.Err),
		kong.Exit(func(code int) { panic(helpShown(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true, WrapUpperBound: 100}),
	)
}
