package main

import (
	"os"

	"github.com/fdbench/fdbench/runtime/lease"
)

// leaseWatchdogCmd is what fdbench starts beside itself while a fault may be
// applied, and no verb for people: it removes the fault when the process that
// holds the other end of its standard input falls silent, or is gone.
type leaseWatchdogCmd struct {
	File string `arg:"" name:"file" help:"The record of the fault."`
}

func (c *leaseWatchdogCmd) Run(a *app) error {
	lease.Endure()
	return lease.Watch(a.ctx, c.File, os.Stdin, a.Out, os.Stderr)
}

// watchdogLine is the command line of the watchdog, without the record.
func watchdogLine() ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return []string{self, "lease-watchdog"}, nil
}
