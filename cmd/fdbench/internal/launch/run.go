package launch

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/fdbench/fdbench/runtime/execute"
	"github.com/fdbench/fdbench/runtime/folder"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
)

// Options say how a run deals with the scenario's lock, and who hears of its
// progress.
type Options struct {
	// NewSeries begins the next generation of a series whose declaration was
	// changed after its first trial. A series that was not changed goes on in
	// the generation that it is in.
	NewSeries bool
	// Unchanged is told the generation that goes on although NewSeries is set.
	// It may be nil.
	Unchanged func(generation int)
	// Explore leaves the lock alone; the result says that it is exploratory.
	Explore bool
	// Progress is called from one goroutine. It may be nil.
	Progress func(execute.Event)
	// Live says how a plan in real time is carried out. The folder of the
	// scenario is the job's.
	Live execute.Live
}

// Run executes a job, or goes on with it where its folder holds the same run.
// The lock is on the disk before the first trial begins, and is not touched by
// a run that does not get there (FD-4.1-5).
//
// [Refused] tells whether an error is the input's fault.
func Run(ctx context.Context, j Job, o Options) (*measure.Result, error) {
	begun, err := openEntry(j)
	if err != nil {
		return nil, err
	}
	if o.Explore && execute.IsLive(j.Plan) {
		return nil, &RefusedError{errExplore}
	}
	x := execute.Options{Plan: j.Plan, Dataset: j.Data, Dir: j.Dir, Exploratory: o.Explore, Progress: o.Progress, Live: o.Live}
	x.Live.Scenario = j.Scenario
	if begun != nil && begun.Exploratory != o.Explore {
		return nil, &RefusedError{&folder.ModeError{Dir: j.Dir, Exploratory: begun.Exploratory}}
	}
	if o.Explore {
		return execute.Run(ctx, x)
	}
	lock, err := begin(j, begun, o)
	if err != nil {
		return nil, err
	}
	x.Generation, x.Earlier = lock.generation, lock.earlier
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var failed error
	x.Progress = func(e execute.Event) {
		// Every series begins with its baselines, so the first segment is
		// complete before the first trial.
		if !e.Begins {
			if err := lock.write(); err != nil && failed == nil {
				failed = err
				cancel(err)
			}
		}
		if o.Progress != nil {
			o.Progress(e)
		}
	}
	result, err := execute.Run(ctx, x)
	if failed != nil {
		return nil, failed
	}
	return result, err
}

// errExplore is why a series in real time cannot be run without its lock.
var errExplore = errors.New("FD-4.1-5: --explore is for trying a scenario out in simulation, and this one measures a deployment; " +
	"\"fdbench rehearse\" tries it out without a result")

// openEntry reads how the run in a job's folder was begun. It is nil where
// there is none of this plan; what is wrong with another one, the execution
// finds out.
func openEntry(j Job) (*journal.Open, error) {
	open, err := opening(filepath.Join(j.Dir, execute.JournalFile))
	var p *fs.PathError
	switch {
	case errors.As(err, &p) && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case err != nil || open.PlanDigest != j.Digest():
		return nil, nil
	}
	return open, nil
}

// OtherRun tells whether a folder holds a journal, and not that of the plan
// with a digest.
func OtherRun(dir, digest string) bool {
	open, err := opening(filepath.Join(dir, execute.JournalFile))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, journal.ErrEmpty):
		return false
	}
	return err != nil || open.PlanDigest != digest
}
