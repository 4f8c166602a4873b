package difference

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/fdbench/fdbench/runtime/folder"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/report/omission"
)

// Problem is something in the folder of a run that does not fit.
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

// Plan reads the plan of a folder with decode, whose error is a problem.
func Plan[P any](dir string, decode func([]byte) (*P, error)) (*P, *Problem, error) {
	b, err := os.ReadFile(filepath.Join(dir, folder.PlanFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Problem{folder.PlanFile, "", "it is missing: without the plan nothing can be checked"}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	p, err := decode(b)
	if err != nil {
		return nil, &Problem{folder.PlanFile, "", err.Error()}, nil
	}
	return p, nil, nil
}

// Recompute makes the result that the journal of a folder gives. A journal that
// does not hold is a problem; rules are the rows, with a colon behind them, that
// one of another plan breaks. Every other error of compute is an error.
func Recompute[R any](dir, rules string, compute func(io.Reader) (*R, error)) (*R, *Problem, error) {
	f, err := os.Open(filepath.Join(dir, folder.JournalFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Problem{folder.JournalFile, "", "it is missing: without the journal no figure can be checked"}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	r, err := compute(f)
	var (
		chain *journal.ChainError
		other *journal.PlanError
	)
	switch {
	case errors.As(err, &chain):
		return nil, &Problem{folder.JournalFile, fmt.Sprintf("line %d", chain.Line), chain.Reason}, nil
	case errors.As(err, &other):
		return nil, &Problem{folder.JournalFile, "line 1", fmt.Sprintf("%sit was written for another plan (%s) than the one beside it (%s)", rules, other.Got, other.Want)}, nil
	case errors.Is(err, journal.ErrEmpty):
		return nil, &Problem{folder.JournalFile, "", err.Error()}, nil
	}
	return r, nil, err
}

// Result holds the result of a folder against the one that its journal gives.
func Result(dir string, want []byte) ([]Problem, error) {
	have, err := os.ReadFile(filepath.Join(dir, folder.ResultFile))
	if errors.Is(err, fs.ErrNotExist) {
		return []Problem{{folder.ResultFile, "", "it is missing"}}, nil
	}
	if err != nil {
		return nil, err
	}
	if path, detail := First(have, want); detail != "" {
		return []Problem{{folder.ResultFile, path, detail}}, nil
	}
	return nil, nil
}

// Omitted are the problems of a result of which no report can be made. An error
// that says nothing of the kind is returned as it is.
func Omitted(err error) ([]Problem, error) {
	var omitted *omission.Error
	if !errors.As(err, &omitted) {
		return nil, err
	}
	var problems []Problem
	for _, o := range omitted.Omissions {
		problems = append(problems, Problem{folder.ReportFile, o.Where, "no report can be made: " + o.Rule + ": " + o.Detail})
	}
	return problems, nil
}

// Reports holds the reports of a folder, by the names of their files, against
// those that are wanted.
func Reports(dir string, want map[string][]byte) ([]Problem, error) {
	var problems []Problem
	for _, name := range slices.Sorted(maps.Keys(want)) {
		have, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, Problem{name, "", "it is missing"})
			continue
		}
		if err != nil {
			return problems, err
		}
		if line := Line(have, want[name]); line > 0 {
			problems = append(problems, Problem{name, fmt.Sprintf("line %d", line), "it is not what the plan and the journal give"})
		}
	}
	return problems, nil
}

// Line is the first line, from 1, in which two texts differ, or 0.
func Line(a, b []byte) int {
	if bytes.Equal(a, b) {
		return 0
	}
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	return 1 + bytes.Count(a[:same], []byte{'\n'})
}
