package main

import (
	"bytes"
	"fmt"
	"io"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/layout"
	"github.com/fdbench/fdbench/cmd/fdbench/internal/view"
)

type fmtCmd struct {
	Check bool     `help:"Write nothing; list the files that are not in the canonical layout and exit with 7."`
	Diff  bool     `help:"Write nothing; show what would change."`
	Paths []string `arg:"" name:"path" help:"Scenario files, or folders of them; \"-\" formats standard input to standard output."`
}

func (*fmtCmd) Help() string {
	return `Comments are never lost, and formatting twice changes nothing more. The names of changed files are printed.

Examples:

    fdbench fmt scenarios/quickstart
    fdbench fmt --check --diff scenarios/*`
}

func (c *fmtCmd) Run(a *app) error {
	broken, changed := false, false
	for _, path := range c.Paths {
		if path == "-" {
			src, err := io.ReadAll(a.In)
			if err != nil {
				return err
			}
			f := layout.Format("<stdin>", src)
			switch {
			case view.Diagnostics(a.Err, f.Diags, f.Sources) > 0:
				broken = true
			case c.Check || c.Diff:
				changed = c.show(a, f) || changed
			default:
				if _, err := a.Out.Write(f.After); err != nil {
					return err
				}
			}
			continue
		}
		files, err := layout.Files(path)
		if err != nil {
			return err
		}
		for _, name := range files {
			f, err := layout.Read(name)
			if err != nil {
				return err
			}
			if view.Diagnostics(a.Err, f.Diags, f.Sources) > 0 {
				broken = true
				continue
			}
			if !c.show(a, f) {
				continue
			}
			changed = true
			if !c.Check && !c.Diff {
				if err := f.Write(); err != nil {
					return err
				}
			}
		}
	}
	switch {
	case broken:
		return exit(exitRefused)
	case c.Check && changed:
		return exit(exitUnformatted)
	}
	return nil
}

// show prints the name or the difference of a file that is not formatted, and
// tells whether it is not.
func (c *fmtCmd) show(a *app, f *layout.File) bool {
	if bytes.Equal(f.Before, f.After) {
		return false
	}
	if c.Diff {
		io.WriteString(a.Out, f.Diff())
	} else {
		fmt.Fprintln(a.Out, f.Name)
	}
	return true
}
