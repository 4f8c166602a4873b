package launch

import (
	"bytes"
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
	// Scenario is the folder of the files that the plan was made from.
	Scenario string
	Lock     string // path by which the scenario's lock is begun
	// Single tells that the scenario is one file, and that other files of its
	// folder are other scenarios.
	Single bool
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
	folder, err := folderOf(path)
	if err != nil {
		return nil, err
	}
	var jobs []Job
	for _, p := range result.Plans {
		dir := out
		if len(result.Plans) > 1 {
			dir = filepath.Join(out, p.Series)
		}
		jobs = append(jobs, Job{Plan: p, Data: result.Data[p.Series], Dir: dir, Scenario: folder, Lock: lock, Single: strings.HasSuffix(path, lang.Ext)})
	}
	return jobs, nil
}

// OfPlan makes the job of a plan file. scenario is where the files that the
// plan was made from lie, "" for the folder of the plan file itself. The lock
// is that of the scenario, or lies beside the plan file.
func OfPlan(path, out, scenario string) (Job, error) {
	p, err := ReadPlan(path)
	if err != nil {
		return Job{}, err
	}
	if scenario == "" {
		scenario = filepath.Dir(path)
	}
	data, err := dataOf(p, scenario)
	if err != nil {
		return Job{}, err
	}
	lock, err := plan.LockPath(scenario)
	if err != nil {
		return Job{}, err
	}
	folder, err := folderOf(scenario)
	if err != nil {
		return Job{}, err
	}
	return Job{Plan: p, Data: data, Dir: out, Scenario: folder, Lock: lock, Single: strings.HasSuffix(scenario, lang.Ext)}, nil
}

// folderOf is the folder of a scenario that is a folder or a file in it.
func folderOf(scenario string) (string, error) {
	info, err := os.Stat(scenario)
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		return scenario, nil
	}
	return filepath.Dir(scenario), nil
}

// ReadPlan reads a plan file. One that is no plan, or was edited, is a
// [RefusedError].
func ReadPlan(path string) (*plan.Plan, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if !bytes.Contains(b, []byte(plan.Format[:strings.IndexByte(plan.Format, '/')+1])) {
		return nil, &RefusedError{fmt.Errorf("%s is no plan. A plan is made with \"fdbench plan SCENARIO --out FILE\", "+
			"and a scenario is a folder or a file whose name ends in %s", path, lang.Ext)}
	}
	p, err := plan.Decode(b)
	if err != nil {
		return nil, &RefusedError{fmt.Errorf("%s: %w", path, err)}
	}
	return p, nil
}

// dataOf loads the responses that a plan of a recorded deployment needs, nil
// for another one. scenario is a folder, or a file in it.
func dataOf(p *plan.Plan, scenario string) (*dataset.Dataset, error) {
	scenario, err := folderOf(scenario)
	if err != nil {
		return nil, err
	}
	data, err := dataset.Load(p, scenario)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w; name the folder of the scenario's files with --scenario", err)
	case err != nil:
		return nil, &RefusedError{err}
	}
	return data, nil
}
