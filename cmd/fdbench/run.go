package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/launch"
	"github.com/fdbench/fdbench/cmd/fdbench/internal/view"
	"github.com/fdbench/fdbench/runtime/execute"
	"github.com/fdbench/fdbench/runtime/live"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/spec"
)

type runCmd struct {
	Out          string            `required:"" help:"Folder for the run: plan, journal, result and reports. A run of the same plan in it is resumed." placeholder:"DIR"`
	Series       string            `help:"Only this series or reuse block of the scenario." placeholder:"NAME"`
	NewSeries    bool              `help:"Begin the next generation of a series or reuse block that was changed after its first trial, row or request."`
	Explore      bool              `help:"Leave the scenario's lock alone; the result says that it is exploratory."`
	Var          map[string]string `help:"Set a variable of the scenario. May be repeated." placeholder:"NAME=VALUE" mapsep:"none"`
	Scenario     string            `help:"With a plan file: where the files lie that it was made from. Default: beside the plan file." placeholder:"DIR"`
	AllowTarget  []string          `help:"Let a host outside of the test environment's address ranges through. May be repeated; the report prints it." placeholder:"HOST" sep:"none"`
	NoRaw        bool              `help:"In real time: keep no raw stamps of each request."`
	ClockToken   string            `name:"clock-token-env" help:"In real time: the environment variable with the token of the clock responder (\"fdbench clock\")." placeholder:"VAR"`
	ReportFormat string            `help:"What to print at the end: text, md or json." enum:"text,md,json" default:"text" placeholder:"FORM"`
	Path         string            `arg:"" name:"path" help:"A scenario (file or folder), or a plan that \"fdbench plan --out\" wrote."`
}

func (*runCmd) Help() string {
	return `The run is written to DIR as it goes, and the same command resumes it after an interruption. When the first trial of a series begins, its declaration goes into the lock beside the scenario; from then on a changed declaration is refused.

A reuse block first gets a row for each item of its manifest, offline; then, where it has a live part, a cold and a warm request for each item; then what engines' logs say. Its gates are decided at the end: one that fails, or that has no data, ends with exit code 5. A requirement that the run breaks, or an incomplete run, ends with 4, which goes before 5.

A series on a deployment takes real time, days perhaps: "fdbench rehearse" tries it out first. An interruption removes the fault before the process ends. What is complete is kept, and the stretch under way is repeated: a trial, or at most about 10 minutes of false detections, or else a whole Baseline Interval, which is one by definition.

Examples:

    fdbench run scenarios/quickstart --out out/quickstart
    fdbench run quickstart.plan.json --scenario scenarios/quickstart --out out/quickstart`
}

func (c *runCmd) Run(a *app) error {
	if c.NewSeries && c.Explore {
		return usage("--new-series writes the lock and --explore leaves it alone: choose one of them")
	}
	if err := outFolder(c.Out); err != nil {
		return err
	}
	options, err := liveOptions(c.AllowTarget, c.ClockToken)
	if err != nil {
		return err
	}
	options.NoRaw = c.NoRaw
	jobs, err := c.jobs(a)
	if err != nil {
		return err
	}
	for _, j := range jobs {
		var lock *launch.LockState
		if !c.Explore {
			if lock, err = launch.FindLock(j); err != nil {
				return refusal(err)
			}
		}
		if j.Reuse != nil {
			view.Reuse(a.Err, j.Reuse, view.Lock(lock, c.NewSeries))
			continue
		}
		view.Plan(a.Err, j.Plan, view.Lock(lock, c.NewSeries))
	}
	ctx, stop := signal.NotifyContext(a.ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second signal ends the process at once: the journal bears it.
	context.AfterFunc(ctx, stop)
	code := exitDone
	for _, j := range jobs {
		if j.Reuse != nil {
			ended, err := c.runReuse(ctx, a, j)
			if err != nil {
				return err
			}
			code = worse(code, ended)
			continue
		}
		result, err := c.run(ctx, a, j, options)
		if err != nil {
			return err
		}
		if err := printReport(a, result, c.ReportFormat); err != nil {
			return err
		}
		fmt.Fprintf(a.Err, "The full report is %s.\n", filepath.Join(j.Dir, execute.ReportFile))
		if rules := broken(result); len(rules) > 0 {
			fmt.Fprintf(a.Err, "The series %q breaks requirements: %s.\n", j.Plan.Series, strings.Join(rules, ", "))
			code = worse(code, exitIncomplete)
		} else if !result.Conformance.Complete || result.Conformance.Status == measure.StatusNonconform {
			code = worse(code, exitIncomplete)
		}
	}
	if code != exitDone {
		return exit(code)
	}
	return nil
}

// broken lists the requirements that stop or mark a series, or leave a value
// of it withheld, also in virtual time. A trial that was discarded and repeated
// is none.
func broken(r *measure.Result) []string {
	var rules []string
	for _, v := range r.Conformance.Violations {
		if e := spec.Effect(v.Effect); e != spec.Discards && e != spec.Warns && !slices.Contains(rules, v.Rule) {
			rules = append(rules, v.Rule)
		}
	}
	return rules
}

// outFolder refuses what cannot be the folder of a run before anything is
// compiled.
func outFolder(dir string) error {
	if dir == "" {
		return usage("--out is empty: name a folder for the run, such as --out out/first")
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is a file: name a folder for the run with --out, new or empty or with a run of the same plan", dir)
	}
	return nil
}

func (c *runCmd) jobs(a *app) ([]launch.Job, error) {
	if launch.IsPlan(c.Path) {
		if c.Series != "" || len(c.Var) > 0 {
			return nil, usage("a plan is of one series or reuse block and its variables are set: --series and --var are for scenarios")
		}
		j, err := launch.OfPlan(c.Path, c.Out, c.Scenario)
		return []launch.Job{j}, refusal(err)
	}
	if c.Scenario != "" {
		return nil, usage("--scenario is for a plan file, and %s is a scenario", c.Path)
	}
	o := compileOptions(c.Var, c.Series)
	o.AllowTargets = c.AllowTarget
	result, err := compile(a, c.Path, o)
	if err != nil {
		return nil, err
	}
	return launch.OfScenario(c.Path, c.Out, result)
}

// liveOptions are those of a command line for what is carried out in real time.
func liveOptions(allow []string, tokenEnv string) (execute.Live, error) {
	token, err := secret("--clock-token-env", tokenEnv)
	if err != nil {
		return execute.Live{}, err
	}
	watchdog, err := watchdogLine()
	return execute.Live{Allow: allow, ClockToken: token, Watchdog: watchdog}, err
}

func (c *runCmd) run(ctx context.Context, a *app, j launch.Job, o execute.Live) (*measure.Result, error) {
	progress := view.NewProgress(a.Err, j.Plan.Series, time.Now)
	if execute.IsLive(j.Plan) {
		progress.Expect(time.Duration(j.Plan.Budget.Expected))
	}
	measured, complete, began := false, 0, time.Now()
	result, err := launch.Run(ctx, j, launch.Options{
		NewSeries: c.NewSeries, Explore: c.Explore, Live: o,
		Unchanged: func(generation int) {
			fmt.Fprintf(a.Err, "Series %q has the declaration of its generation %d, so --new-series begins no other.\n", j.Plan.Series, generation)
		},
		Progress: func(e execute.Event) {
			measured = measured || !e.Replayed && !e.Begins
			complete, began = e.Segments, time.Now()
			progress.Event(e)
		},
	})
	progress.Clear()
	var acts *live.NotRemovedError
	switch {
	case errors.As(err, &acts):
		return nil, fmt.Errorf("%w. Run \"fdbench recover %s\"; the lease of the fault ends it too", acts, j.Dir)
	case err == nil:
		if !measured {
			fmt.Fprintf(a.Err, "The run in %s is already complete, so nothing was run. This is its report.\n", j.Dir)
		}
		return result, nil
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return nil, &exitError{exitInterrupted, interrupted(j, complete, time.Since(began))}
	case errors.Is(err, syscall.ENOSPC):
		return nil, fmt.Errorf("%w; what was committed is kept: make room, and run the same command again", err)
	}
	return nil, refusal(err)
}

// interrupted says what an interruption leaves, and what it costs: in real time
// the stretch that was under way, for so long, is measured again.
func interrupted(j launch.Job, complete int, since time.Duration) error {
	if !execute.IsLive(j.Plan) {
		return fmt.Errorf("interrupted; what was measured so far is kept in %s, and the same command goes on from there", j.Dir)
	}
	kept := "nothing was complete yet"
	switch {
	case complete == 1:
		kept = fmt.Sprintf("one complete stretch is kept in %s", j.Dir)
	case complete > 1:
		kept = fmt.Sprintf("%d complete stretches are kept in %s", complete, j.Dir)
	}
	return fmt.Errorf("interrupted; no fault is applied any more, and %s. The one that was under way, for %s, is not kept: the same command begins it again",
		kept, since.Round(time.Second))
}

// refusal gives an error of a run its exit code.
func refusal(err error) error {
	if err != nil && launch.Refused(err) {
		return refused(err)
	}
	return err
}
