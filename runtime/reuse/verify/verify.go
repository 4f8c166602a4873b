package verify

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/report/omission"
	"github.com/fdbench/fdbench/runtime/reuse/execute"
	"github.com/fdbench/fdbench/runtime/reuse/report"
	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/runtime/verify/difference"
)

// Problem is something that does not fit.
type Problem struct {
	File   string // name in the folder
	Path   string // where in it: a path in JSON or "line 17"; "" for the whole file
	Detail string
}

func (p Problem) String() string {
	if p.Path == "" {
		return p.File + ": " + p.Detail
	}
	return p.File + ": " + p.Path + ": " + p.Detail
}

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
	p, problem, err := readPlan(dir)
	if problem != nil || err != nil {
		return nil, list(problem), err
	}
	r, problem, err := recompute(dir, p)
	if problem != nil || err != nil {
		return nil, list(problem), err
	}
	var problems []Problem
	have, err := read(dir, execute.ResultFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		problems = append(problems, Problem{execute.ResultFile, "", "it is missing"})
	case err != nil:
		return r, problems, err
	default:
		if path, detail := difference.First(have, result.Encode(r)); detail != "" {
			problems = append(problems, Problem{execute.ResultFile, path, detail})
		}
	}
	built, err := report.Build(r)
	var omitted *omission.Error
	if errors.As(err, &omitted) {
		for _, o := range omitted.Omissions {
			problems = append(problems, Problem{execute.ReportFile, o.Where, "no report can be made: " + o.Rule + ": " + o.Detail})
		}
		return r, problems, nil
	}
	if err != nil {
		return r, problems, err
	}
	reports := built.CSV()
	reports[execute.ReportFile] = built.Markdown()
	for _, name := range slices.Sorted(maps.Keys(reports)) {
		have, err := read(dir, name)
		if errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, Problem{name, "", "it is missing"})
			continue
		}
		if err != nil {
			return r, problems, err
		}
		if line := differingLine(have, reports[name]); line > 0 {
			problems = append(problems, Problem{name, fmt.Sprintf("line %d", line), "it is not what the plan and the journal give"})
		}
	}
	return r, problems, nil
}

func list(p *Problem) []Problem {
	if p == nil {
		return nil
	}
	return []Problem{*p}
}

func read(dir, name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) }

func readPlan(dir string) (*plan.Reuse, *Problem, error) {
	b, err := read(dir, execute.PlanFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Problem{execute.PlanFile, "", "it is missing: without the plan nothing can be checked"}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	p, err := plan.DecodeReuse(b)
	if err != nil {
		return nil, &Problem{execute.PlanFile, "", err.Error()}, nil
	}
	return p, nil, nil
}

func recompute(dir string, p *plan.Reuse) (*result.Result, *Problem, error) {
	f, err := os.Open(filepath.Join(dir, execute.JournalFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Problem{execute.JournalFile, "", "it is missing: without the journal no figure can be checked"}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	r, err := result.Compute(p, f)
	var (
		chain     *journal.ChainError
		other     *journal.PlanError
		condition *result.ConditionError
	)
	switch {
	case errors.As(err, &chain):
		return nil, &Problem{execute.JournalFile, fmt.Sprintf("line %d", chain.Line), chain.Reason}, nil
	case errors.As(err, &other):
		return nil, &Problem{execute.JournalFile, "line 1", fmt.Sprintf("it was written for another plan (%s) than the one beside it (%s)", other.Got, other.Want)}, nil
	case errors.As(err, &condition):
		return nil, &Problem{execute.PlanFile, "gates", condition.Error()}, nil
	case errors.Is(err, journal.ErrEmpty):
		return nil, &Problem{execute.JournalFile, "", err.Error()}, nil
	}
	return r, nil, err
}

// differingLine is the first line, from 1, in which two texts differ, or 0.
func differingLine(a, b []byte) int {
	if bytes.Equal(a, b) {
		return 0
	}
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	return 1 + bytes.Count(a[:same], []byte{'\n'})
}
