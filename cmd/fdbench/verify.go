package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/launch"
	"github.com/fdbench/fdbench/cmd/fdbench/internal/view"
	"github.com/fdbench/fdbench/runtime/execute"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/verify"
)

type verifyCmd struct {
	Rerun    bool   `help:"Execute the plan of a run in virtual time once more, or what a reuse block measured offline, and compare the journal byte by byte."`
	Pruned   bool   `help:"Files of raw stamps were taken away: one that is missing is said, and is no problem."`
	Scenario string `help:"With --rerun: where the files lie that the plan was made from. Default: DIR." placeholder:"PATH"`
	Dir      string `arg:"" help:"Folder of a run."`
}

func (*verifyCmd) Help() string {
	return `Every section of the plan and every line of the journal is checked against its digest, and the result and the reports are made again and compared byte by byte. What does not fit is named, with its file and place, and ends with exit code 3; a run that was interrupted ends with 4. The raw stamps of requests, which a run in real time keeps, are held against their digests as well; no figure rests on them, so that they may be taken away (--pruned).

The digests have no key: they show accidents and careless editing, not a journal that somebody computed anew from its first line to its last. For a run in virtual time --rerun shows that too; for a reuse block it measures the rows of the manifest again, the collision audit, and logs that were there before the run.

Examples:

    fdbench verify out/quickstart
    fdbench verify out/quickstart --rerun
    fdbench verify out/recorded --rerun --scenario scenarios/recorded`
}

func (c *verifyCmd) Run(a *app) error {
	if c.Scenario != "" && !c.Rerun {
		return usage("--scenario is for --rerun: without it nothing is executed")
	}
	if err := runFolder(c.Dir); err != nil {
		return err
	}
	if err := holdsRun(c.Dir); err != nil {
		return err
	}
	if reuse, err := holdsReuse(c.Dir); err != nil {
		return err
	} else if reuse {
		return c.reuse(a)
	}
	found, err := verify.Check(c.Dir, verify.Options{Pruned: c.Pruned})
	if err != nil {
		return refusal(err)
	}
	problems := found.Problems
	result, err := compute(c.Dir)
	interrupted := err == nil && endedEarly(result)
	if interrupted {
		// A run that goes on has neither an end nor results: what is missing is
		// no problem. A problem with a place is one.
		problems = slices.DeleteFunc(problems, func(p verify.Problem) bool { return p.Path == "" })
	}
	for _, p := range problems {
		fmt.Fprintln(a.Out, p)
	}
	for _, n := range found.Notes {
		fmt.Fprintf(a.Out, "%s: %s\n", c.Dir, n)
	}
	switch {
	case len(problems) > 0:
		return exit(exitRefused)
	case err != nil:
		return refusal(err)
	case interrupted && atWork(c.Dir):
		fmt.Fprintf(a.Out, "%s: the run is at work. What there is so far fits.\n", c.Dir)
		return exit(exitIncomplete)
	case interrupted:
		fmt.Fprintf(a.Out, "%s: the run was interrupted. What there is fits; run the same command again to go on from there.\n", c.Dir)
		return exit(exitIncomplete)
	}
	if !result.Conformance.Complete {
		fmt.Fprintf(a.Out, "%s: the run is incomplete: it came to its end without all that the plan asks for, as the report says.\n", c.Dir)
	}
	if _, err := fmt.Fprintf(a.Out, "%s: the plan, the chain of the journal and every reported figure are as they were made.\n", c.Dir); err != nil || !c.Rerun {
		return err
	}
	return c.rerun(a)
}

func (c *verifyCmd) rerun(a *app) error {
	ctx, stop := signal.NotifyContext(a.ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	progress := view.NewProgress(a.Err, "again", time.Now)
	line, err := launch.Rerun(ctx, c.Dir, c.Scenario, progress.Event)
	progress.Clear()
	switch {
	case err != nil && ctx.Err() != nil:
		return &exitError{exitInterrupted, fmt.Errorf("interrupted; nothing was changed")}
	case err != nil:
		return refusal(err)
	case line > 0:
		fmt.Fprintf(a.Out, "%s: line %d: executing the plan again gives another line.\n", execute.JournalFile, line)
		return exit(exitRefused)
	}
	_, err = fmt.Fprintf(a.Out, "%s: executing the plan again gives the same journal, byte by byte.\n", c.Dir)
	return err
}

// atWork tells whether a run writes a folder's journal at this moment. Where that
// cannot be found out, as in an archive, nobody does.
func atWork(dir string) bool {
	busy, err := journal.Busy(filepath.Join(dir, execute.JournalFile))
	return err == nil && busy
}

// endedEarly tells whether a journal does not come to its end.
func endedEarly(r *measure.Result) bool {
	for _, v := range r.Conformance.Violations {
		if v.Rule == measure.RuleSeries && v.Detail == measure.Interrupted {
			return true
		}
	}
	return false
}
