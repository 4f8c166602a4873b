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

// Job is one series, or one reuse block, that is to be run in a folder.
type Job struct {
	Plan  *plan.Plan       // of a series; nil for a reuse block
	Reuse *plan.Reuse      // of a reuse block; nil for a series
	Data  *dataset.Dataset // nil for a simulated deployment
	Dir   string
	// Scenario is the folder of the files that the plan was made from.
	Scenario string
	Lock     string // path by which the scenario's lock is begun
	// Single tells that the scenario is one file, and that other files of its
	// folder are other scenarios.
	Single bool
}

// Name is that of the series or reuse block.
func (j *Job) Name() string {
	if j.Reuse != nil {
		return j.Reuse.Name
	}
	return j.Plan.Series
}

// what names the job in a sentence.
func (j *Job) what() string {
	if j.Reuse != nil {
		return fmt.Sprintf("reuse block %q", j.Reuse.Name)
	}
	return fmt.Sprintf("series %q", j.Plan.Series)
}

// Digest is that of the plan.
func (j *Job) Digest() string {
	if j.Reuse != nil {
		return j.Reuse.Digest
	}
	return j.Plan.Digest
}

// key is under what a lock knows the job.
func (j *Job) key() string {
	if j.Reuse != nil {
		return plan.ReuseKey(j.Reuse.Name)
	}
	return j.Plan.Series
}

func (j *Job) check(l *plan.Lock) (int, []plan.Diff) {
	if j.Reuse != nil {
		return l.CheckReuse(j.Reuse)
	}
	return l.Check(j.Plan)
}

func (j *Job) begin(l *plan.Lock, newSeries bool) (int, error) {
	if j.Reuse != nil {
		return l.BeginReuse(j.Reuse, newSeries)
	}
	return l.Begin(j.Plan, newSeries)
}

// IsPlan tells a plan file from a scenario.
func IsPlan(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && !strings.HasSuffix(path, lang.Ext)
}

// OfScenario makes the jobs of a compiled scenario: its series, and then its
// reuse blocks. A single one runs in out itself, several in folders of their
// names.
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
		jobs = append(jobs, Job{Plan: p, Data: result.Data[p.Series]})
	}
	for _, p := range result.Reuses {
		jobs = append(jobs, Job{Reuse: p})
	}
	taken := map[string]bool{}
	for i := range jobs {
		j := &jobs[i]
		j.Dir, j.Scenario, j.Lock, j.Single = out, folder, lock, strings.HasSuffix(path, lang.Ext)
		if len(jobs) > 1 {
			name := j.Name()
			if taken[name] {
				name = "reuse." + name // a series has that name too
			}
			taken[name] = true
			j.Dir = filepath.Join(out, name)
		}
	}
	return jobs, nil
}

// OfPlan makes the job of a plan file. scenario is where the files that the
// plan was made from lie, "" for the folder of the plan file itself. The lock
// is that of the scenario, or lies beside the plan file.
func OfPlan(path, out, scenario string) (Job, error) {
	var j Job
	reuse, err := IsReuse(path)
	if err != nil {
		return j, err
	}
	if scenario == "" {
		scenario = filepath.Dir(path)
	}
	if reuse {
		j.Reuse, err = ReadReuse(path)
	} else if j.Plan, err = ReadPlan(path); err == nil {
		j.Data, err = dataOf(j.Plan, scenario)
	}
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
	j.Dir, j.Scenario, j.Lock, j.Single = out, folder, lock, strings.HasSuffix(scenario, lang.Ext)
	return j, nil
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
