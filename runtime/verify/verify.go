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
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report"
	"github.com/fdbench/fdbench/runtime/report/omission"
	"github.com/fdbench/fdbench/runtime/verify/difference"
)

// Names of the files in the folder of a run.
const (
	PlanFile    = "plan.json"
	JournalFile = measure.JournalName
	ResultFile  = "result.json"
	ReportFile  = "report.md"
)

// Problem is something that does not fit.
type Problem struct {
	File   string // name in the folder
	Path   string // where in it: a path in JSON ("latency[2].median_s") or "line 17"; "" for the whole file
	Detail string
}

func (p Problem) String() string {
	if p.Path == "" {
		return p.File + ": " + p.Detail
	}
	return p.File + ": " + p.Path + ": " + p.Detail
}

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
	p, problem, err := readPlan(dir)
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
		problems = append(problems, Problem{JournalFile, "", "it does not come to its end: the run was interrupted. Run the plan again with the same folder to go on"})
	}
	have, err := read(dir, ResultFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		problems = append(problems, Problem{ResultFile, "", "it is missing"})
	case err != nil:
		return problems, err
	default:
		if path, detail := difference.First(have, measure.Encode(r)); detail != "" {
			problems = append(problems, Problem{ResultFile, path, detail})
		}
	}
	built, err := report.Build(r)
	if err != nil {
		var omitted *omission.Error
		if !errors.As(err, &omitted) {
			return problems, err
		}
		for _, o := range omitted.Omissions {
			problems = append(problems, Problem{ReportFile, o.Where, "no report can be made: " + o.Rule + ": " + o.Detail})
		}
		return problems, nil
	}
	reports := built.CSV()
	reports[ReportFile] = built.Markdown()
	for _, name := range slices.Sorted(maps.Keys(reports)) {
		have, err := read(dir, name)
		if errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, Problem{name, "", "it is missing"})
			continue
		}
		if err != nil {
			return problems, err
		}
		if line := differingLine(have, reports[name]); line > 0 {
			problems = append(problems, Problem{name, fmt.Sprintf("line %d", line), "it is not what the plan and the journal give"})
		}
	}
	return problems, nil
}

func list(p *Problem) []Problem {
	if p == nil {
		return nil
	}
	return []Problem{*p}
}

func read(dir, name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) }

func readPlan(dir string) (*plan.Plan, *Problem, error) {
	b, err := read(dir, PlanFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Problem{PlanFile, "", "it is missing: without the plan nothing can be checked"}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	p, err := plan.Decode(b)
	if err != nil {
		return nil, &Problem{PlanFile, "", err.Error()}, nil
	}
	return p, nil, nil
}

func recompute(dir string, p *plan.Plan) (*measure.Result, *Problem, error) {
	f, err := os.Open(filepath.Join(dir, JournalFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Problem{JournalFile, "", "it is missing: without the journal no figure can be checked"}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	r, err := measure.Compute(p, f)
	var (
		ce *journal.ChainError
		pe *journal.PlanError
		ae *measure.AttributionError
	)
	switch {
	case errors.As(err, &ce):
		return nil, &Problem{JournalFile, fmt.Sprintf("line %d", ce.Line), ce.Reason}, nil
	case errors.As(err, &pe):
		return nil, &Problem{JournalFile, "line 1", fmt.Sprintf("FD-1.2-1, FD-4.1-6: it was written for another plan (%s) than the one beside it (%s)", pe.Got, pe.Want)}, nil
	case errors.As(err, &ae):
		return nil, &Problem{PlanFile, "declaration.signal.attribution", ae.Error()}, nil
	case errors.Is(err, journal.ErrEmpty):
		return nil, &Problem{JournalFile, "", err.Error()}, nil
	}
	return r, nil, err
}

func ended(r *measure.Result) bool {
	for _, v := range r.Conformance.Violations {
		if v.Rule == measure.RuleSeries && v.Detail == measure.Interrupted {
			return false
		}
	}
	return true
}

// differingLine is the first line, from 1, in which two texts differ, or 0.
func differingLine(have, want []byte) int {
	if bytes.Equal(have, want) {
		return 0
	}
	a, b := strings.Split(string(have), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i + 1
		}
	}
	return min(len(a), len(b)) + 1
}
