package launch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/fdbench/fdbench/compiler"
	"github.com/fdbench/fdbench/compiler/dataset"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang"
)

// Job is one series that is to be run in a folder.
type Job struct {
	Plan *plan.Plan
	Data *dataset.Dataset // nil for a simulated deployment
	Dir  string
	Lock string // path of the scenario's lock
}

// IsPlan tells a plan file from a scenario.
func IsPlan(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && !strings.HasSuffix(path, lang.Ext)
}

// OfScenario makes the jobs of a compiled scenario. A single series runs in
// out itself, several in folders of their names.
func OfScenario(path, out string, result *compiler.Result) ([]Job, error) {
	lock, err := plan.LockPath(path)
	if err != nil {
		return nil, err
	}
	var jobs []Job
	for _, p := range result.Plans {
		dir := out
		if len(result.Plans) > 1 {
			dir = filepath.Join(out, p.Series)
		}
		jobs = append(jobs, Job{Plan: p, Data: result.Data[p.Series], Dir: dir, Lock: lock})
	}
	return jobs, nil
}

// OfPlan makes the job of a plan file. scenario is where the files that the
// plan was made from lie, "" for the folder of the plan file itself.
func OfPlan(path, out, scenario string) (Job, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return Job{}, err
	}
	p, err := plan.Decode(b)
	if err != nil {
		return Job{}, &RefusedError{fmt.Errorf("%s: %w", path, err)}
	}
	if scenario == "" {
		scenario = filepath.Dir(path)
	}
	folder := scenario
	if info, err := os.Stat(scenario); err != nil {
		return Job{}, err
	} else if !info.IsDir() {
		folder = filepath.Dir(scenario)
	}
	data, err := dataset.Load(p, folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Job{}, fmt.Errorf("%w; name the folder of the scenario's files with --scenario", err)
	case err != nil:
		return Job{}, &RefusedError{err}
	}
	lock, err := plan.LockPath(scenario)
	if err != nil {
		return Job{}, err
	}
	return Job{Plan: p, Data: data, Dir: out, Lock: lock}, nil
}
