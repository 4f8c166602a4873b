package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/launch"
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
	findings := lockFindings(c.Path, result)
	show(a.Err, findings, result.Document)
	if findings.HasErrors() {
		return exit(exitRefused)
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
		if err := writePlan(c.Out, plans[0]); err != nil {
			return err
		}
	}
	if c.JSON {
		_, err := a.Out.Write(encode(plans[0]))
		return err
	}
	jobs, err := launch.OfScenario(c.Path, "", result)
	if err != nil {
		return err
	}
	for i, j := range jobs {
		if i > 0 {
			fmt.Fprintln(a.Out)
		}
		lock, err := launch.FindLock(j)
		if err != nil {
			return refusal(err)
		}
		view.Plan(a.Out, j.Plan, view.Lock(lock, false))
		view.Budgets(a.Out, j.Plan)
	}
	return nil
}

// writePlan writes a plan file. The plan that a run was made from stays what it
// is.
func writePlan(path string, p *plan.Plan) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder: name the file for the plan, such as --out %s", path, filepath.Join(path, p.Series+".plan.json"))
	}
	dir, name := filepath.Dir(path), filepath.Base(path)
	if name == execute.PlanFile && launch.OtherRun(dir, p.Digest) {
		return refused(fmt.Errorf("%s belongs to the run of another plan in that folder, which could not be verified without it; write the plan elsewhere", path))
	}
	return execute.WriteFile(path, encode(p))
}

// encode adds the line end that a text file has and a digest does not cover.
func encode(p *plan.Plan) []byte { return append(bytes.Clone(plan.Encode(p)), '\n') }
