package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/fdbench/fdbench/runtime/execute"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/lease"
)

type recoverCmd struct {
	Timeout time.Duration `help:"How long the deployment may take to be back in its baseline configuration." default:"5m" placeholder:"DURATION"`
	Dir     string        `arg:"" name:"dir" help:"The folder of a run."`
}

func (*recoverCmd) Help() string {
	return `A fault ends by itself when the run that applied it is gone: its lease runs out, and a watchdog that outlives the run removes it. Where the watchdog was ended too, as at the end of a container or of a service, the fault of an apparatus of kind http or command stays until this verb is called, or until the deployment ends it itself: the calls and programs that apply a fault are given the seconds after which nobody wants it any more ({lease}, FDBENCH_LEASE). The verb removes the fault now, waits until the deployment is back in its baseline configuration, and says what it found. The same is done at the beginning of a run that is resumed.

Examples:

    fdbench recover out/live`
}

func (c *recoverCmd) Run(a *app) error {
	if info, err := os.Stat(c.Dir); errors.Is(err, fs.ErrNotExist) && strings.HasPrefix(filepath.Base(c.Dir), lease.RehearsalPrefix) {
		return fmt.Errorf("%s is not there: the folder of a rehearsal is deleted when its fault was seen to be gone; where this machine was restarted since, see by hand that the deployment is as it was", c.Dir)
	} else if err != nil {
		return err
	} else if !info.IsDir() {
		return usage("%s is a file: name the folder of a run", c.Dir)
	} else if err := holdsRun(c.Dir); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(a.ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	r, err := execute.Recover(ctx, c.Dir)
	var busy *execute.BusyError
	switch {
	case errors.As(err, &busy):
		return refused(err)
	case errors.Is(err, journal.ErrEmpty):
		err = nil
	case err != nil:
		return err
	}
	if r.Announced != nil {
		fmt.Fprintf(a.Out, "The run was cut short in trial %q, with a fault of class %s and magnitude %s.\n", r.Announced.Trial, r.Announced.Class, r.Announced.Magnitude)
	}
	switch {
	case r.Removed != "":
		fmt.Fprintf(a.Out, "A fault of class %s was still on record. It is removed, and the deployment is back in its baseline configuration.\n", r.Removed)
	case r.Announced != nil && r.InPath:
		fmt.Fprintln(a.Out, "Its apparatus was a proxy in the process that is gone, so that the fault ended with it.")
	default:
		fmt.Fprintf(a.Out, "No fault is on record as applied in %s.\n", filepath.Clean(c.Dir))
	}
	if r.Log != "" {
		fmt.Fprintf(a.Out, "What its watchdog had to tell stands in %s.\n", r.Log)
	}
	if r.Announced != nil && !r.Closed {
		fmt.Fprintln(a.Out, "The same \"fdbench run\" repeats the trial and goes on from there.")
	}
	return nil
}
