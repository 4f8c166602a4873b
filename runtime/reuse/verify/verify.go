package verify

import (
	"errors"
	"io"
	"os"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/reuse/execute"
	"github.com/fdbench/fdbench/runtime/reuse/report"
	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/runtime/verify/difference"
)

// Problem is something that does not fit.
type Problem = difference.Problem

// Check checks the folder of a run and returns what does not fit, in the order
// plan, journal, result, reports. A run writes every one of these files, so one
// that is not there is a problem too. Where the plan or the journal does not
// hold, what follows from it is not checked. The error is that of a file that
// cannot be read. The result is what the plan and the journal give; nil where
// they give none.
func Check(dir string) (*result.Result, []Problem, error) {
	if _, err := os.ReadDir(dir); err != nil {
		return nil, nil, err
	}
	p, problem, err := difference.Plan(dir, plan.DecodeReuse)
	if problem != nil || err != nil {
		return nil, list(problem), err
	}
	r, problem, err := recompute(dir, p)
	if problem != nil || err != nil {
		return nil, list(problem), err
	}
	problems, err := difference.Result(dir, result.Encode(r))
	if err != nil {
		return r, problems, err
	}
	built, err := report.Build(r)
	if err != nil {
		more, err := difference.Omitted(err)
		return r, append(problems, more...), err
	}
	reports := built.CSV()
	reports[execute.ReportFile] = built.Markdown()
	more, err := difference.Reports(dir, reports)
	return r, append(problems, more...), err
}

func list(p *Problem) []Problem {
	if p == nil {
		return nil
	}
	return []Problem{*p}
}

func recompute(dir string, p *plan.Reuse) (*result.Result, *Problem, error) {
	r, problem, err := difference.Recompute(dir, "", func(in io.Reader) (*result.Result, error) { return result.Compute(p, in) })
	var condition *result.ConditionError
	if errors.As(err, &condition) {
		return nil, &Problem{File: execute.PlanFile, Path: "gates", Detail: condition.Error()}, nil
	}
	return r, problem, err
}
