package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/launch"
	"github.com/fdbench/fdbench/cmd/fdbench/internal/view"
	"github.com/fdbench/fdbench/runtime/report/omission"
	"github.com/fdbench/fdbench/runtime/report/prose"
	"github.com/fdbench/fdbench/runtime/reuse/execute"
	"github.com/fdbench/fdbench/runtime/reuse/report"
	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/runtime/reuse/verify"
)

// worse is the code that two jobs of one run end with: one that is incomplete
// or breaks a requirement goes before a gate that failed, for a gate over such
// a run decides nothing.
func worse(a, b int) int {
	if a == exitIncomplete || b == exitIncomplete {
		return exitIncomplete
	}
	return max(a, b)
}

// holdsReuse tells whether a folder holds the run of a reuse block.
func holdsReuse(dir string) (bool, error) {
	reuse, err := launch.IsReuse(filepath.Join(dir, execute.PlanFile))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return false, nil // who reads it says so
	}
	return reuse, err
}

// isReuseResult tells the folder or the result.json of a reuse block from those
// of a series. What is neither is left to who reads it.
func isReuseResult(path string) (bool, error) {
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		return holdsReuse(path)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return false, nil
	}
	_, err = report.Read(b)
	var omitted *omission.Error
	return err == nil || errors.As(err, &omitted), nil
}

// runReuse runs a reuse block and returns the code that it ends with.
func (c *runCmd) runReuse(ctx context.Context, a *app, j launch.Job) (int, error) {
	progress := view.NewReuseProgress(a.Err, j.Name(), time.Now)
	ran := false
	r, err := launch.RunReuse(ctx, j, launch.ReuseOptions{
		NewSeries: c.NewSeries, Explore: c.Explore, Allow: c.AllowTarget, Run: strconv.FormatInt(time.Now().UnixNano(), 36),
		Unchanged: func(generation int) {
			fmt.Fprintf(a.Err, "Reuse block %q has the declaration of its generation %d, so --new-series begins no other.\n", j.Name(), generation)
		},
		Progress: func(e execute.Event) { ran = true; progress.Event(e) },
	})
	progress.Clear()
	switch {
	case err == nil:
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return exitInterrupted, &exitError{exitInterrupted, fmt.Errorf("interrupted; what was measured so far is kept in %s, and the same command goes on from there", j.Dir)}
	case errors.Is(err, syscall.ENOSPC):
		return exitFailed, fmt.Errorf("%w; what was committed is kept: make room, and run the same command again", err)
	default:
		return exitFailed, refusal(err)
	}
	if !ran {
		fmt.Fprintf(a.Err, "The run in %s is already complete, so nothing was run. This is its report.\n", j.Dir)
	}
	if err := printReuse(a, r, c.ReportFormat); err != nil {
		return exitFailed, err
	}
	fmt.Fprintf(a.Err, "The full report is %s.\n", filepath.Join(j.Dir, execute.ReportFile))
	code := exitDone
	if failed := r.GatesFailed(); len(failed) > 0 {
		code = exitGate
		for _, g := range failed {
			fmt.Fprintf(a.Err, "The gate %q %s: %s\n", g.Name, map[string]string{result.GateFailed: "failed", result.GateNoData: "had no data"}[g.Status], prose.Printable(g.Why))
		}
	}
	if !r.Conformance.Complete || len(r.Conformance.Violations) > 0 {
		code = exitIncomplete
		for _, v := range r.Conformance.Violations {
			fmt.Fprintf(a.Err, "The reuse block %q breaks %s: %s.\n", r.Name, v.Rule, prose.Printable(v.Detail))
		}
	}
	return code, nil
}

// computeReuse recomputes the result of a folder.
func computeReuse(dir string) (*result.Result, error) {
	p, err := launch.ReadReuse(filepath.Join(dir, execute.PlanFile))
	if err != nil {
		return nil, err
	}
	f, err := os.Open(filepath.Join(dir, execute.JournalFile))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return result.Compute(p, f)
}

// printReuse writes a result to standard output.
func printReuse(a *app, r *result.Result, form string) error {
	built, err := report.Build(r)
	if err != nil {
		return refusal(err)
	}
	switch form {
	case "json":
		_, err = a.Out.Write(built.JSON())
	case "md":
		_, err = a.Out.Write(built.Markdown())
	default:
		err = built.Text(a.Out, report.TextOptions{Color: a.Out.Color, Width: a.Out.Columns(120)})
	}
	return err
}

// reuse reports the run of a reuse block.
func (c *reportCmd) reuse(a *app) error {
	r, err := computeReuse(c.Dir)
	if err != nil {
		return refusal(err)
	}
	if c.Format != "csv" {
		return printReuse(a, r, c.Format)
	}
	built, err := report.Build(r)
	if err != nil {
		return refusal(err)
	}
	return c.table(a, built.CSV(), "rates")
}

// reuse checks the folder of a reuse block's run.
func (c *verifyCmd) reuse(a *app) error {
	r, problems, err := verify.Check(c.Dir)
	if err != nil {
		return refusal(err)
	}
	interrupted := r != nil && r.Interrupted()
	failed := false
	for _, p := range problems {
		if interrupted && p.Path == "" {
			// A run that goes on has neither an end nor results: what is missing
			// is no problem. A problem with a place is one.
			continue
		}
		failed = true
		fmt.Fprintln(a.Out, prose.Printable(p.String()))
	}
	switch {
	case failed:
		return exit(exitRefused)
	case interrupted:
		fmt.Fprintf(a.Out, "%s: the run was interrupted. What there is fits; run the same command again to go on from there.\n", c.Dir)
		return exit(exitIncomplete)
	}
	if !r.Conformance.Complete {
		fmt.Fprintf(a.Out, "%s: the run is incomplete: %s.\n", c.Dir, r.Conformance.Reason)
	}
	if _, err := fmt.Fprintf(a.Out, "%s: the plan, the chain of the journal and every reported figure are as they were made.\n", c.Dir); err != nil || !c.Rerun {
		return err
	}
	return c.rerunReuse(a, r)
}

func (c *verifyCmd) rerunReuse(a *app, r *result.Result) error {
	ctx, stop := signal.NotifyContext(a.ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	folder := c.Scenario
	if folder == "" {
		folder = c.Dir
	}
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		folder = filepath.Dir(folder)
	}
	progress := view.NewReuseProgress(a.Err, "again", time.Now)
	problem, err := verify.Rerun(ctx, c.Dir, folder, func(done int64) {
		progress.Event(execute.Event{Phase: execute.PhaseItems, Done: done, Of: r.Run.Items})
	})
	progress.Clear()
	switch {
	case err != nil && ctx.Err() != nil:
		return &exitError{exitInterrupted, errors.New("interrupted; nothing was changed")}
	case errors.Is(err, fs.ErrNotExist) && c.Scenario == "":
		return fmt.Errorf("%w; name the folder of the scenario's files with --scenario", err)
	case err != nil:
		return refusal(err)
	case problem != nil:
		fmt.Fprintln(a.Out, prose.Printable(problem.String()))
		return exit(exitRefused)
	}
	left := ""
	if r.Run.Live != nil {
		left = " Requests cannot be repeated to the same bytes, and were left out."
	}
	_, err = fmt.Fprintf(a.Out, "%s: measuring the manifest again gives the same rows, byte by byte.%s\n", c.Dir, left)
	return err
}
