package folder

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/internal/atomicfile"
)

// Names of the files in a run's folder.
const (
	PlanFile    = "plan.json"
	JournalFile = "journal.jsonl"
	ResultFile  = "result.json"
	ReportFile  = "report.md"
)

// Kind is what a plan is for.
type Kind struct {
	Noun string // "series"

	// Rows of the table that are named to a person who gives a folder whose plan
	// was edited, or that of another plan's run. "" where there is none.
	EditedRule, OtherRule string
}

// Plan is what a folder is to hold the run of.
type Plan struct {
	Kind   Kind
	Digest string
	Text   []byte // of plan.json
	// Decode reads the plan that is in the folder already. Its error says that
	// the plan was edited, or cannot be read.
	Decode func([]byte) (name, digest string, err error)
}

// OtherPlanError says that a folder holds the run of another plan, or none:
// what was measured under one declaration is not scored under another.
type OtherPlanError struct {
	Kind       Kind
	Dir        string
	Have, Want string // plan digests
	Name       string // of what the plan in the folder is for; "" where it is not known
	Unreadable error  // the plan in the folder cannot be read
	NotARun    string // a file that no run wrote
}

func (e *OtherPlanError) Error() string {
	switch {
	case e.NotARun != "":
		return fmt.Sprintf("%s holds %s and no run of fdbench; choose an empty folder", e.Dir, e.NotARun)
	case e.Unreadable != nil:
		return fmt.Sprintf("%s%s holds a plan that cannot be trusted: %v; choose another folder", rule(e.Kind.EditedRule), e.Dir, e.Unreadable)
	}
	return fmt.Sprintf("%s%s holds the run of another plan (%s %q, %s), and this plan is %s; choose another folder, or go back to the scenario that the run was made from",
		rule(e.Kind.OtherRule), e.Dir, e.Kind.Noun, e.Name, plan.Short(e.Have), plan.Short(e.Want))
}

func rule(id string) string {
	if id == "" {
		return ""
	}
	return id + ": "
}

// NoRun says why a folder without a plan is no run. A scenario of several series
// has one folder for each.
func NoRun(dir string) error {
	if found, _ := filepath.Glob(filepath.Join(dir, "*", PlanFile)); len(found) > 0 {
		return fmt.Errorf("%s holds the runs of several series: name one of them, such as %s", dir, filepath.Dir(found[0]))
	}
	return fmt.Errorf("%s holds no run: there is no %s in it", dir, PlanFile)
}

// ModeError says that a folder holds a run that deals otherwise with the
// scenario's lock.
type ModeError struct {
	Dir         string
	Exploratory bool // the run that is there
}

func (e *ModeError) Error() string {
	if e.Exploratory {
		return fmt.Sprintf("%s holds an exploratory run; go on with it with --explore, or choose another folder", e.Dir)
	}
	return fmt.Sprintf("%s holds a run under the scenario's lock; go on with it without --explore, or choose another folder", e.Dir)
}

// Prepare makes the folder with the plan in it, or finds in it the same plan.
// It writes nothing where it refuses. The error is an *[OtherPlanError], or the
// file system's.
func Prepare(dir string, p Plan) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return err
	}
	path := filepath.Join(dir, PlanFile)
	have, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), atomicfile.Prefix) {
				return &OtherPlanError{Kind: p.Kind, Dir: dir, NotARun: e.Name()}
			}
		}
		return atomicfile.Write(path, p.Text)
	}
	if err != nil {
		return err
	}
	name, digest, err := p.Decode(have)
	if err != nil {
		return &OtherPlanError{Kind: p.Kind, Dir: dir, Want: p.Digest, Unreadable: err}
	}
	if digest != p.Digest {
		return &OtherPlanError{Kind: p.Kind, Dir: dir, Have: digest, Want: p.Digest, Name: name}
	}
	return nil
}

// Sweep removes what a killed run left half written. The caller holds the
// journal's lock, so that no other run is writing.
func Sweep(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, atomicfile.Prefix+"*"))
	for _, path := range left {
		os.Remove(path)
	}
}

// Write puts files into a folder by their names, each as a whole. One that
// holds the same bytes already is left alone.
func Write(dir string, files map[string][]byte) error {
	for name, data := range files {
		path := filepath.Join(dir, name)
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
			continue
		}
		if err := atomicfile.Write(path, data); err != nil {
			return err
		}
	}
	return nil
}
