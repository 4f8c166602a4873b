package main

import (
	"fmt"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/launch"
	"github.com/fdbench/fdbench/cmd/fdbench/internal/view"
	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/lang/diag"
)

type lintCmd struct {
	Format string            `help:"Form of the findings: text or json." enum:"text,json" default:"text" placeholder:"FORM"`
	Var    map[string]string `help:"Set a variable of the scenario. May be repeated." placeholder:"NAME=VALUE" mapsep:"none"`
	Paths  []string          `arg:"" name:"path" help:"Scenarios: files that end in .fdb.hcl, or folders of them."`
}

func (*lintCmd) Help() string {
	return `Everything is checked that can be known before a run. A broken MUST is an error and ends with exit code 3; a SHOULD that is set aside without a reason is a warning, and so is a series that was declared otherwise when its first trial began.

Examples:

    fdbench lint scenarios/quickstart
    fdbench lint --format json scenarios/quickstart | jq '.diagnostics[].rule'`
}

func (c *lintCmd) Run(a *app) error {
	code := exitDone
	var all []view.Found
	for _, path := range c.Paths {
		options := compileOptions(c.Var, "")
		// Only a lock needs the plans.
		options.Check = !launch.HasLock(path)
		result, diags := compiler.CompilePath(path, options)
		if !options.Check && !diags.HasErrors() {
			diags.Extend(lockFindings(path, result))
			diags.Sort()
		}
		found := view.Found{Root: result.Document.Root, List: diags, Sources: result.Document.Sources()}
		if all = append(all, found); c.Format == "text" {
			view.Findings(a.Out, found)
			fmt.Fprintf(a.Out, "%s: %s\n", path, view.Tally(diags))
		}
		code = max(code, codeOfDiagnostics(diags))
	}
	if c.Format == "json" {
		list, sources := view.FromCaller(all...)
		if err := diag.WriteJSON(a.Out, list, sources); err != nil {
			return err
		}
	}
	if code != exitDone {
		return exit(code)
	}
	return nil
}
