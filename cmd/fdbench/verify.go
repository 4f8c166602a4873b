package main

import (
	"fmt"

	"github.com/fdbench/fdbench/runtime/verify"
)

type verifyCmd struct {
	Dir string `arg:"" help:"Folder of a run."`
}

func (*verifyCmd) Help() string {
	return `Every section of the plan and every line of the journal is checked against its digest, and the result and the reports are made again and compared byte by byte. What does not fit is named, with its file and place, and ends with exit code 3.

Example:

    fdbench verify out/quickstart`
}

func (c *verifyCmd) Run(a *app) error {
	problems, err := verify.Verify(c.Dir)
	if err != nil {
		return refusal(err)
	}
	for _, p := range problems {
		fmt.Fprintln(a.Out, p)
	}
	if len(problems) > 0 {
		return exit(exitRefused)
	}
	_, err = fmt.Fprintf(a.Out, "%s: the plan, the chain of the journal and every reported figure are as they were made.\n", c.Dir)
	return err
}
