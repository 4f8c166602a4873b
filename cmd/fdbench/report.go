package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/execute"
	"github.com/fdbench/fdbench/runtime/folder"
	"github.com/fdbench/fdbench/runtime/lease"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report"
)

type reportCmd struct {
	Format string `help:"Form of the report: md, json, csv or text." enum:"md,json,csv,text" default:"md" placeholder:"FORM"`
	Table  string `help:"With --format csv: which table. Default: latency, or rates for a reuse block." placeholder:"NAME"`
	Dir    string `arg:"" help:"Folder of a run."`
}

func (*reportCmd) Help() string {
	return `The report is computed from the plan and the journal in the folder and from nothing else. A run that was interrupted is reported as far as it came. Where it lacks something that the methodology wants reported and nothing in it says why, no report is made, and the exit code is 3.

Examples:

    fdbench report out/quickstart
    fdbench report out/quickstart --format csv --table coverage`
}

func (c *reportCmd) Run(a *app) error {
	if reuse, err := holdsReuse(c.Dir); err != nil {
		return err
	} else if reuse {
		return c.reuse(a)
	}
	result, err := compute(c.Dir)
	if err != nil {
		return refusal(err)
	}
	if c.Format != "csv" {
		return printReport(a, result, c.Format)
	}
	built, err := report.Build(result)
	if err != nil {
		return refusal(err)
	}
	return c.table(a, built.CSV(), "latency")
}

// table prints one of the tables of a report; usual is the one that is meant
// where none is named.
func (c *reportCmd) table(a *app, tables map[string][]byte, usual string) error {
	text, ok := tables[cmp.Or(c.Table, usual)+".csv"]
	if !ok {
		var names []string
		for name := range tables {
			names = append(names, strings.TrimSuffix(name, ".csv"))
		}
		slices.Sort(names)
		return usage("there is no table %q; the tables are %s", c.Table, strings.Join(names, ", "))
	}
	_, err := a.Out.Write(text)
	return err
}

// compute recomputes the result of a run's folder.
func compute(dir string) (*measure.Result, error) {
	if err := runFolder(dir); err != nil {
		return nil, err
	}
	b, err := os.ReadFile(filepath.Join(dir, execute.PlanFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, folder.NoRun(dir)
	}
	if err != nil {
		return nil, err
	}
	p, err := plan.Decode(b)
	if err != nil {
		return nil, refused(fmt.Errorf("%s: %w", filepath.Join(dir, execute.PlanFile), err))
	}
	f, err := os.Open(filepath.Join(dir, execute.JournalFile))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return measure.Compute(p, f)
}

// runFolder refuses a file in the place of a run's folder.
func runFolder(dir string) error {
	if dir == "" {
		return usage("the name is empty: name the folder of a run")
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is a file: name the folder of a run", dir)
	}
	return nil
}

// holdsRun refuses a folder that holds nothing of a run, so that what is said of
// the wrong folder is not taken for what is so in the right one.
func holdsRun(dir string) error {
	for _, name := range []string{execute.PlanFile, execute.JournalFile, lease.RecordName, lease.LogName} {
		if _, err := os.Stat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			return nil // it is there, or reading it says what is wrong
		}
	}
	if _, err := os.Stat(dir); err != nil {
		return err
	}
	return folder.NoRun(dir)
}

// printReport writes a result to standard output.
func printReport(a *app, result *measure.Result, form string) error {
	built, err := report.Build(result)
	if err != nil {
		return refusal(err)
	}
	switch form {
	case "json":
		_, err := a.Out.Write(built.JSON())
		return err
	case "md":
		_, err := a.Out.Write(built.Markdown())
		return err
	}
	return built.Text(a.Out, report.TextOptions{Color: a.Out.Color, Width: a.Out.Columns(120)})
}
