package launch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fdbench/fdbench/runtime/execute"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/verify/difference"
)

// ErrRealTime says that a run cannot be repeated, because the deployment that
// it measured was a real one.
var ErrRealTime = errors.New("only a run in virtual time can be repeated to the same bytes, and this one measured a deployment")

// Rerun executes the plan of a run's folder again, in a folder that is removed
// afterwards, and returns the first line of the journal that is not the same,
// 0 where the bytes are equal. scenario is where the files of the plan's
// scenario lie, "" for the run's folder itself.
//
// This is what the chain of a journal cannot show: that the journal was
// written by a run of this plan.
func Rerun(ctx context.Context, dir, scenario string, progress func(execute.Event)) (line int, err error) {
	p, err := ReadPlan(filepath.Join(dir, execute.PlanFile))
	if err != nil {
		return 0, err
	}
	open, err := opening(filepath.Join(dir, execute.JournalFile))
	if err != nil {
		return 0, err
	}
	if p.Declaration.Serving.Endpoint != nil { // whatever the journal says
		return 0, &RefusedError{ErrRealTime}
	}
	if scenario == "" {
		scenario = dir
	}
	data, err := dataOf(p, scenario)
	if err != nil {
		return 0, err
	}
	factory, err := execute.Factory(p, data)
	if err != nil {
		return 0, err
	}
	if open.Engine != factory.Engine() {
		return 0, &RefusedError{fmt.Errorf("the run was executed by %s, and this fdbench has %s: repeat it with the fdbench that it was made with", open.Engine, factory.Engine())}
	}
	tmp, err := os.MkdirTemp("", "fdbench-rerun-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(tmp)
	_, err = execute.Run(ctx, execute.Options{
		Plan: p, Dataset: data, Dir: tmp, Generation: open.Generation, Earlier: open.Earlier, Exploratory: open.Exploratory, Progress: progress,
	})
	if err != nil {
		return 0, err
	}
	have, err := os.ReadFile(filepath.Join(dir, execute.JournalFile))
	if err != nil {
		return 0, err
	}
	want, err := os.ReadFile(filepath.Join(tmp, execute.JournalFile))
	if err != nil {
		return 0, err
	}
	return difference.Line(have, want), nil
}

var errFound = errors.New("found")

// opening reads how a journal was begun.
func opening(path string) (*journal.Open, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var open journal.Open
	err = journal.Read(f, func(e journal.Entry) error {
		if err := json.Unmarshal(e.Data, &open); err != nil {
			return err
		}
		return errFound
	})
	if !errors.Is(err, errFound) {
		return nil, err
	}
	return &open, nil
}
