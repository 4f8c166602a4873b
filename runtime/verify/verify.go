package verify

import (
	"errors"
	"io"
	"os"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/folder"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report"
	"github.com/fdbench/fdbench/runtime/verify/difference"
)

// Names of the files in the folder of a run.
const (
	PlanFile    = folder.PlanFile
	JournalFile = folder.JournalFile
	ResultFile  = folder.ResultFile
	ReportFile  = folder.ReportFile
)

// Problem is something that does not fit.
type Problem = difference.Problem

// Options say what is known of a folder.
type Options struct {
	Pruned bool // files of raw stamps were taken away: one that is not there is no problem
}

// Findings are what a check of a folder shows.
type Findings struct {
	Problems []Problem
	Notes    []string // what could not be checked, and is no problem
}

// Verify checks the folder of a run from which nothing was taken away, and
// returns what does not fit. See [Check].
func Verify(dir string) ([]Problem, error) {
	f, err := Check(dir, Options{})
	return f.Problems, err
}

// Check checks the folder of a run and returns what does not fit, in the
// order plan, journal, raw stamps, result, reports. A run writes every one of
// these files, so one that is not there is a problem too. Where the plan or the
// journal does not hold, what follows from it is not checked. The error is that
// of a file that cannot be read.
func Check(dir string, o Options) (Findings, error) {
	var notes []string
	problems, err := check(dir, o, &notes)
	return Findings{problems, notes}, err
}

func check(dir string, o Options, notes *[]string) ([]Problem, error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, err
	}
	p, problem, err := difference.Plan(dir, plan.Decode)
	if problem != nil || err != nil {
		return list(problem), err
	}
	r, problem, err := recompute(dir, p)
	if problem != nil || err != nil {
		return list(problem), err
	}
	problems, err := rawStamps(dir, &r.Traffic, o, notes)
	if err != nil {
		return problems, err
	}
	if !ended(r) {
		problems = append(problems, Problem{File: JournalFile, Detail: "it does not come to its end: the run was interrupted. Run the plan again with the same folder to go on"})
	}
	more, err := difference.Result(dir, measure.Encode(r))
	problems = append(problems, more...)
	if err != nil {
		return problems, err
	}
	built, err := report.Build(r)
	if err != nil {
		more, err = difference.Omitted(err)
		return append(problems, more...), err
	}
	reports := built.CSV()
	reports[ReportFile] = built.Markdown()
	more, err = difference.Reports(dir, reports)
	return append(problems, more...), err
}

func list(p *Problem) []Problem {
	if p == nil {
		return nil
	}
	return []Problem{*p}
}

func recompute(dir string, p *plan.Plan) (*measure.Result, *Problem, error) {
	r, problem, err := difference.Recompute(dir, "FD-1.2-1, FD-4.1-6: ", func(in io.Reader) (*measure.Result, error) { return measure.Compute(p, in) })
	var attribution *measure.AttributionError
	if errors.As(err, &attribution) {
		return nil, &Problem{File: PlanFile, Path: "declaration.signal.attribution", Detail: attribution.Error()}, nil
	}
	return r, problem, err
}

func ended(r *measure.Result) bool {
	for _, v := range r.Conformance.Violations {
		if v.Rule == measure.RuleSeries && v.Detail == measure.Interrupted {
			return false
		}
	}
	return true
}
