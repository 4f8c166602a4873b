package main

import (
	"fmt"

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
	return `Everything is checked that can be known before a run. A broken MUST is an error and ends with exit code 3; a SHOULD that is set aside without a reason is a warning.

Examples:

    fdbench lint scenarios/quickstart
    fdbench lint --format json scenarios/quickstart | jq '.diagnostics[].rule'`
}

func (c *lintCmd) Run(a *app) error {
	if c.Format == "json" && len(c.Paths) > 1 {
		return usage("--format json takes one path, because its answer is one document")
	}
	code := exitDone
	for _, path := range c.Paths {
		options := compileOptions(c.Var, "")
		options.Check = true
		result, diags := compiler.CompilePath(path, options)
		src := result.Document.Sources()
		if c.Format == "json" {
			if err := diag.WriteJSON(a.Out, diags, src); err != nil {
				return err
			}
		} else {
			view.Diagnostics(a.Out, diags, src)
			fmt.Fprintf(a.Out, "%s: %s\n", path, view.Tally(diags))
		}
		code = max(code, codeOfDiagnostics(diags))
	}
	if code != exitDone {
		return exit(code)
	}
	return nil
}
