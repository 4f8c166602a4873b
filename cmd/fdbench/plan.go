package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/view"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/execute"
)

type planCmd struct {
	Out    string            `help:"Write the plan of one series to a file." placeholder:"FILE"`
	JSON   bool              `name:"json" help:"Print the plan of one series as canonical JSON."`
	Series string            `help:"Only this series of the scenario." placeholder:"NAME"`
	Var    map[string]string `help:"Set a variable of the scenario. May be repeated." placeholder:"NAME=VALUE" mapsep:"none"`
	Path   string            `arg:"" help:"A scenario: a file that ends in .fdb.hcl, or a folder of them."`
}

func (*planCmd) Help() string {
	return `The same scenario gives the same bytes on every machine. The time budget is test time: what the series takes on a deployment in real time.

Examples:

    fdbench plan scenarios/quickstart
    fdbench plan scenarios/quickstart --out quickstart.plan.json`
}

func (c *planCmd) Run(a *app) error {
	result, err := compile(a, c.Path, compileOptions(c.Var, c.Series))
	if err != nil {
		return err
	}
	plans := result.Plans
	if (c.JSON || c.Out != "") && len(plans) != 1 {
		var names []string
		for _, p := range plans {
			names = append(names, p.Series)
		}
		return usage("the scenario has %d series and a plan is of one: choose with --series (%s)", len(plans), strings.Join(names, ", "))
	}
	if c.Out != "" {
		if err := execute.WriteFile(c.Out, encode(plans[0])); err != nil {
			return err
		}
	}
	if c.JSON {
		_, err := a.Out.Write(encode(plans[0]))
		return err
	}
	for i, p := range plans {
		if i > 0 {
			fmt.Fprintln(a.Out)
		}
		view.Plan(a.Out, p)
		view.Budgets(a.Out, p)
	}
	return nil
}

// encode adds the line end that a text file has and a digest does not cover.
func encode(p *plan.Plan) []byte { return append(bytes.Clone(plan.Encode(p)), '\n') }
