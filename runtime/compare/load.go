package compare

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/folder"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/measure"
	"github.com/fdbench/fdbench/runtime/report"
	"github.com/fdbench/fdbench/runtime/report/omission"
)

// UnfitError is something that was read and is no run or result, or does not
// hold: a changed journal, another format.
type UnfitError struct {
	Path string
	Err  error
}

func (e *UnfitError) Error() string { return e.Path + ": " + e.Err.Error() }

// Unwrap returns what is wrong with it.
func (e *UnfitError) Unwrap() error { return e.Err }

// Load reads the folder of a run, whose result it recomputes from the plan and
// the journal and from nothing else, or a bare result.json, of which it looks
// only whether a report may be made.
// The error is an *[UnfitError], or that of a file that cannot be read.
func Load(path string) (Input, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return Input{}, err
	case info.IsDir():
		return loadFolder(path)
	}
	return loadFile(path)
}

func loadFile(path string) (Input, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return Input{}, err
	}
	var head struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(b, &head); err != nil || head.Format == "" {
		return Input{}, &UnfitError{path, errors.New("it is no result: name the folder of a run, or its result.json")}
	}
	if head.Format != measure.Format {
		return Input{}, &UnfitError{path, fmt.Errorf("it has the format %s, and this program compares %s: name the folder of a run, or its result.json", head.Format, measure.Format)}
	}
	r, err := measure.Decode(b)
	if err != nil {
		return Input{}, &UnfitError{path, fmt.Errorf("it is no result as this program writes it (%w): name the folder of the run", err)}
	}
	in := Input{Name: path, Result: r}
	_, err = report.Read(b)
	var omitted *omission.Error
	switch {
	case errors.As(err, &omitted):
		in.Omissions = omitted.Omissions
	case err != nil:
		return Input{}, &UnfitError{path, err}
	}
	return in, nil
}

func loadFolder(dir string) (Input, error) {
	b, err := os.ReadFile(filepath.Join(dir, folder.PlanFile))
	if errors.Is(err, fs.ErrNotExist) {
		return Input{}, folder.NoRun(dir)
	}
	if err != nil {
		return Input{}, err
	}
	p, err := plan.Decode(b)
	if err != nil {
		return Input{}, &UnfitError{filepath.Join(dir, folder.PlanFile), err}
	}
	name := filepath.Join(dir, folder.JournalFile)
	f, err := os.Open(name)
	if err != nil {
		return Input{}, err
	}
	defer f.Close()
	r, err := measure.Compute(p, f)
	if err != nil {
		return Input{}, unfit(name, err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return Input{}, err
	}
	latencies, err := Latencies(p, f)
	if err != nil {
		return Input{}, unfit(name, err)
	}
	if row, bad := disagrees(r, latencies); bad {
		if len(breaking(r.Conformance.Violations)) > 0 {
			// The journal's own conclusions do not hold, and the result says so.
			return Input{Name: dir, Result: r, Plan: p}, nil
		}
		return Input{}, &UnfitError{name, fmt.Errorf("it has other latencies of %s, %s, %s, %s than its own result: was it written to meanwhile?", row.Class, row.Magnitude, row.Profile, row.Load)}
	}
	return Input{Name: dir, Result: r, Plan: p, Latencies: latencies}, nil
}

// unfit keeps the errors of the file system apart from those of what was read.
func unfit(path string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return err
	}
	return &UnfitError{path, err}
}

// Latencies reads from a journal the latencies of the kept, detected trials of
// each combination of its plan, in seconds and in the order of the trials.
func Latencies(p *plan.Plan, r io.Reader) (map[measure.RowKey][]float64, error) {
	rows := map[int]measure.RowKey{}
	for _, t := range p.Combinations.Trials {
		rows[t.ID] = measure.RowKey{Class: t.Class, Profile: t.Profile.Name, Magnitude: t.Magnitude.String(),
			Load: p.Declaration.Load.Points[t.Load].Rate.String() + " req/s"}
	}
	out := map[measure.RowKey][]float64{}
	err := journal.Read(r, func(e journal.Entry) error {
		if e.Kind != journal.KindTrial {
			return nil
		}
		var t journal.TrialRecord
		if err := json.Unmarshal(e.Data, &t); err != nil {
			return &journal.ChainError{Line: e.Line, Reason: err.Error()}
		}
		if row, ok := rows[t.Combination]; ok && t.Purpose == journal.PurposeTrials && t.Kept && t.Detected {
			out[row] = append(out[row], t.Latency.Seconds().Float64())
		}
		return nil
	})
	if errors.Is(err, journal.ErrTorn) {
		err = nil
	}
	return out, err
}
