package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/launch"
	"github.com/fdbench/fdbench/cmd/fdbench/internal/terminal"
	"github.com/fdbench/fdbench/cmd/fdbench/internal/view"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/execute"
	"github.com/fdbench/fdbench/runtime/live"
)

type rehearseCmd struct {
	Series      string            `help:"Only this series of the scenario." placeholder:"NAME"`
	Var         map[string]string `help:"Set a variable of the scenario. May be repeated." placeholder:"NAME=VALUE" mapsep:"none"`
	Scenario    string            `help:"With a plan file: where the files lie that it was made from. Default: beside the plan file." placeholder:"DIR"`
	AllowTarget []string          `help:"Let a host outside of the test environment's address ranges through. May be repeated." placeholder:"HOST" sep:"none"`
	ClockToken  string            `name:"clock-token-env" help:"The environment variable with the token of the clock responder (\"fdbench clock\")." placeholder:"VAR"`
	Look        time.Duration     `help:"How long to look at the deployment without a fault. Default: what 50 responses and one window take." placeholder:"DURATION"`
	Wait        time.Duration     `help:"How long a signal may take. Default: what the declared windows and hold times add up to." placeholder:"DURATION"`
	Clear       time.Duration     `help:"How long the detector may take to come back to rest. Default: the plan's longest quiet period." placeholder:"DURATION"`
	Path        string            `arg:"" name:"path" help:"A scenario (file or folder), or a plan that \"fdbench plan --out\" wrote."`
}

func (*rehearseCmd) Help() string {
	return `For a series in real time, before hours are spent on it. First everything is looked at that would spoil it: the deployment, its key and its model, the apparatus, the detector, its rules and its notifications. All that is wrong is said, each with its remedy. Then every fault class is applied once, briefly, at its largest magnitude: does it land, does a signal come, does it clear. No result is made of it and no file is written.

Examples:

    fdbench rehearse scenarios/live-quickstart
    fdbench rehearse scenarios/live-quickstart --series refusals --wait 2m`
}

func (c *rehearseCmd) Run(a *app) error {
	plans, folder, err := c.plans(a)
	if err != nil {
		return err
	}
	o, err := liveOptions(c.AllowTarget, c.ClockToken)
	if err != nil {
		return err
	}
	o.Scenario = folder
	ctx, stop := signal.NotifyContext(a.ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	failed := false
	for _, p := range plans {
		if !execute.IsLive(p) {
			return usage("series %q runs in virtual time, where a run takes seconds: there is nothing to rehearse", p.Series)
		}
		line := terminal.NewLine(a.Err, time.Now)
		var mu sync.Mutex // an interruption is heard in a goroutine of its own
		hear := context.AfterFunc(ctx, func() {
			mu.Lock()
			defer mu.Unlock()
			line.Clear()
			fmt.Fprintln(a.Err, "Interrupted: a fault that is applied is removed first. Interrupt again to leave that to its lease.")
		})
		keep := func(dir string) {
			mu.Lock()
			defer mu.Unlock()
			line.Clear()
			fmt.Fprintf(a.Err, "Should this process and its watchdog be killed under a fault, remove it with \"fdbench recover %s\".\n", dir)
		}
		r, err := execute.Rehearse(ctx, p, o, execute.Rehearsing{Look: c.Look, Wait: c.Wait, Clear: c.Clear, Keep: keep, Tell: func(s execute.Stage) {
			mu.Lock()
			defer mu.Unlock()
			line.Set(fmt.Sprintf("%s: %s", p.Series, s.What), "up to "+exact.Duration(s.Until).Words())
		}})
		hear()
		mu.Lock()
		line.Clear()
		mu.Unlock()
		if err != nil {
			return rehearseError(ctx, err)
		}
		view.Rehearsal(a.Out, p.Series, r)
		failed = failed || !r.OK()
	}
	if failed {
		return exit(exitFailed)
	}
	return nil
}

// rehearseError says what an interruption left behind: that no fault is applied
// any more is said only where nothing speaks against it.
func rehearseError(ctx context.Context, err error) error {
	var left *execute.LeftError
	var acts *live.NotRemovedError
	switch {
	case errors.As(err, &left):
		return left
	case errors.As(err, &acts):
		return fmt.Errorf("%w; the lease of the fault, which nobody renews any more, ends it", acts)
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return &exitError{exitInterrupted, errors.New("interrupted; no fault is applied any more")}
	}
	return err
}

func (c *rehearseCmd) plans(a *app) ([]*plan.Plan, string, error) {
	if launch.IsPlan(c.Path) {
		if c.Series != "" || len(c.Var) > 0 {
			return nil, "", usage("a plan is of one series and its variables are set: --series and --var are for scenarios")
		}
		j, err := launch.OfPlan(c.Path, "", c.Scenario)
		if err == nil && j.Reuse != nil {
			return nil, "", errNoFault
		}
		return []*plan.Plan{j.Plan}, j.Scenario, refusal(err)
	}
	if c.Scenario != "" {
		return nil, "", usage("--scenario is for a plan file, and %s is a scenario", c.Path)
	}
	o := compileOptions(c.Var, c.Series)
	o.AllowTargets = c.AllowTarget
	result, err := compile(a, c.Path, o)
	if err != nil {
		return nil, "", err
	}
	jobs, err := launch.OfScenario(c.Path, "", result)
	if err != nil {
		return nil, "", err
	}
	if len(result.Plans) == 0 {
		return nil, "", errNoFault
	}
	return result.Plans, jobs[0].Scenario, nil
}

// errNoFault is why a reuse block is not rehearsed.
var errNoFault = usage("a rehearsal tries out the faults of a series, and a reuse block applies none: there is nothing to rehearse")
