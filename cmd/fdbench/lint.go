package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/findings"
	"github.com/fdbench/fdbench/cmd/fdbench/internal/launch"
	"github.com/fdbench/fdbench/cmd/fdbench/internal/repair"
	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/lang/diag"
)

type lintCmd struct {
	Format    string            `help:"Form of the findings: text, json, sarif (code scanning), github (annotations of a workflow) or junit." enum:"text,json,sarif,github,junit" default:"text" placeholder:"FORM"`
	FailLevel string            `help:"The mildest finding that ends with exit code 3: error, warning, note or none." enum:"error,warning,note,none" default:"error" placeholder:"LEVEL"`
	Fix       bool              `help:"Repair what has one certain repair, write the files, and report what remains."`
	Diff      bool              `help:"Write nothing; show what --fix would change."`
	Var       map[string]string `help:"Set a variable of the scenario. May be repeated." placeholder:"NAME=VALUE" mapsep:"none"`
	Paths     []string          `arg:"" name:"path" help:"Scenarios: files that end in .fdb.hcl, or folders of them."`
}

func (*lintCmd) Help() string {
	return `Everything is checked that can be known before a run. A broken MUST is an error and ends with exit code 3; a SHOULD that is set aside without a reason is a warning, and so is a series that was declared otherwise when its first trial began.

A comment sets a warning or a note aside where it stands, for the argument or block right below it or at the end of whose line it is:

    # fdbench:ignore FD-3.3-5 the test machine does not take more

It needs a reason, sets no error aside, and is reported once there is nothing more to set aside. It only keeps lint, plan and run quiet: no report mentions it. For a recommendation that is not followed, because = { "FD-3.3-5" = "..." } in the block is what the report shows.

Examples:

    fdbench lint scenarios/quickstart
    fdbench lint --fix scenarios/quickstart
    fdbench lint --fail-level warning --format sarif scenarios/* > fdbench.sarif
    fdbench lint --format json scenarios/quickstart | jq '.diagnostics[].rule'`
}

// failLevels are the values of --fail-level; the zero severity fails nothing.
var failLevels = map[string]diag.Severity{"error": diag.Error, "warning": diag.Warning, "note": diag.Note, "none": 0}

func (c *lintCmd) Run(a *app) error {
	if c.Diff && c.Format != "text" {
		return usage("--diff shows a text for people; leave --format away")
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	r := &findings.Report{Version: buildVersion(), Dir: dir, FailLevel: failLevels[c.FailLevel], Dry: c.Diff}
	var failed error
	for _, path := range c.Paths {
		result, diags, err := c.check(a, r, path)
		failed = errors.Join(failed, err)
		r.Scenarios = append(r.Scenarios, findings.Of(path, result, diags))
		r.Failed = r.Failed || codeOfDiagnostics(diags) == exitFailed
	}
	r.Failed = r.Failed || failed != nil
	switch {
	case failed != nil:
		r.ExitCode = exitFailed
	case refuses(r):
		r.ExitCode = exitRefused
	case r.Failed:
		r.ExitCode = exitFailed
	}
	if err := c.write(a, r); err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	if r.ExitCode != exitDone {
		return exit(r.ExitCode)
	}
	return nil
}

// refuses tells whether there is a finding that fails the call and is about a
// scenario rather than about a path where none is.
func refuses(r *findings.Report) bool {
	for _, s := range r.Scenarios {
		for _, d := range s.List {
			if d.Severity <= r.FailLevel && !unreadable[d.Rule] {
				return true
			}
		}
	}
	return false
}

// check compiles the scenario at one path, after its repairs where they are
// asked for, and compares it with its lock.
func (c *lintCmd) check(a *app, r *findings.Report, path string) (*compiler.Result, diag.List, error) {
	options := compileOptions(c.Var, "")
	// Only a lock needs the plans.
	options.Check = !launch.HasLock(path)
	var result *compiler.Result
	var diags diag.List
	var failed error
	if c.Fix || c.Diff {
		out := repair.Scenario(path, options)
		result, diags = out.Result, out.Diags
		if c.Diff {
			if _, err := io.WriteString(a.Out, out.Diff()); err != nil {
				return result, diags, err
			}
			if len(out.Fixed) > 0 {
				// Nothing was repaired: what is said is true of the files.
				result, diags = compiler.CompilePath(path, options)
			}
		} else if failed = out.Write(); failed != nil {
			// What remains is what the files hold.
			result, diags = compiler.CompilePath(path, options)
			out.Fixed = nil
		}
		r.Fixed = append(r.Fixed, out.Fixed...)
	} else {
		result, diags = compiler.CompilePath(path, options)
	}
	if !options.Check && !diags.HasErrors() {
		diags.Extend(lockFindings(path, result))
		diags.Sort()
	}
	return result, diags, failed
}

// write gives the findings to the reader that they are for: text to a person,
// and one document for the whole call to a machine, with a line for the person
// who watches.
func (c *lintCmd) write(a *app, r *findings.Report) error {
	switch {
	case c.Diff:
		// Standard output holds the difference, which can be applied.
		findings.Text(a.Err, r)
	case c.Format == "text":
		findings.Text(a.Out, r)
	default:
		if err := findings.Write(a.Out, c.Format, r); err != nil {
			return err
		}
		for _, f := range r.Fixed {
			fmt.Fprintf(a.Err, "fixed %s\n", f)
		}
		fmt.Fprintf(a.Err, "%s\n", r.Summary())
	}
	return nil
}
