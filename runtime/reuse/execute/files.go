package execute

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

// Names of the files in a run's folder. They are those of every run.
const (
	PlanFile    = "plan.json"
	JournalFile = "journal.jsonl"
	ResultFile  = "result.json"
	ReportFile  = "report.md"
)

// OtherPlanError says that a folder holds the run of another plan. What was
// measured under one declaration is not scored under another.
type OtherPlanError struct {
	Dir        string
	Have, Want string // plan digests
	Name       string // of the reuse block whose run is there; "" where it is not known
	Unreadable error  // the plan in the folder cannot be read
	NotARun    string // a file that no run wrote
}

func (e *OtherPlanError) Error() string {
	switch {
	case e.NotARun != "":
		return fmt.Sprintf("%s holds %s and no run of fdbench; choose an empty folder", e.Dir, e.NotARun)
	case e.Unreadable != nil:
		return fmt.Sprintf("%s holds a plan that cannot be trusted: %v; choose another folder", e.Dir, e.Unreadable)
	}
	return fmt.Sprintf("%s holds the run of another plan (reuse block %q, %s), and this plan is %s; choose another folder, or go back to the scenario that the run was made from",
		e.Dir, e.Name, short(e.Have), short(e.Want))
}

// ModeError says that a folder holds a run that deals otherwise with the lock.
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

func short(digest string) string {
	if len(digest) > 19 {
		return digest[:19] + "…"
	}
	return digest
}

// prepare makes the folder, or finds in it the same plan. It writes nothing
// where it refuses.
func prepare(dir string, p *plan.Reuse) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return err
	}
	have, err := os.ReadFile(filepath.Join(dir, PlanFile))
	if errors.Is(err, fs.ErrNotExist) {
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), atomicfile.Prefix) {
				return &OtherPlanError{Dir: dir, NotARun: e.Name()}
			}
		}
		return atomicfile.Write(filepath.Join(dir, PlanFile), plan.EncodeReuse(p))
	}
	if err != nil {
		return err
	}
	old, err := plan.DecodeReuse(have)
	if err != nil {
		return &OtherPlanError{Dir: dir, Want: p.Digest, Unreadable: err}
	}
	if old.Digest != p.Digest {
		return &OtherPlanError{Dir: dir, Have: old.Digest, Want: p.Digest, Name: old.Name}
	}
	return nil
}

// sweep removes what a killed run left half written. The journal's lock is
// held by then, so no other run is writing.
func sweep(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, atomicfile.Prefix+"*"))
	for _, path := range left {
		os.Remove(path)
	}
}

// replace writes a file whose bytes are others than those that are there.
func replace(path string, data []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	return atomicfile.Write(path, data)
}
