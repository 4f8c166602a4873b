package launch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/folder"
	"github.com/fdbench/fdbench/runtime/reuse/blocks"
	"github.com/fdbench/fdbench/runtime/reuse/execute"
	"github.com/fdbench/fdbench/runtime/reuse/manifest"
	"github.com/fdbench/fdbench/runtime/reuse/offline"
	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/runtime/reuse/source"
)

// sniffed is how much of a file tells whose plan it is: the canonical form puts
// the member "format" behind the declaration, so it may stand far inside.
const sniffed = 64 << 20

// IsReuse tells the plan of a reuse block from that of a series. It is false
// for a file that is neither.
func IsReuse(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, sniffed))
	return bytes.Contains(b, []byte(`"`+plan.ReuseFormat+`"`)), err
}

// ReadReuse reads the plan file of a reuse block. One that was edited is a
// [RefusedError].
func ReadReuse(path string) (*plan.Reuse, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p, err := plan.DecodeReuse(b)
	if err != nil {
		return nil, &RefusedError{fmt.Errorf("%s: %w", path, err)}
	}
	return p, nil
}

// ReuseOptions say how a run of a reuse block deals with the scenario's lock,
// and who hears of its progress.
type ReuseOptions struct {
	NewSeries bool                 // begins the next generation of a block that was changed
	Unchanged func(generation int) // told where NewSeries begins none; may be nil
	Explore   bool                 // leaves the lock alone
	Allow     []string             // hosts outside of the confined ranges
	Run       string               // tells runs of one plan apart in the ids of requests
	Progress  func(execute.Event)  // may be nil
}

// errExploreReuse is why a block with a live part cannot be run without its
// lock.
var errExploreReuse = errors.New("--explore is for trying a scenario out offline, and this reuse block sends requests to a deployment; " +
	"take its live block out to try the rest, or run it under its lock")

// RunReuse executes the job of a reuse block, or goes on with it where its
// folder holds the same run. The lock is on the disk before the first row or
// request is.
//
// [Refused] tells whether an error is the input's fault.
func RunReuse(ctx context.Context, j Job, o ReuseOptions) (*result.Result, error) {
	begun, err := openEntry(j)
	if err != nil {
		return nil, err
	}
	if o.Explore && j.Reuse.Declaration.Live != nil {
		return nil, &RefusedError{errExploreReuse}
	}
	if begun != nil && begun.Exploratory != o.Explore {
		return nil, &RefusedError{&folder.ModeError{Dir: j.Dir, Exploratory: begun.Exploratory}}
	}
	x := execute.Options{Plan: j.Reuse, Dir: j.Dir, Folder: j.Scenario, Exploratory: o.Explore, Allow: o.Allow, Run: o.Run, Progress: o.Progress}
	if o.Explore {
		return execute.Run(ctx, x)
	}
	lock, err := begin(j, begun, Options{NewSeries: o.NewSeries, Unchanged: o.Unchanged})
	if err != nil {
		return nil, err
	}
	x.Generation, x.Earlier, x.Begin = lock.generation, lock.earlier, lock.write
	return execute.Run(ctx, x)
}

// refusedReuse tells whether an error of a reuse block's run is the input's
// fault.
func refusedReuse(err error) bool {
	return is[*execute.EngineError](err) || is[*execute.ModelError](err) ||
		is[*result.ConditionError](err) || is[*manifest.LineError](err) || is[*source.DigestError](err) || is[*source.BuildError](err) ||
		is[*offline.DigestError](err) || is[*offline.VersionError](err) || is[*blocks.PlanError](err)
}
