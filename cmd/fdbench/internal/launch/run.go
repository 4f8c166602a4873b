package launch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/execute"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
)

// Options say how a run deals with the scenario's lock, and who hears of its
// progress.
type Options struct {
	// NewSeries begins the next generation of a series whose declaration was
	// changed after its first trial.
	NewSeries bool
	// Explore leaves the lock alone; the result says that it is exploratory.
	Explore bool
	// Progress is called from one goroutine. It may be nil.
	Progress func(execute.Event)
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
	x := execute.Options{Plan: j.Plan, Dataset: j.Data, Dir: j.Dir, Exploratory: o.Explore, Progress: o.Progress}
	if begun != nil && begun.Exploratory != o.Explore {
		return nil, &RefusedError{modeError(j.Dir, begun.Exploratory)}
	}
	if o.Explore {
		return execute.Run(ctx, x)
	}
	lock, err := begin(j, begun, o.NewSeries)
	if err != nil {
		return nil, err
	}
	x.Generation = lock.generation
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var failed error
	x.Progress = func(e execute.Event) {
		// Every series begins with its baselines, so the first event comes
		// before the first trial.
		if err := lock.write(); err != nil && failed == nil {
			failed = err
			cancel(err)
		}
		if o.Progress != nil {
			o.Progress(e)
		}
	}
	result, err := execute.Run(ctx, x)
	if failed != nil {
		return nil, fmt.Errorf("the lock of the scenario could not be written: %w", failed)
	}
	return result, err
}

func modeError(dir string, exploratory bool) error {
	if exploratory {
		return fmt.Errorf("%s holds an exploratory run; go on with it with --explore, or choose another folder", dir)
	}
	return fmt.Errorf("%s holds a run under the scenario's lock; go on with it without --explore, or choose another folder", dir)
}

// openEntry reads how the run in a job's folder was begun. It is nil where
// there is none of this plan; what is wrong with another one, the execution
// finds out.
func openEntry(j Job) (*journal.Open, error) {
	f, err := os.Open(filepath.Join(j.Dir, execute.JournalFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var open journal.Open
	found := errors.New("found")
	err = journal.Read(f, func(e journal.Entry) error {
		if err := json.Unmarshal(e.Data, &open); err != nil {
			return err
		}
		return found
	})
	if !errors.Is(err, found) || open.PlanDigest != j.Plan.Digest {
		return nil, nil
	}
	return &open, nil
}

// pending is a lock that is written at the first trial.
type pending struct {
	path       string
	plan       *plan.Plan
	newSeries  bool
	generation int
	written    bool
}

// begin finds the generation that a run belongs to, without writing anything.
// A folder that holds a run of the current generation is resumed, even where
// the command line still says --new-series as it did at first.
func begin(j Job, begun *journal.Open, newSeries bool) (*pending, error) {
	lock, err := readLock(j.Lock)
	if err != nil {
		return nil, err
	}
	current, _ := lock.Check(j.Plan)
	if begun != nil && begun.Generation == current {
		newSeries = false
	}
	gen, err := lock.Begin(j.Plan, newSeries)
	if err != nil {
		return nil, err
	}
	if begun != nil && begun.Generation != gen {
		return nil, &RefusedError{fmt.Errorf("%s holds a run of generation %d of series %q, and this would be generation %d; choose another folder",
			j.Dir, begun.Generation, j.Plan.Series, gen)}
	}
	return &pending{path: j.Lock, plan: j.Plan, newSeries: newSeries, generation: gen}, nil
}

// write puts the generation into the lock, which is read again because other
// series of the scenario may have been run meanwhile.
func (l *pending) write() error {
	if l.written {
		return nil
	}
	lock, err := readLock(l.path)
	if err != nil {
		return err
	}
	before := len(lock.Series[l.plan.Series])
	gen, err := lock.Begin(l.plan, l.newSeries)
	if err != nil {
		return err
	}
	if gen != l.generation {
		return &RefusedError{fmt.Errorf("generation %d of series %q was begun by another run at the same time", l.generation, l.plan.Series)}
	}
	l.written = true
	if len(lock.Series[l.plan.Series]) == before {
		return nil
	}
	return lock.Write(l.path)
}

func readLock(path string) (*plan.Lock, error) {
	lock, err := plan.ReadLock(path)
	if is := new(fs.PathError); err != nil && !errors.As(err, &is) {
		return nil, &RefusedError{err}
	}
	return lock, err
}
