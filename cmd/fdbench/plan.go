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
	"github.com/fdbench/fdbench/internal/atomicfile"
	"github.com/fdbench/fdbench/runtime/execute"
)

type planCmd struct {
	Out    string            `help:"Write the plan of one series or reuse block to a file." placeholder:"FILE"`
	JSON   bool              `name:"json" help:"Print the plan of one series or reuse block as canonical JSON."`
	Series string            `help:"Only this series or reuse block of the scenario." placeholder:"NAME"`
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
	jobs, err := launch.OfScenario(c.Path, "", result)
	if err != nil {
		return err
	}
	if (c.JSON || c.Out != "") && len(jobs) != 1 {
		var names []string
		for _, j := range jobs {
			names = append(names, j.Name())
		}
		what := "series"
		if len(result.Reuses) > 0 {
			what = "series and reuse blocks"
		}
		return usage("the scenario has %d %s and a plan is of one: choose with --series (%s)", len(jobs), what, strings.Join(names, ", "))
	}
	if c.Out != "" {
		if err := writePlan(c.Out, jobs[0]); err != nil {
			return err
		}
	}
	if c.JSON {
		_, err := a.Out.Write(encode(jobs[0]))
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
		if j.Reuse != nil {
			view.Reuse(a.Out, j.Reuse, view.Lock(lock, false))
			continue
		}
		view.Plan(a.Out, j.Plan, view.Lock(lock, false))
		view.Budgets(a.Out, j.Plan)
	}
	return nil
}

// writePlan writes a plan file. The plan that a run was made from stays what it
// is.
func writePlan(path string, j launch.Job) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder: name the file for the plan, such as --out %s", path, filepath.Join(path, j.Name()+".plan.json"))
	}
	dir, name := filepath.Dir(path), filepath.Base(path)
	if name == execute.PlanFile && launch.OtherRun(dir, j.Digest()) {
		return refused(fmt.Errorf("%s belongs to the run of another plan in that folder, which could not be verified without it; write the plan elsewhere", path))
	}
	return atomicfile.Write(path, encode(j))
}

// encode adds the line end that a text file has and a digest does not cover.
func encode(j launch.Job) []byte {
	if j.Reuse != nil {
		return append(bytes.Clone(plan.EncodeReuse(j.Reuse)), '\n')
	}
	return append(bytes.Clone(plan.Encode(j.Plan)), '\n')
}
